"""What is made to go wrong in the emulation, for training and for tests: one disturbance at a time.

Controller, link and wrench estimate look here; while nothing is wrong that costs a comparison each.
"""

import numpy as np

from drivers.fri.layout import Quality
from hil.common.arrays import Array, frozen_array
from hil.messaging.messages import Disturbance

TO_DRIVER, FROM_DRIVER = 0, 1  # directions of the link
DIRECTIONS = {"both": (TO_DRIVER, FROM_DRIVER), "to_driver": (TO_DRIVER,), "from_driver": (FROM_DRIVER,)}
WRENCH_FAULTS = ("nan", "saturated", "stuck", "reversed")
SATURATION = frozen_array(np.repeat([300.0, 30.0], 3))  # [N, N m]: end of the estimate's range, assumed

CALM = Disturbance(
    t_ns=0, duration=0.0, direction="both", loss=0.0, duplicates=0.0, reorder=0.0, delay=0.0,
    silence=False, quality=int(Quality.PERFECT), drives_off=False, wrench="",
)  # fmt: skip


class Disturbances:
    """The disturbance at hand; when its time is over, none.

    Attributes:
        current: what is wrong at present; `CALM` is nothing.
    """

    def __init__(self) -> None:
        """Begin with nothing wrong."""
        self.current = CALM
        self._until = 0.0
        self._stuck: Array | None = None

    def begin(self, disturbance: Disturbance, t: float) -> None:
        """Let a disturbance begin at time `t` [s] in place of the one before."""
        self.current, self._until = disturbance, t + disturbance.duration
        self._stuck = None

    def advance(self, t: float) -> None:
        """End what is over at time `t` [s]."""
        if self.current is not CALM and t >= self._until:
            self.current = CALM

    def on_link(self, direction: int) -> Disturbance:
        """Return what is wrong with one direction of the link."""
        current = self.current
        return current if current is CALM or direction in DIRECTIONS[current.direction] else CALM

    def wrench(self, estimate: Array) -> Array:
        """Return what goes on the wire for an estimate of the wrench at the tcp [N, N m], (6,)."""
        kind = self.current.wrench
        if not kind:
            return estimate
        if kind == "reversed":
            return -estimate
        if kind == "nan":
            return np.full(6, np.nan)
        if kind == "saturated":
            return SATURATION
        if self._stuck is None:
            self._stuck = estimate.copy()
        return self._stuck
