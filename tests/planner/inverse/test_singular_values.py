"""Singular values, null spaces and absolute values, beside LAPACK's."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.inverse.singular_values import absolute, singular

ROUNDING = 1e-13


@pytest.mark.parametrize("shape", [(6, 7), (6, 9), (6, 3), (1, 1), (3, 3)])
def test_they_are_lapacks(shape: tuple[int, int]) -> None:
    """A = U S V^T with orthogonal V, for wide and tall matrices, with and without full rank."""
    rng = np.random.default_rng(sum(shape))
    for rank in (min(shape), max(1, min(shape) - 2)):
        A = rng.normal(size=(shape[0], rank)) @ rng.normal(size=(rank, shape[1]))
        s, U, V = singular(A)
        size = np.abs(A).max()
        np.testing.assert_allclose((U.T * s) @ V, A, atol=ROUNDING * size)
        np.testing.assert_allclose(V @ V.T, np.eye(shape[1]), atol=ROUNDING)
        theirs = np.linalg.svd(A, compute_uv=False)
        np.testing.assert_allclose(np.sort(s)[::-1][: len(theirs)], theirs, atol=10 * ROUNDING * size)


def test_small_ones_are_as_true_as_large_ones() -> None:
    """Columns of sizes from 1 to 1e-12: squaring A would lose the small ones."""
    rng = np.random.default_rng(3)
    Q = np.linalg.qr(rng.normal(size=(4, 4)))[0]
    sizes = np.array([1.0, 1e-4, 1e-8, 1e-12])
    s, _, _ = singular(Q * sizes)
    np.testing.assert_allclose(np.sort(s)[::-1], sizes, rtol=1e-10)


@given(st.integers(0, 10_000), st.integers(1, 7))
@settings(max_examples=40, deadline=None)
def test_absolute_value_has_the_eigenvalues_moduli(seed: int, n: int) -> None:
    """|H|^2 = H^2, and no eigenvalue below the least wanted."""
    rng = np.random.default_rng(seed)
    H = rng.normal(size=(n, n))
    H = H + H.T
    A = absolute(H, 0.0)
    np.testing.assert_allclose(A @ A, H @ H, atol=1e-11 * np.abs(H).max() ** 2)
    assert np.linalg.eigvalsh(absolute(H, 0.5)).min() > 0.5 - 1e-12
