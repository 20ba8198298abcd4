"""What the detector reported, kept until the end of a run: one row an impulse, its slices summed."""

import dataclasses

import numpy as np

from hil.common.arrays import Array, BoolArray, IntArray
from hil.messaging.messages import ImpulseSlice
from hil.wrench.detector.slices import PushRecord


class ImpulseLedger:
    """Keeps the newest revision of every slice, turned to world axes.

    An impulse that was taken back (all its slices revised to exactly zero) vanishes. A real push never
    sums up to exact zeros, even if its net impulse is none.
    """

    def __init__(self, length: float) -> None:
        """Take the length [m] by which torques are divided where a norm is needed."""
        self._length = length
        self._records: dict[int, PushRecord] = {}
        self._t_reported: list[float] = []

    def add(self, item: ImpulseSlice, R_world_object: Array) -> None:
        """Keep a slice, unless a newer revision of it is known.

        Args:
            item: the slice; its impulse about the centre of mass, object axes.
            R_world_object: attitude at the slice's centroid, shape (3, 3).
        """
        self._t_reported.append(item.t_ns * 1e-9)
        force, torque = item.impulse_object[:3], item.impulse_object[3:]
        turned = np.concatenate([R_world_object @ force, R_world_object @ torque])
        record = self._records.setdefault(item.impulse_id, PushRecord(self._length))
        record.put(dataclasses.replace(item, impulse_object=turned))

    def arrays(self) -> dict[str, Array | IntArray | BoolArray]:
        """Return the columns `impulse_*` and `slice_t` of the trace, impulses in order of their number."""
        totals = [record.total() for _, record in sorted(self._records.items())]
        totals = [total for total in totals if total.impulse_object.any()]
        return {
            "impulse_id": np.array([total.impulse_id for total in totals], dtype=np.int64),
            "impulse_t_start": np.array([total.t_start_ns * 1e-9 for total in totals]),
            "impulse_t_end": np.array([total.t_end_ns * 1e-9 for total in totals]),
            "impulse_t_centroid": np.array([total.t_centroid_ns * 1e-9 for total in totals]),
            "impulse_value": np.array([total.impulse_object for total in totals]).reshape(-1, 6),
            "impulse_deviation": np.array([total.force_deviation for total in totals]),
            "impulse_sustained": np.array([total.sustained for total in totals], dtype=bool),
            "impulse_ended": np.array([total.ended for total in totals], dtype=bool),
            "slice_t": np.array(self._t_reported),
        }
