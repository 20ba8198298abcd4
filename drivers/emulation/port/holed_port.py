"""An emulated port with holes: a fixed plate that the pins of the held mock-up really go into."""

from collections.abc import Callable
from typing import Protocol

import numpy as np

from drivers.emulation.port.geometry import plate_pose
from drivers.emulation.port.law import law_of
from drivers.emulation.port.own_sensor import OwnSensor
from drivers.emulation.port.pin_forces import Held, PinContacts, pin_wrench_into
from drivers.emulation.port.touches import Touches
from hil.common.arrays import Array, BoolArray, frozen_array
from hil.common.errors import ConfigurationError
from hil.common.geometry import matrix_from_quat, quat_from_rotvec
from hil.configuration.frames import Frames
from hil.configuration.port import Port
from hil.configuration.schema import Configuration

STILL = frozen_array([0.0, 0.0, 0.0])


class HoledPort:
    """A plate with holes and what it exerts on the pins, by the true motion of what the arm holds.

    Attributes:
        touches: its touches so far.
        wrench_world: on the mock-up about the object's centre, world axes [N, N m], shape (6,), live.
        depths: of the tips below the face, over that of a seated one, shape (pins,), live.
    """

    def __init__(
        self, port: Port, find: Callable[[Array], PinContacts], seat: float, T_world_object: Array, seed: int
    ) -> None:
        """Stand before the object at its pose (4, 4), untouched.

        Args:
            port: its table.
            find: tells where the pins touch, from the pose of their frame in world, shape (4, 4).
            seat: depth of a tip's centre below the face that touches the bottom [m].
            T_world_object: pose of what the arm holds.
            seed: of the noise of its own sensor.

        Raises:
            ConfigurationError: a pin begins in the plate, or behind its face.
        """
        self._find, self._law = find, law_of(port)
        self._T_object_pins = np.eye(4)
        self._T_object_pins[:3, :3] = matrix_from_quat(quat_from_rotvec(port.pins_rotvec))
        self._T_object_pins[:3, 3] = port.pins_position
        T = plate_pose(port)
        found = find(T_world_object @ self._T_object_pins)
        many = len(found.tips)
        self._held = Held(np.zeros(many, np.bool_), T[:3, 3].copy(), T[:3, 2].copy(), seat)
        self.touches, self.wrench_world, self.depths = Touches(), np.zeros(6), np.empty(many)
        self._sensor = OwnSensor(port, seed)
        self._look(found, -np.inf)
        if len(found.rows) or self.depths.max() >= 0.0:
            raise ConfigurationError(
                "port.interfaces: a pin of the mock-up begins in the plate or behind its face; move the "
                "plate away by port.point_mm, against port.normal, or let the arm begin elsewhere "
                "(robot.start_deg)"
            )

    @property
    def latched(self) -> BoolArray:
        """Which tips are held at the bottom of their holes, shape (pins,), live."""
        return self._held.latched

    @property
    def penetration(self) -> float:
        """How deep the deepest contact is [m]; negative: how far the nearest tip is from the face."""
        return self._deepest

    @property
    def v(self) -> Array:
        """Its velocity: none."""
        return STILL

    @property
    def p(self) -> Array:
        """The middle of its face, world [m], shape (3,)."""
        return self._held.origin

    @property
    def bent(self) -> Array:
        """What device and arm give way by: nothing."""
        return STILL

    def step(self, t_0: float, t_1: float, T_world_object: Array, twist: Array) -> None:
        """Go on from `t_0` to `t_1` [s]; arguments as of `EmulatedPort.step`."""
        found = self._find(T_world_object @ self._T_object_pins)
        p = T_world_object[:3, 3].copy()
        deepest = pin_wrench_into(
            self.wrench_world, found.rows, found.pins, found.tips, self._law, self._held, p, twist
        )
        self._look(found, deepest)
        self.touches.add(t_0, t_1, self.wrench_world)
        self._sensor.read(self.wrench_world, p, self.p)

    def told(self) -> Array:
        """Return the same row as `EmulatedPort.told`, shape (22,)."""
        place = self.penetration, *self.p, *self.v, *self.bent
        return np.concatenate((self.wrench_world, place, self._sensor.reading))

    def _look(self, found: PinContacts, deepest: float) -> None:
        """Take in how deep the tips are, and the deepest contact; -inf: there is none."""
        depths = (self._held.origin - found.tips) @ self._held.normal
        self.depths[:] = depths / self._held.seat
        self._deepest = deepest if np.isfinite(deepest) else min(0.0, float(depths.max()))


class AnyPort(Protocol):
    """Whatever stands in the held mock-up's way and pushes it where they touch; as in `EmulatedPort`."""

    touches: Touches
    wrench_world: Array

    @property
    def penetration(self) -> float:
        """How deep the deepest contact is [m]."""

    def step(self, t_0: float, t_1: float, T_world_object: Array, twist: Array) -> None:
        """Go on from `t_0` to `t_1` [s]."""

    def told(self) -> Array:
        """Return its row of a trace, shape (22,)."""


PortMaker = Callable[[Configuration, Frames, Array], AnyPort]
