"""Kernels of the detector, one at a time, against sums and integrals made otherwise."""

import numpy as np
import pytest
from scipy.integrate import trapezoid

from hil.configuration.schema import Detector, Filter
from hil.wrench.detector.slices import pushes
from hil.wrench.detector.starting import ARMING_TIME, LEVEL_UNREST, least_level
from hil.wrench.detector.state import STATE, THRESHOLDS
from hil.wrench.detector.sums import integrate, smoothed_projection
from tests.hil.wrench.pushed_wrench import DIRECTION, half_sine, noise, run, seconds, time_axis


def remembered(t: np.ndarray, wrench: np.ndarray, baseline: np.ndarray) -> np.ndarray:
    """The detector's memory of these samples, with a slice over all of them."""
    state = np.zeros(1, STATE)
    state["t"][0, : len(t)], state["wrench"][0, : len(t)] = t, wrench
    state["baseline"][0], state["slice_first"], state["last"] = baseline, 0, len(t) - 1
    return state


def test_an_impulse_is_the_integral_of_straight_lines_between_samples() -> None:
    """At uneven instants, less the baseline: scipy's trapezoids; the centroid by the force along it."""
    rng = np.random.default_rng(6)
    t = np.cumsum(rng.uniform(0.001, 0.01, 60))
    shape = np.sin(np.pi * (t - t[0]) / (t[-1] - t[0])) + 0.3 * rng.random(60)
    baseline = rng.normal(size=6)
    force = shape[:, None] * DIRECTION
    row = np.zeros(15)
    integrate(remembered(t, baseline + force, baseline)[0], row)
    np.testing.assert_allclose(row[3:9], trapezoid(force, t, axis=0), rtol=1e-12)
    middles, pieces = 0.5 * (t[1:] + t[:-1]), 0.5 * (shape[1:] + shape[:-1]) * np.diff(t)
    assert row[2] == pytest.approx((middles * pieces).sum() / pieces.sum(), rel=1e-12)
    assert (row[0], row[1]) == (t[0], t[-1])


def test_a_push_that_cancels_has_its_centroid_where_it_was_strong() -> None:
    """To and fro with nothing left: the instants weighed by the size of the force."""
    t = np.arange(101) * 0.002
    shape = np.where(t < 0.1, 1.0, -1.0) * np.where(t < 0.1, 4.0 * t, 4.0 * (0.2 - t))
    shape[50] = 0.0
    row = np.zeros(15)
    integrate(remembered(t, shape[:, None] * DIRECTION, np.zeros(6))[0], row)
    assert np.linalg.norm(row[3:9]) < 0.01 * trapezoid(np.abs(shape), t)
    assert row[2] == pytest.approx(0.1, abs=1e-3)


def test_an_edge_is_looked_for_in_the_mean_of_five_samples() -> None:
    """Two on either side, as far as there are any, less the base, along the axis."""
    rng = np.random.default_rng(2)
    t, wrench, base = np.arange(20) * 0.002, rng.normal(size=(20, 6)), rng.normal(size=6)
    axis = DIRECTION / np.linalg.norm(DIRECTION)
    state = remembered(t, wrench, np.zeros(6))
    along = (wrench - base) @ axis
    for j, k, kept in ((10, 19, slice(8, 13)), (0, 19, slice(0, 3)), (10, 11, slice(8, 12))):
        assert smoothed_projection(state[0], j, k, base, axis) == pytest.approx(along[kept].mean(), rel=1e-12)


def test_unrest_raises_the_level_from_which_a_push_is_one() -> None:
    """Ten times the unrest at the sample that lies the level's delay back, or the configured level."""
    state, limits = np.zeros(1, STATE), np.zeros(1, THRESHOLDS)
    limits["level"], state["lag"], state["unrest"][0, 17] = 1.5, 17, 0.4
    assert least_level(state[0], limits[0]) == LEVEL_UNREST * 0.4
    state["unrest"][0, 17] = 0.1
    assert least_level(state[0], limits[0]) == 1.5


def test_no_push_is_looked_for_before_the_baseline_means_something() -> None:
    """A push that is over by then, or not yet, is none, nor is its end; a later one is told at once."""
    t = time_axis(1.0)
    for start, lasts in ((0.2, 0.2), (0.5, 1.5), (0.9, 0.6)):
        wrench = half_sine(t, start * ARMING_TIME, lasts * ARMING_TIME, 2.0 * DIRECTION)
        assert not run(t, wrench + noise(t, 3), Detector()), (start, lasts)
    for before in (0.0, 2.0):
        early = half_sine(t, 0.5 * ARMING_TIME, 0.1, before * DIRECTION)
        late = half_sine(t, 0.5, 0.03, 0.4 * DIRECTION)
        told = run(t, early + late + noise(t, 3), Detector())
        assert told and 0.5 < seconds(told[0].t_ns) < 0.53
        np.testing.assert_allclose(
            pushes(told, Filter().length)[0].impulse_object, 0.4 * DIRECTION, atol=0.03
        )


@pytest.mark.parametrize("seed", range(4))
def test_what_an_arm_does_as_it_sets_off_counts_in_no_sum(seed: int) -> None:
    """1.6 N for 0.15 s from the first sample on, which is no level yet, adds up to no push."""
    t, forward = time_axis(0.6), np.array([1.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    for again in range(4):
        swing = half_sine(t, 0.0, 0.15, 2.0 * 0.15 / np.pi * 1.6 * forward)
        assert not run(t, swing + noise(t, 4 * seed + again), Detector())


def test_a_wrench_that_never_rests_is_listened_to_after_a_second() -> None:
    """To and fro by 40 N, three times a second: deaf for a second, and no longer."""
    t = time_axis(2.0)
    told = run(t, 40.0 * np.sin(6.0 * np.pi * t)[:, None] * DIRECTION, Detector())
    assert 0.95 < seconds(told[0].t_ns) < 1.2
