"""A run's arm as one URDF that any viewer reads: its base with joints, its mount, the held mock-up.

theory: a platform is `base_x`, `base_y` along the world's axes, then `base_heading` about z; a rail is
`base_along` its line; an arm that stands has none of them. Then come, as the run has them, the mount, the arm
as in its own file, tool and mock-up, whose box is drawn, and the frame `object`, the floating body's centre.
What a vehicle weighs nobody says: its links have a gram, without which no engine moves them.
"""

import math
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
from scipy.spatial.transform import Rotation

from drivers.robot.urdf_for_physics import FLANGE
from hil.common.arm_files import read_arm
from hil.common.arrays import Array
from hil.common.errors import RobotModelError
from hil.configuration import Configuration
from hil.configuration.frames import Frames, mockup_centre
from hil.loop.base_solids import base_solids

ENDLESS = 1e3  # [m] of a way whose end nobody says
GRAM = 1e-3, np.full(3, 1e-6), np.eye(4)  # mass, inertia and where, of what only carries
MOCKUP_COLOUR = (0.85, 0.7, 0.3, 1.0)
Element = ElementTree.Element


def setting_urdf(c: Configuration) -> str:
    """Return the URDF of a configuration's arm with all that carries it, and what it holds.

    Raises:
        RobotModelError: the arm's file is no URDF, or has a link or joint of a name that is needed here.
    """
    path, frames = c.robot.model, Frames.from_configuration(c)
    root = _arm(path)
    foot = _foot(root, path)
    written = _Written(root, path)
    written.link("world")
    carrier = _base(written, c)
    written.joint("mount", "fixed", carrier, foot, frames.T_world_base)
    edge, centre = c.mockup.edge, np.eye(4)
    centre[:3, 3] = mockup_centre(c)
    mockup = written.link("mockup")
    _weighs(mockup, c.mockup.mass, c.mockup.inertia, centre)
    _box(mockup, np.full(3, edge), centre, MOCKUP_COLOUR)
    written.joint("tool", "fixed", FLANGE, "mockup", frames.T_flange_tcp)
    written.link("object")
    written.joint("object_centre", "fixed", "mockup", "object", frames.T_tcp_object)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def base_joints(c: Configuration) -> tuple[str, ...]:
    """Return the names of the base's joints, from the world on."""
    return {"none": (), "rail": ("base_along",), "platform": ("base_x", "base_y", "base_heading")}[
        c.base.kind
    ]


def _arm(path: Path) -> Element:
    """Return the arm's own description; meshes beside its file are named by their place."""
    try:
        root = ElementTree.fromstring(read_arm(path).urdf)
    except ElementTree.ParseError as error:
        raise RobotModelError(f"{path}: is no XML: {error}") from error
    for mesh in root.iter("mesh"):
        name = mesh.get("filename", "")
        if name and "://" not in name:
            mesh.set("filename", str((path.parent / name).resolve()))
    return root


def _foot(root: Element, path: Path) -> str:
    """Return the name of the link that no joint moves."""
    children = {str(child.get("link")) for child in root.findall("joint/child")}
    free = [str(link.get("name")) for link in root.findall("link") if link.get("name") not in children]
    if len(free) != 1:
        raise RobotModelError(f"{path}: {len(free)} links hang on no joint, one is needed: the arm's foot")
    return free[0]


class _Written:
    """An arm's description that links and joints are added to, by names that are its own."""

    def __init__(self, root: Element, path: Path) -> None:
        self._root, self._path = root, path
        self._names = {(e.tag, e.get("name")) for tag in ("link", "joint") for e in root.findall(tag)}

    def link(self, name: str) -> Element:
        """Add a link."""
        return self._added("link", name)

    def joint(self, name: str, kind: str, parent: str, child: str, T: Array | None = None) -> Element:
        """Add a joint; `T`: pose of the child in the parent at zero, shape (4, 4)."""
        joint = self._added("joint", name)
        joint.set("type", kind)
        ElementTree.SubElement(joint, "parent", link=parent)
        ElementTree.SubElement(joint, "child", link=child)
        _origin(joint, np.eye(4) if T is None else T)
        return joint

    def _added(self, tag: str, name: str) -> Element:
        if (tag, name) in self._names:
            raise RobotModelError(
                f"{self._path}: its {tag} {name!r} has the name of one that carries or holds: rename it"
            )
        self._names.add((tag, name))
        return ElementTree.SubElement(self._root, tag, name=name)


