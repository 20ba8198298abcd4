"""Quaternions and transforms against SciPy and the group axioms, near identity and near pi too."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from hil.common import geometry as g

TOLERANCE = 1e-12
ANGLES = [0.0, 1e-12, 1e-9, 1e-5, 1e-3, 0.7, 2.0, np.pi - 1e-6, np.pi - 1e-12, np.pi]


def rotvecs() -> list[np.ndarray]:
    """Rotation vectors over all magnitudes."""
    rng = np.random.default_rng(4)
    axes = rng.normal(size=(12, 3))
    axes[:3] = np.eye(3)
    return [angle * axis / np.linalg.norm(axis) for angle in ANGLES for axis in axes]


@pytest.mark.parametrize("rotvec", rotvecs())
def test_against_scipy(rotvec: np.ndarray) -> None:
    """Rotation vector, quaternion and matrix agree with SciPy's and return."""
    q = g.quat_from_rotvec(rotvec)
    R = g.matrix_from_quat(q)
    expected = Rotation.from_rotvec(rotvec).as_matrix()
    np.testing.assert_allclose(R, expected, atol=TOLERANCE)
    np.testing.assert_allclose(g.matrix_from_quat(g.quat_from_matrix(R)), expected, atol=TOLERANCE)
    for same in (q, -q):
        back = g.rotvec_from_quat(same)
        np.testing.assert_allclose(Rotation.from_rotvec(back).as_matrix(), expected, atol=TOLERANCE)
        assert np.linalg.norm(back) <= np.pi + TOLERANCE, "the short way round"


def test_group_axioms() -> None:
    """Product, inverse and action on vectors are those of rotations."""
    rng = np.random.default_rng(5)
    for _ in range(50):
        a, b = (g.quat_normalized(rng.normal(size=4)) for _ in range(2))
        v = rng.normal(size=3)
        np.testing.assert_allclose(
            g.matrix_from_quat(g.quat_multiply(a, b)),
            g.matrix_from_quat(a) @ g.matrix_from_quat(b),
            atol=TOLERANCE,
        )
        np.testing.assert_allclose(g.quat_rotate(a, v), g.matrix_from_quat(a) @ v, atol=TOLERANCE)
        np.testing.assert_allclose(g.quat_multiply(a, g.quat_conjugate(a)), [1, 0, 0, 0], atol=TOLERANCE)
        assert g.quat_nearest(-a, a) @ a > 0


def test_transform_inverse_and_wrench() -> None:
    """The inverse pose cancels, and a moved wrench does the same power on every rigid twist."""
    rng = np.random.default_rng(6)
    R = g.matrix_from_quat(g.quat_normalized(rng.normal(size=4)))
    T = g.transform_from(R, rng.normal(size=3))
    np.testing.assert_allclose(T @ g.transform_inverse(T), np.eye(4), atol=TOLERANCE)
    wrench, lever = rng.normal(size=6), rng.normal(size=3)
    moved = g.wrench_moved(wrench, lever)
    v, omega = rng.normal(size=3), rng.normal(size=3)
    at_old_point = wrench[:3] @ (v + np.cross(omega, lever)) + wrench[3:] @ omega
    at_new_point = moved[:3] @ v + moved[3:] @ omega
    assert at_old_point == pytest.approx(at_new_point, abs=TOLERANCE)
