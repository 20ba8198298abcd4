"""Timor's modules as components.

A module is a chain of bodies and joints between two connectors. Its connectors' z points away from the body;
ours at an input points into it, so that an input is turned by 180 degrees about x. Its bodies have frames of
their own behind a joint; ours lie in the joint's.

source: Külz, Mayer, Althoff, Timor Python: a toolbox for industrial modular robotics (IROS 2023); its JSON.
"""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np

from hil.common.arrays import Array
from hil.common.errors import AssemblyError
from hil.common.geometry import transform_inverse
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

GENDERS = {"f": "female", "m": "male", "h": "both"}
GROUND = "base"  # type of the connector that stands on the ground
FLIP = np.diag([1.0, -1.0, -1.0, 1.0])  # half a turn about x
ANY_SIZE = 1.0  # of a connector without a size
# what stands for infinity: speed [rad/s, m/s], torque or force [N m, N], way of a linear joint [m]
FAST, STRONG, FAR = 100.0, 1e5, 10.0


def components_of_timor(path: Path, prefix: str = "") -> list[ComponentFile]:
    """Return the components that a file of modules holds, their gears among them.

    Args:
        path: of the JSON.
        prefix: put before each module's name, with a dash.

    Raises:
        AssemblyError: the file cannot be read, or a module has what components cannot say.
    """
    try:
        data = json.loads(content_of(path).decode())
    except OSError as error:
        raise AssemblyError(f"{path}: cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise AssemblyError(f"{path}: is no JSON: {error}") from None
    modules = data.get("modules") if isinstance(data, dict) else data
    if not isinstance(modules, list) or not modules:
        raise AssemblyError(f"{path}: holds no list of modules: expected {{'modules': [...]}}")
    found: list[ComponentFile] = []
    for number, module in enumerate(modules):
        place = f"{path}: modules[{number}]"
        try:
            found += _Module(module, place, prefix, path.name).components()
        except KeyError as error:
            raise AssemblyError(f"{place}: {error.args[0]} is missing") from None
        except (TypeError, ValueError, AttributeError) as error:
            raise AssemblyError(f"{place}: is no module of Timor's: {error}") from None
    return found


class _Module:
    """A module on its way to a component."""

    def __init__(self, module: dict[str, Any], place: str, prefix: str, source: str) -> None:
        header = module["header"]
        label = str(header.get("name") or header["ID"])
        self.name = word(f"{prefix}-{label}" if prefix else label)
        self.place = f"{place} ({label})"
        self.source = f"Timor module {header['ID']} of {source}"
        self.bodies = {str(body["ID"]): body for body in module["bodies"]}
        self.joints = list(module.get("joints", []))
        self.assumed: set[str] = set()
        if len(self.bodies) != len(self.joints) + 1:
            raise AssemblyError(
                f"{self.place}: {len(self.bodies)} bodies and {len(self.joints)} joints are no chain"
            )

    def components(self) -> list[ComponentFile]:
        """Return the module's component, and the gears of its joints."""
        first, inlet, last, outlet = self._ends()
        order, joints = self._way(first, last)
        T: Array = np.eye(4)  # of the body's frame in that of the component's body
        if inlet["type"] == GROUND:
            T = _inverse(_pose(inlet["pose"], self.place) @ FLIP)
        table: dict[str, Any] = {"name": self.name, "source": self.source, "bodies": [], "joints": []}
        gears = []
        ground = inlet["type"] == GROUND
        if not ground:
            table["input"] = self._connector(inlet, T, FLIP)
        for k, identity in enumerate(order):
            if k > 0:
                joint, forwards = joints[k - 1]
                before = _pose(joint["poseParent" if forwards else "poseChild"], self.place)
                behind = _pose(joint["poseChild" if forwards else "poseParent"], self.place)
                if not forwards:  # from the child's side: the axis turns the other way round
                    before, behind = _inverse(before), _inverse(behind)
                made_joint, gear = self._joint(joint, T @ before, k, forwards)
                table["joints"].append(made_joint)
                gears.append(gear)
                T = behind
            table["bodies"].append(self._body(self.bodies[identity], T))
        table["output"] = self._connector(outlet, T, np.eye(4))
        table["kind"] = "base" if ground else "joint" if self.joints else "link"
        table["assumed"] = sorted(self.assumed)
        return [made({**table, **as_published(table["bodies"])}, self.place), *gears]

    def _ends(self) -> tuple[str, dict[str, Any], str, dict[str, Any]]:
        """Return body and connector of the input and of the output."""
        found = [(str(b["ID"]), c) for b in self.bodies.values() for c in b.get("connectors", [])]
        if len(found) != 2:
            raise AssemblyError(
                f"{self.place}: {len(found)} connectors; a component has two, an input and an output: "
                "leave out the others"
            )
        genders = [c.get("gender", "h") for _, c in found]
        if genders == ["m", "f"] or (genders[0] == genders[1] and "distal" in str(found[0][1].get("ID"))):
            found.reverse()
        (first, inlet), (last, outlet) = found
        return first, inlet, last, outlet

    def _way(self, first: str, last: str) -> tuple[list[str], list[tuple[dict[str, Any], bool]]]:
        """Return bodies and joints from the input to the output, and whether each joint leads forwards."""
        order, joints, left = [first], [], list(self.joints)
        while order[-1] != last:
            here = order[-1]
            out = [j for j in left if here in (str(j["parent"]), str(j["child"]))]
            if len(out) != 1:
                raise AssemblyError(f"{self.place}: its bodies branch, or form a loop, at body {here!r}")
            joint = out[0]
            forwards = str(joint["parent"]) == here
            order.append(str(joint["child" if forwards else "parent"]))
            joints.append((joint, forwards))
            left.remove(joint)
        if left:
            raise AssemblyError(f"{self.place}: joint {left[0]['ID']!r} is on no way from input to output")
        return order, joints

    def _connector(self, connector: dict[str, Any], T: Array, turn: Array) -> dict[str, Any]:
        size = connector.get("size", [])
        size = size if isinstance(size, list | tuple) else [size]
        if len(size) > 1:
            raise AssemblyError(
                f"{self.place}: connector {connector.get('ID')!r} has {len(size)} sizes, ours one"
            )
        pose = T @ _pose(connector["pose"], self.place) @ turn
        return {
            "gender": GENDERS[connector.get("gender", "h")],
            "type": str(connector["type"]) or "any",
            "size_mm": 1e3 * float(size[0] if size else ANY_SIZE),
            **pose_table(pose),
        }

    def _body(self, body: dict[str, Any], T: Array) -> dict[str, Any]:
        mass = Mass(float(body["mass"]), np.array(body["r_com"], float), np.array(body["inertia"], float))
        solids = body.get("visual") or []
        if not any(solid["type"] != "mesh" for solid in solids):
            solids = body.get("collision") or []
        shapes = [_shape(solid, T) for solid in solids if solid["type"] != "mesh"]
        seen = NOTHING if mass.mass == 0.0 and not mass.inertia.any() else mass.seen(T)
        return {**seen.table(), "shapes": shapes}

    def _joint(
        self, joint: dict[str, Any], T: Array, number: int, forwards: bool
    ) -> tuple[dict[str, Any], ComponentFile]:
        kind, limits = joint["type"], joint["limits"]
        if kind not in ("revolute", "prismatic") or joint.get("passive"):
            raise AssemblyError(
                f"{self.place}: joint {joint['ID']!r} is {kind}, or passive: only driven joints"
            )
        turns = kind == "revolute"
        end = TURNS[1] if turns else FAR
        scale, unit, effort = (180.0 / math.pi, "deg", "torque_n_m") if turns else (1e3, "mm", "force_n")
        ratio = float(joint.get("gearRatio", 1.0))
        peak = self._finite(limits["peakTorque"], STRONG, effort)
        gear = gear_of_friction(
            f"{self.name}-gear-{number}",
            self.source,
            ratio,
            float(joint.get("frictionCoulomb", 0.0)),
            float(joint.get("frictionViscous", 0.0)),
            peak,
        )
        table = {
            "type": "revolute" if turns else "linear",
            "axis": [0.0, 0.0, 1.0 if forwards else -1.0],
            **pose_table(T),
            f"lower_{unit}": scale * self._finite(limits["positionLower"], end, f"lower_{unit}"),
            f"upper_{unit}": scale * self._finite(limits["positionUpper"], end, f"upper_{unit}"),
            f"speed_{unit}_s": scale * self._finite(limits["velocity"], FAST, f"speed_{unit}_s"),
            effort: peak,
            f"armature_{'kg_m2' if turns else 'kg'}": float(joint.get("motorInertia", 0.0)) * ratio**2,
            "gear": gear.name,
        }
        return table, gear

    def _finite(self, value: float, bound: float, key: str) -> float:
        """Return a limit, or what stands for it if there is none."""
        if math.isfinite(value):
            return float(value)
        self.assumed.add(f"joints.{key}")
        return math.copysign(bound, value)


def _pose(values: Any, place: str) -> Array:
    T = np.array(values, np.float64)
    if T.shape != (4, 4) or np.abs(T[:3, :3] @ T[:3, :3].T - np.eye(3)).max() > 1e-6:
        raise AssemblyError(f"{place}: a pose must be a matrix of four by four with a rotation in it")
    return T


def _inverse(T: Array) -> Array:
    return transform_inverse(np.ascontiguousarray(T))


def _shape(solid: dict[str, Any], T: Array) -> dict[str, Any]:
    kind, values = solid["type"], solid["parameters"]
    pose = T @ np.array(solid["pose"], np.float64)
    if kind == "box":
        return shape_table("box", [values["x"], values["y"], values["z"]], pose)
    if kind == "cylinder":
        return shape_table("cylinder", [values["r"], values["z"]], pose)
    if kind == "sphere":
        return shape_table("sphere", [values["r"]], pose)
    raise ValueError(f"a solid of type {kind!r} is unknown")
