"""A free satellite that tumbles, and the latch by which the tip holds it.

Its momenta are integrated, not its velocities, by the impulses that the arm gave: what one side loses the
other gains, but for rounding. Its turn goes by the
angular velocity in the middle of the step (one Newton-free fixed-point iteration, second order).
"""

from dataclasses import dataclass, field

import numpy as np

from hil.common.arrays import Array
from hil.workbench.driving.rigid import halves, moved, way

TURNS = 3  # iterations of the middle's angular velocity; each gains an order of the step


@dataclass
class Latch:
    """A spring and a damper between tip and grapple, in all six directions; closed when both meet.

    Attributes:
        near: distance at which it closes [m].
        turned: angle below which it closes [rad].
        stiffness: linear [N/m] and angular [N m/rad].
        damping: linear [N s/m] and angular [N m s/rad].
        closed: it holds.
    """

    near: float = 0.01
    turned: float = 0.05
    stiffness: tuple[float, float] = (5000.0, 300.0)
    damping: tuple[float, float] = (600.0, 60.0)
    closed: bool = False


@dataclass
class Satellite:
    """A free rigid body with a grapple.

    Attributes:
        mass: [kg].
        inertia: about its centre, in its axes [kg m2], shape (3, 3).
        T: its pose in the world, origin in its centre, shape (4, 4).
        T_body_grapple: where it is held, the tip's axes there, shape (4, 4).
        momentum: linear [kg m/s], and angular about the world's origin [kg m2/s], shape (6,).
        latch: see there.
    """

    mass: float
    inertia: Array
    T: Array
    T_body_grapple: Array
    momentum: Array
    latch: Latch = field(default_factory=Latch)

    @property
    def T_world_grapple(self) -> Array:
        """Pose of the grapple in the world, shape (4, 4)."""
        out: Array = self.T @ self.T_body_grapple
        return out

    def omega_at(self, T: Array, momentum: Array) -> Array:
        """Return the angular velocity that a momentum means at a pose [rad/s], world axes, shape (3,)."""
        spin = momentum[3:] - np.cross(T[:3, 3], momentum[:3])
        out: Array = T[:3, :3] @ np.linalg.solve(self.inertia, T[:3, :3].T @ spin)
        return out

    def twist_at(self, point: Array) -> Array:
        """Return the velocity of a point that moves with it, and its angular velocity, shape (6,)."""
        omega = self.omega_at(self.T, self.momentum)
        return np.concatenate([self.momentum[:3] / self.mass + np.cross(omega, point - self.T[:3, 3]), omega])

    def wrench(self, T_world_tip: Array, twist_tip: Array, mobility: Array, dt: float) -> Array:
        """Return what the latch exerts on the tip; see `Surroundings`."""
        p = T_world_tip[:3, 3]
        left = way(T_world_tip, self.T_world_grapple)
        if not self.latch.closed:
            far, turned = halves(left)
            self.latch.closed = far < self.latch.near and turned < self.latch.turned
        if not self.latch.closed:
            return np.zeros(6)
        slip = self.twist_at(p) - twist_tip
        damping = np.repeat(self.latch.damping, 3)
        damper = np.linalg.solve(np.eye(6) + dt * damping[:, None] * mobility, damping * slip)
        on_tip: Array = np.repeat(self.latch.stiffness, 3) * left + damper
        return on_tip

    def advance(self, dt: float, impulse: Array) -> None:
        """Move on by a step; see `Surroundings`."""
        self.momentum = self.momentum + impulse
        v = self.momentum[:3] / self.mass
        omega = self.omega_at(self.T, self.momentum)
        for _ in range(TURNS):
            middle = moved(self.T, 0.5 * dt * np.concatenate([v, omega]))
            omega = self.omega_at(middle, self.momentum)
        self.T = moved(self.T, dt * np.concatenate([v, omega]))

    def variables(self) -> dict[str, float]:
        """Return where it is, how it turns, and whether it is held."""
        omega = self.omega_at(self.T, self.momentum)
        names = ("x", "y", "z")
        return {
            **{f"satellite.{a}_m": float(self.T[i, 3]) for i, a in enumerate(names)},
            **{f"satellite.omega_{a}_rad_s": float(omega[i]) for i, a in enumerate(names)},
            "satellite.held": float(self.latch.closed),
        }

    def parameters(self) -> dict[str, float]:
        """Return nothing: its constants are its own."""
        return {}

    def set_parameter(self, name: str, value: float) -> None:
        """Change nothing; no name is known."""


def satellite_moving(
    mass: float, inertia: Array, T: Array, T_body_grapple: Array, v: Array, omega: Array
) -> Satellite:
    """Return a satellite by its velocities.

    Args:
        mass: [kg].
        inertia: about its centre, in its axes [kg m2], shape (3, 3).
        T: its pose in the world, shape (4, 4).
        T_body_grapple: where it is held, shape (4, 4).
        v: velocity of its centre [m/s], world axes, shape (3,).
        omega: angular velocity [rad/s], world axes, shape (3,).
    """
    R = T[:3, :3]
    spin = R @ inertia @ R.T @ omega
    momentum = np.concatenate([mass * v, spin + np.cross(T[:3, 3], mass * v)])
    return Satellite(mass, inertia, T, T_body_grapple, momentum)
