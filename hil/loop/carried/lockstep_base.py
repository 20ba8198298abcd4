"""The emulated vehicle within the lock-step loop, with what stands for its link."""

from collections.abc import Callable

from drivers.emulation.controller.controller import EmulatedController
from drivers.emulation.ride_log import RideLog
from hil.common.arrays import Array
from hil.common.clock import nanoseconds
from hil.configuration import Configuration
from hil.loop.carried.base_driver import BaseDriver
from hil.loop.carried.carried_arm import CarriedArm
from hil.loop.carried.planning import CarriedPlanner
from hil.loop.carried.stand_in import StandIn
from hil.messaging.base_messages import BaseCommand, BasePlan, BaseSeen
from hil.messaging.codec import Message, over_the_wire
from hil.messaging.messages import Mode, Plan, Prediction
from planner.kinematics.arm_model import ArmModel

STATE_PERIOD_NS = 4_000_000  # between two poses that are told: 250 Hz


class LockStepBase:
    """Moves the vehicle a cycle on, and passes on what planner, driver and vehicle say of the base.

    Attributes:
        vehicle: the emulated one.
        arm: what the driver knows of it.
    """

    def __init__(
        self, configuration: Configuration, model: ArmModel, t_ns: int, tell: Callable[[str, Message], None]
    ) -> None:
        """Set up for a run whose arm is carried, which begins at `t_ns`; a listener is told what is said.

        Raises:
            RobotModelError: the robot model cannot be used.
        """
        self._stand_in = StandIn(configuration, t_ns)
        self.vehicle = self._stand_in.vehicle
        self.arm = CarriedArm(configuration, model)
        self._driver, self._planner = (
            BaseDriver(configuration, self.arm, 0),
            CarriedPlanner(model, configuration),
        )
        self._plan: BasePlan | None = None  # the newest that was made
        self._cycle = configuration.fri.sample_time
        self._ride, self._tell = RideLog(self._cycle), tell
        self._due_ns = 0

    def hear(self, t_ns: int, taken: int) -> None:
        """Let the driver, which has `taken` so many samples, hear where the vehicle is, if that is due."""
        if t_ns < self._due_ns:
            return
        self._due_ns = t_ns + STATE_PERIOD_NS
        self._driver.hear(2 * taken, over_the_wire(self._stand_in.state()))

    def planned(self, prediction: Prediction, q_command: Array) -> Plan:
        """Return the arm's plan; that of the base is kept until it arrives with it."""
        pose, trouble = self.arm.pose, self.arm.trouble
        plan, base_plan = self._planner.step(prediction, q_command, pose, trouble)
        self._tell("base_of_planner", BaseSeen(prediction.t_ns, pose, trouble))
        self._plan = over_the_wire(base_plan)
        return plan

    def plan_arrives(self) -> None:
        """Let driver and vehicle follow the newest plan of the base."""
        if self._plan is not None:
            self._driver.take(self._plan)

    def seen(self, t_ns: int) -> Array:
        """Return where the simulation has the base from its turn of `t_ns` on, shape (3,)."""
        self._tell("base_report", self.arm.report(t_ns, self.command))
        self._tell("base_of_sim", BaseSeen(t_ns, self.arm.pose, self.arm.trouble))
        return self.arm.pose

    @property
    def command(self) -> Array:
        """The vehicle's last command, shape (3,)."""
        return self._driver.velocity

    def advance(self, t_ns: int, taken: int, mode: Mode | None, controller: EmulatedController) -> None:
        """Command the vehicle at `t_ns` and move it on by a cycle, with the arm that it carries.

        Args:
            t_ns: now.
            taken: samples that the driver has taken.
            mode: the supervisor's order; None: brake.
            controller: of the arm, in the cycle that ends.
        """
        command = self._driver.command(2 * taken, t_ns, self._cycle, mode)
        self._stand_in.obey(over_the_wire(BaseCommand(t_ns, command)))
        self._stand_in.advance(t_ns + nanoseconds(self._cycle))
        controller.arm.carry(self.vehicle.motion)
        self._tell_if("base_inputs", self._driver.log.block(t_ns))
        self._tell_if("base_ride", self._ride.add(controller, t_ns, self.vehicle.motion))

    def tell_rest(self, t_ns: int) -> None:
        """Tell what the last blocks would have told."""
        self._tell_if("base_inputs", self._driver.log.rest(t_ns))
        self._tell_if("base_ride", self._ride.rest())

    def _tell_if(self, topic: str, msg: Message | None) -> None:
        if msg is not None:
            self._tell(topic, msg)
