"""The object's motion from its measured poses, before anything is smoothed."""

import numpy as np

from hil.common.arrays import Array
from hil.wrench.load.inertial import Acceleration


def raw_motion(R: Array, p: Array, step: float) -> Acceleration:
    """Return the motion at all instants but the first and the last, by differences: as rough as the encoders.

    Whoever smooths the wrench smooths what comes of this alike, and both are then late alike.

    Args:
        R: attitudes, shape (n, 3, 3), evenly apart.
        p: centres [m], shape (n, 3).
        step: between two of them [s].
    """
    a = np.einsum("nji,nj->ni", R[1:-1], np.diff(p, 2, axis=0)) / step**2
    before, after = _turns(R[1:-1], R[:-2]) / step, _turns(R[1:-1], R[2:]) / step
    return Acceleration(a, 0.5 * (after - before), (after + before) / step)


def _turns(R_from: Array, R_to: Array) -> Array:
    """Return rotation vectors of small turns, in the axes of the first, shape (n, 3)."""
    D = np.einsum("nji,njk->nik", R_from, R_to)
    twice = np.stack([D[:, 2, 1] - D[:, 1, 2], D[:, 0, 2] - D[:, 2, 0], D[:, 1, 0] - D[:, 0, 1]], axis=1)
    sine: Array = 0.5 * twice
    return sine
