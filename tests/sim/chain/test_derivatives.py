"""Derivatives of torques and base wrench: those of pinocchio, and of differences."""

import numpy as np
import pytest

from sim.chain.derivatives import dynamics_with_derivatives
from sim.chain.dynamics import inverse_dynamics, mass_matrix
from sim.chain.serial_chain import SerialChain
from tests.sim.chain.chains import GRAVITY, pinocchio_model, random_chain

STEP = 1e-6
DIFFERENCES = 1e-6  # relative, of central differences over STEP


@pytest.fixture(params=(1, 2, 4, 7, 9))
def drawn(request: pytest.FixtureRequest) -> tuple[SerialChain, np.ndarray]:
    """A random chain, linear joints among them, and a state: positions, velocities, accelerations."""
    rng = np.random.default_rng(40 + request.param)
    return random_chain(rng, request.param), rng.uniform(-2.0, 2.0, (3, request.param))


def whole(chain: SerialChain, q: np.ndarray, dq: np.ndarray, ddq: np.ndarray) -> np.ndarray:
    """Torques, then the base's wrench."""
    tau, base = inverse_dynamics(chain, q, dq, ddq, GRAVITY, np.zeros(6))
    return np.concatenate([tau, base])


def test_they_are_the_slopes_of_the_dynamics(drawn: tuple[SerialChain, np.ndarray]) -> None:
    """Central differences of torques and base wrench, by position, velocity and acceleration."""
    chain, state = drawn
    value, *found, _ = dynamics_with_derivatives(chain, *state, GRAVITY)
    np.testing.assert_allclose(value, whole(chain, *state), rtol=1e-11, atol=1e-11)
    for kind in range(3):
        columns = []
        for j in range(state.shape[1]):
            ahead, behind = state.copy(), state.copy()
            ahead[kind, j] += STEP
            behind[kind, j] -= STEP
            columns.append((whole(chain, *ahead) - whole(chain, *behind)) / (2.0 * STEP))
        size = 1.0 + np.abs(found[kind]).max()
        np.testing.assert_allclose(found[kind], np.array(columns).T, atol=DIFFERENCES * size)


def test_they_are_pinocchios(drawn: tuple[SerialChain, np.ndarray]) -> None:
    """Joint torques by pinocchio's analytic derivatives, which know the same numbers."""
    pin = pytest.importorskip("pinocchio")
    chain, (q, dq, ddq) = drawn
    model = pinocchio_model(chain)
    data = model.createData()  # what is returned lives in it
    by_q, by_dq, by_ddq = pin.computeRNEADerivatives(model, data, q, dq, ddq)
    _, *found, _ = dynamics_with_derivatives(chain, q, dq, ddq, GRAVITY)
    n = len(q)
    whole_mass = np.triu(by_ddq) + np.triu(by_ddq, 1).T
    for ours, theirs in zip(found, (by_q, by_dq, whole_mass), strict=True):
        np.testing.assert_allclose(ours[:n], np.reshape(theirs, (n, n)), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(found[2][:n], mass_matrix(chain, q), rtol=1e-10, atol=1e-10)
