"""What pushing seals and latches together took: greatest force and where, work, what holds since when."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from hil.common.arrays import Array, BoolArray


@dataclass(frozen=True, eq=False)
class Insertion:
    """A docking with seals and latches, one row an instant, times rising.

    Attributes:
        t: since the approach began, shape (n,) [s].
        depth: of the pins' tips below the plate's face, shape (n,) [m].
        force: of seals and latches against the insertion, shape (n,) [N].
        work: done on them so far, shape (n,) [J].
        sealed: how many seals hold, shape (n,).
        closed: how many latches, shape (n,).
        seals: how many there are.
        latches: the same.
    """

    t: Array
    depth: Array
    force: Array
    work: Array
    sealed: Array
    closed: Array
    seals: int
    latches: int


def insertion_figures(course: Insertion) -> dict[str, Any]:
    """Return the figures of an insertion; its end decides what holds, and since when it has."""
    top = int(course.force.argmax())
    sealed, closed = int(course.sealed[-1]), int(course.closed[-1])
    return {
        "insertion_force_n": float(course.force[top]),
        "insertion_force_depth_mm": 1e3 * float(course.depth[top]),
        "insertion_force_s": float(course.t[top]),
        "insertion_work_j": float(course.work[-1]),
        "seals": course.seals,
        "seals_holding": sealed,
        "seal_reached": 0 < course.seals == sealed,
        "seal_reached_s": _since(course.t, course.sealed >= course.seals) if course.seals else None,
        "latches": course.latches,
        "latches_closed": closed,
        "latch_closed": 0 < course.latches == closed,
        "latch_closed_s": _since(course.t, course.closed >= course.latches) if course.latches else None,
    }


def _since(t: Array, holds: BoolArray) -> float | None:
    """Return since when something has held to the end [s]; None: it does not at the end."""
    if not holds[-1]:
        return None
    before = np.flatnonzero(~holds)
    return float(t[before[-1] + 1 if len(before) else 0])
