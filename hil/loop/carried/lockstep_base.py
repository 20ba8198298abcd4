"""The emulated vehicle within the lock-step loop, with what stands for its link."""

import numpy as np

from drivers.base.emulated_base import GRID, EmulatedBase
from hil.common.arrays import Array
from hil.common.clock import nanoseconds
from hil.configuration import Configuration
from hil.loop.carried.carried_arm import CarriedArm
from hil.loop.carried.planning import CarriedPlanner
from hil.loop.carried.vehicle import Vehicle
from hil.messaging.base_messages import BasePlan, BaseState
from hil.messaging.codec import over_the_wire
from hil.messaging.messages import Mode, Plan, Prediction
from planner.kinematics.arm_model import ArmModel

STATE_PERIOD_NS = 4_000_000  # between two poses that are told: 250 Hz


class LockStepBase:
    """Moves the vehicle a cycle on, and passes on what planner, driver and vehicle say of the base.

    Attributes:
        vehicle: the emulated one.
        arm: what the driver knows of it.
    """

    def __init__(self, configuration: Configuration, model: ArmModel) -> None:
        """Set up for a run whose arm is carried.

        Raises:
            RobotModelError: the robot model cannot be used.
        """
        self.vehicle = EmulatedBase(configuration, configuration.run.seed)
        self.arm = CarriedArm(configuration, model)
        self._driving, self._planner = Vehicle(configuration), CarriedPlanner(model, configuration)
        self._plan: BasePlan | None = None  # the newest that was made
        self._cycle = configuration.fri.sample_time
        self._steps = max(1, round(self._cycle / GRID))
        self._state: BaseState | None = None
        self._due_ns = 0

    def tell(self, t_ns: int) -> None:
        """Let the driver hear where the vehicle is, if that is told at `t_ns`."""
        if t_ns < self._due_ns:
            return
        self._due_ns = t_ns + STATE_PERIOD_NS
        pose, rate = self.vehicle.measured
        measured_ns = t_ns - nanoseconds(self.vehicle.measured_age)
        self._state = over_the_wire(BaseState(measured_ns, pose, rate, True))
        self.arm.hear(self._state)

    def planned(self, prediction: Prediction, q_command: Array) -> Plan:
        """Return the arm's plan; that of the base is kept until it arrives with it."""
        plan, base_plan = self._planner.step(prediction, q_command, self.arm.pose, self.arm.trouble)
        self._plan = over_the_wire(base_plan)
        return plan

    def plan_arrives(self) -> None:
        """Let driver and vehicle follow the newest plan of the base."""
        if self._plan is not None:
            self._driving.take(self._plan)
            self.arm.take(self._plan)

    def advance(self, t_ns: int, mode: Mode | None) -> Array:
        """Command the vehicle at `t_ns` and move it on by a cycle; return its motion then, shape (3, 3)."""
        command = self._driving.step(t_ns, self._cycle, mode, self._state)
        for _ in range(self._steps):
            self.vehicle.step(np.array(command))
        return self.vehicle.motion
