"""The detector against pushes whose integral is known exactly."""

import numpy as np
import pytest
from scipy.signal import lfilter

from hil.common.arrays import Array
from hil.configuration.schema import Detector, Filter
from hil.wrench.detector.impulse_detector import ImpulseDetector
from hil.wrench.detector.slices import pushes
from tests.hil.wrench.pushed_wrench import (
    DIRECTION,
    ORIGIN_NS,
    counter_swing,
    half_sine,
    noise,
    relative_error,
    run,
    seconds,
    time_axis,
)

LENGTH = 0.2


@pytest.mark.parametrize("size", [0.3, 1.0, 5.0])
@pytest.mark.parametrize("lasts", [0.03, 0.1, 0.2])
def test_a_push_is_measured(size: float, lasts: float) -> None:
    """One id, value within noise of the integral, centroid at the half-sine's middle, on any offset."""
    t = time_axis(3.0)
    true = size * DIRECTION
    peak = true * np.pi / (2 * lasts)
    wrench = half_sine(t, 1.5, lasts, true) + counter_swing(t, 1.5 + lasts, peak) + noise(t, 1)
    found = pushes(run(t, wrench + np.array([2.0, -1.0, 0.5, 0.3, -0.2, 0.1])), LENGTH)
    assert len(found) == 1
    error = np.linalg.norm((found[0].impulse_object - true) * np.repeat([1.0, 5.0], 3))
    assert error < 0.015 + 0.01 * size
    assert abs(seconds(found[0].t_centroid_ns) - 1.5 - lasts / 2) < 0.003
    assert -0.02 < seconds(found[0].t_start_ns) - 1.5 < 0.01 + 0.1 * lasts
    assert abs(seconds(found[0].t_end_ns) - 1.5 - lasts) < 0.012
    assert found[0].ended and found[0].final and not found[0].sustained and not found[0].uncertain


def test_noise_and_slow_changes_are_no_push() -> None:
    """Sensor noise, an offset that drifts at 1.2 N/s and bounces of 0.6 N over 0.3 s: nothing."""
    t = time_axis(60.0)
    wrench = noise(t, 2)
    wrench[:, :3] += np.abs((t / 4.0) % 2.0 - 1.0)[:, None] * 4.0 * 1.2 * np.array([0.6, 0.0, 0.8])
    wrench[:, 1] += np.where(t % 2.0 < 0.3, 0.63 * np.sin(np.pi * (t % 2.0) / 0.3), 0.0)
    assert run(t, wrench) == []


def test_overlapping_pushes_add_up() -> None:
    """The sum of two pushes of different directions that overlap is right, whatever the ids."""
    t = time_axis(3.0)
    first, second = 2.0 * DIRECTION, np.array([-0.5, 1.0, 1.0, 0.0, 0.05, 0.0])
    wrench = half_sine(t, 1.5, 0.15, first) + half_sine(t, 1.6, 0.15, second) + noise(t, 3)
    found = pushes(run(t, wrench), LENGTH)
    assert len(found) in (1, 2)
    total = sum(push.impulse_object for push in found)
    assert relative_error(total, first + second) < 0.02


def test_opposed_overlapping_pushes_add_up() -> None:
    """The same for one that pushes back before the first is over."""
    t = time_axis(3.0)
    first, second = 2.0 * DIRECTION, -1.5 * DIRECTION
    wrench = half_sine(t, 1.5, 0.15, first) + half_sine(t, 1.62, 0.15, second) + noise(t, 4)
    found = pushes(run(t, wrench), LENGTH)
    total = sum(push.impulse_object for push in found)
    assert np.linalg.norm(total - first - second) < 0.03


def test_zero_net_impulse() -> None:
    """A push forth and back at once: one id, value near zero, centroids inside, displacement kept."""
    t = time_axis(3.0)
    forth = 2.0 * DIRECTION
    wrench = half_sine(t, 1.5, 0.1, forth) + half_sine(t, 1.6, 0.1, -forth) + noise(t, 5)
    slices = run(t, wrench)
    found = pushes(slices, LENGTH)
    assert len(found) == 1
    assert np.linalg.norm(found[0].impulse_object) < 0.03
    for piece in [*slices, *found]:
        assert piece.t_start_ns <= piece.t_centroid_ns <= piece.t_end_ns
    newest = {piece.slice_index: piece for piece in slices}.values()
    dipole = sum(piece.impulse_object * seconds(piece.t_centroid_ns) for piece in newest)
    np.testing.assert_allclose(dipole, -forth * 0.1, atol=0.01)


