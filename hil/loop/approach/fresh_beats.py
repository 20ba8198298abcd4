"""Whether a heartbeat tells of now: numbered, of one session, and not late.

A heap of them that waited somewhere tells of then. A sender with a clock of its own (a page) is judged by
how much later than its quickest a heartbeat comes; one with our clock by its age.
"""

from hil.loop.approach.caps import HAND_TIMEOUT_NS

AHEAD_NS = 50_000_000  # by which a heartbeat may seem to come from later on: within a turn


class FreshBeats:
    """One session of heartbeats.

    Attributes:
        number: of the newest that counted; 0 before the first.
        sent_ns: when it was sent, in the sender's clock.
    """

    def __init__(self, session: int, own_clock: bool) -> None:
        """Wait for heartbeats.

        Args:
            session: which.
            own_clock: the sender's clock is ours.
        """
        self._session, self._own_clock = session, own_clock
        self._least_ns: int | None = 0 if own_clock else None  # from sending to coming, at best
        self.number = self.sent_ns = 0

    def refusal(self, session: int, number: int, sent_ns: int, now_ns: int) -> str:
        """Take a heartbeat that counts; else return why it does not.

        Args:
            session: that it is of.
            number: counted by the sender; each must be above the one before.
            sent_ns: in the sender's clock.
            now_ns: when it came, in ours.
        """
        if session != self._session:
            return "it is of another session"
        if number <= self.number:
            return f"number {number} has been heard"
        lag_ns = now_ns - sent_ns
        if self._least_ns is None:
            self._least_ns = lag_ns
        late_ns = lag_ns - self._least_ns
        if late_ns > HAND_TIMEOUT_NS:
            return f"it is {1e-9 * late_ns:.2f} s old"
        if self._own_clock and late_ns < -AHEAD_NS:
            return "it is of later on"
        if not self._own_clock:
            self._least_ns = min(self._least_ns, lag_ns)
        self.number, self.sent_ns = number, sent_ns
        return ""
