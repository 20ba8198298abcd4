"""Numbers that a body can have: against distributions of mass, and against a general optimiser."""

import numpy as np
import pytest
from scipy.optimize import minimize

from hil.common.arrays import Array
from hil.wrench.load.consistency import consistent, pseudo_inertia
from tests.hil.wrench.load.point_masses import MASSES, PLACES, parameters

NOTHING = np.zeros(10)


def test_the_pseudo_inertia_is_the_second_moment_of_the_masses() -> None:
    """Sum of m (r, 1) (r, 1)^T over the points: positive definite for what fills space, else not."""
    homogeneous = np.column_stack([PLACES, np.ones(len(PLACES))])
    expected = np.einsum("k,ki,kj->ij", MASSES, homogeneous, homogeneous)
    np.testing.assert_allclose(pseudo_inertia(parameters()), expected, atol=1e-15)


def test_a_body_is_left_as_it_is() -> None:
    """Whether all of it is missed, or less than nothing, as long as the whole is one."""
    for found, held in ((parameters(), NOTHING), (-0.5 * parameters(), parameters())):
        value, moved = consistent(found, held, np.eye(10))
        assert not moved and value is found


@pytest.mark.parametrize("seed", range(6))
def test_the_nearest_body_is_that_of_a_general_optimiser(seed: int) -> None:
    """In the metric of an information of many sizes: P = T T^T, minimised by BFGS from several starts."""
    rng = np.random.default_rng(seed)
    root = rng.standard_normal((10, 10)) @ np.diag(10.0 ** rng.uniform(0.0, 1.5, 10))
    information, held = root @ root.T, 0.1 * parameters()
    found = parameters() * rng.uniform(-1.5, 1.5, 10)
    value, moved = consistent(found, held, information)
    assert moved
    whole = pseudo_inertia(held + value)
    assert np.linalg.eigvalsh(whole)[0] > 0.0

    def cost(t: Array) -> float:
        away = _of_pseudo(t) - held - found
        return float(away @ information @ away)

    starts = [np.linalg.cholesky(whole + 1e-3 * np.trace(whole) * np.eye(4))[np.tril_indices(4)]]
    starts += [rng.standard_normal(10) * 0.2 for _ in range(3)]
    best = min(minimize(cost, t, method="BFGS", options={"gtol": 1e-9}).fun for t in starts)
    away = value - found
    assert away @ information @ away == pytest.approx(best, rel=1e-3, abs=1e-5)


def _of_pseudo(t: Array) -> Array:
    """Ten parameters of P = T T^T by their own definition, not by the code's."""
    T = np.zeros((4, 4))
    T[np.tril_indices(4)] = t
    P = T @ T.T
    xx, yy, zz = np.diag(P)[:3]
    return np.array(
        [P[3, 3], *P[:3, 3], yy + zz, xx + zz, xx + yy, -P[0, 1], -P[0, 2], -P[1, 2]]
    )  # fmt: skip
