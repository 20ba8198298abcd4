"""An arm's URDF taken apart: seven joints that turn, from base to flange, with limits and solids."""

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np

from hil.common.arm_files import read_arm
from hil.common.arm_units import look_at_units
from hil.common.arrays import Array
from hil.common.errors import RobotModelError
from planner.kinematics.arm_geometry import JOINTS

FLANGE_LINK = "flange"
# attributes of numbers without which nothing can be reckoned; limits are looked at with their joint
NUMBERS = (
    "xyz",
    "rpy",
    "value",
    "ixx",
    "iyy",
    "izz",
    "ixy",
    "ixz",
    "iyz",
    "radius",
    "length",
    "size",
    "scale",
)


def urdf_root(path: Path) -> ElementTree.Element:
    """Return the root of the URDF that the file of an arm is, or is made into.

    Raises:
        RobotModelError: it cannot be read, is none, or is in other units.
    """
    try:
        root = ElementTree.fromstring(read_arm(path).urdf)
    except OSError as error:
        raise RobotModelError(f"cannot be read: {error.strerror}") from error
    except ElementTree.ParseError as error:
        raise RobotModelError(f"is no XML: {error}") from error
    if any("xacro" in element.tag for element in root.iter()):
        raise RobotModelError("is a template of xacro: expand it first (`xacro FILE > arm.urdf`)")
    for element in root.iter():
        _refuse_what_is_no_number(element)
    if root.tag != "robot":
        raise RobotModelError(f"is no URDF: the root element is <{root.tag}>, expected <robot>")
    look_at_units(root)
    return root


def _refuse_what_is_no_number(element: ElementTree.Element) -> None:
    """Refuse numbers that are not finite, which the physics engine takes, and what a template leaves open."""
    for key, text in element.attrib.items():
        where = f'<{element.tag} {key}="{text}">'
        if "${" in text or "$(" in text:
            raise RobotModelError(f"{where} is of a template: expand it first (`xacro FILE > arm.urdf`)")
        if key not in NUMBERS:
            continue
        words = [word.lower().lstrip("+-") for word in text.split()]
        if any(word.startswith(("nan", "inf")) for word in words):
            raise RobotModelError(f"{where} must be finite")


def joints_of(root: ElementTree.Element) -> tuple[list[ElementTree.Element], ElementTree.Element]:
    """Return the seven revolute joints from base to flange, and the fixed joint of the flange.

    Raises:
        RobotModelError: there is another chain.
    """
    by_parent: dict[str, list[ElementTree.Element]] = {}
    children = set()
    for joint in root.findall("joint"):
        if not joint.get("name"):
            raise RobotModelError("a joint has no name")
        by_parent.setdefault(link_of(joint, "parent"), []).append(joint)
        children.add(link_of(joint, "child"))
    roots = [parent for parent in by_parent if parent not in children]
    if len(roots) != 1:
        raise RobotModelError(f"expected one chain of links, found {len(roots)} roots: {sorted(roots)}")
    for loose in root.findall("link"):
        if (name := loose.get("name", "")) not in {*by_parent, *children, FLANGE_LINK}:
            raise RobotModelError(f"link {name!r} hangs on no joint: join it, or take it out")
    moving: list[ElementTree.Element] = []
    link = roots[0]
    while following := by_parent.pop(link, []):
        if len(following) > 1:
            names = ", ".join(str(joint.get("name")) for joint in following)
            raise RobotModelError(f"link {link!r} branches into joints {names}; a serial chain is needed")
        joint = following[0]
        link = link_of(joint, "child")
        if link == FLANGE_LINK:
            if len(moving) != JOINTS:
                raise RobotModelError(
                    f"{len(moving)} revolute joints before the flange, {JOINTS} are needed: messages and the "
                    f"robot's interface have {JOINTS}"
                )
            if joint.get("type") != "fixed":
                raise RobotModelError(f"joint {joint.get('name')!r} of the flange must be fixed")
            return moving, joint
        if joint.get("type") != "revolute":
            raise RobotModelError(
                f"joint {joint.get('name')!r} is {joint.get('type')!r}; only revolute joints may come "
                f"before link {FLANGE_LINK!r}"
            )
        if (mimic := joint.find("mimic")) is not None:
            raise RobotModelError(
                f"joint {joint.get('name')!r} mimics {mimic.get('joint')!r}: before the flange each joint "
                "must turn by itself"
            )
        moving.append(joint)
    raise RobotModelError(f"no link {FLANGE_LINK!r} at the end of the chain (last is {link!r}); add it")


def link_of(joint: ElementTree.Element, role: str) -> str:
    """Return the name of the link that is a joint's parent or child."""
    element = joint.find(role)
    name = element.get("link") if element is not None else None
    if not name:
        raise RobotModelError(f"joint {joint.get('name')!r} has no <{role} link=...>")
    return name


def numbers(text: str | None, default: str, where: str) -> Array:
    """Return as many numbers as the default has, or the default where there is no text."""
    try:
        values = np.array([float(part) for part in (text or default).split()])
    except ValueError:
        values = np.array([np.nan])
    if values.shape != (len(default.split()),) or not np.all(np.isfinite(values)):
        raise RobotModelError(f"{where}: {text!r} is not {len(default.split())} numbers")
    return values


def origin_of(holder: ElementTree.Element, where: str) -> Array:
    """Return the pose (4, 4) of an element's <origin> (URDF: fixed-axis roll, pitch, yaw)."""
    element = holder.find("origin")
    xyz = numbers(element.get("xyz") if element is not None else None, "0 0 0", where)
    rpy = numbers(element.get("rpy") if element is not None else None, "0 0 0", where)
    (cr, cp, cy), (sr, sp, sy) = np.cos(rpy), np.sin(rpy)
    T = np.eye(4)
    T[:3, :3] = [
        [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
        [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
        [-sp, cp * sr, cp * cr],
    ]
    T[:3, 3] = xyz
    return T


def axis_of(joint: ElementTree.Element) -> Array:
    """Return the axis of a joint in its own frame, of length one, shape (3,)."""
    element = joint.find("axis")
    name = f"joint {joint.get('name')!r}"
    axis = numbers(element.get("xyz") if element is not None else None, "1 0 0", name)
    norm = float(np.linalg.norm(axis))
    if norm == 0.0:
        raise RobotModelError(f"{name} turns about an axis without length: <axis xyz={axis.tolist()}>")
    return np.asarray(axis / norm)


def limits_of(joint: ElementTree.Element) -> tuple[float, float, float]:
    """Return a joint's lowest and highest position [rad] and its largest speed [rad/s]."""
    element, name = joint.find("limit"), f"joint {joint.get('name')!r}"
    values = []
    for key in ("lower", "upper", "velocity"):
        text = element.get(key) if element is not None else None
        if text is None:
            raise RobotModelError(f"{name} has no <limit {key}=...>")
        values.append(float(numbers(text, "0", name)[0]))
    lower, upper, velocity = values
    if not lower < upper:
        raise RobotModelError(f"{name} has limits [{lower}, {upper}] rad; lower must be below upper")
    if velocity <= 0.0:
        raise RobotModelError(f"{name} has velocity limit {velocity}, must be above 0")
    return lower, upper, velocity
