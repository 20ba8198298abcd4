"""A prediction's nodes where contacts may act: from a ring that is flown once."""

from collections.abc import Callable

import numpy as np

from hil.common.arrays import Array
from sim.world.motion import sample_into

Grid = Callable[[Array, int, int], list[int]]


def nodes_over(
    grid_into: Grid, start: Array, first: int, ratio: int, count: int, step: float, body: Array
) -> tuple[Array, Array, Array, Array]:
    """Return positions, quaternions and twists at every `ratio`-th grid point, and when contacts begin.

    Args:
        grid_into: fills the rows after `first` up to `last` of a ring; returns where contacts acted.
        start: the row at grid point `first`.
        first: grid point of the first node.
        ratio: grid steps from node to node.
        count: number of nodes.
        step: of the grid [s].
        body: mass and principal inertia, shape (4,).
    """
    p, quat, twist = np.empty((count, 3)), np.empty((count, 4)), np.empty((count, 6))
    last = first + (count - 1) * ratio
    ring = np.empty((last - first + 1, len(start)))
    ring[first % len(ring)] = start
    hits = grid_into(ring, first, last)
    sample_into(p, quat, twist, ring, first, ratio, body)
    apart = [i for k, i in enumerate(hits) if k == 0 or i - hits[k - 1] > ratio]
    return p, quat, twist, np.array(apart, float) * step