def test_push_during_the_counter_swing() -> None:
    """A second push while the arm still swings back is found and within 20 %."""
    for seed, delay in enumerate((0.08, 0.15, 0.25)):
        t = time_axis(3.0)
        first, second = 3.0 * DIRECTION, 2.0 * np.array([0.0, 0.6, -0.8, 0.02, 0.0, 0.0])
        begin = 1.6 + delay
        wrench = half_sine(t, 1.5, 0.1, first) + counter_swing(t, 1.6, first * np.pi / 0.2)
        wrench += half_sine(t, begin, 0.1, second) + counter_swing(t, begin + 0.1, second * np.pi / 0.2)
        found = pushes(run(t, wrench + noise(t, seed)), LENGTH)
        assert len(found) == 2, delay
        assert abs(seconds(found[1].t_start_ns) - begin) < 0.03
        assert relative_error(found[0].impulse_object, first) < 0.2
        assert relative_error(found[1].impulse_object, second) < 0.2


def test_sustained_push() -> None:
    """A push of 3 s is told while it lasts, flagged as sustained, and its integral is right."""
    t = time_axis(6.0)
    force = np.zeros((len(t), 6))
    force[:, 1] = 5.0 * np.clip((t - 1.5) / 0.1, 0.0, 1.0) * np.clip((4.5 - t) / 0.1, 0.0, 1.0)
    slices = run(t, force + noise(t, 6))
    found = pushes(slices, LENGTH)
    assert len(found) == 1 and found[0].sustained
    assert relative_error(found[0].impulse_object, np.trapezoid(force, t, axis=0)) < 0.01
    early = [piece for piece in slices if seconds(piece.t_ns) < 2.5]
    assert not early[0].sustained and early[-1].sustained
    told = pushes(early, LENGTH)[0].impulse_object[1]
    assert told == pytest.approx(np.trapezoid(force[t <= 2.5, 1], t[t <= 2.5]), abs=0.06)


def test_glitch_is_retracted() -> None:
    """A single wild sample is at most told and then revised to zero."""
    t = time_axis(3.0)
    wrench = noise(t, 7)
    wrench[750] += np.array([40.0, 0, 0, 0, 0, 0])
    slices = run(t, wrench)
    assert pushes(slices, LENGTH) == []
    if slices:
        assert slices[-1].ended and slices[-1].final and not slices[-1].impulse_object.any()


def test_short_gaps_are_bridged_long_ones_flagged() -> None:
    """8 ms without samples cost nothing; 30 ms mark the impulse uncertain."""
    t = time_axis(3.0)
    true = 2.0 * DIRECTION
    wrench = half_sine(t, 1.5, 0.15, true) + noise(t, 8)
    for width, uncertain in ((0.008, False), (0.03, True)):
        kept = (t <= 1.55) | (t >= 1.55 + width)
        found = pushes(run(t[kept], wrench[kept]), LENGTH)
        assert len(found) == 1 and found[0].uncertain is uncertain
        assert relative_error(found[0].impulse_object, true) < (0.01 if not uncertain else 0.05)


@pytest.mark.parametrize(("at", "uncertain"), [(1.504, True), (1.57, True), (1.0, False), (1.9, False)])
def test_a_jump_of_the_stamps_makes_a_push_uncertain(at: float, uncertain: bool) -> None:
    """By 4 ms, less than a gap of the samples: the push that goes on then is uncertain, and no other."""
    t = time_axis(3.0)
    wrench = half_sine(t, 1.5, 0.15, 2.0 * DIRECTION) + noise(t, 8)
    detector, slices = ImpulseDetector(Detector(), Filter(), 0.001), []
    jump = int(np.searchsorted(t, at))
    for k, (instant, sample) in enumerate(zip(t, wrench, strict=True)):
        t_ns = ORIGIN_NS + round(1e9 * instant) + (4_000_000 if k >= jump else 0)
        if k == jump:
            detector.mark_gap(t_ns)
        slices += detector.step(t_ns, sample)
    found = pushes(slices, LENGTH)
    assert len(found) == 1 and found[0].uncertain is uncertain
    assert detector.counts["gaps"] == 1


