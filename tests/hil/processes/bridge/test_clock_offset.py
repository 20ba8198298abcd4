"""The clock offset against simulated links whose true offset is known."""

import numpy as np
import pytest

from hil.processes.bridge.clock_offset import ClockOffset

PERIOD_NS = 50_000_000
APART = 2 * 500e-6  # of two clocks; the kernel slews each by at most 500 ppm (adjtimex)


class SimulatedLink:
    """Two clocks that drift apart, and a link whose two ways differ, jitter and stall now and then."""

    def __init__(self, seed: int, offset_ns: float, drift: float, there_ns: float, back_ns: float) -> None:
        self._random = np.random.default_rng(seed)
        self._offset_ns, self._drift = offset_ns, drift
        self._ways_ns = there_ns, back_ns

    def offset(self, t_ns: float) -> float:
        """The true offset at a time of our clock."""
        return self._offset_ns + self._drift * t_ns

    def exchange(self, t_ns: float) -> tuple[int, int, int, int]:
        """The four instants of an exchange that begins at `t_ns`."""
        there, work, back = (
            way * (1 + self._random.exponential(0.5)) + 30e6 * (self._random.random() < 0.1)
            for way in (self._ways_ns[0], 20e3, self._ways_ns[1])
        )
        heard, answered, home = t_ns + there, t_ns + there + work, t_ns + there + work + back
        there_time = [t + self.offset(t) for t in (heard, answered)]
        return round(t_ns), round(there_time[0]), round(there_time[1]), round(home)


@pytest.mark.parametrize("seed", range(8))
def test_the_true_offset_always_lies_within_the_uncertainty(seed: int) -> None:
    """Whatever the asymmetry, the stalls and the drift (within the allowance): the bound holds, always."""
    random = np.random.default_rng(seed)
    link = SimulatedLink(
        seed,
        offset_ns=random.uniform(-1e16, 1e16),
        drift=random.uniform(-APART, APART),
        there_ns=10 ** random.uniform(4, 7),
        back_ns=10 ** random.uniform(4, 7),
    )
    clock = ClockOffset()
    for number in range(400):
        instants = link.exchange(1e9 + number * PERIOD_NS)
        assert clock.add(*instants), f"seed {seed}, exchange {number}: nothing has jumped"
        for later in (0, PERIOD_NS, 10 * PERIOD_NS):
            now_ns = instants[3] + later
            known = clock.estimate(now_ns)
            assert known is not None
            error = abs(known.offset_ns - link.offset(now_ns))
            assert error <= known.uncertainty_ns + 2, f"seed {seed}, exchange {number}: {error} ns"


def test_outliers_do_not_widen_the_uncertainty() -> None:
    """With every tenth way delayed by 30 ms, the uncertainty stays near half the quick round trip."""
    link = SimulatedLink(3, offset_ns=1e12, drift=1e-5, there_ns=1e5, back_ns=1e5)
    clock = ClockOffset()
    worst = 0
    for number in range(400):
        instants = link.exchange(number * PERIOD_NS)
        clock.add(*instants)
        known = clock.estimate(instants[3])
        assert known is not None
        worst = max(worst, known.uncertainty_ns) if number > 20 else 0
    # half of the quick round trip, its jitter, and two periods of drift allowance
    assert 1e5 < worst < 3e5 + 2 * APART * PERIOD_NS


def test_uncertainty_grows_with_age() -> None:
    """Without exchanges it grows by the drift allowance."""
    clock = ClockOffset(drift=1e-4)
    clock.add(0, 1_000_100, 1_000_200, 300)
    young, old = clock.estimate(300), clock.estimate(300 + 10**9)
    assert young is not None and old is not None
    assert old.offset_ns == young.offset_ns == 1_000_000
    assert young.round_trip_ns == 200
    assert old.uncertainty_ns - young.uncertainty_ns == pytest.approx(1e5, abs=1)


@pytest.mark.parametrize("jump_ns", [-50_000_000, 50_000_000])
def test_a_jump_of_a_clock_is_seen_and_forgets_the_past(jump_ns: int) -> None:
    """A host that was suspended: the first exchange after it contradicts, and the new offset is taken."""
    link = SimulatedLink(1, offset_ns=1e12, drift=0.0, there_ns=1e5, back_ns=2e5)
    clock = ClockOffset()
    for number in range(50):
        clock.add(*link.exchange(number * PERIOD_NS))
    asked, heard, answered, back = (100 * PERIOD_NS, *(100 * PERIOD_NS + x for x in (1e5, 2e5, 3e5)))
    there = 10**12 + jump_ns
    assert not clock.add(asked, int(heard + there), int(answered + there), int(back))
    known = clock.estimate(int(back))
    assert known is not None and len(clock) == 1
    assert abs(known.offset_ns - there) <= known.uncertainty_ns


def test_impossible_exchanges_are_not_used() -> None:
    """An answer that was quicker than nothing says nothing."""
    clock = ClockOffset()
    assert not clock.add(100, 5000, 5200, 200)
    assert clock.estimate(300) is None
