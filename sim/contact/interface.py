"""Interfaces: a pattern of pins on one body that belongs to a pattern of holes in a plate on another.

They are declared in a TOML file beside the MJCF; pins and plates exist only for the contact simulation.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

import mujoco
import numpy as np
from pydantic import ValidationError

from hil.common.arrays import Array, frozen_array
from hil.common.errors import InterfaceError
from hil.common.geometry import matrix_from_quat, quat_from_rotvec
from hil.configuration.faults import sentences
from hil.configuration.loading import table_of, text_of
from sim.contact.interface_rules import interface_faults
from sim.contact.interface_schema import InterfaceFile, InterfaceSection, Material, Seal, Snaps
from sim.mating.o_ring_schema import ORingSection
from sim.mating.snap_schema import SnapSection

Friction = TypeVar("Friction", ORingSection, SnapSection)


@dataclass(frozen=True, eq=False)
class Pins:
    """Equal parallel pins on one body.

    Attributes:
        body: name of the body in the MJCF.
        material: of all of them.
        radius: [m].
        length: from a foot to the centre of its tip's half sphere [m].
        axis: unit vector from foot to tip, in the body's frame, shape (3,).
        places: feet in the body's frame [m], shape (n, 3).
    """

    body: str
    material: Material
    radius: float
    length: float
    axis: Array
    places: Array

    @property
    def tips(self) -> Array:
        """Centres of the tips' half spheres in the body's frame [m], shape (n, 3)."""
        return self.places + self.length * self.axis


@dataclass(frozen=True, eq=False)
class Plate:
    """A box with holes on one body; its frame lies in the centre of the top face, z out of it.

    Attributes:
        body: name of the body in the MJCF.
        material: of the whole plate.
        p_body_plate: origin of the plate's frame in the body's [m], shape (3,).
        R_body_plate: its axes, shape (3, 3).
        size: half widths along x and y, and height [m], shape (3,).
        holes: centre x, y of the opening, radius and height of the cylinder [m], shape (K, 4).
    """

    body: str
    material: Material
    p_body_plate: Array
    R_body_plate: Array
    size: Array
    holes: Array


@dataclass(frozen=True, eq=False)
class Interface:
    """Pins and the plate with the holes that they are meant for; pin i belongs to hole i.

    Attributes:
        name: of the interface.
        pins: on one body.
        plate: on another.
        seals: O-rings beside the pins.
        snaps: latches beside the pins.
    """

    name: str
    pins: Pins
    plate: Plate
    seals: tuple[Seal, ...] = ()
    snaps: tuple[Snaps, ...] = ()

    def blunter(self, times: float) -> "Interface":
        """Return it with friction of seals and latches that fades at a higher speed, `times` as high."""
        seals = (s.model_copy(update={"o_ring": _blunter(s.o_ring, times)}) for s in self.seals)
        snaps = (s.model_copy(update={"fastener": _blunter(s.fastener, times)}) for s in self.snaps)
        return replace(self, seals=tuple(seals), snaps=tuple(snaps))


def _blunter(section: Friction, times: float) -> Friction:
    return section.model_copy(update={"slip": times * section.slip})


def load_interfaces(path: Path) -> list[Interface]:
    """Return the interfaces declared in a file.

    Raises:
        ConfigurationError: the file cannot be read or is no TOML.
        InterfaceError: it breaks a rule; every fault is named with key, value, bound and remedy.
    """
    try:
        file = InterfaceFile.model_validate(table_of(text_of(path), path))
    except ValidationError as error:
        raise InterfaceError("\n".join(f"{path}: {s}" for s in sentences(error, InterfaceFile))) from None
    faults = interface_faults(file)
    if faults:
        raise InterfaceError("\n".join(f"{path}: {fault}" for fault in faults))
    return [_interface(section, file.material) for section in file.interface]


def check_bodies(interfaces: Sequence[Interface], model: mujoco.MjModel) -> None:
    """Refuse interfaces whose bodies a scene does not have.

    Raises:
        InterfaceError: every missing body is named, with those that there are.
    """
    known = [model.body(i).name for i in range(1, model.nbody)]
    faults = [
        f"there is no body {body!r} (interface {interface.name!r}, {key}); bodies: "
        + (", ".join(map(repr, known)) or "none")
        for interface in interfaces
        for key, body in (("pins.body", interface.pins.body), ("plate.body", interface.plate.body))
        if body not in known
    ]
    if faults:
        raise InterfaceError("\n".join(faults))


def _interface(section: InterfaceSection, materials: dict[str, Material]) -> Interface:
    """Return the interface that a section describes."""
    pins, plate = section.pins, section.plate
    holes = np.empty((len(plate.holes.places), 4))
    holes[:, :2] = plate.holes.places
    holes[:, 2:] = plate.holes.radius, plate.holes.height
    return Interface(
        section.name,
        Pins(
            pins.body,
            materials[pins.material],
            pins.radius,
            pins.length,
            frozen_array(pins.axis / math.sqrt(float(pins.axis @ pins.axis))),
            pins.places,
        ),
        Plate(
            plate.body,
            materials[plate.material],
            plate.position,
            frozen_array(matrix_from_quat(quat_from_rotvec(plate.rotvec))),
            frozen_array([*plate.half_widths, plate.height]),
            frozen_array(holes),
        ),
        section.seal,
        section.snap,
    )
