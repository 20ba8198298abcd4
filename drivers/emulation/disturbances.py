"""What is made to go wrong in the emulation, for training and for tests: one disturbance at a time.

Controller, link and wrench estimate look here; while nothing is wrong that costs a comparison each.
"""

import math

import numpy as np

from drivers.fri.layout import ControlStrategy, Quality
from hil.common.arrays import Array, frozen_array
from hil.messaging.messages import Disturbance

TO_DRIVER, FROM_DRIVER = 0, 1  # directions of the link
DIRECTIONS = {"both": (TO_DRIVER, FROM_DRIVER), "to_driver": (TO_DRIVER,), "from_driver": (FROM_DRIVER,)}
WRENCH_FAULTS = ("nan", "saturated", "stuck", "reversed")
# of a force sensor alone: it sends nothing, measures nothing, tells of a monitor, loses records, restarts
SENSOR_FAULTS = ("silent", "idle", "latched", "lossy", "restarted")
ARM_FAULTS = ("stuck", "reversed")
STRATEGIES = {strategy.name.lower(): strategy for strategy in ControlStrategy}
BACK = 1e-4  # [rad] a grid step by which an arm that was off its path comes back to it
ASTRAY = 0.1  # [rad/s] of every joint that a controller commands otherwise: no controller jumps
SATURATION = frozen_array(np.repeat([300.0, 30.0], 3))  # [N, N m]: end of the estimate's range, assumed

CALM = Disturbance(
    t_ns=0, duration=0.0, direction="both", loss=0.0, duplicates=0.0, reorder=0.0, delay=0.0,
    silence=False, quality=int(Quality.PERFECT), drives_off=False, wrench="",
    arm="", astray=0.0, drive_error=0, drive_warning=0, strategy="",
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
        self._pivot: Array | None = None  # the path where the arm ceased to follow it
        self._path = np.zeros(7)  # where the path was then
        self._off: Array | None = None  # how far the arm is off its path [rad]
        self._astray = self._t = 0.0  # how far the controller's commands are at present [rad], and when [s]

    def begin(self, disturbance: Disturbance, t: float) -> None:
        """Let a disturbance begin at time `t` [s] in place of the one before."""
        self.current, self._until = disturbance, t + disturbance.duration
        self._stuck = self._pivot = None

    def advance(self, t: float) -> None:
        """End what is over at time `t` [s], and let what comes slowly go on."""
        if self.current is not CALM and t >= self._until:
            self.current = CALM
        missing = self.current.astray - self._astray
        self._astray += math.copysign(min(abs(missing), ASTRAY * (t - self._t)), missing)
        self._t = t

    def on_link(self, direction: int) -> Disturbance:
        """Return what is wrong with one direction of the link."""
        current = self.current
        return current if current is CALM or direction in DIRECTIONS[current.direction] else CALM

    def control(self, own: ControlStrategy) -> ControlStrategy:
        """Return the control strategy that is in force, in place of the controller's own."""
        return STRATEGIES[self.current.strategy] if self.current.strategy else own

    def commanded(self, q: Array) -> Array:
        """Return what a controller commands that was sent `q` [rad], (7,)."""
        return q + self._astray

    def path(self, begin: Array, end: Array) -> tuple[Array, Array]:
        """Return what the arm follows in place of its path over a grid step [rad], both (7,)."""
        kind, off = self.current.arm, self._off
        if not kind:
            return (begin, end) if off is None else self._returning(off, begin, end)
        if self._pivot is None:
            self._pivot, self._path = begin.copy() if off is None else begin + off, begin.copy()
        if kind == "stuck":
            followed = self._pivot, self._pivot
        else:
            followed = self._pivot + self._path - begin, self._pivot + self._path - end
        self._off = followed[1] - end
        return followed

    def _returning(self, off: Array, begin: Array, end: Array) -> tuple[Array, Array]:
        """Return what an arm follows that is off its path and comes back to it, no faster than arms do."""
        left = off - np.clip(off, -BACK, BACK)
        self._off = left if left.any() else None
        return begin + off, end + left

    def wrench(self, estimate: Array) -> Array:
        """Return what goes on the wire for an estimate of the wrench at the tcp [N, N m], (6,)."""
        kind = self.current.wrench
        if not kind or kind in SENSOR_FAULTS:
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
