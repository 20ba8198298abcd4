"""Pins of an interface, and its plate where it stands in the world: where they touch."""

import numpy as np

from drivers.emulation.port.pin_forces import PinContacts
from hil.common.arrays import Array
from hil.common.errors import ConfigurationError
from hil.configuration.port import Port
from sim.contact.interface import Interface, load_interfaces
from sim.contact.pairs import PIN, PinPairs, contacts_into

PLATE_BODY, PINS_BODY = 0, 1


def interface_of(port: Port) -> Interface:
    """Return the one interface of a port's file.

    Raises:
        ConfigurationError: there are several, or it has seals or latches beside the pins.
    """
    assert port.interfaces is not None
    found = load_interfaces(port.interfaces)
    if len(found) != 1:
        raise ConfigurationError(
            f"port.interfaces = {str(port.interfaces)!r} has {len(found)} interfaces; one is wanted"
        )
    if found[0].seals or found[0].snaps:
        raise ConfigurationError(
            f"port.interfaces = {str(port.interfaces)!r} has seals or snap latches, which no emulated port "
            "has: take them out, or write port.latch = true for tips that are held at the bottom"
        )
    return found[0]


class Pattern:
    """Pins of an interface, and its plate where it stands in the world: where do they touch?"""

    def __init__(self, interface: Interface, T_world_plate: Array) -> None:
        """Put the plate at its pose (4, 4)."""
        pins, plate = interface.pins, interface.plate
        many, holes = len(pins.places), len(plate.holes)
        self._pairs = PinPairs(
            np.eye(3, 4)[None],
            np.array([plate.size], float),
            np.array([PLATE_BODY]),
            np.array(plate.holes),
            np.array([[0, holes]]),
            np.stack([pins.places, pins.tips], axis=1),
            np.full(many, pins.radius),
            np.full(many, PINS_BODY),
            np.array([[0, many]]),
        )
        self._tips = np.array(pins.tips)
        self._rows, self._which = self._pairs.room
        self._p = np.stack((T_world_plate[:3, 3], np.zeros(3)))
        self._R = np.stack((T_world_plate[:3, :3].ravel(), np.eye(3).ravel()))

    def __call__(self, T_world_pins: Array) -> PinContacts:
        """Return the contacts of pins whose frame is at a pose (4, 4); live until the next call."""
        self._p[PINS_BODY] = T_world_pins[:3, 3]
        self._R[PINS_BODY] = T_world_pins[:3, :3].ravel()
        n = contacts_into(self._rows, self._which, self._pairs, self._p, self._R)
        tips = self._tips @ T_world_pins[:3, :3].T + T_world_pins[:3, 3]
        return PinContacts(self._rows[:n], self._which[:n, PIN], tips)
