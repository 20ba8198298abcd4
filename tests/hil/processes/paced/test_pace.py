"""Virtual time held to the wall clock, with clocks that the tests make."""

import pytest

from hil.processes.paced.pace import HICCUP_NS, NEWS_NS, REST_NS, Pace, RateNews, in_words

MS, S = 1_000_000, 1_000_000_000
BEGIN = 7 * S  # of the wall clock
T = S  # of virtual time


class Machine:
    """Turns cycles that take it so long; what is waited is waited."""

    def __init__(self, period_ns: int) -> None:
        self.wall_ns, self.t_ns, self._period_ns = BEGIN, T, period_ns
        self.pace = Pace(BEGIN, T)
        self.ahead_ns: list[int] = []

    def turn(self, cost_ns: int) -> None:
        self.wall_ns += self.pace.wait_ns(self.wall_ns, self.t_ns)
        self.ahead_ns.append((self.t_ns - T) - (self.wall_ns - BEGIN))
        self.wall_ns += cost_ns
        self.t_ns += self._period_ns


def test_a_quick_machine_goes_with_the_wall_clock() -> None:
    """Ten seconds take ten seconds: never farther ahead than a rest is worth, never behind."""
    machine = Machine(2 * MS)
    for _ in range(5000):
        machine.turn(MS // 2)
    assert 0 <= min(machine.ahead_ns) and max(machine.ahead_ns) < REST_NS
    assert machine.pace.given_up_ns == 0 and machine.pace.rate == pytest.approx(1.0, abs=0.003)


def test_a_hiccup_is_made_up_for() -> None:
    """One cycle of 40 ms: afterwards virtual time is where it would have been."""
    machine = Machine(2 * MS)
    for cycle in range(1000):
        machine.turn(40 * MS if cycle == 100 else MS // 2)
    assert min(machine.ahead_ns) >= -HICCUP_NS and machine.ahead_ns[-1] >= 0
    assert machine.pace.given_up_ns == 0


def test_a_stall_is_given_up() -> None:
    """One cycle of 3 s: no burst follows; virtual time stays behind by all but what is a hiccup."""
    machine = Machine(2 * MS)
    for cycle in range(2000):
        machine.turn(3 * S if cycle == 100 else MS // 2)
    lost_ns = (machine.wall_ns - BEGIN) - (machine.t_ns - T)
    assert abs(lost_ns - (3 * S - HICCUP_NS)) < 10 * MS
    assert abs(machine.pace.given_up_ns - lost_ns) < 10 * MS
    assert machine.pace.rate == pytest.approx(1.0, abs=0.003), "the stall is longer ago than the window"


def test_a_slow_machine_is_told_its_rate() -> None:
    """Cycles of 2 ms that cost 5 ms: 0.4 of real time, whatever the stretch; every cycle is turned."""
    machine = Machine(2 * MS)
    for _ in range(2000):
        machine.turn(5 * MS)
    assert machine.pace.rate == pytest.approx(0.4, abs=0.01)
    assert machine.pace.overall(machine.wall_ns, machine.t_ns) == pytest.approx(0.4, abs=0.01)
    assert machine.t_ns == T + 2000 * 2 * MS
    assert in_words(machine.pace.rate) == "the machine keeps 0.40 of real time" and in_words(1.0) == ""


def test_the_shared_offset_tells_virtual_time() -> None:
    """Wall time less the offset is the virtual time that the pace wants, at most a hiccup ahead of it."""
    machine = Machine(2 * MS)
    for cycle in range(500):
        machine.turn(200 * MS if cycle % 50 == 0 else MS // 2)
        wanted_ns = machine.wall_ns - machine.pace.offset_ns
        assert wanted_ns - machine.t_ns <= HICCUP_NS + 200 * MS


def test_rates_are_told_now_and_then() -> None:
    """A change is told, a wobble is not, and never two lines within the time between them."""
    news = RateNews()
    assert news.take(0, 0.99) == ""
    assert "0.50 of real time" in news.take(NEWS_NS, 0.5)
    assert news.take(NEWS_NS + 1, 0.2) == ""
    assert news.take(2 * NEWS_NS, 0.45) == ""
    assert "keeps real time again" in news.take(3 * NEWS_NS, 1.0)
    assert news.take(4 * NEWS_NS, 1.0) == ""
