"""How joints are chosen for the poses of a task: over branches, or step by step by an inverse kinematics."""

from typing import Protocol

import numpy as np

from hil.common.arrays import Array, BoolArray
from hil.configuration.schema import Configuration
from planner.branches.bounds import Bounds, bounds_within
from planner.branches.path_choice import JointPath, PathChoice, Task
from planner.branches.stepwise_choice import StepwiseChoice
from planner.inverse.lagrange import LagrangeInverse
from planner.inverse.passive_chain import MASS, PassiveChain
from planner.kinematics.arm_model import ArmModel, check_inverse

PROGRAM_MARGIN = 0.0087266463  # [rad] by which the program stays further from limits: its path is smoothed
PROGRAM_SPEED = 0.97  # of the speeds of the path, for the same reason
RETURN_RATE = 0.2  # [1/s] at which the Lagrange optimisation draws a free arm back to its start pose


class Choice(Protocol):
    """What the planner asks of a choice of joints."""

    def anchored(self, task: Task) -> JointPath:
        """Return what to go on from where nothing was planned before."""

    def chosen(self, task: Task, at_hand: JointPath) -> JointPath:
        """Return the joints along a task."""

    def speeds(self, task: Task, path: JointPath, breaks: BoolArray) -> Array:
        """Return the joint speeds along a path, whose intervals with a bounce are `breaks`."""

    def jump(self, task: Task, path: JointPath, node: int, pose: Array, s: float) -> Array:
        """Return the change of joint speeds at a bounce."""


def choice_for(model: ArmModel, configuration: Configuration, bounds: Bounds) -> Choice:
    """Return the choice of joints that `planner.inverse` names, within bounds.

    Raises:
        RobotModelError: branches of an arm that has no closed form.
    """
    settings = configuration.planner
    check_inverse(model, settings.inverse, configuration.robot.model.name)
    if settings.inverse == "branches":
        speed = settings.speed_fraction * np.asarray(configuration.limits.velocity)
        margin = settings.limit_margin + PROGRAM_MARGIN
        programmed = bounds_within(model, PROGRAM_SPEED * speed, margin)
        return PathChoice(
            bounds, programmed, settings.knot, settings.horizon, settings.arm_angles, settings.committed
        )
    chain = model.chain
    slowness = (bounds.velocity.max() / bounds.velocity) ** 2  # slow joints are spared
    inverse: LagrangeInverse | PassiveChain
    if settings.inverse == "passive-chain":
        inverse = PassiveChain(chain, bounds.lower, bounds.upper, masses=MASS * slowness)
    else:
        back = RETURN_RATE / configuration.simulation.prediction_step
        inverse = LagrangeInverse(
            chain, bounds.lower, bounds.upper, ("speed", "position"), (slowness, back * slowness),
            q_ref=np.array(configuration.robot.start),
        )  # fmt: skip
    return StepwiseChoice(bounds, chain, inverse)
