"""Phase lead of a push: what it will have given a few milliseconds from now.

theory: command and arm answer the impulse J(t) of the samples so far; the detector's first report and the
limits of jerk leave the command some milliseconds behind a force that goes on. While a push grows, its
force F is the growth of its own reported impulse, and F times the lead is added to the twist that the
plan lacks. A force that ends leaves nothing behind: what was ahead is taken back with it. The lead is
small against a push, and so is what a force that ends at once would overshoot: lead over duration.
"""

from collections import deque

import numpy as np

from hil.arrays import Array
from hil.messages import ImpulseSlice

WINDOW_NS = 3_000_000  # over which the force is taken
CURRENT_NS = 3_000_000  # a push whose last sample is older no longer grows
KEPT = 8  # reports


class PushLead:
    """The growth of the push at hand."""

    def __init__(self, lead: float) -> None:
        """Lead pushes by so much [s]; 0 for not at all."""
        self._lead = lead
        self._impulse_id = -1
        self._slices: dict[int, Array] = {}
        self._total: Array = np.zeros(6)
        self._totals: deque[tuple[int, Array]] = deque(maxlen=KEPT)

    def add(self, item: ImpulseSlice) -> None:
        """Take a report of the detector."""
        if item.impulse_id != self._impulse_id:
            self._impulse_id = item.impulse_id
            self._slices, self._total, self._totals = {}, np.zeros(6), deque(maxlen=KEPT)
        before = self._slices.get(item.slice_index)
        self._total = self._total + item.impulse_object
        if before is not None:
            self._total -= before
        self._slices[item.slice_index] = item.impulse_object
        if item.ended or not item.impulse_object.any():
            self._totals.clear()  # over, or taken back
            return
        if self._totals and self._totals[-1][0] == item.t_ns:
            self._totals.pop()  # the slice before was corrected in the same cycle
        self._totals.append((item.t_ns, self._total))

    def ahead(self, t_ns: int) -> Array | None:
        """Return the impulse to come within the lead [N s, N m s], object axes, (6,); None for none."""
        if self._lead == 0.0 or len(self._totals) < 2 or t_ns - self._totals[-1][0] > CURRENT_NS:
            return None
        newest_ns, newest = self._totals[-1]
        older = [report for report in self._totals if newest_ns - report[0] >= WINDOW_NS]
        since_ns, before = older[-1] if older else self._totals[0]
        impulse: Array = (newest - before) * (self._lead / ((newest_ns - since_ns) * 1e-9))
        return impulse
