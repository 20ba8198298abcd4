"""What a run of an experiment leaves, simulated: one row a sample."""

from dataclasses import dataclass

import numpy as np

from hil.common.arrays import Array, BoolArray


@dataclass(frozen=True, eq=False)
class ArmRun:
    """The arm over time.

    Attributes:
        t: from the start of the sequence [s], shape (n,).
        command: joints commanded [rad], shape (n, 7).
        q: joints [rad], shape (n, 7).
        torque: of the joints' sensors, gravity among it [N m], shape (n, 7).
        gravity: by the controller's own model [N m], shape (n, 7).
        force: of the plate on the peg, world axes [N], shape (n, 3).
        tip: end of the peg, plate axes [m], shape (n, 3).
        wrench: of the environment on what hangs beyond the tool's sensor, weight and inertia included, about
            the sensor's origin, in its axes [N, N m], shape (n, 6); None without such a sensor.
    """

    t: Array
    command: Array
    q: Array
    torque: Array
    gravity: Array
    force: Array
    tip: Array
    wrench: Array | None = None

    @property
    def external(self) -> Array:
        """Torques of the environment on the joints, as the controller estimates them [N m], shape (n, 7)."""
        return np.asarray(self.gravity - self.torque)

    @property
    def touching(self) -> BoolArray:
        """At which samples peg and plate press on each other, shape (n,)."""
        return np.asarray(np.any(self.force != 0.0, axis=1))

    def contacts(self, gap: float = 0.1) -> list[tuple[float, float]]:
        """Return begin and end of each contact [s]; those less than `gap` [s] apart are one."""
        times = self.t[self.touching]
        if not len(times):
            return []
        cuts = np.flatnonzero(np.diff(times) > gap)
        begins, ends = times[[0, *(cuts + 1)]], times[[*cuts, len(times) - 1]]
        return [(float(begin), float(end)) for begin, end in zip(begins, ends, strict=True)]
