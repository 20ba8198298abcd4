"""Numbers that a page says: as many as they should be, all finite, or none."""

from typing import Any

import numpy as np

from hil.common.arrays import Array


def numbers(told: Any, count: int, what: str) -> Array:
    """Return `count` finite numbers from what a page tells, shape (count,).

    Raises:
        ValueError: it tells something else; `what` they should be is named.
    """
    try:
        found = np.asarray(told, dtype=float)
    except (TypeError, ValueError, OverflowError):
        found = np.full(1, np.nan)
    if found.shape != (count,) or not np.isfinite(found).all():
        raise ValueError(f"{what} must be {count} numbers")
    return found