def _base(written: _Written, c: Configuration) -> str:
    """Add what carries the arm, with its joints; return the link on which the mount stands."""
    base = c.base
    if base.kind == "none":
        return "world"
    low, high = np.full(2, -ENDLESS), np.full(2, ENDLESS)
    if base.floor is not None:
        low, high = base.floor
    if base.kind == "rail":
        line = np.array([math.cos(base.axis_yaw), math.sin(base.axis_yaw)])
        i = int(np.argmax(np.abs(line)))  # a rail lies along an axis of the world
        ends = sorted((low[i] * line[i], high[i] * line[i]))
        _way(written.joint("base_along", "prismatic", "world", "base"), [*line, 0.0], ends, base.max_speed)
    else:
        for name, parent, i in (("base_x", "world", 0), ("base_y", "base_x", 1)):
            _weighs(written.link(name), *GRAM)
            joint = written.joint(name, "prismatic", parent, name)
            _way(joint, np.eye(3)[i].tolist(), [low[i], high[i]], base.max_speed)
        turning = "continuous" if base.winding is None else "revolute"
        joint = written.joint("base_heading", turning, "base_y", "base")
        most = math.pi if base.winding is None else base.winding
        _way(joint, [0.0, 0.0, 1.0], [-most, most], base.max_turn)
    link = written.link("base")
    _weighs(link, *GRAM)
    for solid in base_solids(c):
        T = np.eye(4)
        T[:3, 3] = solid.p
        _box(link, solid.size, T, tuple(solid.rgba))
    return "base"


def _way(joint: Element, axis: list[float], ends: list[float], speed: float) -> None:
    """Say along what a joint moves, how far and how fast."""
    ElementTree.SubElement(joint, "axis", xyz=_numbers(axis))
    said = {"lower": ends[0], "upper": ends[1], "velocity": speed, "effort": 1e3}
    ElementTree.SubElement(joint, "limit", {name: repr(float(value)) for name, value in said.items()})


def _weighs(link: Element, mass: float, inertia: Array, T: Array) -> None:
    """Say what a link weighs [kg], and its moments of inertia [kg m2], shape (3,), about `T`'s axes."""
    inertial = ElementTree.SubElement(link, "inertial")
    _origin(inertial, T)
    ElementTree.SubElement(inertial, "mass", value=repr(float(mass)))
    moments = dict(zip(("ixx", "iyy", "izz"), map(repr, inertia.tolist()), strict=True))
    ElementTree.SubElement(inertial, "inertia", moments | dict.fromkeys(("ixy", "ixz", "iyz"), "0"))


def _box(link: Element, size: Array, T: Array, rgba: tuple[float, ...]) -> None:
    visual = ElementTree.SubElement(link, "visual")
    _origin(visual, T)
    ElementTree.SubElement(ElementTree.SubElement(visual, "geometry"), "box", size=_numbers(size.tolist()))
    material = ElementTree.SubElement(visual, "material", name=f"{link.get('name')}_colour")
    ElementTree.SubElement(material, "color", rgba=_numbers(rgba))


def _origin(element: Element, T: Array) -> None:
    """Say where something is: roll, pitch and yaw about the parent's axes, in this order."""
    rpy = Rotation.from_matrix(T[:3, :3]).as_euler("xyz").tolist()
    ElementTree.SubElement(element, "origin", xyz=_numbers(T[:3, 3].tolist()), rpy=_numbers(rpy))


def _numbers(values: "list[float] | tuple[float, ...]") -> str:
    return " ".join(repr(float(value)) for value in values)