def test_stamps_that_jump_back_begin_anew() -> None:
    """What was before lies in the future then: it is forgotten, and the next push measured like the first."""
    t = time_axis(3.0)
    wrench = half_sine(t, 1.5, 0.15, 2.0 * DIRECTION) + noise(t, 8)
    detector, slices = ImpulseDetector(Detector(), Filter(), 0.001), []
    for begin_ns in (ORIGIN_NS, ORIGIN_NS + 500_000_000):
        detector.mark_gap(begin_ns)
        for instant, sample in zip(t, wrench, strict=True):
            slices += detector.step(begin_ns + round(1e9 * instant), sample)
    found = pushes(slices, LENGTH)
    assert [push.uncertain for push in found] == [False, False]
    assert max(relative_error(push.impulse_object, 2.0 * DIRECTION) for push in found) < 0.02


def test_a_gap_at_the_onset_is_flagged() -> None:
    """Samples are missing where the push began: uncertain. Missing a second before, it is not."""
    t = time_axis(3.0)
    wrench = half_sine(t, 1.5, 0.15, 2.0 * DIRECTION) + noise(t, 8)
    for start, uncertain in ((1.49, True), (0.5, False)):
        kept = (t <= start) | (t >= start + 0.03)
        found = pushes(run(t[kept], wrench[kept]), LENGTH)
        assert len(found) == 1 and found[0].uncertain is uncertain
    again = half_sine(t, 2.3, 0.15, 2.0 * DIRECTION) + wrench
    kept = (t <= 1.49) | (t >= 1.52)
    first, second = pushes(run(t[kept], again[kept]), LENGTH)
    assert first.uncertain and not second.uncertain, "the next push is sure again"


def test_a_push_after_a_settled_one_is_what_it_is_alone() -> None:
    """A first push, over a drifting baseline, is corrected when it is over; the second knows nothing of it.

    In between the drift has ended long ago, so that both runs see the same rest before the second push.
    """
    t = time_axis(9.0)
    drift = np.clip((t - 1.4) / 0.4, 0.0, 1.0)[:, None] * np.array([1.5, 0, 0, 0, 0, 0])
    first, second = half_sine(t, 1.5, 0.15, 2.0 * DIRECTION), half_sine(t, 7.0, 0.35, 1.0 * DIRECTION)
    both = run(t, drift + first + second)
    settled = pushes(both, LENGTH)[0]
    told = [piece for piece in both if piece.impulse_id == settled.impulse_id]
    assert np.abs(told[-1].impulse_object - told[-2].impulse_object).max() > 0.02, "it is corrected"
    late = [piece for piece in both if piece.impulse_id != settled.impulse_id]
    alone = run(t, np.array([1.5, 0, 0, 0, 0, 0]) + second)
    assert len(late) == len(alone) > 100
    for a, b in zip(late, alone, strict=True):
        assert (a.slice_index, a.revision, a.t_ns) == (b.slice_index, b.revision, b.t_ns)
        # what was learned of noise and offset differs a little after a drift
        np.testing.assert_allclose(a.impulse_object, b.impulse_object, atol=4e-3)


def test_non_finite_repeated_and_equal_stamps() -> None:
    """Broken samples are counted and change no value; repeats and equal stamps change nothing at all."""
    t = time_axis(2.5)
    true = 2.0 * DIRECTION
    wrench = half_sine(t, 1.5, 0.15, true) + noise(t, 9)
    plain = pushes(run(t, wrench), LENGTH)[0]
    detector = ImpulseDetector(Detector(), Filter(), float(np.median(np.diff(t))))
    slices = []
    for k, instant in enumerate(t):
        t_ns = ORIGIN_NS + round(instant * 1e9)
        slices += detector.step(t_ns, wrench[k])
        slices += detector.step(t_ns, wrench[k] * 2.0)  # equal stamp
        slices += detector.step(t_ns + 500_000, wrench[k])  # repeated value
        broken = wrench[k].copy()
        broken[k % 6] = (np.nan, np.inf, -np.inf)[k % 3]
        slices += detector.step(t_ns + 1_000_000, broken)
    found = pushes(slices, LENGTH)
    assert len(found) == 1
    np.testing.assert_array_equal(found[0].impulse_object, plain.impulse_object)
    assert found[0].t_centroid_ns == plain.t_centroid_ns
    assert detector.counts == {
        "samples": len(t),
        "dropped": 2 * len(t),
        "non_finite": len(t),
        "gaps": 0,
    }


