"""The driver's record of its own cycles, gathered row by row and sent in blocks.

A row costs a few microseconds; the block goes out after an answer has left. Without a reader it is
dropped by the socket at once.
"""

import numpy as np

from drivers.fri.session import FriSample
from hil.common.arrays import Array
from hil.messaging.messages import (
    CYCLE_COMMANDING,
    CYCLE_FOLLOWING,
    CYCLE_NEW_SESSION,
    CycleBlock,
    ImpulseSlice,
    SliceTimes,
)

BLOCK_TIME = 0.05  # [s] of cycles in a block: as often as a dashboard is drawn


class CycleLog:
    """Rows of the present block."""

    def __init__(self, sample_time: float) -> None:
        """Prepare blocks of about `BLOCK_TIME` at cycles of `sample_time` [s]."""
        rows = max(1, round(BLOCK_TIME / sample_time))
        self._stamps = np.zeros((rows, 6), np.int64)
        self._counts = np.zeros((rows, 5), np.int64)
        self._q_command, self._q_measured = np.zeros((rows, 7)), np.zeros((rows, 7))
        self._wrench = np.zeros((rows, 6))
        self._row = 0

    def add(
        self,
        sample: FriSample,
        stamps: tuple[int, int, int, int],
        q_command: Array,
        wrench_object: Array,
        following: bool,
    ) -> CycleBlock | None:
        """Take a cycle; return the block that it completes.

        Args:
            sample: the newest packet's.
            stamps: when the packet was decoded, the wrench judged, the command decided, the answer sent.
            q_command: what was commanded [rad], shape (7,).
            wrench_object: the sample's wrench, object axes about its centre [N, N m], shape (6,).
            following: the command rests on a plan.
        """
        row = self._row
        flags = (
            CYCLE_COMMANDING * sample.commanding
            + CYCLE_FOLLOWING * following
            + CYCLE_NEW_SESSION * sample.new_session
        )
        self._stamps[row] = (sample.t_ns, sample.arrival_ns, *stamps)
        self._counts[row] = (sample.sequence, sample.count, sample.lost, sample.missed_answers, flags)
        self._q_command[row], self._q_measured[row] = q_command, sample.q_measured
        self._wrench[row] = wrench_object
        self._row = row + 1
        return self.rest() if self._row == len(self._stamps) else None

    def rest(self) -> CycleBlock | None:
        """Return what has not been told yet, if anything."""
        if not self._row:
            return None
        rows, self._row = slice(self._row), 0
        return CycleBlock(
            int(self._stamps[rows][-1, 5]), self._stamps[rows], self._counts[rows], self._q_command[rows],
            self._q_measured[rows], self._wrench[rows],
        )  # fmt: skip


def slice_times(
    slices: list[ImpulseSlice], published_ns: list[int], plan: int | None, sent_ns: int
) -> SliceTimes | None:
    """Return what to tell of the slices that a cycle published and the plan that it took, if any.

    Args:
        slices: reported in this cycle.
        published_ns: when each was published.
        plan: number of the plan that this cycle's command is the first to rest on, or None.
        sent_ns: when that command was sent.
    """
    if not slices and plan is None:
        return None
    keys = [(item.impulse_id, item.slice_index, item.revision) for item in slices]
    stamps = [(item.t_ns, at) for item, at in zip(slices, published_ns, strict=True)]
    taken = [] if plan is None else [plan]
    return SliceTimes(
        sent_ns,
        np.array(keys, np.int64).reshape(-1, 3),
        np.array(stamps, np.int64).reshape(-1, 2),
        np.array(taken, np.int64),
        np.array([sent_ns] * len(taken), np.int64),
    )
