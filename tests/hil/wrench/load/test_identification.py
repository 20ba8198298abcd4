"""What load data misses, from wrenches whose truth is known: point masses, offsets, coloured noise."""

import numpy as np
import pytest
from scipy.signal import lfilter

from hil.common.arrays import Array
from hil.common.errors import OperatorError
from hil.configuration.whole_mockup import whole_mockup
from hil.wrench.load.identification import even, found_load
from tests.hil.wrench.load.point_masses import motion, parameters, wrench

STEP = 0.002
T = np.arange(2500) * STEP
PRIOR = whole_mockup(5.0, 0.3, np.full(3, 0.075))
SIZES = np.array([0.35] * 3 + [0.07] * 3)  # of the motion noise, 20 ms


def noise(rng: np.random.Generator, n: int) -> Array:
    """Motion noise of 20 ms and white noise, shape (n, 6)."""
    share = np.exp(-STEP / 0.02)
    drive = rng.standard_normal((n + 500, 6)) * np.sqrt(1.0 - share**2)
    return SIZES * (lfilter([1.0], [1.0, -share], drive, axis=0)[500:] + 0.2 * rng.standard_normal((n, 6)))


def offset(p: Array, R: Array) -> Array:
    """An offset that goes with the pose, and drifts."""
    gradient = np.array([[9.0, 2.0, -3.0], [1.0, -8.0, 2.0], [3.0, 1.0, 7.0]])
    force = p @ gradient.T + [1.0, -2.0, 0.5] + 0.05 * T[:, None]
    return np.concatenate([force, 0.2 * force[:, ::-1]], axis=1)


def test_everything_is_found_beside_an_offset_that_goes_with_the_pose() -> None:
    """Hardly any noise: ten parameters within a thousandth of the largest of their kind, all shown."""
    R, p = motion(T)
    seen = offset(p, R) - wrench(T) + 1e-4 * noise(np.random.default_rng(1), len(T))
    found = found_load(R, p, seen, STEP, PRIOR)
    expected = parameters()
    for kind in (slice(0, 1), slice(1, 4), slice(4, 10)):
        np.testing.assert_allclose(
            found.value[kind], expected[kind], atol=3e-3 * np.abs(expected[kind]).max()
        )
    assert found.shown.all()


def test_the_interval_covers_the_truth_in_nineteen_of_twenty() -> None:
    """100 draws of coloured noise, 1000 intervals: told by 1.96 deviations, within the scatter of 100."""
    R, p = motion(T)
    clean, expected = offset(p, R) - wrench(T), parameters()
    rng = np.random.default_rng(7)
    found = [found_load(R, p, clean + noise(rng, len(T)), STEP, PRIOR) for _ in range(100)]
    errors = np.array([f.value - expected for f in found])
    halves = np.array([f.interval for f in found])
    assert 0.93 <= np.mean(np.abs(errors) <= halves) <= 0.98
    told = halves.mean(axis=0) / (1.96 * errors.std(axis=0))
    assert (told > 0.8).all() and (told < 1.35).all()
    assert abs(errors[:, 0].mean()) < 3.0 * errors[:, 0].std() / np.sqrt(len(found))


def test_what_the_motion_does_not_show_is_said() -> None:
    """Without a turn there is no inertia to be seen; mass and centre are found all the same."""
    _, p = motion(T)
    R = np.tile(np.eye(3), (len(T), 1, 1))
    a = np.diff(p, 2, axis=0, prepend=2 * p[:1] - p[1:2], append=2 * p[-1:] - p[-2:-1]) / STEP**2
    mass, centre = 0.4, np.array([0.02, -0.03, 0.05])
    seen = -np.concatenate([mass * a, mass * np.cross(centre, a)], axis=1)
    found = found_load(R, p, seen + 0.1 * noise(np.random.default_rng(2), len(T)), STEP, PRIOR)
    assert found.shown[:4].all() and not found.shown[4:].any()
    assert (np.abs(found.value[:4] - [mass, *mass * centre]) <= 1.5 * found.interval[:4]).all()
    np.testing.assert_allclose(found.interval[4:], 1.98 * 1.18 * PRIOR[4:], rtol=0.1)


def test_an_object_that_stands_shows_nothing() -> None:
    """It is refused, with what to do."""
    R, p = np.tile(np.eye(3), (2500, 1, 1)), np.zeros((2500, 3))
    with pytest.raises(OperatorError, match="hardly moved"):
        found_load(R, p, np.zeros((2500, 6)), STEP, PRIOR)


def test_a_wrench_that_stays_the_same_is_no_measurement() -> None:
    """A sensor that is not there would show, surely, that nothing is missed; one axis alone is enough."""
    R, p = motion(T)
    seen = noise(np.random.default_rng(3), len(T))
    seen[:, 4] = 0.25
    for wrenches in (seen, np.tile(seen[0], (len(T), 1))):
        with pytest.raises(OperatorError, match="stays the same while the arm moves"):
            found_load(R, p, wrenches, STEP, PRIOR)


def test_single_samples_that_lack_are_bridged_and_many_are_refused() -> None:
    """By lines between the neighbours; one in six missing, or ten in a row, is no measurement."""
    q, w = np.outer(T, np.arange(7.0)), np.outer(T, np.ones(6))
    kept = np.ones(len(T), bool)
    kept[100::50] = False
    joints, wrenches = even(T[kept], q[kept], w[kept], STEP)
    np.testing.assert_allclose(joints, q, atol=1e-9)
    np.testing.assert_allclose(wrenches, w, atol=1e-9)
    for lost in (slice(3, None, 6), slice(1000, 1010)):
        kept = np.ones(len(T), bool)
        kept[lost] = False
        with pytest.raises(OperatorError, match="samples are missing"):
            even(T[kept], q[kept], w[kept], STEP)
    with pytest.raises(OperatorError, match="too few"):
        even(T[:900], q[:900], w[:900], STEP)
