"""The impulse slices that the world knows: newest revisions, and where in object time they act.

A slice is *live* while its place lies within the history, and *settled* once the history has moved on:
then its effect can no longer be taken out of the states, and a later revision acts by its difference.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from hil.common.arrays import Array, IntArray
from hil.messaging.messages import ImpulseSlice
from sim.world.motion import SLICE_SIZE

SETTLED_KEPT = 256  # slices; no push is revised so long after its end that more have come since

Key = tuple[int, int]


@dataclass
class Entry:
    """What is known of one slice."""

    revision: int
    t_centroid_ns: int
    value: Array  # [N s, N m s], object axes, shape (6,)
    settled: Array  # the part of it that lies in states older than the history
    s: float  # object time at which the rest acts [s]
    acts: bool  # there is such a rest


@dataclass(frozen=True, eq=False)
class Acting:
    """The slices that act, in order of object time, as the kernels want them."""

    slices: Array  # see `sim.world.motion`, shape (K, 8)
    cells: IntArray  # the grid cell in which each acts, shape (K,)
    names: IntArray  # impulse, slice, revision of each, shape (K, 3)

    def on_grid(self, step: float) -> "Acting":
        """Return these with the cells of a grid of another step [s]."""
        return Acting(self.slices, _cells(self.slices, step), self.names)

    def until(self, count: int) -> "Acting":
        """Return the first `count` of these."""
        return Acting(self.slices[:count], self.cells[:count], self.names[:count])

    def after(self, count: int) -> "Acting":
        """Return these without the first `count`."""
        return Acting(self.slices[count:], self.cells[count:], self.names[count:])


class SliceBook:
    """Slices by (impulse, slice), and those that act as arrays for the kernels."""

    def __init__(self, step: float) -> None:
        self._step = step
        self._live: dict[Key, Entry] = {}
        self._settled: dict[Key, Entry] = {}
        self._forgotten_ns = -1  # a slice from before, of which nothing is known, has settled long ago
        self.acting = Acting(np.empty((0, SLICE_SIZE)), np.empty(0, np.int64), np.empty((0, 3), np.int64))

    def add(self, item: ImpulseSlice, s: float) -> float | None:
        """Take a slice that acts at object time `s`; return from where on states change, if they do."""
        key = (item.impulse_id, item.slice_index)
        live = self._live.get(key)
        known = live if live is not None else self._settled.get(key)
        if known is not None and known.revision >= item.revision:
            return None
        if known is None and item.t_centroid_ns <= self._forgotten_ns:
            return None
        settled = known.settled if known is not None else np.zeros(6)
        self._settled.pop(key, None)
        value = item.impulse_object
        acts = bool((value != settled).any())
        self._live[key] = Entry(item.revision, item.t_centroid_ns, value, settled, s, acts)
        self._rebuild()
        return s if live is None else min(s, live.s)

    def settle(self, s_oldest: float) -> None:
        """Move the slices that act before the oldest state out of reach; only the newest are kept."""
        for key in [key for key, entry in self._live.items() if entry.s < s_oldest]:
            entry = self._live.pop(key)
            entry.settled = entry.value
            self._settled[key] = entry
        while len(self._settled) > SETTLED_KEPT:
            oldest = self._settled.pop(next(iter(self._settled)))
            self._forgotten_ns = max(self._forgotten_ns, oldest.t_centroid_ns)

    def replace_times(self, t_ns: int, object_time: Callable[[int], float]) -> float | None:
        """Recompute when the slices from `t_ns` on act; return the earliest object time touched."""
        touched = [entry for entry in self._live.values() if entry.t_centroid_ns > t_ns]
        if not touched:
            return None
        earliest = min(entry.s for entry in touched)
        for entry in touched:
            entry.s = object_time(entry.t_centroid_ns)
        self._rebuild()
        return min(earliest, *(entry.s for entry in touched))

    def known_since(self, t_ns: int) -> IntArray:
        """Return (impulse, slice, revision) of the slices whose centroid is not before `t_ns`, (K, 3)."""
        rows = [  # all are looked at, a few hundred at most: they settle in no order of their centroids
            (*key, entry.revision)
            for entries in (self._live, self._settled)
            for key, entry in entries.items()
            if entry.t_centroid_ns >= t_ns
        ]
        return np.array(sorted(rows), np.int64).reshape(-1, 3)

    def _rebuild(self) -> None:
        acting = sorted((entry.s, *key, entry) for key, entry in self._live.items() if entry.acts)
        slices = np.empty((len(acting), SLICE_SIZE))
        for row, (s, impulse_id, _, entry) in zip(slices, acting, strict=True):
            row[0], row[7] = s, impulse_id
            row[1:7] = entry.value - entry.settled
        names = np.array([(*key, entry.revision) for _, *key, entry in acting], np.int64).reshape(-1, 3)
        self.acting = Acting(slices, _cells(slices, self._step), names)


def _cells(slices: Array, step: float) -> IntArray:
    cells: IntArray = np.floor(slices[:, 0] / step).astype(np.int64)
    return cells
