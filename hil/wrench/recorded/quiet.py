"""Is the stretch that noise is learned from quiet? Compared with the quietest one of its length."""

import numpy as np

from hil.common.arrays import Array

RESTLESS = 3.0  # times the unrest of the quietest stretch: somebody pushed
SHIFTS = 8  # stretches are compared that lie so many parts of their length apart
EVENLY = 0.8  # of the samples that its length should have: fewer tell nothing of a stretch


def doubt_of_quiet(t: Array, wrench: Array, length_s: float) -> str:
    """Return a warning if a recording's start is not quiet, and what would be; empty if it is.

    Args:
        t: strictly increasing times [s], (N,).
        wrench: torques divided by a length [N], (N, 6).
        length_s: of the start that was taken for quiet [s].
    """
    begins = np.arange(t[0], t[-1] - length_s, length_s / SHIFTS)
    unrest = unrests(t, wrench, begins, length_s)
    if len(begins) < 2 or np.isnan(unrest[0]):
        return ""
    least = int(np.nanargmin(unrest))
    if not unrest[0] > RESTLESS * unrest[least]:
        return ""
    start, end = begins[least] - t[0], begins[least] - t[0] + length_s
    return (
        f"warning: the first {length_s:g} s are not quiet: the wrench moves by {unrest[0]:.2g} N there, by "
        f"{unrest[least]:.2g} N from {start:.2f} to {end:.2f} s; pushes are missed with what was learned. "
        "Begin the recording with that stretch, or save it and name it with --learn"
    )


def unrests(t: Array, wrench: Array, begins: Array, length_s: float) -> Array:
    """Return the root mean square over axes and samples about the mean of each stretch [N], (n,)."""
    centred = wrench - wrench.mean(axis=0)
    sums = np.concatenate([np.zeros((1, 6)), np.cumsum(centred, axis=0)])
    squares = np.concatenate([np.zeros((1, 6)), np.cumsum(centred**2, axis=0)])
    first, last = np.searchsorted(t, begins), np.searchsorted(t, begins + length_s)
    count = (last - first).astype(float)
    count[count < EVENLY * length_s * len(t) / (t[-1] - t[0])] = np.nan
    mean, square = ((part[last] - part[first]) / count[:, None] for part in (sums, squares))
    unrest: Array = np.sqrt(np.maximum(square - mean**2, 0.0).mean(axis=1))
    return unrest
