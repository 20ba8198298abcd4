"""A flat surface that the tip, a point, presses and slides on.

Pressed by d at the speed d', it gives (Hunt and Crossley) n = k d (1 + c d'), never a pull; the part with d'
implicitly. Friction stops the sliding within the step if mu n suffices for it, and otherwise is mu n.
"""

from dataclasses import dataclass

import numpy as np

from hil.common.arrays import Array


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

    def wrench(self, T_world_tip: Array, twist_tip: Array, mobility: Array, dt: float) -> Array:
        """Return what it exerts on the tip; see `Surroundings`."""
        out, n = np.zeros(6), self.normal
        self._depth = float(n @ (self.point - T_world_tip[:3, 3]))
        inwards = -float(n @ twist_tip[:3])
        sliding = twist_tip[:3] + inwards * n
        self._sliding, self._force = float(np.linalg.norm(sliding)), 0.0
        if self._depth <= 0.0:
            return out
        spring = self.stiffness * self._depth
        damper = spring * self.damping
        damper /= 1.0 + dt * damper * float(n @ mobility[:3, :3] @ n)
        self._force = max(0.0, spring + damper * inwards)
        out[:3] = self._force * n
        if self._sliding > 0.0:
            along = sliding / self._sliding
            stopping = self._sliding / (dt * float(along @ mobility[:3, :3] @ along))
            out[:3] -= min(self.friction * self._force, stopping) * along
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
