"""What the detector reported, kept until the end of a run: one row an impulse, its slices summed."""

import numpy as np

from hil.arrays import Array, IntArray
from hil.messages import ImpulseSlice


class ImpulseLedger:
    """Keeps the newest revision of every slice, turned to world axes.

    A slice that is taken back is revised to exactly zero; an impulse of which nothing else is left
    vanishes. A real push never sums up to exact zeros, even if its net impulse is none.
    """

    def __init__(self, length: float) -> None:
        """Take the length [m] by which torques are divided where a norm is needed."""
        self._scale = np.array([1.0, 1.0, 1.0, 1.0 / length, 1.0 / length, 1.0 / length])
        self._newest: dict[int, dict[int, tuple[ImpulseSlice, Array]]] = {}
        self._t_reported: list[float] = []

    def add(self, item: ImpulseSlice, R_world_object: Array) -> None:
        """Keep a slice, unless a newer revision of it is known.

        Args:
            item: the slice; its impulse about the centre of mass, object axes.
            R_world_object: attitude at the slice's centroid, shape (3, 3).
        """
        self._t_reported.append(item.t_ns * 1e-9)
        slices = self._newest.setdefault(item.impulse_id, {})
        known = slices.get(item.slice_index)
        if known is None or item.revision >= known[0].revision:
            R = np.asarray(R_world_object)
            world = np.concatenate([R @ item.impulse_object[:3], R @ item.impulse_object[3:]])
            slices[item.slice_index] = (item, world)

    def arrays(self) -> dict[str, Array | IntArray]:
        """Return the columns `impulse_*` and `slice_t` of the trace, impulses in order of their number."""
        rows = [
            (identifier, [pair for pair in slices.values() if pair[1].any()])
            for identifier, slices in sorted(self._newest.items())
        ]
        rows = [(identifier, pairs) for identifier, pairs in rows if pairs]
        values = [np.sum([world for _, world in pairs], axis=0) for _, pairs in rows]
        return {
            "impulse_id": np.array([identifier for identifier, _ in rows], dtype=np.int64),
            "impulse_t_start": np.array([min(s.t_start_ns for s, _ in pairs) * 1e-9 for _, pairs in rows]),
            "impulse_t_end": np.array([max(s.t_end_ns for s, _ in pairs) * 1e-9 for _, pairs in rows]),
            "impulse_t_centroid": np.array([self._centroid(pairs) for _, pairs in rows]),
            "impulse_value": np.array(values).reshape(-1, 6),
            "impulse_sustained": np.array(
                [any(s.sustained for s, _ in pairs) for _, pairs in rows], dtype=bool
            ),
            "slice_t": np.array(self._t_reported),
        }

    def _centroid(self, pairs: list[tuple[ImpulseSlice, Array]]) -> float:
        """Return the mean of the slices' centroids [s], weighted by the norms of their impulses."""
        weights = np.array([np.linalg.norm(world * self._scale) for _, world in pairs])
        centroids = np.array([item.t_centroid_ns * 1e-9 for item, _ in pairs])
        return float(weights @ centroids / weights.sum())
