"""Phase lead of a push: what it will have given a few milliseconds from now.

theory: command and arm answer the impulse J(t) of the samples so far; the detector's first report, the
robot's dead time and its lag leave the arm some milliseconds behind a force that goes on. While a push
grows, its force F and the slope of it F' are the growth of its own reported impulse, and what they give
within the lead u, F u + F' u^2 / 2, is added to the twist that the plan lacks. A force that falls is
carried no further than to its end, u <= |F|^2 / -(F . F'). What was ahead is taken back with a force
that has ended: one that ends at once leaves an overshoot of lead over duration for a moment.
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
    for k in range(6):
        g.totals[newest, k] = g.total[k]
    g.count += 1


@njit(cache=True)
def add_to_come(out: Array, g: Record, t_ns: int, lead: float, masses: Array) -> None:
    """Add the impulse to come within the `lead` [s] to `out`, shape (6,).

    Args:
        out: impulse [N s, N m s], object axes.
        g: the push at hand.
        t_ns: now.
        lead: [s].
        masses: mass thrice [kg] and principal inertia [kg m2], shape (6,): they weigh force against torque.
    """
    newest, oldest = g.count - 1, max(g.count - KEPT, 0)
    if g.count < 2 or t_ns - g.t_ns[newest % KEPT] > CURRENT_NS:
        return
    middle = _window_before(g, newest, oldest)
    first = _window_before(g, middle, oldest)
    span, span_before = _seconds(g, middle, newest), _seconds(g, first, middle)
    if span <= 0.0:
        return
    square, falling = 0.0, 0.0
    force, slope = np.empty(6), np.zeros(6)
    for k in range(6):
        force[k] = _mean_force(g, middle, newest, k, span)
        if span_before > 0.0:
            before = _mean_force(g, first, middle, k, span_before)
            slope[k] = (force[k] - before) / (0.5 * (span + span_before))
            force[k] += 0.5 * span * slope[k]
        square += force[k] * force[k] / masses[k]
        falling -= force[k] * slope[k] / masses[k]
    if falling > 0.0:
        lead = min(lead, square / falling)
    for k in range(6):
        out[k] += (force[k] + 0.5 * slope[k] * lead) * lead


@njit(cache=True)
def _mean_force(g: Record, since: int, until: int, k: int, span: float) -> float:
    return (g.totals[until % KEPT, k] - g.totals[since % KEPT, k]) / span


@njit(cache=True)
def _seconds(g: Record, since: int, until: int) -> float:
    return (g.t_ns[until % KEPT] - g.t_ns[since % KEPT]) * 1e-9


@njit(cache=True)
def _window_before(g: Record, last: int, oldest: int) -> int:
    """Return the newest report that is a window older than report `last`, or the oldest there is."""
    since = max(last - 1, oldest)
    while since > oldest and g.t_ns[last % KEPT] - g.t_ns[since % KEPT] < WINDOW_NS:
        since -= 1
    return since
