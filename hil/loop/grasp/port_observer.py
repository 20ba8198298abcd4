"""The energy that a grasp creates: what the held mock-up gains beyond the work that is seen to be done on it.

theory: `E = dKE(M, V) - sum w . V dt` since its lowest point, with the twist V of the mock-up as measured and
the mass of the object that it stands for. A free body has none; a delay that swings up has it before forces
are large. What the force may be wrong by does no work beyond `F_u` times the way.

Where object time runs p times as fast as time the object moves with `V / p`. While that changes, and just
after, the mock-up is on its way from one to the other: nothing is judged, and what was gained stays.
"""

import numpy as np

from hil.common.arrays import Array
from hil.common.geometry import quat_conjugate, quat_from_matrix, quat_multiply, rotvec_from_quat

LEAST_PACE = 0.3  # of object time below which a measured twist says little of the object's
SETTLED = 0.1  # [s] for which it must not have changed


class PortObserver:
    """Counts it from sample to sample.

    Attributes:
        gain: since the lowest point [J].
        bound: that it may have now [J].
    """

    def __init__(self, mass: float, inertia: Array, most: float, unseen: float) -> None:
        """Observe a body.

        Args:
            mass: of the object [kg].
            inertia: principal, object axes [kg m2], (3,).
            most: that may be gained [J].
            unseen: force by which the measured one may be wrong [N].
        """
        self._mass, self._inertia, self._most, self._unseen = mass, np.array(inertia), most, unseen
        self.begin()

    def begin(self) -> None:
        """Count anew from the next sample on."""
        self._pose: Array | None = None
        self._motion: Array | None = None
        self._wrench = np.zeros(6)
        self._work = self._lowest = self._way = 0.0
        self._pace, self._steady = 1.0, SETTLED
        self._begun_anew, self._created = False, 0.0
        self.gain, self.bound = 0.0, self._most

    def _settled(self, dt: float, pace: float) -> bool:
        """Return whether object time has run at this pace for a while, not too slowly."""
        self._steady = self._steady + dt if pace == self._pace else 0.0
        self._pace = pace
        return pace >= LEAST_PACE and self._steady >= SETTLED

    def take(self, T: Array, wrench: Array, dt: float, pace: float = 1.0) -> float:
        """Take a sample and return the gain [J].

        Args:
            T: the mock-up's pose as measured, (4, 4).
            wrench: on it about the object's centre, beyond the baseline, world axes [N, N m], (6,).
            dt: since the sample before [s].
            pace: of object time.
        """
        before, self._pose = self._pose, T.copy()
        held, self._wrench = 0.5 * (self._wrench + wrench), wrench.copy()
        if before is None:
            return 0.0
        quats = [quat_from_matrix(np.ascontiguousarray(pose[:3, :3])) for pose in (before, T)]
        turned = rotvec_from_quat(quat_multiply(quats[1], quat_conjugate(quats[0])))
        way = np.concatenate((T[:3, 3] - before[:3, 3], turned))
        v, spin = way[:3] / dt, T[:3, :3].T @ turned / dt
        energy = 0.5 * (self._mass * float(v @ v) + float(spin @ (self._inertia * spin)))
        self._work += float(held @ way)
        self._way += float(np.linalg.norm(way[:3]))
        created = energy / max(pace, LEAST_PACE) ** 2 - self._work
        if not self._settled(dt, pace):
            self._begun_anew = True
            return self.gain
        if self._begun_anew and self._motion is not None:
            self._lowest += created - self._created
        self._begun_anew, self._created = False, created
        if self._motion is None:
            self._motion, self._lowest, self._way = v, created, 0.0
        if created < self._lowest:
            self._lowest, self._way = created, 0.0
        self.gain = created - self._lowest
        self.bound = self._most + self._unseen * self._way
        return self.gain
