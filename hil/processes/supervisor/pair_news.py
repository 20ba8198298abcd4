"""The daemon's end of the stop line between two runs whose arms share a motion."""

from pathlib import Path
from typing import Any

from hil.common.errors import OperatorError
from hil.configuration import Configuration
from hil.configuration.shared import ARMS
from hil.loop.judging.judge import Judge
from hil.loop.judging.state_machine import State
from hil.loop.shared.stop_line import StopLine
from hil.messaging.bus import Bus
from hil.messaging.messages import Mode, RobotState


class PairNews:
    """Hears the other run's daemon, and lets the own run hold and float with it.

    Attributes:
        refusal: why nothing may float here for the other arm's sake; empty if it may, or there is none.
        in_the_way: why no hand may move the own arm, likewise.
    """

    def __init__(self, configuration: Configuration, doubt: str = "") -> None:
        """Listen on the other run's bus, if the configuration is of one arm of two.

        `doubt`: why nothing may float by itself, by how the last run ended; empty if it may.
        """
        self.refusal = self.in_the_way = ""
        shared = configuration.shared
        self._bus: Bus | None = None
        if shared is None:
            return
        own = ARMS.index(shared.arm)
        self._bus, self._line = Bus(Path(shared.other)), StopLine(ARMS[1 - own])
        self._modes = self._bus.subscriber("mode", Mode)
        # who leads lets both float, once
        self._begins = own == 0 and configuration.run.float_at_start and not doubt
        self._arm, self._other = shared.arm, shared.other

    @property
    def alone(self) -> bool:
        """Whether the run's arm shares nothing."""
        return self._bus is None

    def turn(self, now_ns: int, judge: Judge, robot: RobotState | None) -> str:
        """Hear the other run, let the own one hold or float as it must; return why floating is refused.

        `robot`: the own arm, as heard of last. One that brakes shows its body no longer, and holds both.
        """
        if self._bus is None:
            return ""
        line, mode = self._line, self._modes.newest()
        if mode is not None:
            line.hear(mode)
        self.refusal, self.in_the_way = line.refusal(now_ns), line.in_the_way(now_ns)
        machine = judge.machine
        why = line.why(now_ns, machine)
        if robot is not None and robot.t_ns > machine.begin_ns and machine.state is State.FLOATING:
            why = why or (robot.braking_reason and f"the {self._arm} arm brakes: {robot.braking_reason}")
        if why:
            judge.order("hold", why)
        return self._float(now_ns, judge)

    def _float(self, now_ns: int, judge: Judge) -> str:
        """Let the own arm float with the other one, or both where the run begins so."""
        begin_ns = self._line.follows(now_ns, judge.machine)
        first = self._begins and judge.machine.state is State.READY and not self.refusal
        if not (begin_ns or first):
            return ""
        self._begins = False
        judge.grip_unknown = self.refusal
        try:
            judge.order(*(("follow", str(begin_ns)) if begin_ns else ("float",)))
        except OperatorError as refusal:
            return str(refusal)
        return ""

    def status(self) -> dict[str, Any]:
        """Return how the other arm is; `pair` is None without one."""
        if self._bus is None:
            return {"pair": None}
        other = ARMS[1 - ARMS.index(self._arm)]
        return {"pair": f"the {self._arm} arm; the {other} one is {self._line.state or 'not heard'}"}

    def close(self) -> None:
        """Hear the other run no longer."""
        if self._bus is not None:
            self._bus.close()


def pair_lines(status: dict[str, Any]) -> list[str]:
    """Return the line of `zerog status`; none where the arm shares nothing."""
    return [] if status.get("pair") is None else [f"pair: {status['pair']}"]
