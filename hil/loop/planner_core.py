"""Which planner's core a run has: a plain one, one whose arm is carried, or one of two arms that share."""

from typing import TYPE_CHECKING, Union

from hil.configuration import Configuration
from hil.loop.carried.planning import CarriedPlanner
from planner.branches.path_planner import PathPlanner
from planner.kinematics.arm_model import load_arm_model

if TYPE_CHECKING:  # a run that shares nothing loads nothing of it
    from hil.loop.shared.shared_planner import SharedPlanner


def core_of(c: Configuration) -> Union[PathPlanner, CarriedPlanner, "SharedPlanner"]:
    """Return the planner's core of a run.

    Raises:
        ConfigurationError: the pair of which the run's arm is one breaks a rule.
    """
    model = load_arm_model(c.robot.model)
    if c.shared is not None:
        from hil.loop.shared.shared_planner import SharedPlanner

        return SharedPlanner(model, c)
    return PathPlanner(model, c) if c.base.kind == "none" else CarriedPlanner(model, c)
