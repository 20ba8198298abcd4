"""Kinematics and dynamics of chains against pinocchio, which knows the same numbers, and against balance."""

import numpy as np
import pytest

from sim.chain.dynamics import bias, energy, inverse_dynamics, mass_matrix
from sim.chain.kinematics import body_poses, jacobian, tip_pose
from sim.chain.serial_chain import SerialChain, serial_chain
from tests.sim.chain.chains import GRAVITY, pinocchio_model, random_chain

JOINTS = (1, 2, 4, 6, 7, 9)
STEP = 1e-6


@pytest.fixture(params=JOINTS)
def drawn(request: pytest.FixtureRequest) -> tuple[SerialChain, np.random.Generator]:
    """A random chain, and the dice that made it."""
    rng = np.random.default_rng(100 + request.param)
    return random_chain(rng, request.param), rng


def state(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Positions, velocities, accelerations."""
    return rng.uniform(-2.0, 2.0, n), rng.uniform(-2.0, 2.0, n), rng.uniform(-5.0, 5.0, n)


def test_kinematics_are_those_of_pinocchio(drawn: tuple[SerialChain, np.random.Generator]) -> None:
    """Pose and Jacobian of the tip, within rounding, at random states."""
    pin = pytest.importorskip("pinocchio")
    chain, rng = drawn
    model = pinocchio_model(chain)
    data, frame = model.createData(), model.getFrameId("tip")
    for _ in range(20):
        q, _, _ = state(rng, model.nq)
        pin.computeJointJacobians(model, data, q)
        pin.updateFramePlacements(model, data)
        np.testing.assert_allclose(tip_pose(chain, q), data.oMf[frame].homogeneous, atol=1e-13)
        J = pin.getFrameJacobian(model, data, frame, pin.LOCAL_WORLD_ALIGNED)
        np.testing.assert_allclose(jacobian(chain, q), np.reshape(J, (6, -1)), atol=1e-13)


def test_dynamics_are_those_of_pinocchio(drawn: tuple[SerialChain, np.random.Generator]) -> None:
    """Mass matrix, bias, and torques of a motion with a wrench at the tip."""
    pin = pytest.importorskip("pinocchio")
    chain, rng = drawn
    model = pinocchio_model(chain)
    data, frame = model.createData(), model.getFrameId("tip")
    for _ in range(20):
        q, dq, ddq = state(rng, model.nq)
        wrench = rng.normal(size=6)
        M = pin.crba(model, data, q)
        upper = np.triu(M) + np.triu(M, 1).T
        np.testing.assert_allclose(mass_matrix(chain, q), upper, rtol=1e-11, atol=1e-11)
        np.testing.assert_allclose(
            bias(chain, q, dq, GRAVITY), pin.nonLinearEffects(model, data, q, dq), rtol=1e-11, atol=1e-11
        )
        pin.computeJointJacobians(model, data, q)
        pin.updateFramePlacements(model, data)
        J = pin.getFrameJacobian(model, data, frame, pin.LOCAL_WORLD_ALIGNED)
        tau = pin.rnea(model, data, q, dq, ddq) - np.reshape(J, (6, -1)).T @ wrench
        found, _ = inverse_dynamics(chain, q, dq, ddq, GRAVITY, wrench)
        np.testing.assert_allclose(found, tau, rtol=1e-11, atol=1e-11)


def momenta(chain: SerialChain, q: np.ndarray, dq: np.ndarray) -> np.ndarray:
    """Momentum and angular momentum about the base's origin, from the bodies' motion by differences."""
    before, after = body_poses(chain, q - STEP * dq), body_poses(chain, q + STEP * dq)
    poses, total = body_poses(chain, q), np.zeros(6)
    for i in range(1, len(q) + 1):
        centre = poses[i, :3, :3] @ chain.centres[i] + poses[i, :3, 3]
        ends = [T[i, :3, :3] @ chain.centres[i] + T[i, :3, 3] for T in (before, after)]
        v = (ends[1] - ends[0]) / (2 * STEP)
        spin = (after[i, :3, :3] - before[i, :3, :3]) @ poses[i, :3, :3].T / (2 * STEP)
        w = np.array([spin[2, 1], spin[0, 2], spin[1, 0]])
        I = poses[i, :3, :3] @ chain.inertias[i] @ poses[i, :3, :3].T  # noqa: E741
        total += np.concatenate([chain.masses[i] * v, np.cross(centre, chain.masses[i] * v) + I @ w])
    return total


def test_the_base_bears_what_changes_the_momenta(drawn: tuple[SerialChain, np.random.Generator]) -> None:
    """Base wrench = rate of the momenta less weight and the tip's wrench: Newton's law for the whole."""
    chain, rng = drawn
    n = len(chain.linear)
    for _ in range(5):
        q, dq, ddq = state(rng, n)
        wrench, h = rng.normal(size=6), 1e-5
        ahead = momenta(chain, q + h * dq + 0.5 * h**2 * ddq, dq + h * ddq)
        behind = momenta(chain, q - h * dq + 0.5 * h**2 * ddq, dq - h * ddq)
        rate, poses = (ahead - behind) / (2 * h), body_poses(chain, q)
        weight = np.zeros(6)
        for i in range(n + 1):
            centre = poses[i, :3, :3] @ chain.centres[i] + poses[i, :3, 3]
            weight += np.concatenate([chain.masses[i] * GRAVITY, np.cross(centre, chain.masses[i] * GRAVITY)])
        tip = np.concatenate([wrench[:3], wrench[3:] + np.cross(poses[n + 1, :3, 3], wrench[:3])])
        _, base = inverse_dynamics(chain, q, dq, ddq, GRAVITY, wrench)
        np.testing.assert_allclose(base, rate - weight - tip, rtol=1e-5, atol=2e-4 * np.abs(rate).max())


def test_energy_changes_by_the_joints_power(drawn: tuple[SerialChain, np.random.Generator]) -> None:
    """d(kinetic + potential)/dt = tau . dq, by differences along a motion."""
    chain, rng = drawn
    q, dq, ddq = state(rng, len(chain.linear))
    h = 1e-5
    ahead = sum(energy(chain, q + h * dq + 0.5 * h**2 * ddq, dq + h * ddq, GRAVITY))
    behind = sum(energy(chain, q - h * dq + 0.5 * h**2 * ddq, dq - h * ddq, GRAVITY))
    tau, _ = inverse_dynamics(chain, q, dq, ddq, GRAVITY, np.zeros(6))
    assert (ahead - behind) / (2 * h) == pytest.approx(tau @ dq, rel=1e-6, abs=1e-5)


def test_parts_that_do_not_belong_together_are_refused() -> None:
    """Two joints and the placements of one."""
    with pytest.raises(ValueError, match="2 joints"):
        serial_chain(
            [False, False], [np.eye(4)], [[0, 0, 1], [0, 1, 0]], np.eye(4), [1.0] * 3, [np.zeros(3)] * 3,
            [np.eye(3)] * 3,
        )  # fmt: skip
