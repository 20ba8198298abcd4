"""What a moving observer sees of two bodies: their relative motion as it is, and the forces that he fakes."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from planner.base.moving_observer import Motion, continuous, rotation_of, seen, seen_acceleration
from planner.base.turning import turning

STEP = 1e-4  # [s] of differences


def random_motion(rng: np.random.Generator, t: np.ndarray) -> Motion:
    """A smooth motion of a frame: cubic in place, and in a rotation vector from some attitude."""
    c, d = rng.normal(size=(4, 3)), 0.4 * rng.normal(size=(4, 3))
    powers = [t**k for k in range(4)]
    p, v, a = (
        sum(np.outer(f * powers[k - n], c[k]) for k, f in enumerate(factors) if k >= n)
        for n, factors in enumerate(([1, 1, 1, 1], [0, 1, 2, 3], [0, 0, 2, 6]))
    )
    theta, rate, second = (
        sum(np.outer(f * powers[k - n], d[k]) for k, f in enumerate(factors) if k >= n)
        for n, factors in enumerate(([1, 1, 1, 1], [0, 1, 2, 3], [0, 0, 2, 6]))
    )
    begin = Rotation.random(random_state=rng)
    R = begin * Rotation.from_rotvec(theta)
    w, alpha = turning(theta, rate, second)
    quat = R.as_quat(scalar_first=True)
    quat *= np.cumprod([1.0, *np.where((quat[1:] * quat[:-1]).sum(axis=1) < 0.0, -1.0, 1.0)])[:, None]
    return Motion(p, quat, np.hstack((v, R.apply(w))), np.hstack((a, R.apply(alpha))))


def relative(first, second) -> tuple[np.ndarray, Rotation, np.ndarray]:
    """Place, attitude and twist of the second in the first one's axes, by matrices alone."""
    place, turned, twist = [], [], []
    for i in range(len(first.p)):
        R_a, R_b = rotation_of(first.quat[i]).as_matrix(), rotation_of(second.quat[i]).as_matrix()
        r = second.p[i] - first.p[i]
        v = second.twist[i, :3] - first.twist[i, :3] - np.cross(first.twist[i, 3:], r)
        place.append(R_a.T @ r)
        turned.append(R_a.T @ R_b)
        twist.append([*(R_a.T @ v), *(R_a.T @ (second.twist[i, 3:] - first.twist[i, 3:]))])
    return np.array(place), np.array(turned), np.array(twist)


@pytest.mark.parametrize("seed", range(20))
def test_relative_motion_is_that_of_inertial_space(seed: int) -> None:
    """For any path of the observer: pose and twist of one body in the other one's axes, to 1e-9."""
    rng, t = np.random.default_rng(seed), np.linspace(-1.0, 1.0, 41)
    observer, first, second = (random_motion(rng, t) for _ in range(3))
    shown = [seen(body.p, body.quat, body.twist, observer) for body in (first, second)]
    for true, found in zip(relative(first, second), relative(*shown), strict=True):
        assert np.abs(true - found).max() < 1e-9, seed


@pytest.mark.parametrize("seed", range(5))
def test_twists_and_accelerations_are_the_poses_rates(seed: int) -> None:
    """Central differences of what he sees; orientations are continuous."""
    rng = np.random.default_rng(seed)
    middle = np.linspace(-0.8, 0.8, 9)
    t = (middle[:, None] + STEP * np.array([-1.0, 0.0, 1.0])).ravel()
    observer, body = random_motion(rng, t), random_motion(rng, t)
    shown = seen(body.p, body.quat, body.twist, observer)
    accelerations = seen_acceleration(body.p, body.twist, body.acceleration, observer)[1::3]
    v = (shown.p[2::3] - shown.p[::3]) / (2.0 * STEP)
    turned = (rotation_of(shown.quat[2::3]) * rotation_of(shown.quat[::3]).inv()).as_rotvec() / (2.0 * STEP)
    assert np.abs(v - shown.twist[1::3, :3]).max() < 1e-6, seed
    assert np.abs(turned - shown.twist[1::3, 3:]).max() < 1e-6, seed
    second = (shown.twist[2::3] - shown.twist[::3]) / (2.0 * STEP)
    assert np.abs(second - accelerations).max() < 1e-5, seed
    assert ((shown.quat[1:] * shown.quat[:-1]).sum(axis=1) > 0.0).all()


