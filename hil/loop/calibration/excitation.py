"""The motion of the joints that shows missed inertia: the shape, scaled and carried into the joints.

`q(t) = q_0 + P xi(t)` with P the pseudo-inverse of the Jacobian where the arm stands: what was looked at is
what is commanded, its derivatives are exact, and joint limits can be kept by scaling. In plain arrays, for
the daemon loads no compiled code.
"""

from dataclasses import dataclass

import numpy as np

from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.configuration.frames import Frames
from hil.loop.calibration.shape import shape
from hil.loop.plain_kinematics import held_frame
from planner.following.limits import MotionLimits
from planner.kinematics.arm_model import ArmModel

SHARE = 0.8  # of the certified caps, and of the set's extent, that is used
PLANNED = 0.95  # of that share, by which the motion is laid out: the joints' line bends the object's path
WORTH = 0.2  # of what the caps allow, at least: less shows nothing
SPARSE = 0.008  # [s] between two states that are looked at for the joints' limits, whatever the cycle,
BETWEEN = 0.98  # and they are kept by so much: between two of them a joint's rate bends by less


@dataclass(frozen=True, eq=False)
class Motion:
    """A motion that leads from `begin` back to it.

    Attributes:
        shape: of the object's motion and its two derivatives, shape (3, n, 6).
        begin: joint positions [rad], shape (7,).
        joints: by which the object's motion becomes one of the joints, scaled, shape (6, 7).
    """

    shape: Array
    begin: Array
    joints: Array

    @property
    def count(self) -> int:
        """Of states, the first and the last at rest."""
        return int(self.shape.shape[1])

    def states(self, rows: slice) -> Array:
        """Return the joints' positions, velocities and accelerations in some states, shape (3, n, 7)."""
        found: Array = self.shape[:, rows] @ self.joints
        found[0] += self.begin
        return found


class Excitation:
    """Lays out the motion from wherever the arm stands."""

    def __init__(self, configuration: Configuration, model: ArmModel) -> None:
        c = configuration
        self._model, self._T_flange_object = model, Frames.from_configuration(c).T_flange_object
        self.step = c.fri.sample_time
        self._sparse = max(1, int(SPARSE / self.step + 1e-9))
        limits = MotionLimits.from_configuration(model, c.limits).scaled(c.limits.command_fraction)
        self._most = np.array([limits.velocity, limits.acceleration, limits.jerk])
        self._shape: Array = shape(self.step)
        parts = ((slice(0, 3), c.stops.max_speed, float(c.stops.half_extent.min())),
                 (slice(3, 6), c.stops.max_spin, min(c.stops.swing, c.stops.twist)))  # fmt: skip
        for part, cap, extent in parts:
            self._shape[:, :, part] *= PLANNED * SHARE * cap
            widest = np.linalg.norm(self._shape[0, :, part], axis=1).max()
            self._shape[:, :, part] *= min(1.0, PLANNED * SHARE * extent / widest)

    def laid_out(self, q: Array) -> tuple[Motion | None, float]:
        """Return the motion, and its scale.

        None where the joints' limits leave less than `WORTH` of the motion.

        Args:
            q: joint positions from which it leads, and to which it comes back [rad], shape (7,).
        """
        _, _, J = held_frame(self._model, q, self._T_flange_object)
        joints = np.asarray(np.linalg.pinv(J).T, np.float64)
        rates = np.abs(self._shape[1:, :: self._sparse] @ joints).max(axis=1)
        scale = min(1.0, BETWEEN * float((self._most / rates).min()))
        return (Motion(self._shape[:3], q, scale * joints) if scale >= WORTH else None), scale
