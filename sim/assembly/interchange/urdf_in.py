"""A serial URDF as a pre-assembled unit.

Links that are joined fast are one body. What a chain of driven joints cannot say is refused: moving
branches, joints that float, slide in a plane or mimic another, loops. Meshes are left out; boxes, cylinders
and balls are kept. Ratio and rotor inertia are read where the file has Drake's elements, damping and friction
of joints go into a rigid gear.
"""

import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import numpy as np

from hil.common.arrays import Array
from hil.common.errors import AssemblyError
from hil.common.input_file import content_of
from sim.assembly.component_schema import ComponentFile
from sim.assembly.interchange.making import (
    NOTHING,
    TURNS,
    Mass,
    as_published,
    gear_of_friction,
    made,
    pose_table,
    shape_table,
    word,
)

MOVING = ("revolute", "continuous", "prismatic")
TIPS = ("flange", "tool0", "tcp", "tip", "ee_link")  # names of what is the tip, where several links could be
END = {"gender": "male", "type": "iso9409", "size_mm": 50.0}
DRAKE = "{http://drake.mit.edu}"


@dataclass
class _Unit:
    """Links that are joined fast, on their way to a body.

    Attributes:
        mass: of all, in the frame of the first.
        shapes: their solids.
        places: of each link in that frame.
        ends: links without children, and where they are.
        moving: joints that lead on, with the place of the link that they start at.
    """

    mass: Mass = NOTHING
    shapes: list[dict[str, Any]] = field(default_factory=list)
    places: dict[str, Array] = field(default_factory=dict)
    ends: list[str] = field(default_factory=list)
    moving: list[tuple[Element, Array]] = field(default_factory=list)


def components_of_urdf(
    path: Path,
    inlet: dict[str, Any] | None = None,
    outlet: dict[str, Any] | None = None,
    tip: str = "",
    name: str = "",
) -> list[ComponentFile]:
    """Return the unit that a URDF is, and rigid gears with its joints' friction.

    Args:
        path: of the URDF.
        inlet: connector at the root link's frame, as in a component's file; None: it stands on the ground.
        outlet: connector at the tip's frame; None: a male tool flange ISO 9409-1-50.
        tip: the link that is the tip; empty: the only end, or the one that has a usual name.
        name: of the component; empty: the robot's.

    Raises:
        AssemblyError: the file cannot be read, is no URDF, or has what a chain cannot say.
    """
    try:
        root = ElementTree.fromstring(content_of(path))
    except OSError as error:
        raise AssemblyError(f"{path}: cannot be read: {error.strerror}") from None
    except ElementTree.ParseError as error:
        raise AssemblyError(f"{path}: is no XML: {error}") from None
    if root.tag != "robot":
        raise AssemblyError(f"{path}: is no URDF: the root element is <{root.tag}>, expected <robot>")
    return _Reader(root, path, word(name or root.get("name", "") or path.stem)).components(
        inlet, outlet or END, tip
    )


