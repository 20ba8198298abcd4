"""Two held mock-ups that touch: a ball on each, with a spring and a damper between. Neither is compiled.

theory: with the balls' middles `c_1, c_2` and radii `r_1, r_2`, `n = (c_2 - c_1) / |c_2 - c_1|` and the depth
`x = r_1 + r_2 - |c_2 - c_1|`, the first mock-up feels `-n max(0, k x + d x')` at the point between the balls,
and the second one the opposite at the same point: no impulse and no angular momentum comes of it.
"""

from collections import deque

import numpy as np

from drivers.emulation.port.touches import Touches
from hil.common.arrays import Array
from hil.configuration.shared_pair import Touch

KEPT = 64  # grid steps that one end may be ahead of the other
ROUNDING = 1e-9  # [s] of a step's end


class NoseEnd:
    """What stands in one mock-up's way: the other one.

    Attributes:
        touches: of it so far.
        wrench_world: on the mock-up about the object's centre, world axes [N, N m], shape (6,), live.
        penetration: depth of the balls in each other [m]; negative: their gap.
    """

    def __init__(self, noses: "Noses", index: int) -> None:
        self._noses, self._index = noses, index
        self.touches, self.wrench_world = Touches(), np.zeros(6)
        self.penetration = noses.depth

    def step(self, t_0: float, t_1: float, T_world_object: Array, twist: Array) -> None:
        """Go on from `t_0` to `t_1` [s]; then the object has a pose (4, 4) and a twist (6,), world axes."""
        force, at, self.penetration = self._noses.felt(self._index, t_1, T_world_object, twist)
        self.wrench_world[:3] = force
        self.wrench_world[3:] = np.cross(at - T_world_object[:3, 3], force)
        self.touches.add(t_0, t_1, self.wrench_world)

    def told(self) -> Array:
        """Return the same row as `EmulatedPort.told`, of the other mock-up's nose, shape (22,)."""
        at, v = self._noses.other(self._index)
        return np.concatenate((self.wrench_world, [self.penetration], at, v, np.zeros(9)))


class Noses:
    """Both balls; whoever comes first to an instant lays down the force that the other one feels.

    Attributes:
        ends: what stands in either mock-up's way.
        depth: of the balls in each other at the newest instant [m].
    """

    def __init__(self, touch: Touch, noses: Array, radii: Array, poses: tuple[Array, Array]) -> None:
        """Begin with both mock-ups at rest.

        Args:
            touch: what the noses are made of.
            noses: the balls' middles from the objects' centres, object axes [m], shape (2, 3).
            radii: of the balls [m], shape (2,).
            poses: of both objects in world, (4, 4) each.
        """
        self._touch, self._noses, self._reach = touch, noses, float(sum(radii))
        self._radii = radii
        self._t = [0.0, 0.0]
        self._at, self._v = np.zeros((2, 3)), np.zeros((2, 3))
        for index, T in enumerate(poses):
            self._move(index, 0.0, T, np.zeros(6))
        self._laid: tuple[deque[tuple[float, Array, Array, float]], ...] = (
            deque(maxlen=KEPT),
            deque(maxlen=KEPT),
        )
        self.depth = self._force()[2]
        self.ends = NoseEnd(self, 0), NoseEnd(self, 1)

    def other(self, index: int) -> tuple[Array, Array]:
        """Return place [m] and velocity [m/s] of the other mock-up's ball, world axes."""
        return self._at[1 - index], self._v[1 - index]

    def felt(self, index: int, t: float, T_world_object: Array, twist: Array) -> tuple[Array, Array, float]:
        """Return force [N], its point [m] and the depth [m] that one mock-up meets at an instant [s].

        Who comes first takes the other one to go on as it last did.
        """
        self._move(index, t, T_world_object, twist)
        others = self._laid[1 - index]
        while others and others[0][0] < t - ROUNDING:
            others.popleft()
        if others and others[0][0] < t + ROUNDING:
            _, force, at, self.depth = others.popleft()
            return -force, at, self.depth
        force, at, self.depth = self._force(t - self._t[1 - index], 1 - index)
        force = force if index == 0 else -force
        self._laid[index].append((t, force, at, self.depth))
        return force, at, self.depth

    def _move(self, index: int, t: float, T: Array, twist: Array) -> None:
        r = T[:3, :3] @ self._noses[index]
        self._t[index] = t
        self._at[index], self._v[index] = T[:3, 3] + r, twist[:3] + np.cross(twist[3:], r)

    def _force(self, ahead: float = 0.0, which: int = 0) -> tuple[Array, Array, float]:
        """Return the first mock-up's force, its point and the depth, with one ball carried on for a time."""
        at = self._at.copy()
        at[which] += ahead * self._v[which]
        apart = at[1] - at[0]
        distance = float(np.linalg.norm(apart))
        n = apart / distance
        depth, rate = self._reach - distance, -float(n @ (self._v[1] - self._v[0]))
        size = max(0.0, self._touch.stiffness * depth + self._touch.damping * rate) if depth > 0.0 else 0.0
        return -size * n, at[0] + (self._radii[0] - 0.5 * depth) * n, depth
