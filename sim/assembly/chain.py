"""An assembly: components joined marker to marker, from the base to the tip. Immutable, so undo is a list."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from hil.common.arrays import Array
from hil.common.errors import AssemblyError
from hil.common.geometry import matrix_from_quat, quat_from_rotvec
from sim.assembly.component_schema import ComponentFile, ComponentSource, Connector
from sim.assembly.database import Database

FITS = {("male", "female"), ("female", "male"), ("both", "both")}
SAME_SIZE = 1e-9  # [m]
PART_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")  # what every format of exported models can say


@dataclass(frozen=True)
class Part:
    """A component in its place.

    Attributes:
        name: within the assembly.
        component: what it is.
        turn: about the marker where it is joined [rad].
    """

    name: str
    component: ComponentFile
    turn: float = 0.0


@dataclass(frozen=True)
class Chain:
    """Parts in the order in which they are joined; the first stands on the ground.

    Attributes:
        name: of the assembly.
        database: where its components come from.
        parts: see `Part`.
        gravity: in the base's axes [m/s2].
        text: what it is, in words.
        source: of its dimensions.
        sources: of components beside the shipped ones, as the assembly's file names them.
    """

    name: str
    database: Database
    parts: tuple[Part, ...] = ()
    gravity: tuple[float, float, float] = (0.0, 0.0, -9.81)
    text: str = ""
    source: str = ""
    sources: tuple[ComponentSource, ...] = ()

    def add(self, component: str, turn_deg: float = 0.0, name: str = "") -> "Chain":
        """Return the chain with one part more at its end.

        Args:
            component: its name in the database.
            turn_deg: about the marker where it is joined.
            name: of the part; empty: the component's, numbered if it is there already.

        Raises:
            AssemblyError: there is no such component, it does not fit, or the name is none or taken.
        """
        found = self.database[component]
        if why := self.why_not(found):
            raise AssemblyError(f"{self.name}: {why}")
        if not math.isfinite(turn_deg):
            raise AssemblyError(f"{self.name}: turn_deg = {turn_deg} of {component!r} is no angle")
        if name and not PART_NAME.fullmatch(name):
            raise AssemblyError(
                f"{self.name}: {name!r} is no name for a part: letters, digits, - _ and ., none of the last "
                "three first"
            )
        taken = {part.name for part in self.parts}
        if name in taken:
            raise AssemblyError(f"{self.name}: there is a part {name!r} already; give it another name")
        part = Part(name or _free(found.name, taken), found, math.radians(turn_deg))
        return replace(self, parts=(*self.parts, part))

    def without_last(self) -> "Chain":
        """Return the chain without its last part."""
        return replace(self, parts=self.parts[:-1])

    def why_not(self, component: ComponentFile) -> str:
        """Return why a component cannot come next; empty if it can."""
        if component.kind in ("motor", "gear", "brake", "torque_sensor"):
            return f"{component.name!r} is a {component.kind}: a joint names it, it is no part of a chain"
        if not self.parts:
            return (
                "" if component.input is None else f"{component.name!r} is no base: a chain begins with one"
            )
        if component.input is None:
            return f"{component.name!r} is a base, and the chain has one: {self.parts[0].name!r}"
        last = self.parts[-1]
        if last.component.kind == "tool":
            return f"behind the tool {last.name!r} nothing is joined"
        assert last.component.output is not None  # a rule of components
        return misfit(last.name, last.component.output, component.name, component.input)

    def __iter__(self) -> Iterator[Part]:
        return iter(self.parts)

    def __len__(self) -> int:
        return len(self.parts)


def misfit(before: str, output: Connector, after: str, inlet: Connector) -> str:
    """Return why an output and an input do not fit, both sides named; empty if they do."""
    sides = f"{before!r} ({_side(output)}) and {after!r} ({_side(inlet)}) do not fit"
    if output.type != inlet.type:
        return f"{sides}: of different type"
    if abs(output.size - inlet.size) > SAME_SIZE:
        return f"{sides}: of different size"
    return "" if (output.gender, inlet.gender) in FITS else f"{sides}: {output.gender} to {inlet.gender}"


def _side(connector: Connector) -> str:
    return f"{connector.gender} {connector.type} {1e3 * connector.size:g} mm"


def _free(name: str, taken: set[str]) -> str:
    """Return the name, or the first that is free of name_2, name_3, ..."""
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name}_{number}"
    return free


def marker(connector: Connector) -> Array:
    """Return the pose of a connector's marker in the frame of its body, shape (4, 4)."""
    return pose_of(connector.position, connector.rotvec)


def pose_of(position: Array, rotvec: Array) -> Array:
    """Return the pose (4, 4) of a position [m] and a rotation vector [rad]."""
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = matrix_from_quat(quat_from_rotvec(rotvec)), position
    return T