def test_orientations_of_any_sign_become_continuous() -> None:
    """Each is nearest to the one before, the first one to what it is to be near; no rotation changes."""
    rng, t = np.random.default_rng(1), np.linspace(0.0, 5.0, 60)
    quat = Rotation.from_rotvec(np.outer(t, [0.5, -1.0, 0.3])).as_quat(scalar_first=True)
    quat *= rng.choice([-1.0, 1.0], size=60)[:, None]
    for near in (quat[0], -quat[0]):
        found = continuous(quat, near)
        assert found[0] @ near > 0.0
        assert ((found[1:] * found[:-1]).sum(axis=1) > 0.0).all()
        assert np.abs(np.abs(found) - np.abs(quat)).max() == 0.0


def test_a_resting_body_circles_before_an_observer_that_turns() -> None:
    """Closed form: a circle against his turn, and the centripetal acceleration of it."""
    t, w, r = np.linspace(0.0, 3.0, 31), 0.7, np.array([0.4, 0.0, 0.1])
    n = len(t)
    turned = Rotation.from_rotvec(np.outer(w * t, [0.0, 0.0, 1.0])).as_quat(scalar_first=True)
    twist = np.tile([0.0, 0.0, 0.0, 0.0, 0.0, w], (n, 1))
    observer = Motion(np.zeros((n, 3)), turned, twist, np.zeros((n, 6)))
    rests, at = np.tile([1.0, 0.0, 0.0, 0.0], (n, 1)), np.tile(r, (n, 1))
    shown = seen(at, rests, np.zeros((n, 6)), observer)
    circle = np.array([0.4 * np.cos(w * t), -0.4 * np.sin(w * t), np.full(n, 0.1)]).T
    assert np.abs(shown.p - circle).max() < 1e-12
    a = seen_acceleration(at, np.zeros((n, 6)), np.zeros((n, 6)), observer)
    assert np.abs(a[:, :3] + w * w * circle * [1.0, 1.0, 0.0]).max() < 1e-12
    assert np.abs(a[:, 3:]).max() < 1e-12


def test_a_free_body_falls_before_an_observer_that_speeds_up() -> None:
    """Closed form: a parabola, with the opposite of his acceleration."""
    t, a = np.linspace(0.0, 2.0, 21), np.array([0.3, -0.1, 0.2])
    n = len(t)
    unturned = np.tile([1.0, 0.0, 0.0, 0.0], (n, 1))
    observer = Motion(
        0.5 * np.outer(t**2, a), unturned, np.hstack((np.outer(t, a), np.zeros((n, 3)))),
        np.hstack((np.tile(a, (n, 1)), np.zeros((n, 3)))),
    )  # fmt: skip
    shown = seen(np.zeros((n, 3)), unturned, np.zeros((n, 6)), observer)
    assert np.abs(shown.p + 0.5 * np.outer(t**2, a)).max() < 1e-12
    found = seen_acceleration(np.zeros((n, 3)), np.zeros((n, 6)), np.zeros((n, 6)), observer)
    assert np.abs(found[:, :3] + a).max() < 1e-12


@pytest.mark.parametrize("size", [1e-9, 1e-3, 0.05, 0.0999, 0.1001, 1.0, 3.0])
def test_turning_is_the_rate_of_the_rotation(size: float) -> None:
    """Central differences of the rotation itself, on both sides of the series' end."""
    rng = np.random.default_rng(2)
    theta, rate, second = rng.normal(size=(3, 3))
    theta *= size / np.linalg.norm(theta)

    def turned(t: float) -> Rotation:
        return Rotation.from_rotvec(theta + t * rate + 0.5 * t * t * second)

    def w(t: float) -> np.ndarray:
        return (turned(t - STEP).inv() * turned(t + STEP)).as_rotvec() / (2.0 * STEP)

    found_w, found_alpha = turning(theta[None], rate[None], second[None])
    assert np.abs(found_w[0] - w(0.0)).max() < 1e-7
    assert np.abs(found_alpha[0] - (w(STEP) - w(-STEP)) / (2.0 * STEP)).max() < 1e-6
