"""What a bridge makes of its link: questions and answers, breaks, and whether messages may pass. Pure.

Messages pass only while the other clock's offset is known. After every break it is found anew, which takes
`LEARN_NS`: longer than a daemon may stall without a FAULT of its own, so no break goes unseen.
"""

from hil.messaging.link_messages import LinkAnswer, LinkQuestion, LinkState
from hil.processes.bridge.clock_offset import ClockOffset, Estimate

ASK_NS = 50_000_000  # between questions
TIMEOUT_NS = 500_000_000  # no answer for so long: the link is broken
LEARN_NS = 600_000_000  # without a break, before messages pass
LEARN_EXCHANGES = 5
MAX_UNCERTAINTY_NS = 20_000_000  # at the certified speed of 150 mm/s the object moves 3 mm


class LinkJudge:
    """One host's view of the link to `peer`, the other host's endpoint; `stamp` is of our configuration."""

    def __init__(self, peer: str, stamp: str) -> None:
        self._peer, self._stamp = peer, stamp
        self._clock = ClockOffset()
        self._session = b""
        self._expected: int | None = None  # number of the other bridge's next frame
        self._asked = 0
        self._next_ask_ns = 0
        self._answered_ns: int | None = None
        self._broken_ns = 0
        self._break = ""  # the last one, in words
        self._peer_stamp = stamp
        self._peer_trouble = ""

    def tick(self, now_ns: int) -> LinkQuestion | None:
        """Notice silence, and return a question when one is due. To be called before what came is heard."""
        if self._answered_ns is not None and now_ns - self._answered_ns > TIMEOUT_NS:
            self._answered_ns = None
            self._start_again(now_ns, f"no answer from {self._peer} for {TIMEOUT_NS * 1e-9:g} s")
        if now_ns < self._next_ask_ns:
            return None
        self._asked, self._next_ask_ns = self._asked + 1, now_ns + ASK_NS
        return LinkQuestion(now_ns, self._asked)

    def frame(self, session: bytes, number: int, now_ns: int) -> bool:
        """Return whether a frame may be passed on; a new session or a hole in the numbers is a break."""
        if session != self._session:
            if self._session:
                self._start_again(now_ns, f"the bridge at {self._peer} has started anew")
            self._session, self._expected = session, None
        if self._expected is not None and number != self._expected:
            self._start_again(now_ns, f"{abs(number - self._expected)} messages from {self._peer} were lost")
        self._expected = number + 1
        return not self.trouble(now_ns)

    def answer(self, question: LinkQuestion, heard_ns: int, now_ns: int) -> LinkAnswer:
        """Return the answer to the other bridge's question."""
        trouble = self.trouble(now_ns)
        return LinkAnswer(now_ns, question.number, question.t_ns, heard_ns, self._stamp, trouble)

    def hear(self, answer: LinkAnswer, back_ns: int) -> None:
        """Take note of the other bridge's answer."""
        if answer.asked_ns > back_ns or answer.t_ns < answer.heard_ns:
            return
        if self._answered_ns is None:
            self._broken_ns = back_ns  # from here on it is learnt
        self._answered_ns = back_ns
        self._peer_stamp, self._peer_trouble = answer.stamp, answer.trouble
        if not self._clock.add(answer.asked_ns, answer.heard_ns, answer.t_ns, back_ns):
            self._broken_ns, self._break = back_ns, f"the clock at {self._peer} or ours has jumped"

    def estimate(self, now_ns: int) -> Estimate | None:
        """Return what is known of the other clock."""
        return self._clock.estimate(now_ns)

    def trouble(self, now_ns: int) -> str:
        """Return why nothing may pass from the other host to ours; empty when it may."""
        if self._answered_ns is None:
            return self._break or f"no answer from {self._peer} yet"
        if self._peer_stamp != self._stamp:
            return f"the configuration at {self._peer} is another one: give both hosts the same"
        if now_ns - self._broken_ns < LEARN_NS or len(self._clock) < LEARN_EXCHANGES:
            return (
                f"{self._break}; finding the clocks' offset" if self._break else "finding the clocks' offset"
            )
        estimate = self._clock.estimate(now_ns)
        assert estimate is not None
        if estimate.uncertainty_ns > MAX_UNCERTAINTY_NS:
            return (
                f"the clocks' offset is uncertain by {estimate.uncertainty_ns * 1e-6:.1f} ms, must be at "
                f"most {MAX_UNCERTAINTY_NS * 1e-6:g} ms: the network is too slow or too busy"
            )
        return ""

    def state(self, now_ns: int, refused: int) -> LinkState:
        """Return the state of the link for this host."""
        reason = self.trouble(now_ns)
        if not reason and self._peer_trouble:
            reason = f"the other host says: {self._peer_trouble}"
        known = self._clock.estimate(now_ns)
        if known is None:
            return LinkState(now_ns, not reason, reason, 0.0, -1.0, 0.0, refused)
        numbers = (known.offset_ns * 1e-9, known.uncertainty_ns * 1e-9, known.round_trip_ns * 1e-9)
        return LinkState(now_ns, not reason, reason, *numbers, refused)

    def _start_again(self, now_ns: int, reason: str) -> None:
        self._clock = ClockOffset()
        self._broken_ns, self._break = now_ns, reason
