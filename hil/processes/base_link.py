"""The driver's side of a base: it hears vehicle and planner, commands, tells the others; it never waits."""

import os

from hil.common.clock import nanoseconds
from hil.common.run_clock import Mark, RunClock
from hil.configuration import Configuration
from hil.configuration.base_rules import vehicle_emulated
from hil.loop.carried.base_driver import BaseDriver
from hil.loop.carried.carried_arm import CarriedArm
from hil.loop.carried.plan_pair import PlanPair
from hil.messaging.base_messages import BaseCommand, BaseInputs, BasePlan, BaseState
from hil.messaging.bus import Bus
from hil.messaging.messages import Mode, Plan

COMMAND_PERIOD_NS = 8_000_000  # between two commands: 125 Hz
REPORT_PERIOD_NS = 10_000_000
LONGEST_STEP = 0.02  # [s] for which a command may change at once, however late it is


class BaseLink:
    """Sockets around what the driver knows of the base, and around who drives the vehicle.

    `place` is always where among the samples something happens, as in `BaseInputs`.
    """

    def __init__(self, configuration: Configuration, bus: Bus, clock: RunClock, arm: CarriedArm) -> None:
        """Listen and speak on a run's bus, by its clock; `arm` is the driver's share."""
        self._clock, self._emulated = clock, vehicle_emulated(configuration)
        self._age_ns = nanoseconds(configuration.base.emulated.pose_delay)  # of an emulated pose
        self._inputs = bus.publisher("base_inputs")  # before anything is consumed: nothing must be missed
        self._core, self._pair = BaseDriver(configuration, arm, os.getpid()), PlanPair()
        self._states = bus.subscriber("base_state", BaseState)
        self._plans = bus.subscriber("base_plan", BasePlan)
        self._commands, self._reports = bus.publisher("base_command"), bus.publisher("base_report")
        self._commanded_ns = self._reported_ns = 0

    @property
    def moving(self) -> bool:
        """Whether the vehicle is told to move."""
        return bool(self._core.velocity.any())

    def hear(self, place: int) -> None:
        """Hear the vehicle."""
        state = self._states.newest()
        if state is not None:
            self._core.hear(place, state)
            self._clock.mark(Mark.CARRIED, state.t_ns + self._age_ns if self._emulated else 0)

    def paired(self, plan: Plan | None) -> Plan | None:
        """Return the arm's newest plan when that of the base has come as well; both are followed."""
        found = self._pair.take(plan, self._plans.newest())
        if found is None:
            return None
        self._core.take(found[1])
        return found[0]

    def drive(self, place: int, now_ns: int, order: Mode | None) -> None:
        """Command the vehicle if that is due, and tell the others of the base.

        Args:
            place: among the samples.
            now_ns: now.
            order: the supervisor's; None: brake.
        """
        passed_ns = now_ns - self._commanded_ns
        if passed_ns < COMMAND_PERIOD_NS:
            return
        self._commanded_ns = now_ns
        velocity = self._core.command(place, now_ns, min(1e-9 * passed_ns, LONGEST_STEP), order)
        self._commands.send(BaseCommand(now_ns, velocity))
        if now_ns - self._reported_ns >= REPORT_PERIOD_NS:
            self._reported_ns = now_ns
            self._reports.send(self._core.arm.report(now_ns, velocity))
        self._tell(self._core.log.block(now_ns))

    def close(self) -> None:
        """Tell what has not been told yet."""
        self._tell(self._core.log.rest(self._commanded_ns))

    def _tell(self, block: BaseInputs | None) -> None:
        if block is not None:
            self._inputs.send(block)
