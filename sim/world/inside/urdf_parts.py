"""Pieces of a URDF that matter to how masses move: origins, axes, limits, inertials. SI."""

import math
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass

import numpy as np

from hil.common.arrays import Array

LEAST_MOMENT = -1e-12  # [kg m2] of rounding, of the smallest principal moment


@dataclass(frozen=True, eq=False)
class Inertial:
    """Mass [kg], its centre [m], shape (3,), and the inertia about it [kg m2], shape (3, 3), in one frame."""

    mass: float
    centre: Array
    inertia: Array

    def at(self, T: Array) -> "Inertial":
        """Return it in a frame in which its own lies at a pose (4, 4)."""
        R = T[:3, :3]
        return Inertial(self.mass, R @ self.centre + T[:3, 3], R @ self.inertia @ R.T)

    @staticmethod
    def sum(parts: "list[Inertial]") -> "Inertial":
        """Return what several are together when they are fixed to each other."""
        mass = sum(part.mass for part in parts)
        centre = sum((part.mass * part.centre for part in parts), np.zeros(3)) / mass
        inertia = np.zeros((3, 3))
        for part in parts:
            r = part.centre - centre
            inertia += part.inertia + part.mass * (r @ r * np.eye(3) - np.outer(r, r))
        return Inertial(mass, centre, inertia)


def root_of(urdf: bytes) -> ElementTree.Element:
    """Return the root of a URDF.

    Raises:
        ValueError: it is none.
    """
    try:
        root = ElementTree.fromstring(urdf)
    except ElementTree.ParseError as error:
        raise ValueError(f"is no XML: {error}") from None
    if root.tag != "robot":
        raise ValueError(f"is no URDF: the root element is <{root.tag}>, expected <robot>")
    return root


def inertial_of(link: ElementTree.Element) -> Inertial | None:
    """Return what a link weighs, in its own frame; None if it weighs nothing.

    Raises:
        ValueError: mass or inertia are no body's.
    """
    element = link.find("inertial")
    if element is None:
        return None
    where = f"link {link.get('name')!r}"
    mass = _number(element.find("mass"), "value", where)
    six = {key: _number(element.find("inertia"), key, where) for key in ("ixx", "iyy", "izz")}
    six |= {key: _number(element.find("inertia"), key, where, 0.0) for key in ("ixy", "ixz", "iyz")}
    inertia = np.array(
        [
            [six["ixx"], six["ixy"], six["ixz"]],
            [six["ixy"], six["iyy"], six["iyz"]],
            [six["ixz"], six["iyz"], six["izz"]],
        ]
    )
    if mass == 0.0 and not inertia.any():
        return None
    a, b, c = np.linalg.eigvalsh(inertia)
    if not mass > 0.0 or a < LEAST_MOMENT or a + b < c * (1.0 - 1e-6) + LEAST_MOMENT:
        raise ValueError(
            f"{where}: mass {mass:g} kg with principal moments {a:.4g}, {b:.4g}, {c:.4g} kg m2 is no "
            "body: mass "
            "above 0, no moment below 0, the largest at most the sum of the others"
        )
    T = origin_of(element)
    return Inertial(mass, T[:3, 3], T[:3, :3] @ inertia @ T[:3, :3].T)


def origin_of(holder: ElementTree.Element) -> Array:
    """Return the pose (4, 4) of an element's <origin>: xyz, and roll, pitch, yaw about fixed axes."""
    element = holder.find("origin")
    where = f"<origin> of {holder.tag} {holder.get('name', '')!r}"
    xyz, (roll, pitch, yaw) = (_three(element, key, "0 0 0", where) for key in ("xyz", "rpy"))
    T = np.eye(4)
    T[:3, :3] = _about(2, yaw) @ _about(1, pitch) @ _about(0, roll)
    T[:3, 3] = xyz
    return T


def axis_of(joint: ElementTree.Element) -> Array:
    """Return a joint's axis in its own frame, of length 1, shape (3,)."""
    axis = _three(joint.find("axis"), "xyz", "1 0 0", f"<axis> of joint {joint.get('name')!r}")
    norm = float(np.linalg.norm(axis))
    if norm == 0.0:
        raise ValueError(f"joint {joint.get('name')!r} turns about an axis without length")
    return np.array(axis / norm)


def limits_of(joint: ElementTree.Element) -> tuple[float, float, float]:
    """Return lowest and highest position [rad] and largest speed [rad/s] of a joint, infinite without any."""
    element, where = joint.find("limit"), f"<limit> of joint {joint.get('name')!r}"
    lower, upper, velocity = -math.inf, math.inf, math.inf
    if element is not None:
        velocity = _number(element, "velocity", where, math.inf)
        if joint.get("type") == "revolute":
            lower, upper = _number(element, "lower", where, 0.0), _number(element, "upper", where, 0.0)
    elif joint.get("type") == "revolute":
        raise ValueError(f"joint {joint.get('name')!r} has no <limit>: give it one, or make it continuous")
    if not (lower < upper and velocity > 0.0):
        raise ValueError(
            f"{where}: lower {lower:g} must be below upper {upper:g} rad, velocity {velocity:g} rad/s above 0"
        )
    return lower, upper, velocity


def _about(axis: int, angle: float) -> Array:
    i, j = (axis + 1) % 3, (axis + 2) % 3
    R = np.eye(3)
    R[i, i] = R[j, j] = math.cos(angle)
    R[j, i] = math.sin(angle)
    R[i, j] = -R[j, i]
    return R


def _three(element: ElementTree.Element | None, key: str, default: str, where: str) -> Array:
    text = (element.get(key) if element is not None else None) or default
    try:
        values = np.array([float(word) for word in text.split()])
    except ValueError:
        values = np.array([np.nan])
    if values.shape != (3,) or not np.isfinite(values).all():
        raise ValueError(f'{where}: {key}="{text}" is not three finite numbers')
    return values


def _number(element: ElementTree.Element | None, key: str, where: str, default: float | None = None) -> float:
    text = element.get(key) if element is not None else None
    if text is None and default is not None:
        return default
    try:
        value = float(text or "")
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ValueError(f"{where}: {key} = {text!r} is no finite number")
    return value
