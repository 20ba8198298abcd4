"""What is the same in all runs of an experiment: the configuration, the arm, its commands, its parameters."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from drivers.robot.stiffness_arm import JointControl, Tool, damping_at, stiffness_arm
from hil.common.arrays import Array, frozen_array
from hil.common.errors import ConfigurationError
from hil.configuration.frames import pose_of
from hil.trials.validation.loading import experiment_file, load_experiment
from hil.trials.validation.parameters import Parameters
from hil.trials.validation.schema import Experiment
from hil.trials.validation.sequence import Commands
from planner.kinematics.arm_model import ArmModel, load_arm_model


@dataclass(frozen=True, eq=False)
class Setup:
    """An experiment made ready.

    Attributes:
        name: as the user gave it.
        experiment: its configuration.
        arm: the kinematics.
    """

    name: str
    experiment: Experiment
    arm: ArmModel

    @classmethod
    def load(cls, name: str, settings: Sequence[str] = ()) -> "Setup":
        """Return the experiment of that name, or in that file; `settings` stand in for the file's values.

        Raises:
            ConfigurationError: there is none, or its file breaks a rule.
            RobotModelError: the arm's model cannot be used.
        """
        experiment = load_experiment(name, settings)
        setup = cls(Path(name).stem.replace("_", "-"), experiment, load_arm_model(experiment.arm.model))
        try:
            assert len(setup.commands)  # a sequence that cannot be done is refused now
        except ConfigurationError as error:
            raise ConfigurationError(f"{experiment_file(name)}: {error}") from None
        return setup

    @cached_property
    def commands(self) -> Array:
        """The whole sequence on the grid of the simulation [rad], shape (n, 7)."""
        sequence = self.experiment.sequence
        return frozen_array(Commands(self.experiment, self.arm).sequence(sequence.move, sequence.repetitions))

    @property
    def has_tool_sensor(self) -> bool:
        """Whether a force sensor hangs between flange and peg."""
        return self.experiment.sensor.kind != "robot"

    @cached_property
    def T_world_base(self) -> Array:
        """The mount, shape (4, 4)."""
        arm = self.experiment.arm
        return pose_of(arm.mount_rotvec, arm.mount_position)

    @cached_property
    def parameters(self) -> Parameters:
        """As configured."""
        e = self.experiment
        undamped = JointControl(e.controller.stiffness, np.ones(7), e.friction.coulomb, e.friction.viscous)
        model = stiffness_arm(e.arm.model, self.T_world_base, undamped, self.tool(e.peg.mass)).compile()
        damping = damping_at(model, e.arm.start, undamped.stiffness, e.controller.damping)
        control = JointControl(undamped.stiffness, damping, undamped.coulomb, undamped.viscous)
        contact = e.contact
        return Parameters.of(control, contact.friction, contact.stiffness, contact.damping, e.peg.mass)

    def tool(self, mass: float) -> Tool:
        """Return the peg as the arm carries it, with the mass that it really has [kg]."""
        peg = self.experiment.peg
        return Tool(mass=mass, load=peg.mass, begin=0.0, end=peg.tip, radius=peg.radius)
