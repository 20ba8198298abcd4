"""Both forms of the misalignment: scipy's logarithm, slopes and curvature, the trap at half a turn."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from planner.inverse.misalignment import (
    add_curvature,
    errors,
    half_a_turn_near,
    misalignment_into,
    rotation_error,
    slope_into,
)
from sim.chain.kinematics import jacobian, tip_pose
from sim.chain.serial_chain import SerialChain
from tests.planner.inverse.arms import light_weight_arm
from tests.sim.chain.chains import random_chain, random_pose

LENGTH, STEP, DIFFERENCES = 0.3, 1e-6, 5e-9


def h_of(chain: SerialChain, T: np.ndarray, q: np.ndarray, entries: bool) -> np.ndarray:
    """The misalignment."""
    out = np.empty(6)
    misalignment_into(out, T, tip_pose(chain, q), LENGTH, entries)
    return out


def slope_of(chain: SerialChain, T: np.ndarray, q: np.ndarray, entries: bool) -> np.ndarray:
    """Its slopes."""
    out = np.empty((6, len(q)))
    slope_into(out, T, tip_pose(chain, q), jacobian(chain, q), LENGTH, entries)
    return out


@pytest.mark.parametrize("entries", [False, True])
@pytest.mark.parametrize("joints", [2, 7, 9])
def test_slopes_and_curvature_are_exact(joints: int, entries: bool) -> None:
    """Differences of h give its slopes, differences of the slopes its curvature; linear joints among them."""
    rng = np.random.default_rng(joints)
    chain, steps = random_chain(rng, joints), STEP * np.eye(joints)
    for _ in range(10):
        T, q, weights = random_pose(rng), rng.uniform(-2.0, 2.0, joints), rng.normal(size=6)
        if errors(T, tip_pose(chain, q))[1] > 2.8:  # differences would reach across half a turn
            continue
        A = slope_of(chain, T, q, entries)
        moved = [
            (h_of(chain, T, q + e, entries) - h_of(chain, T, q - e, entries)) / (2 * STEP) for e in steps
        ]
        np.testing.assert_allclose(A, np.array(moved).T, atol=DIFFERENCES)
        H = np.zeros((joints, joints))
        add_curvature(H, weights, chain, T, tip_pose(chain, q), jacobian(chain, q), LENGTH, entries)
        turned = [
            weights @ (slope_of(chain, T, q + e, entries) - slope_of(chain, T, q - e, entries)) / (2 * STEP)
            for e in steps
        ]
        np.testing.assert_allclose(H, np.array(turned), atol=20 * DIFFERENCES)


def test_small_angles_have_exact_curvature_too() -> None:
    """Where coefficients come from series: at the target, and 1 and 20 mrad away from it."""
    chain, rng = light_weight_arm(), np.random.default_rng(8)
    q, weights = rng.uniform(-1.5, 1.5, 7), rng.normal(size=6)
    for away in (0.0, 1e-3, 2e-2):
        T = tip_pose(chain, q + away)
        H = np.zeros((7, 7))
        add_curvature(H, weights, chain, T, tip_pose(chain, q), jacobian(chain, q), LENGTH, False)
        turned = [
            weights @ (slope_of(chain, T, q + e, False) - slope_of(chain, T, q - e, False)) / (2e-5)
            for e in 1e-5 * np.eye(7)
        ]
        np.testing.assert_allclose(H, np.array(turned), atol=1e-7)


def test_the_angle_is_scipys() -> None:
    """From nothing to half a turn, the axis in base axes."""
    rng = np.random.default_rng(1)
    for angle in (0.0, 1e-9, 1e-4, 0.5, 2.0, 3.1, np.pi - 1e-7):
        axis = rng.normal(size=3)
        phi = angle * axis / np.linalg.norm(axis)
        T_target, T = random_pose(rng), np.eye(4)
        T[:3, :3] = Rotation.from_rotvec(phi).as_matrix() @ T_target[:3, :3]
        np.testing.assert_allclose(rotation_error(T_target, T), phi, atol=1e-9)


def test_entries_vanish_at_half_a_turn() -> None:
    """Krenn's (3) takes half a turn for the target; that is seen, and the log map is not deceived."""
    chain = light_weight_arm()
    q = np.array([0.3, 0.7, -0.4, 1.2, 0.2, 0.5, 0.1])
    for axis in np.eye(3):
        T = tip_pose(chain, q)
        T[:3, :3] = T[:3, :3] @ Rotation.from_rotvec(np.pi * axis).as_matrix()
        assert np.abs(h_of(chain, T, q, True)).max() < 1e-15
        assert np.linalg.norm(h_of(chain, T, q, False)[3:]) == pytest.approx(LENGTH * np.pi)
        assert half_a_turn_near(T, tip_pose(chain, q))
        assert not half_a_turn_near(tip_pose(chain, q + 0.1), tip_pose(chain, q))


def test_order_and_sign_of_the_entries() -> None:
    """Small rotations by z, x, y of the target show in rows 4, 5, 6, with the opposite sign."""
    T_target = random_pose(np.random.default_rng(2))
    for row, axis in zip((3, 4, 5), (2, 0, 1), strict=True):
        T = T_target.copy()
        T[:3, :3] = T_target[:3, :3] @ Rotation.from_rotvec(1e-6 * np.eye(3)[axis]).as_matrix()
        out = np.empty(6)
        misalignment_into(out, T_target, T, 1.0, True)
        wanted = np.zeros(6)
        wanted[row] = -1e-6
        np.testing.assert_allclose(out, wanted, atol=1e-11)
