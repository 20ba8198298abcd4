"""Where a recording is being looked at, and how fast that goes on. Pure: the clock is handed in."""

import math
from collections.abc import Mapping
from typing import Any

from hil.common.clock import NS
from hil.common.errors import OperatorError
from hil.dashboard.showing.timeline import KINDS, Timeline

SLOWEST, FASTEST = 0.1, 10.0
LONGEST_S = 0.2  # of a turn that is gone on by: on a busy machine it plays slower, and leaves nothing out
LARGEST = 1e12  # of a number that a page may send
LEAD_NS = 500_000_000  # a jump leads so long before what is to be seen
VERBS = ("play", "pause", "seek", "speed", "jump")


class Player:
    """What an operator of a film has in hand.

    Attributes:
        at_ns: the instant that is shown.
        playing: it goes on.
        speed: how fast.
        cuts: how often it did not come to an instant by going on.
    """

    def __init__(self, begin_ns: int, end_ns: int) -> None:
        """Begin at the beginning, playing."""
        self._begin_ns, self._end_ns = begin_ns, end_ns
        self.at_ns, self.playing, self.speed, self.cuts = begin_ns, True, 1.0, 0
        self._rest, self._turned = 0.0, math.nan

    @property
    def t(self) -> float:
        """The instant that is shown, from the beginning [s]."""
        return (self.at_ns - self._begin_ns) / NS

    @property
    def length(self) -> float:
        """How long the recording is [s]."""
        return (self._end_ns - self._begin_ns) / NS

    def turn(self, now: float, watched: bool = True) -> None:
        """Go on until `now` [s], of a clock that never goes back; while nobody has `watched` it stands."""
        passed = 0.0 if math.isnan(self._turned) else min(now - self._turned, LONGEST_S)
        self._turned = now
        if self.playing and watched:
            step = passed * self.speed * NS + self._rest
            self._rest = step - math.floor(step)
            self.at_ns = min(self._end_ns, self.at_ns + math.floor(step))
            self.playing = self.at_ns < self._end_ns

    def obey(self, verb: str, arguments: Mapping[str, Any], timeline: Timeline) -> str:
        """Do what a page asks for and return in words what was done.

        Raises:
            OperatorError: it is no verb of a player, or cannot be done.
        """
        if verb == "play":
            if self.at_ns >= self._end_ns:
                self._go(self._begin_ns)
            self.playing = True
            return "it plays"
        if verb == "pause":
            self.playing = False
            return "it stands"
        if verb == "seek":
            t = _number(arguments, "t_s")
            self._go(self._begin_ns + round(NS * min(max(t, 0.0), self.length)))
            return f"at {self.t:.2f} s"
        if verb == "speed":
            factor = _number(arguments, "factor")
            if not SLOWEST <= factor <= FASTEST:
                raise OperatorError(f"speed: {factor:g} must lie within {SLOWEST:g} and {FASTEST:g}")
            self.speed = factor
            return f"{factor:g} times as fast as it was"
        if verb == "jump":
            return self._jump(str(arguments.get("kind")), bool(arguments.get("back")), timeline)
        raise OperatorError(f"{verb[:40]} is refused: this is a recording, nothing here acts on an arm")

    def _jump(self, kind: str, back: bool, timeline: Timeline) -> str:
        """Go to half a second before the next, or the last, of a kind."""
        if kind not in KINDS:
            raise OperatorError(f"jump: {kind[:40]!r} is none of {', '.join(KINDS)}")
        # what a jump has led to is before us as long as we have not passed it
        from_ns = self.at_ns + LEAD_NS
        found = timeline.before(kind, from_ns) if back else timeline.after(kind, from_ns)
        if found is None:
            yet = "" if timeline.complete else " as far as the recording was looked through"
            raise OperatorError(f"there is no {'earlier' if back else 'later'} {kind}{yet}")
        self._go(max(self._begin_ns, found - LEAD_NS))
        return f"{kind} at {(found - self._begin_ns) / NS:.2f} s"

    def _go(self, t_ns: int) -> None:
        self.at_ns, self._rest = t_ns, 0.0
        self.cuts += 1


def _number(arguments: Mapping[str, Any], name: str) -> float:
    value = arguments.get(name)
    if not isinstance(value, bool) and isinstance(value, int | float) and abs(value) <= LARGEST:
        return float(value)
    raise OperatorError(f"{name} must be a number")
