"""What readers of other files have in common: values in a component's keys, and the component they make."""

import math
import re
from dataclasses import dataclass
from typing import Any

import numpy as np
from pydantic import ValidationError

from hil.common.arrays import Array
from hil.common.errors import AssemblyError
from hil.common.geometry import quat_from_matrix, rotvec_from_quat
from hil.configuration.faults import sentences
from sim.assembly.component_rules import component_faults, inertia_matrix, is_lopsided
from sim.assembly.component_schema import ComponentFile

TURNS = (-2.0 * math.pi, 2.0 * math.pi)  # range of a joint without limits [rad]
GREY = [0.75, 0.76, 0.78]


@dataclass(frozen=True, eq=False)
class Mass:
    """Mass [kg], its centre [m], (3,), and the inertia about it [kg m2], (3, 3), in some frame."""

    mass: float
    centre: Array
    inertia: Array

    def seen(self, T: Array) -> "Mass":
        """Return it in another frame: T is the pose of its own frame there."""
        R = T[:3, :3]
        return Mass(self.mass, R @ self.centre + T[:3, 3], R @ self.inertia @ R.T)

    def __add__(self, other: "Mass") -> "Mass":
        """Return the two as one body."""
        mass = self.mass + other.mass
        if mass == 0.0:
            return Mass(0.0, np.zeros(3), self.inertia + other.inertia)
        centre = (self.mass * self.centre + other.mass * other.centre) / mass
        inertia = np.zeros((3, 3))
        for part in (self, other):
            away = part.centre - centre
            inertia += part.inertia + part.mass * (np.eye(3) * (away @ away) - np.outer(away, away))
        return Mass(mass, centre, inertia)

    def table(self) -> dict[str, Any]:
        """Return the keys of a body."""
        I = 0.5 * (self.inertia + self.inertia.T)  # noqa: E741
        moments = [I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]]
        centre = (1e3 * self.centre).tolist()
        return {
            "mass_kg": float(self.mass),
            "centre_mm": centre,
            "inertia_kg_m2": [float(x) for x in moments],
        }


NOTHING = Mass(0.0, np.zeros(3), np.zeros((3, 3)))


def as_published(bodies: list[dict[str, Any]]) -> dict[str, bool]:
    """Return the key that lets inertias through that no body has, if there are such."""
    lopsided = [is_lopsided(inertia_matrix(np.array(body["inertia_kg_m2"]))) for body in bodies]
    return {"inertia_as_published": True} if any(lopsided) else {}


def pose_table(T: Array) -> dict[str, Any]:
    """Return the keys of a pose (4, 4)."""
    rotvec = np.degrees(rotvec_from_quat(quat_from_matrix(np.ascontiguousarray(T[:3, :3]))))
    return {"position_mm": (1e3 * T[:3, 3]).tolist(), "rotvec_deg": rotvec.tolist()}


def shape_table(solid: str, size: list[float], T: Array, colour: list[float] | None = None) -> dict[str, Any]:
    """Return the keys of a solid of a size [m] at a pose (4, 4)."""
    sizes = [1e3 * value for value in [*size, 0.0, 0.0][:3]]
    return {"solid": solid, "size_mm": sizes, **pose_table(T), "colour": colour or GREY}


def gear_of_friction(
    name: str, source: str, ratio: float, coulomb: float, viscous: float, peak: float
) -> ComponentFile:
    """Return a rigid gear that holds a joint's ratio and friction."""
    gear = {
        "ratio": ratio,
        "efficiency": 1.0,
        "coulomb_n_m": coulomb,
        "viscous_n_m_s_per_rad": viscous,
        "torque_peak_n_m": peak,
    }
    return made({"name": name, "kind": "gear", "source": source, "gear": gear}, source)


def made(table: dict[str, Any], place: str) -> ComponentFile:
    """Return the component that a table is.

    Raises:
        AssemblyError: it breaks a rule; every fault is named, with the place.
    """
    try:
        component = ComponentFile.model_validate(table)
    except ValidationError as error:
        raise AssemblyError("\n".join(f"{place}: {s}" for s in sentences(error, ComponentFile))) from None
    faults = component_faults(component)
    if faults:
        raise AssemblyError("\n".join(f"{place}: {fault}" for fault in faults))
    return component


def word(name: str) -> str:
    """Return a name that a component may have."""
    text = re.sub(r"[^a-z0-9._-]+", "-", name.lower()).strip("-._")
    return text or "unnamed"
