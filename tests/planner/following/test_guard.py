"""The guard: what comes out keeps every limit, whatever goes in."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from planner.following.discrete_brake import brake_extremes, brake_positions_into
from planner.following.guard import COARSE_STEPS, Guard
from planner.following.limits import MotionLimits
from planner.following.stopping import stop_range
from tests.planner.following.following_cases import (
    DT,
    HOME,
    LIMITS,
    MODEL,
    REACH,
    divided_differences,
    worst_ratios,
)

FULL = MotionLimits.from_configuration(MODEL, LIMITS)
TOP = REACH - LIMITS.position_margin
TOLERANCE = 2e-6  # relative: the guard's own, and rounding of differences over 2 ms


class Stream:
    """A guard, and what it let out."""

    def __init__(self, q=HOME):
        self.guard = Guard(MODEL, LIMITS, DT)
        self.guard.reset(np.array(q))
        self.t, self.q, self.verdicts = [0.0], [np.array(q)], []

    def send(self, q, cycles=1):
        verdict = self.guard.check(np.asarray(q, dtype=float), cycles * DT)
        self.t.append(self.t[-1] + cycles * DT)
        self.q.append(verdict.q)
        self.verdicts.append(verdict)
        return verdict

    def assert_within_limits(self):
        q = np.array(self.q)
        assert np.isfinite(q).all()
        assert worst_ratios(np.array(self.t), q).max() <= 1.0 + TOLERANCE
        assert np.all(np.abs(q) <= TOP + 1e-8)

    def until_rest(self):
        for _ in range(600):
            self.send(self.q[-1])
        assert self.guard.at_rest and np.array_equal(self.q[-1], self.q[-2])


class Drift:
    """Commands that keep jerk and acceleration of every joint on any grid, and nothing else.

    Divided differences: a step of h after steps of h0 and h1 changes the acceleration by j (h + h0 + h1) / 3
    and the velocity by a (h + h0) / 2.
    """

    def __init__(self, stream, part=0.99):
        self._stream, self._part = stream, part
        self.v, self.a = np.zeros(7), np.zeros(7)
        self._h0 = self._h1 = DT

    def next(self, wanted, cycles=1):
        """The next command, on the way to accelerations `wanted` as parts of their limits."""
        h = cycles * DT
        A, J = self._part * LIMITS.acceleration, self._part * LIMITS.jerk
        reach = J * (h + self._h0 + self._h1) / 3.0
        self.a = np.clip(wanted * A, self.a - reach, self.a + reach)
        self.v = self.v + self.a * 0.5 * (h + self._h0)
        self._h0, self._h1 = h, self._h0
        return self._stream.q[-1] + self.v * h


def smooth(t, amplitude=0.2, omega=2.0):
    """A path within limits that begins at rest with no acceleration."""
    return HOME + amplitude * (1 - np.exp(-((t / 0.5) ** 3))) * np.sin(omega * t + np.arange(7))


def test_a_stream_within_limits_passes_as_it_is():
    """Nothing is changed and nothing counted, also over cycles that were left out."""
    stream, t = Stream(), 0.0
    rng = np.random.default_rng(1)
    for _ in range(2000):
        cycles = 1 if rng.uniform() < 0.9 else int(rng.integers(2, 5))
        t += cycles * DT
        verdict = stream.send(smooth(t), cycles)
        assert verdict.violation == "" and np.array_equal(verdict.q, smooth(t))
    assert stream.guard.violations == 0


@pytest.mark.parametrize(
    ("joint", "change", "words"),
    [
        (3, 0.01, "A4 velocity 5.0000 rad/s is beyond its limit 1.9635 rad/s"),
        (0, 0.0009, "A1 acceleration 225.0000 rad/s2 is beyond its limit 8.0000 rad/s2"),
        (6, 5e-6, "A7 jerk 625.0000 rad/s3 is beyond its limit 300.0000 rad/s3"),
        (3, -0.01, "A4 velocity -5.0000 rad/s is beyond its limit 1.9635 rad/s"),
        (0, -0.0009, "A1 acceleration -225.0000 rad/s2 is beyond its limit 8.0000 rad/s2"),
        (6, -5e-6, "A7 jerk -625.0000 rad/s3 is beyond its limit 300.0000 rad/s3"),
        (1, 2.0, "A2 position 3.0000 rad is beyond its limit 2.0769 rad"),
        (2, np.nan, "A3 was commanded to nan: no command that is not finite is sent"),
    ],
)
def test_the_verdict_names_joint_quantity_value_and_bound(joint, change, words):
    """The first command after standing still is judged already; the arm then stays where it is."""
    stream, q = Stream(), HOME.copy()
    q[joint] += change
    verdict = stream.send(q)
    assert verdict.violation == words and stream.guard.fault == words
    stream.until_rest()
    assert np.array_equal(stream.q[-1], HOME) and stream.guard.violations == 1
    assert stream.send(HOME).violation == words  # latched
    stream.guard.reset(HOME)
    assert stream.send(HOME).violation == ""


@pytest.mark.parametrize("way", [1.0, -1.0])
def test_a_limit_that_cannot_be_avoided_later_is_refused_now(way):
    """A4 at full speed towards its limit: stopped with the time to the limit, before it, at full braking."""
    start = HOME.copy()
    start[3] = 0.0
    stream, n = Stream(start), 0
    while not stream.guard.fault:
        n += 1
        t = n * DT
        ramp = min(t, 0.5)
        q = start.copy()
        q[3] += way * 1.5 * (ramp**3 / 0.5**2 * (1 - 0.5 * ramp / 0.5) if t <= 0.5 else 0.25 + (t - 0.5))
        stream.send(q)
    sign = "-" if way < 0 else ""
    assert f"A4 will pass its position limit {sign}2.0769 rad in " in stream.guard.fault
    assert f"ms even under full deceleration (it would reach {sign}2.07" in stream.guard.fault
    stream.until_rest()
    stream.assert_within_limits()
    assert TOP[3] - 0.01 < way * stream.q[-1][3] <= TOP[3]


def test_a_reset_forgets_gaps_and_speed():
    """After missed packets and motion a reset guard judges as a fresh one: by single cycles, from rest."""
    stream = Stream()
    for k in range(1, 5):
        assert stream.send(smooth(6 * k * DT), 6).violation == ""
    stream.guard.reset(HOME)
    q = HOME.copy()
    q[6] += 5e-6
    assert (
        stream.guard.check(q, DT).violation == "A7 jerk 625.0000 rad/s3 is beyond its limit 300.0000 rad/s3"
    )


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_standing_nowhere_is_said_at_once(bad):
    """A robot whose command is no number: a fault at `reset`, before any command."""
    guard, q = Guard(MODEL, LIMITS, DT), HOME.copy()
    q[4] = bad
    guard.reset(q)
    assert guard.fault.startswith("A5 stands at") and guard.at_rest is False
    assert guard.check(HOME, DT).violation == guard.fault
    guard.reset(HOME)
    assert guard.check(HOME, DT).violation == ""


def test_standing_outside_the_limits_is_said_at_once():
    """A robot that stands beyond a limit is held where it is, with the way out."""
    q = HOME.copy()
    q[3] = TOP[3] + 0.005
    stream = Stream(q)
    assert stream.guard.fault.startswith("A4 stands at 2.08")
    assert np.array_equal(stream.send(HOME).q, q) and np.array_equal(stream.send(HOME, 3).q, q)


@pytest.mark.parametrize("joint", range(7))
@pytest.mark.parametrize("way", [1.0, -1.0])
@pytest.mark.parametrize("every", [1, 3])
def test_full_acceleration_ends_in_a_brake_below_the_velocity_limit(joint, way, every):
    """A joint gains speed at its full acceleration, which takes A^2 / 2J more to end: stopped before.

    So it is when only every third packet is answered. Followed until rest no ratio is above 1. The verdict
    says what the refused command would have led to: the greatest speed of the brake from there.
    """
    stream = Stream(np.zeros(7))
    drift, wanted = Drift(stream), way * np.eye(7)[joint]
    while not stream.guard.fault:
        stream.send(drift.next(wanted, every), every)
    assert f"A{joint + 1} will pass its velocity limit" in stream.guard.fault
    A, J, way = LIMITS.acceleration[joint], LIMITS.jerk[joint], np.empty(400)
    v, a = drift.v[joint], drift.a[joint]
    brake_positions_into(way, 0.0, v, a, A, J, DT, every * DT, every * DT)
    speed = np.abs(np.diff(way, prepend=0.0)).max() / DT
    assert f"(it would reach {max(speed, abs(v)):.4f} rad/s)" in stream.guard.fault
    reached = np.abs(stream.q[-1] - stream.q[-2])[joint] / (every * DT)
    more = LIMITS.acceleration[joint] ** 2 / (2.0 * LIMITS.jerk[joint])
    step = LIMITS.acceleration[joint] * 3 * every * DT
    assert LIMITS.velocity[joint] - more - step < reached < LIMITS.velocity[joint]
    stream.until_rest()
    stream.assert_within_limits()


@pytest.mark.parametrize("seed", range(20))
def test_a_drift_within_jerk_is_stopped_in_time(seed):
    """All joints gain and lose speed at random within acceleration and jerk, some packets unanswered.

    What stops them is what would come: the velocity or the place that no brake could avoid any more.
    """
    rng, stream = np.random.default_rng(seed), Stream()
    drift = Drift(stream)
    while not stream.guard.fault:
        wanted = rng.uniform(-1.0, 1.0, 7)
        for _ in range(int(rng.integers(5, 80))):
            cycles = 1 if rng.uniform() < 0.8 else int(rng.integers(2, 7))
            stream.send(drift.next(wanted, cycles), cycles)
            if stream.guard.fault:
                break
    assert "even under full deceleration" in stream.guard.fault, seed
    stream.until_rest()
    stream.assert_within_limits()


steps = st.lists(
    st.one_of(
        st.tuples(st.just("on"), st.integers(1, 60)),
        st.tuples(st.just("drift"), st.integers(1, 300)),
        st.tuples(st.just("late"), st.integers(2, 6)),
        st.tuples(st.just("jump"), st.floats(-3.0, 3.0)),
        st.tuples(st.just("bad"), st.sampled_from([math.nan, math.inf, -math.inf, 1e300])),
        st.tuples(st.just("noise"), st.floats(1e-9, 1e-3)),
    ),
    min_size=1,
    max_size=8,
)


@given(steps, st.floats(0.1, 3.0), st.floats(0.5, 6.0), st.integers(0, 2**32 - 1))
@settings(max_examples=100, deadline=None)
def test_whatever_is_fed_what_comes_out_keeps_every_limit(sequence, amplitude, omega, seed):
    """Drift to a limit, then jumps, noise, NaN, infinity, lost cycles: no limit is broken, always to rest."""
    rng, stream, t = np.random.default_rng(seed), Stream(), 0.0
    drift, offset = Drift(stream), np.zeros(7)
    drifting = sorted(sequence, key=lambda step: step[0] != "drift")
    for kind, value in drifting:
        wanted = rng.uniform(-1.0, 1.0, 7)
        for _ in range(value if kind in ("on", "drift") else 1):
            cycles = value if kind == "late" else 1
            t += cycles * DT
            q = smooth(t, amplitude, omega) + offset
            if kind == "drift":
                q = drift.next(wanted)
                offset = q - smooth(t, amplitude, omega)
            elif kind == "jump":
                q[rng.integers(7)] += value
            elif kind == "bad":
                q[rng.integers(7)] = value
            elif kind == "noise":
                q = q + rng.normal(0.0, value, 7)
            stream.send(q, cycles)
    stream.send(HOME + 1.0)
    assert stream.guard.fault and stream.guard.violations == 1
    stream.send(stream.q[-1], 4)
    stream.until_rest()
    stream.assert_within_limits()


def brake_that_a_linear_program_finds(m, v0, a0, A, J, h, h0, h1):
    """Whether a sequence of `m` steps keeps the limits and ends at rest."""
    reach = np.array([(h + h0 + h1) / 3, (2 * h + h0) / 3] + [h] * m)[:m]
    weights = np.array([(h + h0) / 2] + [h] * m)[:m]
    D = np.eye(m) - np.eye(m, k=-1)  # differences of a_1 ... a_m; a_0 enters the first
    first = np.eye(m)[0] * a0
    result = linprog(
        np.zeros(m), A_ub=np.vstack([D, -D]), b_ub=np.concatenate([J * reach + first, J * reach - first]),
        A_eq=weights[None, :], b_eq=[-v0], bounds=[(-A, A)] * (m - 1) + [(0.0, 0.0)],
    )  # fmt: skip
    return result.status == 0


def steps_too_many(seed, gap):
    """By how many steps a brake after steps of 1 to `gap` cycles is longer than the shortest there is."""
    rng = np.random.default_rng(seed)
    A, J, h = 8.0, 160.0, 0.01
    h0, h1 = h * rng.integers(1, gap + 1), h * rng.integers(1, gap + 1)
    start = rng.uniform(-0.5, 0.5), rng.uniform(-A, A), A, J, h, h0, h1
    way = np.empty(300)
    n = brake_positions_into(way, 0.0, *start)
    assert way[n - 1] == way[-1] and brake_that_a_linear_program_finds(n, *start)
    return sum(brake_that_a_linear_program_finds(m, *start) for m in range(max(2, n - 4), n))


def test_no_brake_on_the_grid_is_shorter():
    """A linear program finds no sequence of fewer steps that keeps the limits and ends at rest."""
    assert [steps_too_many(seed, 1) for seed in range(6)] == [0] * 6


def test_a_brake_after_a_gap_is_hardly_longer_than_it_must_be():
    """The first steps may reach further after longer ones before: used in full, but for a step at times."""
    found = [steps_too_many(seed, 6) for seed in range(30)]
    assert found.count(0) >= 0.8 * len(found) and max(found) <= 2


starts = (st.floats(-2.0, 2.0), st.floats(-8.0, 8.0), st.integers(1, 6), st.integers(1, 6))


@given(*starts)
@settings(max_examples=200, deadline=None)
def test_a_brake_after_a_gap_keeps_acceleration_and_jerk(v, a, gap, gap_before):
    """Steps of 1 to 6 cycles came before: divided differences of what was and what comes keep both limits.

    Oracle: Newton's divided differences over the real instants, from three commands that have `v` and `a`.
    """
    h0, h1 = gap * DT, gap_before * DT
    way = np.empty(400)
    n = brake_positions_into(way, 0.0, v, a, 8.0, 160.0, DT, h0, h1)
    v_before = v - a * 0.5 * (h0 + h1)
    t = np.concatenate(([-h0 - h1, -h0, 0.0], DT * np.arange(1, 401)))
    q = np.concatenate(([-v * h0 - v_before * h1, -v * h0, 0.0], way))[:, None]
    velocity, acceleration, jerk = divided_differences(t, q)
    np.testing.assert_allclose((velocity[1, 0], acceleration[0, 0]), (v, a), atol=1e-9)
    assert np.abs(acceleration).max() <= 8.0 * (1.0 + 1e-9) + 1e-9
    assert np.abs(jerk).max() <= 160.0 * (1.0 + 1e-6) + 1e-5
    assert np.all(way[n - 1 :] == way[-1])


@given(*starts)
@settings(max_examples=200, deadline=None)
def test_extremes_of_a_brake_are_those_of_its_positions(v, a, gap, gap_before):
    """Least and greatest position, and greatest speed, also after gaps."""
    brake = (0.3, v, a, 8.0, 160.0, DT, gap * DT, gap_before * DT)
    way = np.empty(400)
    brake_positions_into(way, *brake)
    speed = np.abs(np.diff(way, prepend=0.3)).max() / DT
    low, high, fastest = brake_extremes(*brake)
    np.testing.assert_allclose((low, high), (min(way.min(), 0.3), max(way.max(), 0.3)), atol=1e-12)
    np.testing.assert_allclose(fastest, max(speed, abs(v)), atol=1e-9)


@given(st.floats(-2.0, 2.0), st.floats(-8.0, 8.0))
@settings(max_examples=200, deadline=None)
def test_the_quick_look_allows_for_the_grid(v, a):
    """Braking on the grid reaches no further than the continuous stop and the guard's allowance."""
    way = np.empty(400)
    brake_positions_into(way, 0.0, v, a, 8.0, 160.0, DT, DT, DT)
    low, high = stop_range(0.0, v, a, 8.0, 160.0)
    allowance = COARSE_STEPS * DT * (abs(v) + a * a / 160.0 + abs(a) * DT)
    assert way.min() >= low - allowance and way.max() <= high + allowance
    speed = np.abs(np.diff(way, prepend=0.0)).max() / DT
    assert speed <= abs(v) + a * a / 160.0 + COARSE_STEPS * DT * abs(a) + 1e-12


def test_an_objection_brakes_from_that_command_on_and_names_its_reason():
    """A command that keeps all limits and is objected to is never sent; the way to rest keeps them too."""
    stream = Stream()
    for k in range(200):
        stream.send(HOME + 0.2 * (DT * k) ** 3 / (1.0 + DT * k))
    assert not stream.verdicts[-1].violation
    wanted = 2.0 * stream.q[-1] - stream.q[-2]
    verdict = stream.guard.check(wanted, DT, "the object would fly away")
    stream.t.append(stream.t[-1] + DT)
    stream.q.append(verdict.q)
    assert verdict.violation == "the object would fly away" and not np.array_equal(verdict.q, wanted)
    assert stream.send(wanted).violation == "the object would fly away"
    stream.until_rest()
    assert stream.guard.violations == 1
    stream.assert_within_limits()


def test_a_broken_limit_is_named_before_an_objection():
    """What is no number is that, whatever else is said of it."""
    stream = Stream()
    assert "not finite" in stream.guard.check(np.full(7, np.nan), DT, "the object would fly away").violation
