"""The emulated vehicle within the lock-step loop, with what stands for its link."""

from hil.common.arrays import Array
from hil.common.clock import nanoseconds
from hil.configuration import Configuration
from hil.loop.carried.carried_arm import CarriedArm
from hil.loop.carried.planning import CarriedPlanner
from hil.loop.carried.stand_in import StandIn
from hil.loop.carried.vehicle import Vehicle
from hil.messaging.base_messages import BaseCommand, BasePlan
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

    def __init__(self, configuration: Configuration, model: ArmModel, t_ns: int) -> None:
        """Set up for a run whose arm is carried, which begins at `t_ns`.

        Raises:
            RobotModelError: the robot model cannot be used.
        """
        self._stand_in = StandIn(configuration, t_ns)
        self.vehicle = self._stand_in.vehicle
        self.arm = CarriedArm(configuration, model)
        self._driving, self._planner = Vehicle(configuration), CarriedPlanner(model, configuration)
        self._plan: BasePlan | None = None  # the newest that was made
        self._cycle = configuration.fri.sample_time
        self._due_ns = 0

    def tell(self, t_ns: int) -> None:
        """Let the driver hear where the vehicle is, if that is told at `t_ns`."""
        if t_ns < self._due_ns:
            return
        self._due_ns = t_ns + STATE_PERIOD_NS
        self.arm.hear(over_the_wire(self._stand_in.state()))

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

    @property
    def command(self) -> Array:
        """The vehicle's last command, shape (3,)."""
        return self._driving.velocity

    def advance(self, t_ns: int, mode: Mode | None) -> Array:
        """Command the vehicle at `t_ns` and move it on by a cycle; return its motion then, shape (3, 3)."""
        command = self._driving.step(t_ns, self._cycle, mode, self.arm.state)
        self.arm.commanded(t_ns, command)
        self._stand_in.obey(over_the_wire(BaseCommand(t_ns, command)))
        self._stand_in.advance(t_ns + nanoseconds(self._cycle))
        return self.vehicle.motion
