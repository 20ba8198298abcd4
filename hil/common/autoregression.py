"""Noise with a memory: what of a series the rows before it do not predict."""

import numpy as np

from hil.common.arrays import Array

ORDER = 8  # rows that are looked back at


def autoregression(left: Array) -> Array:
    """Return the coefficients that predict a row from the `ORDER` before it, for all columns alike.

    Args:
        left: series of zero mean, one a column, shape (n, m).

    Returns:
        Shares of the rows before, the latest first, shape (ORDER,), by least squares.
    """
    past = np.concatenate(
        [np.stack([x[ORDER - k - 1 : len(x) - k - 1] for k in range(ORDER)], axis=1) for x in left.T]
    )
    now = np.concatenate([x[ORDER:] for x in left.T])
    found: Array = np.linalg.solve(past.T @ past, past.T @ now)
    return found


def whitened(x: Array, coefficients: Array) -> Array:
    """Return what the autoregression does not predict of a series (n, ...), shorter by its order."""
    found: Array = x[ORDER:].copy()
    for k, share in enumerate(coefficients):
        found -= share * x[ORDER - k - 1 : len(x) - k - 1]
    return found
