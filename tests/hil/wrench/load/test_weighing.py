"""What a load's weight tells at rest: against point masses in the field of gravity, offsets and slopes."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from hil.common.arrays import Array
from hil.common.errors import OperatorError
from hil.configuration.whole_mockup import whole_mockup
from hil.wrench.load.consistency import pseudo_inertia
from hil.wrench.load.identification import Weighing, found_load
from hil.wrench.load.left_over import left_over, read_at_rest
from hil.wrench.load.weighing import Rests, Sensed
from tests.hil.wrench.load.point_masses import MASSES, PLACES, motion, parameters, wrench
from tests.hil.wrench.load.test_identification import PRIOR, STEP, T, noise, offset

DOWN = np.array([0.0, 0.0, -9.81])
POSES = 12
HELD = np.array([5.0, 0.0, 0.0, 0.0, *[0.075] * 3, 0.0, 0.0, 0.0])
SLOPE = np.vstack([9.0 * np.eye(3), 0.5 * np.ones((3, 3))])
BIAS = np.array([1.0, -2.0, 3.0, 0.1, 0.2, -0.3])
DRIFT = np.array([1e-3, 0.0, -1e-3, 0.0, 0.0, 0.0])  # [N/s, N m/s]
T_OBJECT_SENSOR = np.eye(4)
T_OBJECT_SENSOR[:3, :3] = Rotation.from_rotvec([0.2, -0.1, 0.4]).as_matrix()
T_OBJECT_SENSOR[:3, 3] = [0.01, 0.02, -0.15]


def sensed(placed: bool) -> Sensed:
    return Sensed(T_OBJECT_SENSOR, placed, np.array([0.7, 0.1, 0.3]), DOWN)


def rests(placed: bool, rng: np.random.Generator, weighs: float = 1.0, turn: float = 0.5) -> Rests:
    """What point masses, offset and drift show in poses; white noise of 3 mN and 0.3 mN m."""
    R = Rotation.from_rotvec(turn * rng.uniform(-1.0, 1.0, (POSES, 3))).as_matrix()
    p = np.array([0.7, 0.1, 0.3]) + 0.04 * rng.uniform(-1.0, 1.0, (POSES, 3))
    t = 2.0 * np.arange(POSES)
    told = np.empty((POSES, 6))
    for k in range(POSES):
        arms = PLACES @ R[k].T
        force = np.sum(MASSES[:, None] * weighs * DOWN, axis=0)
        torque = np.sum(np.cross(arms, MASSES[:, None] * weighs * DOWN), axis=0)
        at = p[k] + R[k] @ T_OBJECT_SENSOR[:3, 3]
        read = BIAS + DRIFT * t[k]
        read = read + (SLOPE @ (at - [0.7, 0.1, 0.3]) if placed else 0.0)
        axes = np.eye(3) if placed else R[k] @ T_OBJECT_SENSOR[:3, :3]
        f, m = axes @ read[:3], axes @ read[3:]
        force, torque = force + f, torque + m + np.cross(at - p[k], f)
        told[k] = np.concatenate([R[k].T @ force, R[k].T @ torque])
    return Rests(t, R, p, told + np.repeat([3e-3, 3e-4], 3) * rng.standard_normal((POSES, 6)))


def moving(rng: np.random.Generator) -> tuple[Array, Array, Array]:
    R, p = motion(T)
    return R, p, offset(p, R) - wrench(T) + noise(rng, len(T))


@pytest.mark.parametrize("placed", [True, False])
def test_weight_and_inertia_tell_the_load_together(placed: bool) -> None:
    """Forty campaigns: nineteen of twenty intervals cover the truth, of load, offset and slope alike.

    A sensor that turns knows the mass to a gram by its weight; an estimate in the base's axes does not.
    """
    rng, covered, offsets, halves = np.random.default_rng(11), [], [], []
    for _ in range(40):
        found = found_load(*moving(rng), STEP, PRIOR, Weighing(rests(placed, rng), sensed(placed), HELD))
        assert found.weighs and not found.mended and found.offset is not None
        covered.append(np.abs(found.value - parameters()) <= found.interval)
        halves.append(found.interval)
        bias = BIAS.copy()
        if placed:  # its weight does not turn, and stays in it
            bias[:3] += MASSES.sum() * DOWN
            offsets.append(np.abs(found.offset.slope - SLOPE) <= found.offset.slope_interval)
        drifted = bias + DRIFT * (POSES - 1.0)  # in the middle of it
        offsets.append(np.abs(found.offset.bias - drifted) <= found.offset.bias_interval)
    assert 0.92 <= np.mean(covered) <= 0.99
    assert 0.92 <= np.mean([x.mean() for x in offsets]) <= 0.995
    half = np.median(halves, axis=0)
    assert half[1:4].max() < 4e-3, "moments by weight: without it they are known to 10 kg mm"
    assert (half[0] < 2e-3) if not placed else (half[0] > 0.01)


def test_poses_that_hardly_tilt_tell_no_weight(placed: bool = False) -> None:
    """A fifth of a degree: the mass is known by acceleration alone, and its interval says so."""
    rng = np.random.default_rng(3)
    found = found_load(
        *moving(rng), STEP, PRIOR, Weighing(rests(placed, rng, turn=0.003), sensed(placed), HELD)
    )
    steep = found_load(*moving(rng), STEP, PRIOR, Weighing(rests(placed, rng), sensed(placed), HELD))
    assert found.interval[0] > 20.0 * steep.interval[0]
    assert abs(found.value[0] - parameters()[0]) <= 2.0 * found.interval[0]


def test_a_weight_that_is_not_missed_is_left_out() -> None:
    """An estimate that has the weight right: inertia alone counts. Of a sensor it cannot be: refused."""
    rng = np.random.default_rng(5)
    found = found_load(*moving(rng), STEP, PRIOR, Weighing(rests(True, rng, weighs=0.0), sensed(True), HELD))
    alone = found_load(*moving(np.random.default_rng(5)), STEP, PRIOR)
    assert found.weighs is False and found.offset is not None
    assert (np.abs(found.value - parameters()) <= 2.0 * found.interval).all()
    np.testing.assert_allclose(found.interval, alone.interval, rtol=0.2)
    np.testing.assert_allclose(found.offset.bias[:2], np.add(BIAS[:2], [0.011, 0.0]), atol=0.02)
    with pytest.raises(OperatorError, match="contradict each other"):
        found_load(*moving(rng), STEP, PRIOR, Weighing(rests(False, rng, weighs=0.0), sensed(False), HELD))


@pytest.mark.parametrize("placed", [True, False])
def test_what_is_left_over_is_noise(placed: bool) -> None:
    """At rest newtons before, the noise after; what is read at rest is offset and weight."""
    rng = np.random.default_rng(8)
    still, seen = rests(placed, rng), moving(rng)
    found = found_load(*seen, STEP, PRIOR, Weighing(still, sensed(placed), HELD))
    left = left_over(found, sensed(placed), (*seen, STEP), still)
    assert left.at_rest is not None
    assert left.at_rest[0, 0] > 1.0 and left.at_rest[0, 1] < 0.02
    assert left.in_motion[0, 1] < left.in_motion[0, 0] or not placed
    read = read_at_rest(found, sensed(placed), still.R, still.p)
    np.testing.assert_allclose(read, still.wrench, atol=0.05)


def test_too_few_rests_are_no_weighing() -> None:
    """Three poses: motion alone tells, and that is said."""
    rng = np.random.default_rng(9)
    whole = rests(True, rng)
    few = Rests(whole.t[:3], whole.R[:3], whole.p[:3], whole.wrench[:3])
    found = found_load(*moving(rng), STEP, PRIOR, Weighing(few, sensed(True), HELD))
    assert found.weighs is None and found.offset is None


def test_what_is_no_body_is_mended_or_refused() -> None:
    """Load data of a light mock-up: within noise the nearest body stands in; far from any it is refused."""
    rng = np.random.default_rng(10)
    small = np.array([0.7, 0.0, 0.0, 0.0, *[2e-3] * 3, 0.0, 0.0, 0.0])
    prior = whole_mockup(0.7, 0.3, np.full(3, 0.02))
    R, p = motion(T)
    quiet = offset(p, R) + noise(rng, len(T))
    found = found_load(R, p, quiet, STEP, prior, Weighing(rests(True, rng, weighs=0.0), sensed(True), small))
    assert found.mended and (np.abs(found.value[4:7]) < 0.02).all()
    assert np.linalg.eigvalsh(pseudo_inertia(small + found.value))[0] > 0.0
    reversed_load = offset(p, R) + 3.0 * wrench(T) + 0.05 * noise(rng, len(T))
    with pytest.raises(OperatorError, match="no body's"):
        found_load(
            R, p, reversed_load, STEP, PRIOR, Weighing(rests(True, rng, weighs=-3.0), sensed(True), small)
        )
