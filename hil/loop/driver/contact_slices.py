"""A contact's impulses, cell by cell, as slices of a push: so the world takes them, late ones too.

A contact is one push; its slices stand for 20 ms each. The slice at hand is revised in every cycle, those
before it when the contact has been integrated anew from its onset.
"""

from collections.abc import Sequence

import numpy as np

from hil.common.arrays import Array
from hil.messaging.messages import ImpulseSlice
from hil.wrench.detector.push_report import PushReport

SLICE = 0.02  # [s]
SUSTAINED_NS = 500_000_000  # beyond it a contact is marked so, as a push is


class ContactSlices:
    """Names and revisions of the slices of one contact after another."""

    def __init__(self, step: float, length: float, first: int = 0) -> None:
        """Make slices of cells of `step` [s]; reports have torques divided by `length` [m].

        Contacts are numbered from `first` on.
        """
        self._step_ns, self._length = round(1e9 * step), length
        self._cells = max(1, round(SLICE / step))
        self._number = first
        self._revisions: dict[int, int] = {}
        self._settled = 0  # slices that have been told as final
        self._first_ns = 0

    def begin(self, t_ns: int) -> int:
        """Begin a contact whose first cell begins at `t_ns`; return its number."""
        self._number += 1
        self._revisions, self._settled, self._first_ns = {}, 0, t_ns
        return self._number

    def first_told(self, changed: int, frozen: int, over: bool) -> int:
        """Return the first cell that a report must have: of what changed, or can change no more.

        Args:
            changed: number of the first cell that has changed.
            frozen: number of the first cell that may change later.
            over: the contact has ended.
        """
        slices = changed // self._cells
        if over or frozen // self._cells > self._settled:
            slices = min(slices, self._settled)
        return slices * self._cells

    def report(self, t_ns: int, impulses: Array, first: int, frozen: int, over: bool) -> PushReport | None:
        """Return the slices that have changed, the older first; None if none has.

        Args:
            t_ns: of the newest sample.
            impulses: of the contact's cells from `first` on, about the centre of mass, object axes
                [N s, N m s], shape (n, 6).
            first: number of the first of these cells in the contact, see `first_told`.
            frozen: number of the first cell that may change later.
            over: the contact has ended: nothing changes any more.
        """
        end = first + len(impulses)
        items = []
        for index in range(first // self._cells, (end - 1) // self._cells + 1):
            a, b = index * self._cells, min((index + 1) * self._cells, end)
            cells = impulses[a - first : b - first]
            if index not in self._revisions and not cells.any():
                continue
            self._revisions[index] = self._revisions.get(index, -1) + 1
            final = over or (index + 1) * self._cells <= frozen
            items.append(self._slice(t_ns, index, a, cells, final, over and b == end))
            self._settled = max(self._settled, index + 1) if final else self._settled
        return _report_of(items, self._length) if items else None

    def _slice(self, t_ns: int, index: int, a: int, cells: Array, final: bool, ended: bool) -> ImpulseSlice:
        weights = np.sqrt((cells[:, :3] ** 2).sum(axis=1)) + np.sqrt((cells[:, 3:] ** 2).sum(axis=1))
        middle = (
            a + 0.5 + (float(weights @ np.arange(len(cells))) / float(weights.sum()) if weights.any() else 0)
        )
        begin_ns = self._first_ns + a * self._step_ns
        end_ns = begin_ns + len(cells) * self._step_ns
        centroid_ns = self._first_ns + round(middle * self._step_ns)
        return ImpulseSlice(
            t_ns, self._number, index, self._revisions[index], final, ended,
            end_ns - self._first_ns > SUSTAINED_NS, False, begin_ns, end_ns, centroid_ns,
            cells.sum(axis=0), np.zeros(6),
        )  # fmt: skip


def _report_of(items: Sequence[ImpulseSlice], length: float) -> PushReport:
    parts = [PushReport.of(item, items[0].t_start_ns, length) for item in items]
    return PushReport(
        items[0].t_ns, items[0].t_start_ns, length,
        np.concatenate([part.flags for part in parts]), np.concatenate([part.numbers for part in parts]),
    )  # fmt: skip
