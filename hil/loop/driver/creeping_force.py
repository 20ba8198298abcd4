"""A force that grows too slowly to be a touch: the bias of the wrench would swallow it without end.

The bias follows what changes no faster than a drift or the arm's pose may change an estimate
(`hil.force.bias`); what is faster opens a contact. Whoever presses as slowly as that is found by how far the
bias has gone.
"""

import math
from collections import deque

import numpy as np

from hil.common.arrays import Array

WINDOW, LOOKS = 60.0, 60  # [s] over which the bias is compared, and looks at it within
MOST = 10.0  # gates by which it may change in a window: what a pose changes across the stops


class CreepingForce:
    """Watches the bias while nothing touches."""

    def __init__(self, gate: float, stop_force: float, step: float) -> None:
        """Watch by the gate and the force stop [N], at every cycle of `step` [s]."""
        self._gate, self._stop = gate, stop_force
        self._every = max(1, round(WINDOW / LOOKS / step))
        self.begin()

    def begin(self) -> None:
        """Nothing floats: whatever is read then is bias."""
        self._first: Array | None = None
        self.touched()

    def touched(self) -> None:
        """A contact is open: afterwards the bias is found anew."""
        self._looks: deque[Array] = deque(maxlen=LOOKS + 1)
        self._n = 0

    def judge(self, bias: Array) -> str:
        """Return that a force creeps in, by the bias (6,), world axes [N, N m]; empty if none does."""
        self._n += 1
        if self._n % self._every:
            return ""
        now = bias[:3].copy()
        self._first = now if self._first is None else self._first
        self._looks.append(now)
        if (crept := _length(now - self._looks[0])) > MOST * self._gate:
            return (
                f"the wrench has crept by {crept:.0f} N within a minute, too slowly to be a touch "
                f"(force.gate_n = {self._gate:g}): something presses"
            )
        if (pressed := _length(now - self._first)) > self._stop:
            return (
                f"the wrench has crept by {pressed:.0f} N since floating began, above force.stop_force_n = "
                f"{self._stop:g}: something presses"
            )
        return ""


def _length(force: Array) -> float:
    return float(np.inf) if not np.isfinite(force).all() else math.hypot(*force.tolist())
