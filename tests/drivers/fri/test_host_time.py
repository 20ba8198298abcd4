"""Stamps of samples against the instants at which they were taken: drift, pauses, slews, steps, bursts.

The truth is the schedule by which the packets were made; the clock sees their counters and arrivals only.
"""

import numpy as np
import pytest

from drivers.fri.clock import FriClock
from hil.common.arrays import Array

MS = 1_000_000
BEGIN_NS = 1_000_000_000
WAITED_NS = 50_000.0  # a packet's mean delay
SETTLED_S = 5.0
PPM = 1e-6
ANCHOR_NS, STEADY_NS = 2_000_000, 200_000  # what is promised
PROOF_NS = 100 * MS
PAUSE_NS = 400 * MS


class Stamped:
    """The stamps of packets with these counts and arrivals, and where the clock said that time jumped."""

    def __init__(
        self, arrivals_ns: Array, T: float, counts: Array | None = None, steady_from: int = 1
    ) -> None:
        """`steady_from`: packet from which on the object floats."""
        clock = FriClock(T)
        counts = np.arange(len(arrivals_ns)) if counts is None else counts
        stamps, self.gaps = [], []
        for k, (count, arrival_ns) in enumerate(zip(counts.tolist(), arrivals_ns.tolist(), strict=True)):
            clock.steady = k >= steady_from
            clock.receive(count % 65536, int(arrival_ns))
            stamps.append(clock.stamp_ns())
            self.gaps += [k] if clock.gap else []
        self.t_ns = np.array(stamps)
        self.beyond_ns = np.diff(self.t_ns) - np.diff(counts) * round(1e9 * T)  # the sample time
        self.late_ns = arrivals_ns - self.t_ns


def sampled(seconds: float, T: float, ppm: float | Array = 0.0) -> Array:
    """Host time of every sample of a controller whose clock runs slow by `ppm` [ns]."""
    n = round(seconds / T)
    return BEGIN_NS + np.cumsum(np.full(n, 1e9 * T) * (1.0 + PPM * np.broadcast_to(ppm, n)))


def arrived(taken_ns: Array, seed: int) -> Array:
    """When the packets come: after exponential delays, in order."""
    delays = np.random.default_rng(seed).exponential(WAITED_NS, len(taken_ns))
    return np.maximum.accumulate(taken_ns + delays)


@pytest.mark.parametrize("T", [0.001, 0.002, 0.02])
@pytest.mark.parametrize("ppm", [500.0, -500.0])
def test_drift_of_500_ppm_is_followed_for_minutes_without_an_anchor(T: float, ppm: float) -> None:
    """Ten minutes (300 ms of drift): no gap, every stamp within 50 us of its sample, no step above 0.2 ms."""
    taken_ns = sampled(600.0 if T > 0.001 else 120.0, T, ppm)
    stamped = Stamped(arrived(taken_ns, 1), T)
    assert stamped.gaps == []
    assert np.abs(stamped.beyond_ns).max() <= STEADY_NS
    settled = round(SETTLED_S / T)
    assert np.abs(stamped.t_ns - taken_ns)[settled:].max() < 50_000
    assert np.abs(stamped.t_ns - taken_ns).max() < ANCHOR_NS


