"""What is fresh, and the controller's time in the host's."""

from tests.mutants.catalogue.robot import HOST_TIME_TESTS, SESSION_TESTS
from tests.mutants.mutant import Change, Target

FRESHNESS = Target(
    "hil/common/freshness.py",
    ("tests/hil/common/test_freshness.py",),
    (
        Change("what is yet to come is fresh", "-AHEAD_NS <= now_ns", "-(2**63) <= now_ns"),
        Change("nothing may seem ahead", "-AHEAD_NS <= now_ns", "0 <= now_ns"),
        Change("all may be half a second ahead", "AHEAD_NS = 20_000_000", "AHEAD_NS = 500_000_000"),
        Change("what is old is fresh", "now_ns - said_ns <= timeout_ns", "now_ns - said_ns"),
    ),
)

HOST_TIME = Target(
    "drivers/fri/host_time.py",
    (*HOST_TIME_TESTS, *SESSION_TESTS),
    (
        Change("packets of a heap have one stamp", "max(late_ns, 1 - passed_ns, -p", "max(late_ns, -p"),
        Change("stamps follow arrivals at once", "SHRINK_DIVISOR = 100", "SHRINK_DIVISOR = 1"),
        Change("stamps hug the latest arrivals", "min(late_ns, int(self._growth * passed_ns))", "late_ns"),
        Change(
            "a heap's first packet is believed",
            "divisor = 1 if heaped else min(divisor, SETTLING_DIVISOR)",
            "divisor = min(divisor, SETTLING_DIVISOR)",
        ),
        Change("no rate is learned", "self.rate = max(-MOST_RATE,", "_ = max(-MOST_RATE,"),
        Change("the rate counts twice", "round(self.rate * passed_ns)", "round(2.0 * self.rate * passed_ns)"),
        Change("a rate has one sign", "self.rate = max(-MOST_RATE,", "self.rate = max(0.0,"),
        Change("rates of one clock only", "MOST_RATE = 2e-3", "MOST_RATE = 2e-4"),
        Change("one window makes the rate", "steep = len(self._slopes) // 4", "steep = 0"),
        Change("anchors are drift", "            self._anchored_ns += change - drift_ns\n", ""),
        Change("growth learns nothing", "max(LEAST_GROWTH, min(lacks, MOST_GROWTH))", "LEAST_GROWTH"),
        Change("no lateness is too large", "ANCHOR_NS = 2_000_000", "ANCHOR_NS = 2_000_000_000"),
        Change("one late packet is proof", "PROOF_NS = 100_000_000", "PROOF_NS = 0"),
        Change("half a burst is proof", "PROOF_NS = 100_000_000", "PROOF_NS = 30_000_000"),
        Change(
            "lateness is not proved in a row",
            "            self._late_ns = NEVER\n        else:",
            "            pass\n        else:",
        ),
        Change("stamps step while the object floats", "        if steady:\n", "        if False:\n"),
        Change("steps are twice as long", "STEADY_NS = 200_000", "STEADY_NS = 400_000"),
        Change("stamps go back", "BACK_DIVISOR = 2", "BACK_DIVISOR = 1"),
        Change(
            "what is owed is paid for ever",
            "self._owed_ns = max(0, self._owed_ns - max(0, change - drift_ns))",
            "pass",
        ),
        Change(
            "a gap is marked with every packet",
            "return self._ahead and not before",
            "return self._ahead",
        ),
        Change(
            "the proof of a pause is no gap",
            "                return True\n",
            "                return False\n",
        ),
        Change(
            "a new stream keeps the old rate",
            "self.offset_ns, self.rate = arrival_ns, 0.0",
            'self.offset_ns, self.rate = arrival_ns, getattr(self, "rate", 0.0)',
        ),
    ),
)

TARGETS = (FRESHNESS, HOST_TIME)
