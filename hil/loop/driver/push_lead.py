"""Phase lead of a push: what it will have given a few milliseconds from now.

theory: command and arm answer the impulse J(t) of the samples so far; the detector's first report and the
limits of jerk leave the command some milliseconds behind a force that goes on. While a push grows, its
force F is the growth of its own reported impulse, and F times the lead is added to the twist that the
plan lacks. A force that ends leaves nothing behind: what was ahead is taken back with it. The lead is
small against a push, and so is what a force that ends at once would overshoot: lead over duration.
"""

from typing import Any

import numpy as np
from numba import njit

from hil.common.arrays import Array

Record = Any  # of the type below

WINDOW_NS = 3_000_000  # over which the force is taken
CURRENT_NS = 3_000_000  # a push whose last sample is older no longer grows
KEPT = 8  # reports; a power of two
SLICES = 4  # of the push at hand, only the last two of which are still revised

GROWTH = np.dtype(
    [
        ("impulse_id", "i8"),
        ("slice", "i8", (SLICES,)),
        ("value", "f8", (SLICES, 6)),  # newest of each slice [N s, N m s]
        ("total", "f8", (6,)),  # of the push
        ("count", "i8"),  # reports since it grows
        ("t_ns", "i8", (KEPT,)),
        ("totals", "f8", (KEPT, 6)),
    ]
)


@njit(cache=True)
def grow(g: Record, impulse_id: int, slice_index: int, ended: bool, t_ns: int, impulse: Array) -> None:
    """Take a slice's newest value [N s, N m s], shape (6,), into the growth of its push."""
    if impulse_id != g.impulse_id:
        g.impulse_id, g.count = impulse_id, 0
        g.slice[:] = -1
        g.total[:] = 0.0
    i = slice_index % SLICES
    something = False
    for k in range(6):
        before = g.value[i, k] if g.slice[i] == slice_index else 0.0
        g.total[k] += impulse[k] - before
        g.value[i, k] = impulse[k]
        something = something or impulse[k] != 0.0
    g.slice[i] = slice_index
    if ended or not something:
        g.count = 0  # over, or taken back
        return
    if g.count > 0 and g.t_ns[(g.count - 1) % KEPT] == t_ns:
        g.count -= 1  # the slice before was corrected in the same cycle
    newest = g.count % KEPT
    g.t_ns[newest] = t_ns
    g.totals[newest] = g.total
    g.count += 1


@njit(cache=True)
def add_to_come(out: Array, g: Record, t_ns: int, lead: float) -> None:
    """Add the impulse to come within the `lead` [s] to `out`, shape (6,)."""
    newest = (g.count - 1) % KEPT
    if g.count < 2 or t_ns - g.t_ns[newest] > CURRENT_NS:
        return
    oldest = max(g.count - KEPT, 0)
    middle = _window_before(g, g.count - 1, oldest)
    span = (g.t_ns[newest] - g.t_ns[middle % KEPT]) * 1e-9
    if span <= 0.0:
        return
    first = _window_before(g, middle, oldest) if middle > oldest else middle
    span_before = (g.t_ns[middle % KEPT] - g.t_ns[first % KEPT]) * 1e-9
    force, slope = np.empty(6), np.zeros(6)
    for k in range(6):
        force[k] = (g.totals[newest, k] - g.totals[middle % KEPT, k]) / span
        if span_before > 0.0:
            before = (g.totals[middle % KEPT, k] - g.totals[first % KEPT, k]) / span_before
            slope[k] = (force[k] - before) / (0.5 * (span + span_before))
            force[k] += 0.5 * span * slope[k]
    falling = -(force[0] * slope[0] + force[1] * slope[1] + force[2] * slope[2])
    if falling > 0.0:
        square = force[0] * force[0] + force[1] * force[1] + force[2] * force[2]
        lead = min(lead, square / falling)
    for k in range(6):
        out[k] += force[k] * lead + 0.5 * slope[k] * lead * lead


@njit(cache=True)
def _window_before(g: Record, last: int, oldest: int) -> int:
    """Return the newest report that is at least a window older than report `last`, or the oldest."""
    since = last - 1
    while since > oldest and g.t_ns[last % KEPT] - g.t_ns[since % KEPT] < WINDOW_NS:
        since -= 1
    return since
