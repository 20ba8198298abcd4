"""The PUMA 560's published numbers: gravity, mass matrix, torques of motions, accelerations."""

import numpy as np
import pytest

from sim.chain.dynamics import mass_matrix
from sim.chain.kinematics import jacobian
from sim.drives import puma560
from sim.drives.driven_arm import DrivenArm

POSE = np.array([0.0, np.pi / 4, np.pi, 0.0, np.pi / 4, 0.0])
NONE, ONES = np.zeros(6), np.ones(6)
NEAR = 1e-4


@pytest.fixture(scope="module")
def arm() -> DrivenArm:
    """The arm with its drives."""
    return DrivenArm(puma560.chain(), puma560.drives(), puma560.GRAVITY, q_start=POSE)


def test_weights_and_inertias(arm: DrivenArm) -> None:
    """Gravity load, and the mass matrix with the rotors in it."""
    np.testing.assert_allclose(
        arm.needed_torque(POSE, NONE, NONE), [0.0, 31.6399, 6.0351, 0.0, 0.0283, 0.0], atol=NEAR
    )
    M = mass_matrix(puma560.chain(), POSE)
    np.testing.assert_allclose(np.diag(M), [3.6594, 4.4137, 0.9378, 0.1925, 0.1713, 0.1941], atol=NEAR)
    np.testing.assert_allclose([M[0, 1], M[0, 2], M[1, 2]], [-0.4044, 0.1006, 0.3509], atol=NEAR)


def test_torques_of_motions(arm: DrivenArm) -> None:
    """With friction where it moves, without where it stands."""
    moving = [32.4952, 60.867, 17.7436, 1.45452, 1.29911, 0.713781]
    np.testing.assert_allclose(arm.needed_torque(POSE, ONES, ONES), moving, atol=NEAR)
    standing = [3.35311, 36.0025, 7.42596, 0.190043, 0.203441, 0.194133]
    np.testing.assert_allclose(arm.needed_torque(POSE, NONE, ONES), standing, atol=NEAR)


def test_accelerations(arm: DrivenArm) -> None:
    """Of given torques at given speeds, friction against them; and the inertia that the tip feels."""
    dq = np.array([0.1, 0.2, 0.8, 0.2, 0.5, 1.0])
    tau = np.array([1.0, 3.2, 1.8, 0.1, 0.7, 4.6])
    M = mass_matrix(puma560.chain(), POSE)
    ddq = np.linalg.solve(M, tau - arm.needed_torque(POSE, dq, NONE))
    np.testing.assert_allclose(ddq, [-7.4102, -9.8432, -10.9694, -4.4314, -0.9881, 21.0228], atol=NEAR)
    J = jacobian(puma560.chain(), POSE)
    felt = np.diag(np.linalg.inv(J @ np.linalg.inv(M) @ J.T))
    np.testing.assert_allclose(felt, [17.2954, 12.1909, 13.3348, 0.1941, 0.1713, 0.5791], atol=NEAR)


def test_a_step_accelerates_as_published(arm: DrivenArm) -> None:
    """The running model let go at those speeds: its first step, unpowered, by the same numbers."""
    dq = np.array([0.1, 0.2, 0.8, 0.2, 0.5, 1.0])
    model = DrivenArm(puma560.chain(), puma560.drives(), puma560.GRAVITY, 1e-6, q_start=POSE)
    model.reset(dq=dq)
    model.step(POSE, NONE)
    M = mass_matrix(puma560.chain(), POSE)
    expected = np.linalg.solve(M, -arm.needed_torque(POSE, dq, NONE))
    np.testing.assert_allclose((model.dq - dq) / 1e-6, expected, atol=2e-3)