def test_same_samples_same_slices() -> None:
    """The detector is deterministic; after `restart` ids go on, and what it learned of the noise stays."""
    t = time_axis(2.5)
    wrench = half_sine(t, 1.5, 0.15, DIRECTION) + noise(t, 10)
    detector, other = ImpulseDetector(Detector(), Filter()), ImpulseDetector(Detector(), Filter())
    runs = []
    for which in (detector, other, detector):
        which.restart()
        runs.append([s for k in range(len(t)) for s in which.step(round(t[k] * 1e9), wrench[k])])
    for a, b in zip(runs[0], runs[1], strict=True):
        np.testing.assert_array_equal(a.impulse_object, b.impulse_object)
        np.testing.assert_array_equal(a.deviation_object, b.deviation_object)
    first, again = pushes(runs[0], LENGTH)[0], pushes(runs[2], LENGTH)[0]
    assert again.impulse_id == first.impulse_id + 1
    assert np.all(np.abs(again.impulse_object - first.impulse_object) < first.deviation_object)
    assert 0.0 < np.abs(again.deviation_object - first.deviation_object).max() < 0.001


@pytest.mark.parametrize(("begins", "ends"), [(-0.3, 0.35), (-0.3, 0.9), (0.05, 0.6)])
def test_a_hand_that_pushes_as_the_object_sets_off_is_not_learnt(begins: float, ends: float) -> None:
    """20 N that stay for long: neither they nor their end are told, and what comes behind is, whole."""
    t = time_axis(4.0)
    shape = np.clip(np.minimum(t - 1.0 - begins, 1.0 + ends - t) / 0.03, 0.0, 1.0)
    lean = 20.0 * shape[:, None] * DIRECTION / np.linalg.norm(DIRECTION)
    wrench = lean + half_sine(t, 3.0, 0.15, DIRECTION) + noise(t, 12)
    detector, told = ImpulseDetector(Detector(), Filter()), []
    for instant, sample in zip(t, wrench, strict=True):
        if instant == 1.0:
            detector.restart()
        pieces = detector.step(round(instant * 1e9), sample)
        told += pieces if instant >= 1.0 else []
    found = pushes(told, LENGTH)
    assert len(found) == 1 and 2.95 < found[0].t_start_ns * 1e-9 < 3.05
    np.testing.assert_allclose(found[0].impulse_object[:3], DIRECTION[:3], atol=0.03)


def of_20_ms(t: Array, seed: int) -> Array:
    """Noise of a pace of 20 ms: standard deviation 1 N, and 0.2 N m."""
    keep = np.exp(-0.002 / 0.02)
    fresh = np.random.default_rng(seed).normal(size=(len(t), 6))
    return lfilter([np.sqrt(1.0 - keep**2)], [1.0, -keep], fresh, axis=0) * np.repeat([1.0, 0.2], 3)


def test_noise_of_a_pace_that_begins_is_no_push() -> None:
    """Half a newton of a pace of 20 ms from one moment to the next, in each of ten cases."""
    t = time_axis(1.6)
    for seed in range(10):
        wrench, late = noise(t, seed), t > 1.0
        wrench[late] += 0.5 * of_20_ms(t, 100 + seed)[late]
        assert not run(t, wrench, Detector()), seed


def test_a_push_is_known_as_well_as_is_said() -> None:
    """Errors over their standard deviations are of size 1, in white noise and in noise of the push's pace."""
    t = time_axis(122.0)
    starts = 3.0 + 2.0 * np.arange(59)
    true = np.random.default_rng(11).uniform(1.0, 3.0, 59)[:, None] * DIRECTION
    wrench = sum(half_sine(t, a, 0.08, value) for a, value in zip(starts, true, strict=True))
    for size in (0.0, 0.3):
        found = pushes(run(t, wrench + noise(t, 12) + size * of_20_ms(t, 16)), LENGTH)
        assert len(found) == 59
        z = [(f.impulse_object - v) / f.deviation_object for f, v in zip(found, true, strict=True)]
        assert 0.75 < np.sqrt(np.mean(np.square(z))) < 1.35
        assert np.quantile(np.linalg.norm(z, axis=1) / np.sqrt(6.0), 0.95) < 1.6


