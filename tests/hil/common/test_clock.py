"""The ticker keeps an absolute schedule: never a burst, missed periods skipped and counted."""

from hil.common.clock import Ticker


class FakeTime:
    """A clock that only sleeping moves, and that can be stalled."""

    def __init__(self) -> None:
        self.now_ns = 0

    def now(self) -> int:
        return self.now_ns

    def sleep(self, seconds: float) -> None:
        self.now_ns += round(seconds * 1e9)


def test_stall_is_skipped_not_caught_up() -> None:
    """After a stall of 3.5 periods the index jumps over the missed ones and the phase stays."""
    clock = FakeTime()
    ticker = Ticker(10, clock.now, clock.sleep)
    assert [ticker.wait().index for _ in range(3)] == [0, 1, 2]
    clock.now_ns += 35
    tick = ticker.wait()
    assert (tick.index, tick.skipped, ticker.skipped) == (5, 2, 2)
    assert tick.slack < 0
    following = ticker.wait()
    assert (following.index, following.skipped, following.deadline_ns % 10) == (6, 0, 0)
