"""What two runs of arms that share a motion owe each other: both float, or none does. Pure, in plain Python.

Each run's daemon hears the other one's orders. Whatever holds one arm, makes it FAULT, or silences its run,
holds the other one; nothing goes on alone, and a motion begins for both or for none.
"""

from hil.common.freshness import is_fresh
from hil.loop.judging.state_machine import BY_HAND, MODE_TIMEOUT_NS, MOVING, Machine, State
from hil.messaging.messages import Mode

SILENT_NS = MODE_TIMEOUT_NS  # orders come every 20 ms; by then the silent daemon's own arm brakes as well
JOIN_NS = 400_000_000  # within which the other arm floats as well; no object time passes so early


class StopLine:
    """One end of the line.

    Attributes:
        state: of the other arm, as it was heard last; empty: never.
    """

    def __init__(self, other: str) -> None:
        """Begin; `other` names the other arm."""
        self._name, self.state, self._reason = f"the {other} arm", "", ""
        self._heard_ns = 0
        self._begin_ns = 0  # before which no object time of the other arm's floating passes; 0: none floats
        self._epoch = self._floated_ns = 0  # the own floating, and when it was first seen

    def hear(self, mode: Mode) -> None:
        """Hear an order of the other run's daemon."""
        self._begin_ns = mode.begin_ns if mode.state == State.FLOATING else 0
        self.state, self._reason, self._heard_ns = mode.state, mode.reason, mode.t_ns

    def follows(self, now_ns: int, machine: Machine) -> int:
        """Return the instant at which the own arm is to float with the other one; 0: it is not to."""
        joins = self._begins(now_ns) and machine.state is State.READY and self._alive(now_ns)
        return self._begin_ns if joins else 0

    def why(self, now_ns: int, machine: Machine) -> str:
        """Return why the own arm, if it floats, must be held; empty if it need not."""
        if machine.epoch != self._epoch:
            self._epoch, self._floated_ns = machine.epoch, now_ns
        if machine.state is not State.FLOATING:
            return ""
        if not self._alive(now_ns):
            return f"{self._name}'s run is silent"
        if self.state == State.FLOATING:
            return ""
        joins = self.state == State.READY and now_ns - self._floated_ns < JOIN_NS
        return "" if joins else self._told

    def refusal(self, now_ns: int) -> str:
        """Return why nothing may begin to float here; empty if it may."""
        if not self._alive(now_ns):
            return f"{self._name}'s run is silent, and both float together"
        if self.state == State.READY or self._begins(now_ns):
            return ""
        return f"{self._told}, and both float together"

    def in_the_way(self, now_ns: int) -> str:
        """Return why no hand may move the own arm; empty if it may."""
        if not self._alive(now_ns):
            return f"nobody says what {self._name} does"
        moves = self.state in MOVING or self.state in BY_HAND
        return f"{self._name} is {self.state}: stop it first" if moves else ""

    def _begins(self, now_ns: int) -> bool:
        """Whether the other arm's floating has begun just now: early enough to begin with it."""
        return now_ns < self._begin_ns - JOIN_NS

    @property
    def _told(self) -> str:
        return f"{self._name} is {self.state}" + (f" ({self._reason})" if self._reason else "")

    def _alive(self, now_ns: int) -> bool:
        return bool(self.state) and is_fresh(now_ns, self._heard_ns, SILENT_NS)
