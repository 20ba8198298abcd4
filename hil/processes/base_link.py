"""The driver's side of a base: it hears vehicle and planner, commands, tells the others; it never waits."""

from hil.common.clock import nanoseconds
from hil.common.run_clock import Mark, RunClock
from hil.configuration import Configuration
from hil.configuration.base_rules import vehicle_emulated
from hil.loop.carried.carried_arm import CarriedArm
from hil.loop.carried.plan_pair import PlanPair
from hil.loop.carried.vehicle import Vehicle
from hil.messaging.base_messages import BaseCommand, BasePlan, BaseState
from hil.messaging.bus import Bus
from hil.messaging.messages import Mode, Plan

COMMAND_PERIOD_NS = 8_000_000  # between two commands: 125 Hz
REPORT_PERIOD_NS = 10_000_000
LONGEST_STEP = 0.02  # [s] for which a command may change at once, however late it is


class BaseLink:
    """Sockets around what the driver knows of the base, and around who drives the vehicle."""

    def __init__(self, configuration: Configuration, bus: Bus, clock: RunClock, arm: CarriedArm) -> None:
        """Listen and speak on a run's bus, by its clock; `arm` is the driver's share."""
        self._clock, self._emulated = clock, vehicle_emulated(configuration)
        self._age_ns = nanoseconds(configuration.base.emulated.pose_delay)  # of an emulated pose
        self._arm, self._vehicle, self._pair = arm, Vehicle(configuration), PlanPair()
        self._states = bus.subscriber("base_state", BaseState)
        self._plans = bus.subscriber("base_plan", BasePlan)
        self._commands, self._reports = bus.publisher("base_command"), bus.publisher("base_report")
        self._commanded_ns = self._reported_ns = 0
        self._velocity = self._vehicle.velocity

    @property
    def moving(self) -> bool:
        """Whether the vehicle is told to move."""
        return bool(self._velocity.any())

    def hear(self) -> None:
        """Hear the vehicle."""
        state = self._states.newest()
        if state is not None:
            self._arm.hear(state)
            self._clock.mark(Mark.CARRIED, state.t_ns + self._age_ns if self._emulated else 0)

    def paired(self, plan: Plan | None) -> Plan | None:
        """Return the arm's newest plan when that of the base has come as well; both are followed."""
        found = self._pair.take(plan, self._plans.newest())
        if found is None:
            return None
        self._vehicle.take(found[1])
        self._arm.take(found[1])
        return found[0]

    def drive(self, now_ns: int, order: Mode | None) -> None:
        """Command the vehicle if that is due, and tell the others of the base.

        Args:
            now_ns: now.
            order: the supervisor's; None: brake.
        """
        passed_ns = now_ns - self._commanded_ns
        if passed_ns < COMMAND_PERIOD_NS:
            return
        self._commanded_ns = now_ns
        dt = min(1e-9 * passed_ns, LONGEST_STEP)
        self._velocity = self._vehicle.step(now_ns, dt, order, self._arm.state)
        self._arm.commanded(now_ns, self._velocity)
        self._commands.send(BaseCommand(now_ns, self._velocity))
        if now_ns - self._reported_ns >= REPORT_PERIOD_NS:
            self._reported_ns = now_ns
            self._reports.send(self._arm.report(now_ns, self._velocity))