class _Reader:
    """A URDF while it is read."""

    def __init__(self, root: Element, path: Path, name: str) -> None:
        self.root, self.path, self.name = root, path, name
        self.links = {str(link.get("name")): link for link in root.findall("link")}
        self.children: dict[str, list[Element]] = {}
        parents: dict[str, str] = {}
        for joint in root.findall("joint"):
            parent, child = self._end(joint, "parent"), self._end(joint, "child")
            if child in parents:
                raise self._refused(
                    f"link {child!r} has two parents, {parents[child]!r} and {parent!r}: a loop"
                )
            parents[child] = parent
            self.children.setdefault(parent, []).append(joint)
        self.roots = [link for link in self.links if link not in parents]
        if len(self.roots) != 1:
            raise self._refused(f"{len(self.roots)} root links {self.roots}; a chain has one")

    def components(
        self, inlet: dict[str, Any] | None, outlet: dict[str, Any], tip: str
    ) -> list[ComponentFile]:
        """Return the unit and its gears."""
        source = f"{self.path.name}, read as it stands"
        table: dict[str, Any] = {
            "name": self.name,
            "kind": "unit",
            "source": source,
            "bodies": [],
            "joints": [],
        }
        if inlet is not None:
            table["input"] = inlet
        gears: list[ComponentFile] = []
        unit = self._unit(self.roots[0])
        while True:
            table["bodies"].append({**unit.mass.table(), "shapes": unit.shapes})
            if not unit.moving:
                break
            if len(unit.moving) > 1:
                names = ", ".join(repr(joint.get("name")) for joint, _ in unit.moving)
                raise self._refused(f"the chain branches into the joints {names}")
            joint, T = unit.moving[0]
            joint_table, gear = self._joint(joint, T @ self._origin(joint), len(table["joints"]) + 1)
            table["joints"].append(joint_table)
            gears += gear
            unit = self._unit(self._end(joint, "child"))
        table["output"] = {**outlet, **pose_table(unit.places[self._tip(unit, tip)])}
        return [made({**table, **as_published(table["bodies"])}, str(self.path)), *gears]

    def _unit(self, link: str) -> _Unit:
        """Return a link with all that is joined fast to it."""
        unit, left = _Unit(), [(link, np.eye(4))]
        while left:
            name, T = left.pop(0)
            if name not in self.links:
                raise self._refused(f"there is no link {name!r}")
            unit.places[name] = T
            unit.mass = unit.mass + self._mass(self.links[name]).seen(T)
            unit.shapes += self._shapes(self.links[name], T)
            on = self.children.get(name, [])
            if not on:
                unit.ends.append(name)
            for joint in on:
                kind = joint.get("type")
                if kind == "fixed":
                    left.append((self._end(joint, "child"), T @ self._origin(joint)))
                elif kind in MOVING:
                    unit.moving.append((joint, T))
                else:
                    raise self._refused(f"joint {joint.get('name')!r} is {kind!r}; joints turn or slide")
        return unit

    def _tip(self, unit: _Unit, tip: str) -> str:
        if tip:
            if tip not in unit.places:
                raise self._refused(f"link {tip!r} is no end of the chain; ends are {unit.ends}")
            return tip
        if len(unit.ends) == 1:
            return unit.ends[0]
        usual = [name for name in TIPS if name in unit.places]
        if not usual:
            raise self._refused(f"several links could be the tip, {unit.ends}: name one of them as tip")
        return usual[0]

    def _joint(self, joint: Element, T: Array, number: int) -> tuple[dict[str, Any], list[ComponentFile]]:
        name = f"joint {joint.get('name')!r}"
        if joint.find("mimic") is not None:
            raise self._refused(f"{name} mimics another; every joint has its own drive")
        turns = joint.get("type") != "prismatic"
        limit = joint.find("limit")
        keys = ("lower", "upper", "velocity", "effort")
        ends = TURNS if joint.get("type") == "continuous" else (None, None)
        lower, upper, speed, effort = (
            self._limit(limit, key, default, name)
            for key, default in zip(keys, (*ends, None, None), strict=True)
        )
        axis = self._vector(joint.find("axis"), "xyz", "1 0 0", name)
        length = float(np.linalg.norm(axis))
        if length == 0.0:
            raise self._refused(f"{name} has an axis of length 0")
        ratio, rotor = self._drive(str(joint.get("name")))
        dynamics = joint.find("dynamics")
        damping, friction = (
            0.0 if dynamics is None else float(self._vector(dynamics, key, "0", name)[0])
            for key in ("damping", "friction")
        )
        scale, unit = (180.0 / math.pi, "deg") if turns else (1e3, "mm")
        table = {
            "type": "revolute" if turns else "linear",
            "axis": (axis / length).tolist(),
            **pose_table(T),
            f"lower_{unit}": scale * lower,
            f"upper_{unit}": scale * upper,
            f"speed_{unit}_s": scale * speed,
            "torque_n_m" if turns else "force_n": effort,
            f"armature_{'kg_m2' if turns else 'kg'}": rotor * ratio**2,
        }
        if ratio == 1.0 and damping == 0.0 and friction == 0.0:
            return table, []
        gear_name = f"{self.name}-gear-{number}"
        gear = gear_of_friction(gear_name, f"{self.path.name}, {name}", ratio, friction, damping, effort)
        return {**table, "gear": gear_name}, [gear]

    def _limit(self, limit: Element | None, key: str, default: float | None, name: str) -> float:
        text = None if limit is None else limit.get(key)
        if text is None:
            if default is None:
                raise self._refused(f"{name} has no <limit {key}=...>")
            return default
        return float(self._numbers(text, 1, name)[0])

    def _drive(self, joint: str) -> tuple[float, float]:
        """Return ratio and rotor inertia of a joint's drive, as Drake's elements say them."""
        for transmission in self.root.findall("transmission"):
            named = transmission.find("joint")
            actuator = transmission.find("actuator")
            if named is None or actuator is None or named.get("name") != joint:
                continue
            values = [actuator.find(f"{DRAKE}{key}") for key in ("gear_ratio", "rotor_inertia")]
            if any(value is None for value in values):
                continue
            ratio, rotor = (
                float(self._numbers(v.get("value", ""), 1, joint)[0]) for v in values if v is not None
            )
            return ratio, rotor
        return 1.0, 0.0

    def _mass(self, link: Element) -> Mass:
        inertial = link.find("inertial")
        if inertial is None:
            return NOTHING
        name = f"link {link.get('name')!r}"
        mass = float(self._vector(inertial.find("mass"), "value", "0", name)[0])
        tensor = inertial.find("inertia")
        moments = {
            key: float(self._vector(tensor, key, "0", name)[0])
            for key in ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
        }
        I = np.array(  # noqa: E741
            [
                [moments["ixx"], moments["ixy"], moments["ixz"]],
                [moments["ixy"], moments["iyy"], moments["iyz"]],
                [moments["ixz"], moments["iyz"], moments["izz"]],
            ]
        )
        return Mass(mass, np.zeros(3), I).seen(self._origin(inertial))

    def _shapes(self, link: Element, T: Array) -> list[dict[str, Any]]:
        found = []
        for visual in link.findall("visual"):
            solid = next(iter(visual.find("geometry") or ()), None)
            if solid is None:
                continue
            pose, name = T @ self._origin(visual), f"link {link.get('name')!r}"
            colour = self._colour(visual)
            if solid.tag == "box":
                size = self._vector(solid, "size", "0 0 0", name).tolist()
                found.append(shape_table("box", size, pose, colour))
            elif solid.tag in ("cylinder", "sphere"):
                keys = ("radius", "length") if solid.tag == "cylinder" else ("radius",)
                size = [float(self._vector(solid, key, "0", name)[0]) for key in keys]
                found.append(shape_table(solid.tag, size, pose, colour))
        return found

    def _colour(self, visual: Element) -> list[float] | None:
        material = visual.find("material")
        if material is None:
            return None
        named = [m for m in self.root.findall("material") if m.get("name") == material.get("name")]
        for element in (material, *named):
            colour = element.find("color")
            if colour is not None:
                return self._vector(colour, "rgba", "0 0 0 1", "a colour")[:3].tolist()
        return None

    def _origin(self, element: Element) -> Array:
        """Return the pose (4, 4) that an element's origin says (fixed-axis roll, pitch, yaw)."""
        origin, name = element.find("origin"), f"{element.tag} {element.get('name', '')!r}"
        (cr, cp, cy), (sr, sp, sy) = (f(self._vector(origin, "rpy", "0 0 0", name)) for f in (np.cos, np.sin))
        T = np.eye(4)
        T[:3, :3] = [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
        T[:3, 3] = self._vector(origin, "xyz", "0 0 0", name)
        return T

    def _vector(self, element: Element | None, key: str, default: str, name: str) -> Array:
        text = None if element is None else element.get(key)
        return self._numbers(default if text is None else text, len(default.split()), name)

    def _numbers(self, text: str, count: int, name: str) -> Array:
        try:
            values = np.array([float(part) for part in text.split()])
        except ValueError:
            values = np.array([np.nan])
        if values.shape != (count,) or not np.isfinite(values).all():
            raise self._refused(f"{name}: {text!r} is not {count} numbers")
        return values

    def _end(self, joint: Element, role: str) -> str:
        element = joint.find(role)
        name = None if element is None else element.get("link")
        if not name:
            raise self._refused(f"joint {joint.get('name')!r} has no <{role} link=...>")
        return name

    def _refused(self, text: str) -> AssemblyError:
        return AssemblyError(f"{self.path}: {text}")
