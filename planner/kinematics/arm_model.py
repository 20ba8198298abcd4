"""The arm as the planner sees it: four lengths, seven signs and the limits, read from its URDF.

At zero pose the joint axes of a spherical-rotational-spherical arm are z, y, z, y, z, y, z (each up
to its sign) and cross the line x = y = 0 of the base. Anything else is refused by name of the joint.
"""

import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hil.common.arm_files import read_arm
from hil.common.arrays import Array, frozen_array
from hil.common.errors import RobotModelError

FLANGE_LINK = "flange"
AXIS_TOLERANCE = 1e-6  # of a unit axis' components
OFFSET_TOLERANCE = 1e-6  # [m]
ARM_RADIUS = 0.066  # [m] of the thickest link above the base's foot
LINE_NAMES = ("z", "y", "z", "y", "z", "y", "z")


@dataclass(frozen=True, eq=False)
class ArmModel:
    """A 7R spherical-rotational-spherical arm.

    Attributes:
        names: the joints' names, base to flange.
        lengths: base to shoulder, shoulder to elbow, elbow to wrist, wrist to flange [m], shape (4,).
        signs: +1 or -1, direction of each axis along z, y, z, y, z, y, z at zero pose, shape (7,).
        lower: lowest joint positions [rad], shape (7,).
        upper: highest joint positions [rad], shape (7,).
        velocity: largest joint speeds [rad/s], shape (7,).
    """

    names: tuple[str, ...]
    lengths: Array
    signs: Array
    lower: Array
    upper: Array
    velocity: Array


def load_arm_model(path: Path) -> ArmModel:
    """Return the arm that the URDF or the assembly at `path` describes.

    Raises:
        RobotModelError: the file cannot be read, or its arm breaks a rule; names joint and rule.
    """
    try:
        return _model_from(_urdf_root(path))
    except RobotModelError as error:
        raise RobotModelError(f"{path}: {error}") from error


def _model_from(root: ElementTree.Element) -> ArmModel:
    joints, flange_joint = _chain(root)
    T = np.eye(4)
    heights, signs, limits = [], [], []
    for index, joint in enumerate(joints):
        T = T @ _origin(joint)
        sign, height = _axis_on_line(joint, index, T)
        signs.append(sign)
        heights.append(height)
        limits.append(_limits(joint))
    T = T @ _origin(flange_joint)
    _check_flange(T)
    lengths = np.array([heights[1], heights[3] - heights[1], heights[5] - heights[3], T[2, 3] - heights[5]])
    _check_lengths(lengths)
    lower, upper, velocity = np.array(limits).T
    return ArmModel(
        names=tuple(joint.get("name", "") for joint in joints),
        lengths=frozen_array(lengths),
        signs=frozen_array(signs),
        lower=frozen_array(lower),
        upper=frozen_array(upper),
        velocity=frozen_array(velocity),
    )


def _urdf_root(path: Path) -> ElementTree.Element:
    try:
        root = ElementTree.fromstring(read_arm(path).urdf)
    except OSError as error:
        raise RobotModelError(f"cannot be read: {error.strerror}") from error
    except ElementTree.ParseError as error:
        raise RobotModelError(f"is no XML: {error}") from error
    if root.tag != "robot":
        raise RobotModelError(f"is no URDF: the root element is <{root.tag}>, expected <robot>")
    return root


def _chain(root: ElementTree.Element) -> tuple[list[ElementTree.Element], ElementTree.Element]:
    """Return the seven revolute joints from base to flange, and the fixed joint of the flange."""
    joints = root.findall("joint")
    by_parent: dict[str, list[ElementTree.Element]] = {}
    children = set()
    for joint in joints:
        by_parent.setdefault(_link(joint, "parent"), []).append(joint)
        children.add(_link(joint, "child"))
    roots = [parent for parent in by_parent if parent not in children]
    if len(roots) != 1:
        raise RobotModelError(f"expected one chain of links, found {len(roots)} roots: {sorted(roots)}")
    moving: list[ElementTree.Element] = []
    link = roots[0]
    while following := by_parent.pop(link, []):
        if len(following) > 1:
            names = ", ".join(str(joint.get("name")) for joint in following)
            raise RobotModelError(f"link {link!r} branches into joints {names}; a serial chain is needed")
        joint = following[0]
        link = _link(joint, "child")
        if link == FLANGE_LINK:
            if len(moving) != 7:
                raise RobotModelError(f"{len(moving)} revolute joints before the flange, 7 are needed")
            if joint.get("type") != "fixed":
                raise RobotModelError(f"joint {joint.get('name')!r} of the flange must be fixed")
            return moving, joint
        if joint.get("type") != "revolute":
            raise RobotModelError(
                f"joint {joint.get('name')!r} is {joint.get('type')!r}; only revolute joints may come "
                f"before link {FLANGE_LINK!r}"
            )
        moving.append(joint)
    raise RobotModelError(f"no link {FLANGE_LINK!r} at the end of the chain (last is {link!r}); add it")