def test_the_foot_of_a_weak_push_is_in_it() -> None:
    """In restless wrench a push is seen late: its flanks, drawn on to zero, tell where it began and ended."""
    t = time_axis(120.0)
    starts = 3.0 + 2.0 * np.arange(58)
    true = 0.5 * DIRECTION / np.linalg.norm(DIRECTION[:3])
    wrench = sum(half_sine(t, start, 0.12, true) for start in starts)
    found = pushes(run(t, wrench + 0.25 * of_20_ms(t, 13) + noise(t, 14)), LENGTH)
    assert len(found) == 58
    late = np.array([seconds(f.t_start_ns) for f in found]) - starts
    assert -0.008 < np.median(late) < 0.002
    late = np.array([seconds(f.t_end_ns) for f in found]) - starts - 0.12
    assert -0.002 < np.median(late) < 0.012
    along = np.array([f.impulse_object @ true / (true @ true) for f in found])
    assert np.mean(along) == pytest.approx(1.0, abs=0.015)


def test_a_hand_that_does_not_let_go_loses_nothing() -> None:
    """5 N for a second, hardly anything for 0.15 s, then -5 N: two pushes without a gap, all of it told."""
    t = time_axis(6.0)
    force = np.zeros((len(t), 6))
    force[:, 1] = 5.0 * np.interp(
        t, [1.5, 1.6, 2.5, 2.55, 2.7, 2.8, 3.6, 3.7], [0.0, 1.0, 1.0, 0.02, 0.02, -1.0, -1.0, 0.0]
    )
    found = pushes(run(t, force + noise(t, 15)), LENGTH)
    assert [push.sustained for push in found] == [True, True]
    assert found[1].t_start_ns == found[0].t_end_ns
    total = sum(push.impulse_object for push in found)
    np.testing.assert_allclose(total, np.trapezoid(force, t, axis=0), atol=0.04)
    for push in found:
        assert 4.0 < abs(push.impulse_object[1]) < 5.5


def test_long_run_of_zeros_costs_nothing() -> None:
    """A sensor that repeats one value for long is still there when a push comes."""
    t = time_axis(8.0)
    true = 2.0 * DIRECTION
    found = pushes(run(t, half_sine(t, 7.0, 0.15, true)), LENGTH)
    assert len(found) == 1
    assert relative_error(found[0].impulse_object, true) < 0.01


def restless(t: np.ndarray, seed: int, since: float = 0.0) -> np.ndarray:
    """Noise of an arm that moves from an instant on: 0.35 N of 20 ms, sensor's noise with it."""
    rng, keep = np.random.default_rng(seed), np.exp(-(t[1] - t[0]) / 0.02)
    fresh = 0.35 * np.sqrt(1.0 - keep**2) * rng.normal(size=(len(t), 6)) * np.repeat([1.0, 0.2], 3)
    moving = np.minimum(np.maximum(t - since, 0.0) / 0.05, 1.0)[:, None]
    return lfilter([1.0], [1.0, -keep], fresh, axis=0) * moving + noise(t, seed + 1)


def test_a_weak_slow_push_in_an_arms_noise_shows_in_its_sum() -> None:
    """2.7 N at most over 0.19 s, below ten times the unrest: every one of six is found, none else.

    Its impulse is within four of the standard deviations that come with it. The sixth one is nearly over
    when it shows: it began where it was strongest, or before.
    """
    lasts, impulse = 0.19, 0.33 * DIRECTION / np.linalg.norm(DIRECTION[:3])
    scale = np.repeat([1.0, 5.0], 3)
    for seed in (0, 1, 2, 3, 4, 29):
        t = time_axis(8.0)
        found = pushes(run(t, restless(t, 10 * seed) + half_sine(t, 6.0, lasts, impulse)), LENGTH)
        assert [round(seconds(p.t_start_ns), 1) for p in found] == [6.0]
        miss = np.linalg.norm((found[0].impulse_object - impulse) * scale)
        assert miss < 4.0 * np.linalg.norm(found[0].deviation_object * scale)


def test_noise_that_begins_is_no_push() -> None:
    """An arm stands for 3 s, then moves: ten times a level of noise that nothing was known of before."""
    for seed in range(12):
        t = time_axis(5.0)
        leaning = 0.6 * np.sin(np.pi * np.clip((t - 3.0) / 0.3, 0.0, 1.0))[:, None] * np.eye(6)[0]
        assert not run(t, restless(t, 10 * seed, 3.0) + leaning)
