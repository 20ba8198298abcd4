"""The emulated controller as a real-time process: paced by absolute deadlines, speaking UDP.

What happens in a cycle `[t_k, t_k + T]`: the sample is sent at its start, answers are taken as they
arrive, and at its end the arm is advanced over it with what came. Whole periods that were missed are
made up without sending (the robot's clock does not stop) and counted. A patient emulation misses none: it
holds a cycle at its end until nobody owes it anything (`drivers.emulation.pace`). Two arms whose mock-ups
can touch are emulated in one process, cycle by cycle together, each with a controller of its own.
"""

from collections.abc import Sequence

import numpy as np

from drivers.emulation.controller.controller import warm
from drivers.emulation.operator.replayed_wrench import ReplayedWrench
from drivers.emulation.pace import Pace
from drivers.emulation.port.emulated_port import EmulatedPort
from drivers.emulation.port.holed_port import PortMaker
from drivers.emulation.port.noses import Noses
from drivers.emulation.shell import EmulationReport, SecondMaker, Shell
from drivers.emulation.surroundings import Surroundings
from hil.common.waiting import Waiter
from hil.configuration.schema import Configuration
from hil.configuration.shared_pair import Pair
from hil.configuration.spin import granted_spin

LONGEST_FREEZE = 0.1  # [s]; a controller that was late for longer does not go on as if nothing had been
HELD_S = 0.0005  # between two looks while a cycle is held


class Cell:
    """Deadlines around all controllers of a process."""

    def __init__(self, configuration: Configuration, shells: Sequence[Shell], pace: Pace) -> None:
        self._T = configuration.fri.sample_time
        self._shells, self._pace = shells, pace
        channels = [shell.socket for shell in shells]
        self._waiter = Waiter(channels[0], granted_spin(configuration)[0], pace.now, channels[1:])
        self._t_0 = self._end = 0.0

    def begin(self) -> None:
        """Let the first cycle start now."""
        for shell in self._shells:
            shell.around.ready(shell.controller)
            shell.controller.operator_waits = shell.around.operator_rests
        self._t_0 = self._pace.now()

    def over(self, outlive: float) -> bool:
        """Return whether to end now, if asked to: when nobody commands an arm and all stand, or later.

        `outlive`: how much later than asked for the first time, at most [s].
        """
        if not self._asked:
            return False
        now = self._pace.now()
        self._end = self._end or now + outlive
        return all(shell.controller.left_alone for shell in self._shells) or now >= self._end

    @property
    def _asked(self) -> bool:
        """Whether somebody asks for the end; each is looked at."""
        return any([shell.around.over() for shell in self._shells])

    @property
    def _cycle(self) -> int:
        return self._shells[0].controller.cycle

    def cycle(self) -> None:
        """Send the samples, take answers until the cycle is over, and advance."""
        start = self._t_0 + self._cycle * self._T
        end = start + self._T
        self._pace.release(end)
        now = self._pace.now()
        for shell in self._shells:
            shell.send(now, start)
        while True:
            for shell in self._shells:
                shell.exchange(now, start)
            now = self._pace.now()
            if now < end:
                wake = min(end, *(shell.next_arrival for shell in self._shells))
                self._waiter.wait(wake, wake)
            elif self._pace.holds(*(shell.unanswered for shell in self._shells)) and not self._asked:
                self._waiter.look(HELD_S)
            else:
                break
            now = self._pace.now()
        for shell in self._shells:
            shell.over()
        self._advance(sent=True)

    def make_up(self) -> None:
        """Advance over whole periods that have passed already."""
        first = self._cycle
        while self._pace.now() >= self._t_0 + (self._cycle + 1) * self._T + self._pace.slack:
            self._advance(sent=False)
            for shell in self._shells:
                shell.report.skipped += 1
            if (self._cycle - first) * self._T >= LONGEST_FREEZE:
                for shell in self._shells:
                    shell.controller.stood_still(LONGEST_FREEZE)
                    shell.log.stood_still()

    def _advance(self, sent: bool) -> None:
        for shell in self._shells:
            shell.advance(sent, bool(self._end))

    def tell(self, rest: bool = False) -> None:
        """Tell what was consumed and waited for."""
        for shell in self._shells:
            shell.tell(rest)
        for wait in self._pace.waits():
            for shell in self._shells:
                shell.around.waited(wait)


def run(
    configuration: Configuration,
    around: Surroundings,
    replay: ReplayedWrench | None = None,
    outlive: float = 0.0,
    pace: Pace | None = None,
    port: int = 0,
    port_of: PortMaker = EmulatedPort,
    second_of: SecondMaker | None = None,
) -> EmulationReport:
    """Emulate in real time until `around` ends it and nobody commands the arm any longer.

    Args:
        configuration: the run's.
        around: who pushes, disturbs, looks on and ends it.
        replay: a recorded wrench for the operator to apply.
        outlive: for how long to go on at most, when it is to end, while a client commands the arm or the arm
            moves [s]: no client that brakes shall find its robot gone.
        pace: what the cycles are paced by; None: the monotonic clock.
        port: from which to send; 0: any that is free.
        port_of: makes the port in the arm's way, where the configuration has one.
        second_of: makes the controller of a second arm, where the configuration has one.

    Raises:
        RobotModelError: the robot model cannot be used.
        ConfigurationError: random pushes that cannot be drawn.
        LinkError: `fri.controller_address` is not this machine's, the port is busy, or no way leads to the
            client.
    """
    warm(configuration, port_of)
    pace = pace or Pace()
    shell = Shell(configuration, replay, around, pace, port, port_of, second_of)
    _emulate(configuration, [shell], pace, outlive)
    return shell.report


def run_pair(
    pair: Pair, around: tuple[Surroundings, Surroundings], outlive: float = 0.0, pace: Pace | None = None
) -> None:
    """Emulate both arms of a pair, whose mock-ups meet, until somebody `around` ends it; see `run`."""
    for c in pair.arms:
        warm(c)
    pace = pace or Pace()
    shells = [Shell(c, None, of_arm, pace) for c, of_arm in zip(pair.arms, around, strict=True)]
    arms = pair.shared.first, pair.shared.second
    noses = Noses(
        pair.shared.touch, np.array([arm.nose for arm in arms]), np.array([arm.nose_radius for arm in arms]),
        (shells[0].controller.arm.T_world_object.copy(), shells[1].controller.arm.T_world_object.copy()),
    )  # fmt: skip
    for shell, end in zip(shells, noses.ends, strict=True):
        shell.controller.port = end
    _emulate(pair.arms[0], shells, pace, outlive)


def _emulate(c: Configuration, shells: Sequence[Shell], pace: Pace, outlive: float) -> None:
    cell = Cell(c, shells, pace)
    try:
        cell.begin()
        while not cell.over(outlive):
            for shell in shells:
                shell.take_what_comes()
            cell.cycle()
            cell.make_up()
            cell.tell()
            for shell in shells:
                shell.tell_of_second()
    finally:
        for shell in shells:
            shell.close()
        pace.end()
    for shell in shells:
        shell.tell_of_second(rest=True)
    cell.tell(rest=True)
    for shell in shells:
        shell.report.missed = shell.controller.statistics.missed
        shell.report.fall_back_reason = shell.controller.fall_back_reason
