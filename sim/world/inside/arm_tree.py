"""The arm inside the object: bodies on joints that turn, from a URDF, as arrays for the kernels.

What is fixed to each other is one body. Body 0 is the base, the object itself with all that is fixed to it;
body `k` turns about joint `k - 1` in its parent. Parents come before their children.
"""

import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hil.common.arm_files import read_arm
from hil.common.arrays import Array, IntArray
from hil.common.errors import ConfigurationError
from sim.world.inside.urdf_parts import Inertial, axis_of, inertial_of, limits_of, origin_of, root_of

TURNING = ("revolute", "continuous")


@dataclass(frozen=True, eq=False)
class ArmTree:
    """An arm on its base, with all joints at 0.

    Attributes:
        names: of the joints, shape (n,).
        parent: number of each body's parent, -1 of the base, shape (n + 1,).
        placement: each body's frame in its parent's, the base's in itself, shape (n + 1, 4, 4).
        axis: of each body's joint in its own frame, of length 1, shape (n + 1, 3).
        mass: [kg], shape (n + 1,).
        centre: of mass in the body's frame [m], shape (n + 1, 3).
        inertia: about it, axes of the body's frame [kg m2], shape (n + 1, 3, 3).
        lower: lowest joint positions [rad], may be infinite, shape (n,).
        upper: highest, likewise.
        velocity: largest joint speeds [rad/s], likewise.
    """

    names: tuple[str, ...]
    parent: IntArray
    placement: Array
    axis: Array
    mass: Array
    centre: Array
    inertia: Array
    lower: Array
    upper: Array
    velocity: Array

    @property
    def carried(self) -> float:
        """Mass of all but the base [kg]."""
        return float(self.mass[1:].sum())

    @property
    def arrays(self) -> tuple[IntArray, Array, Array, Array, Array, Array]:
        """What the kernels take: parent, placement, axis, mass, centre, inertia."""
        return self.parent, self.placement, self.axis, self.mass, self.centre, self.inertia


def bare_base(mass: float, inertia: Array) -> Inertial:
    """Return the object itself: mass [kg] and principal inertia (3,) [kg m2] about its frame."""
    return Inertial(mass, np.zeros(3), np.diag(inertia))


def load_arm_tree(path: Path, T_object_arm: Array, base: Inertial) -> ArmTree:
    """Return the arm of a URDF or an assembly, on its base.

    Args:
        path: of the file.
        T_object_arm: its first link's frame in the object's, shape (4, 4).
        base: the object without the arm.

    Raises:
        ConfigurationError: the file is no such arm; names key, file, link or joint, and remedy.
    """
    try:
        return _Reader(root_of(read_arm(path).urdf), T_object_arm, base).tree()
    except OSError as error:
        raise ConfigurationError(
            f"object.inside.arm = {str(path)!r} cannot be read: {error.strerror}"
        ) from error
    except ValueError as error:
        raise ConfigurationError(f"object.inside.arm = {str(path)!r}: {error}") from error


class _Reader:
    """Walks from the first link outwards and collects bodies."""

    def __init__(self, root: ElementTree.Element, T_object_arm: Array, base: Inertial) -> None:
        self._links = {link.get("name", ""): link for link in root.findall("link")}
        self._joints: dict[str, list[ElementTree.Element]] = {}
        children = set()
        for joint in root.findall("joint"):
            parent, child = (_link_of(joint, role) for role in ("parent", "child"))
            if child in children:
                raise ValueError(f"link {child!r} hangs on two joints: links must form a tree")
            children.add(child)
            self._joints.setdefault(parent, []).append(joint)
        first = [name for name in self._links if name not in children]
        if len(first) != 1:
            raise ValueError(f"expected one first link, found {len(first)}: {', '.join(sorted(first))}")
        self._names: list[str] = []
        self._parent, self._placement, self._axis = [-1], [np.eye(4)], [np.array([0.0, 0.0, 1.0])]
        self._parts: list[list[Inertial]] = [[base]]
        self._limits: list[tuple[float, float, float]] = []
        self._walk(first[0], 0, T_object_arm)

    def _walk(self, name: str, body: int, T_body_link: Array) -> None:
        """Take a link that lies at a pose (4, 4) in a body's frame, and all that hangs on it."""
        if name not in self._links:
            raise ValueError(f"there is no link {name!r}, on which a joint hangs")
        own = inertial_of(self._links[name])
        if own is not None:
            self._parts[body].append(own.at(T_body_link))
        for joint in self._joints.get(name, []):
            child, T = _link_of(joint, "child"), T_body_link @ origin_of(joint)
            if joint.get("type") == "fixed":
                self._walk(child, body, T)
                continue
            if joint.get("type") not in TURNING:
                raise ValueError(
                    f"joint {joint.get('name')!r} is {joint.get('type')!r}: only joints that turn, and fixed "
                    "ones, may be inside an object; fix it"
                )
            self._names.append(joint.get("name", ""))
            self._parent.append(body)
            self._placement.append(T)
            self._axis.append(axis_of(joint))
            self._limits.append(limits_of(joint))
            self._parts.append([])
            self._walk(child, len(self._parts) - 1, np.eye(4))

    def tree(self) -> ArmTree:
        """Return what was collected."""
        if not self._names:
            raise ValueError("no joint turns: there is nothing that moves inside")
        bodies = []
        for number, parts in enumerate(self._parts):
            if not parts:
                raise ValueError(
                    f"what hangs on joint {self._names[number - 1]!r} has no mass: give its links an "
                    "<inertial>"
                )
            bodies.append(Inertial.sum(parts))
        lower, upper, velocity = np.array(self._limits).T
        return ArmTree(
            tuple(self._names), np.array(self._parent, np.int64), np.array(self._placement),
            np.array(self._axis), np.array([body.mass for body in bodies]),
            np.array([body.centre for body in bodies]), np.array([body.inertia for body in bodies]),
            lower, upper, velocity,
        )  # fmt: skip


def _link_of(joint: ElementTree.Element, role: str) -> str:
    element = joint.find(role)
    name = element.get("link") if element is not None else None
    if not name:
        raise ValueError(f"joint {joint.get('name')!r} has no <{role} link=...>")
    return name
