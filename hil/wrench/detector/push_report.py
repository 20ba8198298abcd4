"""What one sample taught the detector of pushes: rows of its kernel, of which messages are made later.

The rows are what an answer to the robot needs; messages are for others, and no answer waits for them.
"""

from dataclasses import dataclass

import numpy as np

from hil.common.arrays import Array, IntArray
from hil.messaging.messages import ImpulseSlice
from hil.wrench.detector.slices import slice_message


@dataclass(slots=True)
class PushReport:
    """Slices that a sample began, revised or ended, the older first.

    Attributes:
        t_ns: when the sample was measured.
        origin_ns: the detector's time zero.
        length: of the filter [m]: the torques of impulses are divided by it.
        flags: see `hil.wrench.detector.state.ROW_FLAGS`, shape (n, 7).
        numbers: see `hil.wrench.detector.state.ROW_NUMBERS`, shape (n, 15).
    """

    t_ns: int
    origin_ns: int
    length: float
    flags: IntArray
    numbers: Array

    @classmethod
    def of(cls, item: ImpulseSlice, origin_ns: int, length: float) -> "PushReport":
        """Return the report of which `messages` makes `item`."""
        flags = (
            *(item.impulse_id, item.slice_index, item.revision),
            *(item.final, item.ended, item.sustained, item.uncertain),
        )
        times = [1e-9 * (t - origin_ns) for t in (item.t_start_ns, item.t_end_ns, item.t_centroid_ns)]
        scale = np.repeat([1.0, length], 3)
        numbers = np.concatenate((times, item.impulse_object / scale, item.deviation_object / scale))
        return cls(item.t_ns, origin_ns, length, np.array([flags], np.int64), numbers[None])

    def messages(self) -> list[ImpulseSlice]:
        """Return the slices as messages."""
        rows = zip(self.flags.tolist(), self.numbers.tolist(), strict=True)
        return [slice_message(self.t_ns, self.origin_ns, *row, self.length) for row in rows]
