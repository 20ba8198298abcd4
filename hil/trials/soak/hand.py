"""An operator's hand in a soak: it holds on for a while, stubbornly, and what goes wrong with it is drawn."""

from typing import Protocol

import numpy as np

from hil.loop.approach.caps import JOINT_SPEED
from hil.trials.soak.faults import Fault

SHARE = 0.4  # of the rests after a scenario, at which a hand takes hold: to calibrate, else to approach
HOLD_TIME = 0.3, 2.0  # [s]
BEAT_NS = 50_000_000  # between two heartbeats
OLDEST_NS = 1_000_000_000  # of those that are late
LONELY_NS = 1_500_000_000  # without a hand the arm stands, however many packets are lost or processes frozen


class Asked(Protocol):
    """Who is asked."""

    def asked(self, errand: str, speed: float) -> int | None:
        """Return the session that is granted for an errand, or None."""

    def beat(self, session: int, number: int, sent_ns: int) -> bool:
        """Return whether a heartbeat counts."""


class SoakHand:
    """A hand.

    Attributes:
        holds: whether it is there.
    """

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self.holds = False
        self._until_ns = self._due_ns = self._honest_ns = 0
        self._session: int | None = None
        self._errand = "approach"
        self._number = 0
        self._waiting: list[tuple[int, int, int]] = []  # session, number, sent

    def takes_hold(self, t_ns: int) -> bool:
        """Take hold, or not, as it is drawn."""
        if self._rng.random() >= SHARE:
            return False
        self.holds_on(t_ns, self._rng.uniform(*HOLD_TIME))
        self._errand = "calibrate"
        return True

    def holds_on(self, t_ns: int, seconds: float) -> None:
        """Take hold for so long, to bring the arm to its start pose."""
        self.holds, self._session, self._errand = True, None, "approach"
        self._until_ns = t_ns + round(1e9 * seconds)
        self._due_ns = self._honest_ns = t_ns

    def lonely(self, t_ns: int) -> bool:
        """Return whether no hand has held on for so long that the arm must stand."""
        return t_ns - self._honest_ns > LONELY_NS

    def turn(self, t_ns: int, active: dict[str, Fault], desk: Asked) -> None:
        """Send what is due; while the daemon hangs, it waits in a heap."""
        if self.holds and t_ns >= self._due_ns:
            self._due_ns += BEAT_NS
            self.holds = t_ns < self._until_ns
            if "hand lets go" not in active:
                self._send(t_ns, active, desk)
        if "orders stale" in active:
            return
        waiting, self._waiting = self._waiting, []
        for session, number, sent_ns in waiting:
            if not desk.beat(session, number, sent_ns):
                self._session = None  # asks again

    def _send(self, t_ns: int, active: dict[str, Fault], desk: Asked) -> None:
        if self._session is None and "orders stale" not in active:
            speed = self._rng.uniform(0.1, 1.0) * JOINT_SPEED
            self._session, self._number = desk.asked(self._errand, float(speed)), 0
            if self._session is None:  # the other, then: from the start pose nothing is to be approached
                self._errand = "approach" if self._errand == "calibrate" else "calibrate"
        if self._session is None:
            return
        if "heartbeats repeated" not in active:
            self._number += 1
            self._honest_ns = t_ns
        late = round(self._rng.uniform(0.0, OLDEST_NS)) if "heartbeats late" in active else 0
        session = self._session + ("heartbeats of another session" in active)
        self._waiting.append((session, self._number, t_ns - late))
