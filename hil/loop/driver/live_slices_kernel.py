"""The compiled part of the live slices: a flat record of slices, and what a plan lacks of them."""

from typing import Any

import numpy as np
from numba import njit

from hil.common.arrays import ZERO, Array, IntArray
from hil.loop.driver.push_lead import add_to_come, grow

Record = Any  # of the type below: fields are read by name, in compiled code as well

SLICES = 32  # slices kept; a crowd of more would drop the one that ended first
REVISIONS = 512  # values kept of each: a slice of 0.5 s, the longest allowed, revised every millisecond
NONE = -1  # revision in a plan that does not contain the slice

BOOK = np.dtype(
    [
        ("count", "i8"),  # slices kept at present
        ("kept", "i8", (SLICES,)),
        ("impulse_id", "i8", (SLICES,)),
        ("slice", "i8", (SLICES,)),
        ("revision", "i8", (SLICES,)),  # the newest
        ("final", "i8", (SLICES,)),
        ("t_end_ns", "i8", (SLICES,)),
        ("known", "i8", (SLICES,)),  # revision that the plan in use contains
        ("impulse", "f8", (SLICES, REVISIONS, 6)),  # [N s, N m s], object axes
        ("centroid_ns", "i8", (SLICES, REVISIONS)),
        ("reported_ns", "i8", (SLICES, REVISIONS)),  # 0 when its way round the ring has been told
    ]
)


@njit(cache=True)
def note(
    book: Record, growth: Record, flags: IntArray, numbers: Array, t_ns: int, origin_ns: int, length: float
) -> int:
    """Note what the detector reports: see `wrench.detector.push_report`; return how many slices are kept."""
    b = book[0]
    for row in range(flags.shape[0]):
        impulse_id, slice_index, revision = flags[row, 0], flags[row, 1], flags[row, 2]
        i = place(b, impulse_id, slice_index)
        if i < 0:
            i = room(b)
            b.kept[i], b.impulse_id[i], b.slice[i], b.known[i] = 1, impulse_id, slice_index, NONE
            b.count += 1
        r = revision % REVISIONS
        b.revision[i], b.final[i] = revision, flags[row, 3]
        b.t_end_ns[i] = origin_ns + round(numbers[row, 1] * 1e9)
        b.centroid_ns[i, r], b.reported_ns[i, r] = origin_ns + round(numbers[row, 2] * 1e9), t_ns
        for k in range(6):
            b.impulse[i, r, k] = numbers[row, 3 + k] * (length if k > 2 else 1.0)
        grow(growth[0], impulse_id, slice_index, flags[row, 4] != 0, t_ns, b.impulse[i, r])
    return int(b.count)


@njit(cache=True)
def place(b: Record, impulse_id: int, slice_index: int) -> int:
    """Return where a slice is kept, or -1."""
    for i in range(SLICES):
        if b.kept[i] and b.impulse_id[i] == impulse_id and b.slice[i] == slice_index:
            return i
    return -1


@njit(cache=True)
def room(b: Record) -> int:
    """Return a free place; where there is none, that of the slice that ended first."""
    oldest = ZERO
    for i in range(SLICES):
        if not b.kept[i]:
            return i
        if b.t_end_ns[i] < b.t_end_ns[oldest]:
            oldest = i
    forget(b, oldest)
    return oldest


@njit(cache=True)
def forget(b: Record, i: int) -> None:
    """Free a place."""
    b.kept[i] = False
    b.reported_ns[i, :] = 0
    b.count -= 1


@njit(cache=True)
def forget_all(book: Record) -> None:
    """Free all places."""
    for i in range(SLICES):
        if book[0].kept[i]:
            forget(book[0], i)


@njit(cache=True)
def hear(book: Record, t_ns: int, contained: IntArray, durations: Array) -> int:
    """Note which revisions a new plan contains; return how many of them are told of for the first time.

    Args:
        book: changed.
        t_ns: now.
        contained: rows of impulse, slice, revision, shape (n, 3).
        durations: out, since those were reported [s], shape (n,).
    """
    b = book[0]
    b.known[:] = NONE
    found = 0
    for row in contained:
        i = place(b, row[0], row[1])
        if i < 0 or row[2] < 0 or row[2] > b.revision[i] or row[2] <= b.revision[i] - REVISIONS:
            continue
        b.known[i] = row[2]
        r = row[2] % REVISIONS
        if b.reported_ns[i, r] > 0:
            durations[found] = (t_ns - b.reported_ns[i, r]) * 1e-9
            b.reported_ns[i, r] = 0
            found += 1
    return found


@njit(cache=True)
def missing_into(
    out: Array,
    book: Record,
    growth: Record,
    t_ns: int,
    at_ns: int,
    forget_ns: int,
    lead: float,
    masses: Array,
) -> bool:
    """Write what pushes add that the plan lacks; return whether it is anything.

    Args:
        out: twist [m/s, rad/s] and displacement [m, rad] at `at_ns`, object axes, in the first two
            rows of shape (3, 6); zeros.
        book: of slices; those that a plan contains for good, or that are too old, are dropped.
        growth: of the push at hand, see `hil.loop.driver.push_lead`.
        t_ns: now.
        at_ns: the instant that the plan is looked at.
        forget_ns: after a slice's end.
        lead: what the push at hand will have given after this time counts already [s].
        masses: mass thrice [kg] and principal inertia [kg m2], shape (6,).
    """
    b = book[0]
    add_to_come(out[0], growth[0], t_ns, lead, masses)
    for i in range(SLICES):
        if not b.kept[i]:
            continue
        newest, known = b.revision[i], b.known[i]
        if t_ns - b.t_end_ns[i] > forget_ns or (b.final[i] and known == newest):
            forget(b, i)
        elif known != newest:
            count(out, b, i, newest, at_ns, 1.0)
            if known != NONE:
                count(out, b, i, known, at_ns, -1.0)
    anything = False
    for k in range(6):
        anything = anything or out[0, k] != 0.0 or out[1, k] != 0.0
        out[0, k] /= masses[k]
        out[1, k] /= masses[k]
    return anything


@njit(cache=True)
def count(out: Array, b: Record, i: int, revision: int, at_ns: int, sign: float) -> None:
    """Add one revision's impulse, and the impulse times the time since its centroid."""
    r = revision % REVISIONS
    since = 1e-9 * (at_ns - b.centroid_ns[i, r])
    for k in range(6):
        out[0, k] += sign * b.impulse[i, r, k]
        out[1, k] += sign * b.impulse[i, r, k] * since