@pytest.mark.parametrize(
    ("before", "after"), [(0.0, 500.0), (500.0, -500.0), (-500.0, 500.0), (500.0, 1000.0)]
)
def test_a_slew_of_the_hosts_clock_is_followed_without_an_anchor(before: float, after: float) -> None:
    """NTP slews by 500 ppm from one moment to the next: no gap, no step; 5 s later all is as before."""
    T, n = 0.002, 30_000
    taken_ns = sampled(n * T, T, np.where(np.arange(n) < n // 2, before, after))
    stamped = Stamped(arrived(taken_ns, 2), T)
    error_ns = np.abs(stamped.t_ns - taken_ns)
    assert stamped.gaps == [] and np.abs(stamped.beyond_ns).max() <= STEADY_NS
    assert error_ns.max() < ANCHOR_NS
    late = n // 2 + round(5.0 / T)
    assert error_ns[late:].max() < 50_000


@pytest.mark.parametrize("ppm", [0.0, 500.0, -500.0])
def test_a_controllers_pause_is_made_up_for_at_once_while_nothing_floats(ppm: float) -> None:
    """0.4 s without packets, none lost: 0.1 s later the stamps jump once, marked, and are right again."""
    T, n, pause = 0.002, 10_000, 5000
    taken_ns = sampled(n * T, T, ppm) + np.where(np.arange(n) >= pause, PAUSE_NS, 0)
    stamped = Stamped(arrived(taken_ns, 3), T, steady_from=n)
    assert len(stamped.gaps) == 1
    proved = pause + PROOF_NS / (1e9 * T)
    assert proved <= stamped.gaps[0] <= proved + 2
    assert np.argmax(stamped.beyond_ns) == stamped.gaps[0] - 1, "the jump is where it is marked"
    assert (np.diff(stamped.t_ns) > 0).all()
    assert np.abs(stamped.t_ns - taken_ns)[stamped.gaps[0] :].max() < 50_000


@pytest.mark.parametrize("pause_ns", [20 * MS, 90 * MS, PAUSE_NS, -20 * MS, -PAUSE_NS])
def test_while_the_object_floats_no_stamp_steps(pause_ns: int) -> None:
    """A pause, or a clock that steps either way: 0.2 ms a sample until the stamps are right, and one gap."""
    T, n, pause = 0.002, 10_000, 3000
    taken_ns = sampled(n * T, T) + np.where(np.arange(n) >= pause, pause_ns, 0)
    stamped = Stamped(taken_ns + WAITED_NS, T)
    assert np.abs(stamped.beyond_ns).max() == STEADY_NS
    assert len(stamped.gaps) == 1 and stamped.gaps[0] - pause <= PROOF_NS / (1e9 * T) + 2
    rest = n - (stamped.gaps[0] + abs(pause_ns) // STEADY_NS + 300)
    assert rest > 1000 and np.abs(stamped.late_ns[-rest:]).max() < 50_000


def test_what_is_still_owed_is_given_back_at_once_when_floating_ends() -> None:
    """The object floats for half a second after the proof of a pause of 0.4 s; then the rest is one jump."""
    T, n, pause = 0.002, 4000, 1000
    taken_ns = sampled(n * T, T) + np.where(np.arange(n) >= pause, PAUSE_NS, 0)
    clock, stamps = FriClock(T), []
    for k, arrival_ns in enumerate(taken_ns.tolist()):
        clock.steady = k < pause + 300
        clock.receive(k, int(arrival_ns))
        stamps.append(clock.stamp_ns())
    steps = np.diff(stamps) - 2 * MS
    assert np.argmax(steps) == pause + 299
    given = STEADY_NS * np.count_nonzero(steps == STEADY_NS)
    assert given > 40 * MS and abs(steps.max() - (PAUSE_NS - given)) < 5000
    assert stamps[-1] == taken_ns[-1]


@pytest.mark.parametrize("T", [0.001, 0.002])
@pytest.mark.parametrize("step_ns", [-PAUSE_NS, -50 * MS, 50 * MS])
def test_a_hosts_clock_that_steps_makes_no_stamp_go_back(T: float, step_ns: int) -> None:
    """While nothing floats either: stamps run at half pace until they are right; it is no new stream."""
    n = 10_000
    taken_ns = sampled(n * T, T) + np.where(np.arange(n) >= n // 2, step_ns, 0)
    stamped = Stamped(arrived(taken_ns, 4), T, steady_from=n)
    assert (np.diff(stamped.t_ns) >= 0.499e9 * T).all()
    assert len(stamped.gaps) == 1 and stamped.gaps[0] >= n // 2
    assert np.abs(stamped.t_ns - taken_ns)[-2000:].max() < 50_000


@pytest.mark.parametrize("steady_from", [1, 10**9])
def test_bursts_of_delay_and_losses_anchor_nothing(steady_from: int) -> None:
    """Packets held for 50 ms again and again, a fifth of them lost, 500 ppm: the stamps stay right."""
    T, n = 0.002, 30_000
    taken_ns = sampled(n * T, T, 500.0)
    phase = taken_ns % (70 * MS)
    held_ns = np.where(phase < 50 * MS, taken_ns - phase + 50 * MS, taken_ns)
    rng = np.random.default_rng(5)
    counts = np.flatnonzero(rng.random(n) < 0.8)
    arrivals_ns = np.maximum.accumulate(held_ns + rng.exponential(WAITED_NS, n))[counts]
    stamped = Stamped(arrivals_ns, T, counts, steady_from)
    settled = counts > round(SETTLED_S / T)
    assert not [k for k in stamped.gaps if settled[k]]
    assert np.abs(stamped.beyond_ns[settled[1:]]).max() < STEADY_NS
    assert np.abs(stamped.t_ns - taken_ns[counts])[settled].max() < 100_000


def test_packets_that_waited_while_we_stood_still_anchor_nothing() -> None:
    """The host froze for 0.3 s and takes 150 packets at one go: the last of them shows that none was late."""
    T, n, frozen = 0.002, 4000, range(2000, 2150)
    taken_ns = sampled(n * T, T)
    arrivals_ns = taken_ns.copy()
    arrivals_ns[frozen] = taken_ns[frozen[-1]] + 3000 * np.arange(len(frozen))
    stamped = Stamped(arrivals_ns, T, steady_from=n)
    assert stamped.gaps == [] and np.abs(stamped.t_ns - taken_ns).max() < 100_000


def test_packets_that_come_in_a_heap_at_first_have_stamps_of_their_own() -> None:
    """Eight packets waited and are read at one go: each stamp lies behind the one before."""
    T, n = 0.002, 200
    arrivals_ns = sampled(n * T, T)
    arrivals_ns[:8] = arrivals_ns[7]
    assert np.diff(Stamped(arrivals_ns, T, steady_from=n).t_ns).min() > 0


@pytest.mark.parametrize(("lasts_ns", "anchored"), [(90 * MS, False), (PROOF_NS + 4 * MS, True)])
@pytest.mark.parametrize("times", [1, 5])
def test_lateness_is_proof_only_without_a_break(lasts_ns: int, anchored: bool, times: int) -> None:
    """Every packet comes 20 ms late, for less than 0.1 s again and again, or once for longer."""
    T, n, begin = 0.002, 6000, 3000
    taken_ns = sampled(n * T, T)
    since_ns = taken_ns - taken_ns[begin]
    late = (since_ns >= 0) & (since_ns % (110 * MS) < lasts_ns) & (since_ns < times * 110 * MS)
    stamped = Stamped(taken_ns + np.where(late, 20 * MS, 0), T, steady_from=n)
    assert bool(stamped.gaps) is anchored
    assert anchored or np.abs(stamped.t_ns - taken_ns).max() < 100_000


def test_a_new_stream_begins_with_a_gap_and_without_a_rate() -> None:
    """Of the clock before it nothing is known to hold: its stamps are the arrivals of its first packets."""
    clock = FriClock(0.002)
    for k, arrival_ns in enumerate(sampled(10.0, 0.002, -500.0).tolist()):
        clock.receive(k, int(arrival_ns))
        assert not clock.gap
    later_ns = 60_000 * MS
    for k in range(500):
        clock.receive(30_000 + k, later_ns + k * 2 * MS)
        assert clock.gap is (k == 0)
        assert clock.stamp_ns() == later_ns + k * 2 * MS


def test_a_moment_of_lateness_is_no_drift() -> None:
    """All packets come 0.4 ms late for two seconds, then in time again: it teaches no rate above 50 ppm."""
    clock, period = FriClock(0.002), 2 * MS
    rates = []
    for k in range(10_000):
        clock.receive(k, k * period + (400_000 if 4000 <= k < 5000 else 0))
        rates.append(abs(clock._host.rate))
    assert max(rates) < 50 * PPM


@pytest.mark.parametrize("ppm", [0.0, 500.0, -500.0])
def test_stamps_are_smoother_than_arrivals_by_far(ppm: float) -> None:
    """The spread of their steps is below a hundredth of that of the arrivals' steps, whatever the drift."""
    T = 0.002
    taken_ns = sampled(60.0, T, ppm)
    arrivals_ns = arrived(taken_ns, 6)
    stamped, settled = Stamped(arrivals_ns, T), round(2 * SETTLED_S / T)
    assert np.diff(stamped.t_ns[settled:]).std() < 0.01 * np.diff(arrivals_ns[settled:]).std()
