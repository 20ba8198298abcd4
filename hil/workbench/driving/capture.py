"""The capture of a satellite: the tip goes to its grapple, and brings it to rest once it is held."""

import numpy as np

from hil.common.arrays import Array
from hil.workbench.driving.around.satellite import Satellite
from hil.workbench.driving.rigid import moved, way
from hil.workbench.driving.tables.legs import least_jerk
from sim.drives.arm_simulation import ArmSimulation


class Capture:
    """A pose source that sees the grapple.

    Until the latch closes it wants the grapple's pose, shifted by what is left of the first shift; the shift
    goes in a least-jerk leg. From then on the twist of the grapple relative to the base fades away.
    """

    def __init__(self, arm: ArmSimulation, satellite: Satellite, approach: float, stop: float) -> None:
        """Begin where the tip is.

        Args:
            arm: whose tip it is, as it stands now.
            satellite: to be captured.
            approach: time in which the tip comes to the grapple [s].
            stop: time in which the satellite is brought to rest in the base [s].
        """
        self._arm, self._satellite = arm, satellite
        self._approach, self._stop = approach, stop
        self._left = way(self._grapple(), arm.T_base_tip)
        self._seen = self._grapple()
        self._t = 0.0
        self._held: tuple[float, Array, Array] | None = None  # when, where, with which twist
        self._twist = np.zeros(6)

    def pose(self, t: float) -> Array:
        """Return where the tip shall be, shape (4, 4)."""
        grapple = self._grapple()
        if self._held is None and t > self._t:
            self._twist = way(self._seen, grapple) / (t - self._t)
        dt, self._seen, self._t = t - self._t, grapple, t
        if self._satellite.latch.closed and self._held is None:
            self._held = (t, grapple, self._twist)
        if self._held is None:
            left = 1.0 - least_jerk(t / self._approach)
            return moved(moved(grapple, dt * self._twist), left * self._left)
        since, T, twist = self._held
        s = min(1.0, (t - since) / self._stop)
        return moved(T, self._stop * (s - s**3 + 0.5 * s**4) * twist)  # its speed fades as 1 - 3 s^2 + 2 s^3

    def _grapple(self) -> Array:
        out: Array = np.linalg.inv(self._arm.T_world_base) @ self._satellite.T_world_grapple
        return out
