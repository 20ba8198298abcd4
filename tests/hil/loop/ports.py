"""Ports that are no good neighbours: they break away, push, clamp, pull, or are somebody's hand."""

from collections.abc import Callable

import numpy as np

from drivers.emulation.port.emulated_port import EmulatedPort
from hil.common.arrays import Array

# time [s], depth behind the face [m], speed inwards [m/s], the own port's force [N]: force out of the face
Exerts = Callable[[float, float, float, float], float]


class OtherPort(EmulatedPort):
    """A port whose force along its normal is another one; it acts where the own one would.

    Attributes:
        most: the greatest force so far [N].
        work: what it has done on the mock-up [J].
    """

    def __init__(self, own: EmulatedPort, exerts: Exerts) -> None:
        """Take the place of `own`.

        Args:
            own: the port of the configuration.
            exerts: force on the mock-up out of the face [N] from time [s], depth of its foot behind the face
                [m], its speed inwards [m/s], and what the own port exerts [N].
        """
        self.__dict__.update(own.__dict__)
        self._exerts = exerts
        self.most = self.work = 0.0

    def step(self, t_0: float, t_1: float, T_world_object: Array, twist: Array) -> None:
        """Go on as the own one does, and exert the other force."""
        super().step(t_0, t_1, T_world_object, twist)
        point, normal = self.planes[0, :3], self.planes[0, 3:]
        lever = self._after[0] - T_world_object[:3, 3]
        v = twist[:3] + np.cross(twist[3:], lever)
        depth = float(normal @ (point - self._after[0]))
        own = float(normal @ self._state.wrench[:3])
        force = self._exerts(t_1, depth, -float(normal @ v), own) * normal
        self._state.wrench[:3], self._state.wrench[3:] = force, np.cross(lever, force)
        self.most = max(self.most, float(np.linalg.norm(force)))
        self.work += float(force @ v) * (t_1 - t_0)


def exerting(exerts: Exerts) -> Callable[[EmulatedPort], OtherPort]:
    """Return what puts such a port in the place of a flight's own."""
    return lambda own: OtherPort(own, exerts)
