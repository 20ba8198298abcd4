"""A flat surface that the tip, a point, presses and slides on.

Pressed by d at the speed d', it gives (Hunt and Crossley) n = k d (1 + c d'), never a pull; and friction
f = -mu n v / max(|v|, v0) against the sliding velocity v.
"""

from dataclasses import dataclass

import numpy as np

from hil.common.arrays import Array

CREEP = 1e-3  # [m/s], below which friction fades: a penalty, no true stick


@dataclass
class Surface:
    """A half-space.

    Attributes:
        point: on it, in the world [m], shape (3,).
        normal: out of it, of length one, shape (3,).
        stiffness: k [N/m].
        damping: c [s/m].
        friction: mu.
    """

    point: Array
    normal: Array
    stiffness: float = 5000.0
    damping: float = 5.0
    friction: float = 0.2

    def __post_init__(self) -> None:
        """Nothing is touched yet."""
        self._depth = self._force = self._sliding = 0.0

    def wrench(self, T_world_tip: Array, twist_tip: Array) -> Array:
        """Return what it exerts on the tip, about it, in world axes [N, N m], shape (6,)."""
        self._depth = float(self.normal @ (self.point - T_world_tip[:3, 3]))
        inwards = -float(self.normal @ twist_tip[:3])
        sliding = twist_tip[:3] + inwards * self.normal
        self._sliding = float(np.linalg.norm(sliding))
        self._force = max(0.0, self.stiffness * self._depth * (1.0 + self.damping * inwards))
        if self._depth <= 0.0:
            self._force = 0.0
        out = np.zeros(6)
        out[:3] = self._force * (self.normal - self.friction * sliding / max(self._sliding, CREEP))
        return out

    def advance(self, dt: float, impulse: Array) -> None:
        """Stand still."""

    def variables(self) -> dict[str, float]:
        """Return depth, force and sliding speed."""
        return {
            "surface.depth_m": self._depth,
            "surface.force_n": self._force,
            "surface.sliding_m_s": self._sliding,
        }

    def parameters(self) -> dict[str, float]:
        """Return its three constants."""
        return {
            "surface.stiffness_n_per_m": self.stiffness,
            "surface.damping_s_per_m": self.damping,
            "surface.friction": self.friction,
        }

    def set_parameter(self, name: str, value: float) -> None:
        """Change one of them; negative ones become none."""
        attribute = {key: key.split(".")[1].split("_")[0] for key in self.parameters()}[name]
        setattr(self, attribute, max(0.0, value))
