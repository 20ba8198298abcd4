"""The emulated port: stands in the held mock-up's way, and pushes it where they touch."""

import numpy as np

from drivers.emulation.port.geometry import feet_of, planes_of
from drivers.emulation.port.law import law_of
from drivers.emulation.port.own_sensor import OwnSensor
from drivers.emulation.port.stepping import at_rest, feet_into, port_step
from drivers.emulation.port.touches import Touches
from hil.common.arrays import Array, plain_numbers
from hil.common.errors import ConfigurationError
from hil.configuration.frames import Frames
from hil.configuration.schema import Configuration


class EmulatedPort:
    """A port and what it exerts on the mock-up, by the true motion of what the arm holds.

    Attributes:
        feet: the mock-up's contact points, from the object's centre, object axes [m], shape (feet, 3).
        planes: points [m] and normals of its face where it began, world axes, shape (planes, 6).
        touches: its touches so far.
        wrench_world: on the mock-up about the object's centre, world axes [N, N m], shape (6,), live.
    """

    def __init__(self, configuration: Configuration, frames: Frames, T_world_object: Array) -> None:
        """Stand before the object at its pose (4, 4), untouched.

        Raises:
            ConfigurationError: a foot begins behind the face.
        """
        port = configuration.port
        assert port is not None
        R_world_tcp = T_world_object[:3, :3] @ frames.T_tcp_object[:3, :3].T
        self.planes = planes_of(port)
        self.feet = np.ascontiguousarray(
            feet_of(port, configuration.mockup.edge, frames.T_tcp_object, R_world_tcp)
        )
        self._law = law_of(port)
        self._state = at_rest(len(self.feet), len(self.planes))
        self._before, self._after = np.empty_like(self.feet), np.empty_like(self.feet)
        feet_into(self._after, self.feet, T_world_object)
        self.touches, self.wrench_world = Touches(), self._state.wrench
        self._sensor = OwnSensor(port, configuration.run.seed)
        for foot, (foot_at, state_x) in enumerate(zip(self._after, self._state.x, strict=True)):
            for k, plane in enumerate(self.planes):
                state_x[k] = plane[3:] @ (plane[:3] - foot_at)
            if state_x.max() >= 0.0:
                raise ConfigurationError(
                    f"port.point_mm = {plain_numbers(1e3 * port.point)}: foot {foot + 1} of the mock-up "
                    f"begins {1e3 * state_x.max():.3g} mm behind the port's face; move the face away, "
                    "against port.normal, or let the arm begin elsewhere (robot.start_deg)"
                )

    @property
    def penetration(self) -> float:
        """How deep the deepest foot is in the face [m]; negative: how far away the nearest is."""
        return float(self._state.x.max())

    @property
    def v(self) -> Array:
        """Its velocity, world axes [m/s], shape (3,), live."""
        return self._state.v

    @property
    def p(self) -> Array:
        """Where the point of its face is now, world [m], shape (3,)."""
        place: Array = self.planes[0, :3] + self._state.way
        return place

    @property
    def bent(self) -> Array:
        """What device and arm give way by: the mock-up is so far off the joints' pose [m], (3,), live."""
        return self._state.bent

    def step(self, t_0: float, t_1: float, T_world_object: Array, twist: Array) -> None:
        """Go on from `t_0` to `t_1` [s].

        Args:
            t_0: start of the grid step.
            t_1: its end.
            T_world_object: the object's pose at the end of the step, shape (4, 4).
            twist: its twist, world axes, shape (6,).
        """
        self._before, self._after = self._after, self._before
        feet_into(self._after, self.feet, T_world_object)
        p = T_world_object[:3, 3].copy()
        port_step(self._state, self._law, self.planes, self._before, self._after, p, twist, t_1 - t_0)
        self.touches.add(t_0, t_1, self.wrench_world)
        self._sensor.read(self.wrench_world, p, self.p)

    def told(self) -> Array:
        """Return wrench (6), penetration, point, velocity, deflection, sensor's reading (6), shape (22,)."""
        place = self.penetration, *self.p, *self.v, *self.bent
        return np.concatenate((self.wrench_world, place, self._sensor.reading))
