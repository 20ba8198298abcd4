"""A sensor's bias and its drift, which nobody knows: a line over time, taken out of differences."""

import numpy as np

from hil.common.arrays import Array


def line_of(t: Array, values: Array) -> Array:
    """Return the lines of least squares through columns, shape (n, k); rows with NaN count nothing.

    Args:
        t: times [s], shape (n,).
        values: columns, shape (n, k).
    """
    known = np.all(np.isfinite(values), axis=1)
    if not known.any():
        return np.zeros_like(values)
    basis = np.column_stack([np.ones(len(t)), t - t[known].mean()])
    if known.sum() < 3:
        basis = basis[:, :1]
    found = np.linalg.lstsq(basis[known], values[known], rcond=None)[0]
    return np.asarray(basis @ found)


def without_line(t: Array, values: Array) -> Array:
    """Return columns less their lines; rows with NaN become zero: they tell nothing."""
    return np.nan_to_num(values - line_of(t, values))