def _link(joint: ElementTree.Element, role: str) -> str:
    element = joint.find(role)
    name = element.get("link") if element is not None else None
    if not name:
        raise RobotModelError(f"joint {joint.get('name')!r} has no <{role} link=...>")
    return name


def _numbers(text: str | None, default: str, joint: ElementTree.Element) -> Array:
    try:
        values = np.array([float(part) for part in (text or default).split()])
    except ValueError:
        values = np.array([np.nan])
    if values.shape != (len(default.split()),) or not np.all(np.isfinite(values)):
        raise RobotModelError(f"joint {joint.get('name')!r}: {text!r} is not {len(default.split())} numbers")
    return values


def _origin(joint: ElementTree.Element) -> Array:
    """Return the pose (4, 4) of the joint's frame in its parent link (URDF: fixed-axis roll, pitch, yaw)."""
    element = joint.find("origin")
    xyz = _numbers(element.get("xyz") if element is not None else None, "0 0 0", joint)
    rpy = _numbers(element.get("rpy") if element is not None else None, "0 0 0", joint)
    (cr, cp, cy), (sr, sp, sy) = np.cos(rpy), np.sin(rpy)
    T = np.eye(4)
    T[:3, :3] = [
        [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
        [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
        [-sp, cp * sr, cp * cr],
    ]
    T[:3, 3] = xyz
    return T


def _axis_on_line(joint: ElementTree.Element, index: int, T: Array) -> tuple[float, float]:
    """Return sign and height [m] of a joint axis; refuse one that is not on the arm's line."""
    name = joint.get("name")
    element = joint.find("axis")
    axis = _numbers(element.get("xyz") if element is not None else None, "1 0 0", joint)
    norm = float(np.linalg.norm(axis))
    direction = T[:3, :3] @ axis / norm if norm > 0.0 else np.zeros(3)
    wanted = 2 if LINE_NAMES[index] == "z" else 1
    sign = float(np.sign(direction[wanted]))
    if abs(abs(direction[wanted]) - 1.0) > AXIS_TOLERANCE:
        raise RobotModelError(
            f"joint {name!r} (number {index + 1}) turns about {np.round(direction, 4).tolist()} at zero "
            f"pose; a spherical-rotational-spherical arm needs +-{LINE_NAMES[index]} there"
        )
    offset = abs(T[0, 3]) if wanted == 1 else float(np.hypot(T[0, 3], T[1, 3]))
    if offset > OFFSET_TOLERANCE:
        raise RobotModelError(
            f"the axis of joint {name!r} (number {index + 1}) passes {1e3 * offset:.3f} mm beside the "
            "arm's line x = y = 0; the axes of shoulder, elbow and wrist must cross it (no offsets)"
        )
    return sign, float(T[2, 3])


def _limits(joint: ElementTree.Element) -> tuple[float, float, float]:
    element = joint.find("limit")
    values = []
    for key in ("lower", "upper", "velocity"):
        text = element.get(key) if element is not None else None
        if text is None:
            raise RobotModelError(f"joint {joint.get('name')!r} has no <limit {key}=...>")
        values.append(float(_numbers(text, "0", joint)[0]))
    lower, upper, velocity = values
    if not (-np.pi <= lower < upper <= np.pi):
        raise RobotModelError(
            f"joint {joint.get('name')!r} has limits [{lower}, {upper}] rad; lower must be below upper, "
            "both within +-pi"
        )
    if velocity <= 0.0:
        raise RobotModelError(f"joint {joint.get('name')!r} has velocity limit {velocity}, must be above 0")
    return lower, upper, velocity


def _check_flange(T: Array) -> None:
    if (
        np.max(np.abs(T[:3, :3] - np.eye(3))) > AXIS_TOLERANCE
        or np.hypot(T[0, 3], T[1, 3]) > OFFSET_TOLERANCE
    ):
        raise RobotModelError(
            f"link {FLANGE_LINK!r} must lie on joint 7's axis with the base's axes at zero pose; "
            "put offsets and turns into robot.tcp_position_mm and robot.tcp_rotvec_deg"
        )


def _check_lengths(lengths: Array) -> None:
    for value, text in zip(lengths[1:3], ("shoulder to elbow", "elbow to wrist"), strict=True):
        if value <= 0.01:
            raise RobotModelError(f"length {text} is {value:.4f} m, must be above 0.01 m")
    if lengths[0] < 0.0 or lengths[3] < 0.0:
        raise RobotModelError(
            f"base to shoulder and wrist to flange must not be negative: {lengths.tolist()}"
        )
