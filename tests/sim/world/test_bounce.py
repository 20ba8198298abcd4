"""Contact impulses: Newton's restitution and Coulomb's friction, against closed forms and their laws."""

import numpy as np
import pytest

from hil.common.geometry import matrix_from_quat
from sim.world.body import body_state, body_twist
from sim.world.scene.bounce import hit_into

SOLID_SPHERE = np.array([5.0, 0.02, 0.02, 0.02])  # radius 0.1 m
CUBE = np.array([60.0, 0.9, 0.9, 0.9])
ASYMMETRIC = np.array([5.0, 0.20, 0.35, 0.45])
UP = np.array([[0.0, 0.0, 1.0]])
UPRIGHT = np.array([1.0, 0.0, 0.0, 0.0])


def after_hit(body, quat, twist, points, normals, restitution, friction):
    """Return the twist after a hit of a body at the origin."""
    state = body_state(np.zeros(3), quat, np.asarray(twist, float), body)
    hit_into(state, np.asarray(points, float), np.asarray(normals, float), body, restitution, friction)
    return body_twist(state, body)


@pytest.mark.parametrize("e", [0.0, 0.2, 0.8, 1.0])
def test_frictionless_hit_of_one_point(e):
    """The impulse is (1 + e) v_n / (1/m + (r x n) I^-1 (r x n)) along the normal."""
    rng = np.random.default_rng(1)
    for _ in range(20):
        quat = rng.normal(size=4)
        quat /= np.linalg.norm(quat)
        point, twist = rng.uniform(-0.3, 0.3, 3), rng.normal(size=6)
        twist[2] = -abs(twist[2]) - 3.0
        R = matrix_from_quat(quat)
        turning = np.cross(point, UP[0])
        softness = 1 / ASYMMETRIC[0] + turning @ (R / ASYMMETRIC[1:] @ R.T) @ turning
        speed = UP[0] @ (twist[:3] + np.cross(twist[3:], point))
        if speed >= 0.0:
            continue
        impulse = -(1 + e) * speed / softness * UP[0]
        expected = twist.copy()
        expected[:3] += impulse / ASYMMETRIC[0]
        expected[3:] += R / ASYMMETRIC[1:] @ R.T @ np.cross(point, impulse)
        assert np.allclose(after_hit(ASYMMETRIC, quat, twist, [point], UP, e, 0.0), expected, atol=1e-10)


@pytest.mark.parametrize("e", [0.2, 0.8, 1.0])
def test_sliding_sphere_loses_mu_times_the_normal_impulse(e):
    """A sphere that keeps sliding: dv_t = mu (1 + e) v_n; one that grips rolls: its contact point rests."""
    sliding = after_hit(SOLID_SPHERE, UPRIGHT, [0.5, 0, -0.1, 0, 0, 0], [[0, 0, -0.1]], UP, e, 0.3)
    assert sliding[2] == pytest.approx(0.1 * e, abs=1e-12)
    assert 0.5 - sliding[0] == pytest.approx(0.3 * (1 + e) * 0.1, rel=1e-9)
    assert sliding[4] == pytest.approx((0.5 - sliding[0]) * 5.0 * 0.1 / 0.02, rel=1e-9)
    rolling = after_hit(SOLID_SPHERE, UPRIGHT, [0.05, 0, -0.1, 0, 0, 0], [[0, 0, -0.1]], UP, e, 0.3)
    assert rolling[0] == pytest.approx(0.1 * rolling[4], abs=1e-12)
    assert rolling[0] == pytest.approx(0.05 / 1.4, rel=1e-9)


@pytest.mark.parametrize("friction", [0.0, 0.3])
@pytest.mark.parametrize("e", [0.2, 0.5, 0.8, 0.95, 1.0])
def test_flat_face_hit(e, friction):
    """Four corners hit together: the centre's normal velocity is reflected by e, each corner's as well."""
    corners = 0.15 * np.array([[1, 1, -1], [1, -1, -1], [-1, 1, -1], [-1, -1, -1]])
    twist = after_hit(CUBE, UPRIGHT, [0.0, 0, -0.1, 0, 0, 0.2], corners, np.tile(UP, (4, 1)), e, friction)
    speeds = [twist[2] + np.cross(twist[3:], corner)[2] for corner in corners]
    assert np.allclose(speeds, 0.1 * e, atol=1e-10)
    assert abs(twist[5]) <= 0.2


def test_laws_hold_for_any_contacts():
    """Normal velocities reach their targets, and energy never grows, with friction or without."""
    rng = np.random.default_rng(5)
    for case in range(200):
        count = int(rng.integers(1, 6))
        quat = rng.normal(size=4)
        quat /= np.linalg.norm(quat)
        points, normals = rng.uniform(-0.3, 0.3, (count, 3)), rng.normal(size=(count, 3))
        normals[:, 2] = np.abs(normals[:, 2]) + 0.5
        normals /= np.linalg.norm(normals, axis=1)[:, None]
        e, friction = rng.choice([0.0, 0.5, 1.0]), rng.choice([0.0, 0.3])
        twist = rng.normal(size=6)
        after = after_hit(ASYMMETRIC, quat, twist, points, normals, e, friction)
        for point, normal in zip(points, normals, strict=True):
            before = normal @ (twist[:3] + np.cross(twist[3:], point))
            now = normal @ (after[:3] + np.cross(after[3:], point))
            assert now >= -e * min(before, 0.0) - 1e-7, case
        assert kinetic(ASYMMETRIC, quat, after) <= kinetic(ASYMMETRIC, quat, twist) * (1 + 1e-9), case


def kinetic(body, quat, twist):
    spin = matrix_from_quat(quat).T @ twist[3:]
    return 0.5 * body[0] * twist[:3] @ twist[:3] + 0.5 * body[1:] @ spin**2


def test_parting_contact_is_left_alone():
    """A point that moves away already gets no impulse."""
    twist = [0.3, 0, 0.1, 0.1, 0, 0]
    assert np.array_equal(after_hit(CUBE, UPRIGHT, twist, [[0, 0, -0.15]], UP, 0.5, 0.3), twist)
