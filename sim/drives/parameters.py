"""The parameters of drives that can be changed while a model runs: names, units, bounds."""

import difflib
import functools
import math
from dataclasses import dataclass
from typing import Any

from hil.common.arrays import Array
from hil.common.errors import DriveError
from sim.drives.drive import Drives


@dataclass(frozen=True)
class Bound:
    """What a parameter must keep to, and its unit in the name.

    Attributes:
        unit: behind the field's name; empty: none.
        least: its least value, allowed itself if `equal`.
        equal: see there.
        most: its greatest value.
    """

    unit: str
    least: float = 0.0
    equal: bool = True
    most: float = math.inf


ABOVE = {"equal": False}
BOUNDS = {
    "k1": Bound("n_m_per_rad", **ABOVE),
    "k2": Bound("n_m_per_rad", **ABOVE),
    "k3": Bound("n_m_per_rad", **ABOVE),
    "sensor_stiffness": Bound("n_m_per_rad", **ABOVE),
    "gear_damping": Bound("n_m_s_per_rad"),
    "backlash": Bound("rad", most=0.2),
    "efficiency": Bound("", **ABOVE, most=1.0),
    "torque_constant": Bound("n_m_per_a", **ABOVE),
    "resistance": Bound("ohm", **ABOVE),
    "inductance": Bound("h", **ABOVE),
    "rotor_inertia": Bound("kg_m2", **ABOVE),
    "voltage_max": Bound("v", **ABOVE),
    "current_max": Bound("a"),
    "current_continuous": Bound("a"),
    "motor_coulomb": Bound("n_m"),
    "motor_coulomb_back": Bound("n_m"),
    "motor_viscous": Bound("n_m_s_per_rad"),
    "motor_stick": Bound("n_m"),
    "joint_coulomb": Bound("n_m"),
    "joint_coulomb_back": Bound("n_m"),
    "joint_viscous": Bound("n_m_s_per_rad"),
    "joint_stick": Bound("n_m"),
    "brake_torque": Bound("n_m"),
    "winding_resistance": Bound("k_per_w", **ABOVE),
    "housing_resistance": Bound("k_per_w", **ABOVE),
    "winding_capacity": Bound("j_per_k", **ABOVE),
    "housing_capacity": Bound("j_per_k", **ABOVE),
    "winding_limit": Bound("k", **ABOVE),
    "position_gain": Bound("per_s"),
    "velocity_gain": Bound("a_s_per_rad", **ABOVE),
    "integral_time": Bound("s", **ABOVE),
    "impedance_stiffness": Bound("n_m_per_rad"),
    "impedance_damping": Bound("n_m_s_per_rad"),
    "torque_gain": Bound("", most=100.0),
}
AXES = ("x", "y", "z")
GRAVITY = Bound("m_s2", least=-1000.0, most=1000.0)


@functools.lru_cache(maxsize=32)
def parameter_names(joints: int) -> dict[str, tuple[int, Any]]:
    """Return joint and field of each name; of gravity -1 and the axis."""
    names: dict[str, tuple[int, Any]] = {}
    for joint in range(joints):
        for field, bound in BOUNDS.items():
            names[f"joint_{joint + 1}.{field}{'_' if bound.unit else ''}{bound.unit}"] = joint, field
    for k, axis in enumerate(AXES):
        names[f"gravity.{axis}_{GRAVITY.unit}"] = -1, k
    return names


def written_parameter(drives: Drives, gravity: Array, name: str, value: float) -> None:
    """Write a parameter into the records.

    Raises:
        DriveError: there is none of that name, or the value is out of its bounds.
    """
    names = parameter_names(len(drives))
    if name not in names:
        near = difflib.get_close_matches(name, names, n=3, cutoff=0.4)
        raise DriveError(f"there is no parameter {name!r}" + (f"; near: {', '.join(near)}" if near else ""))
    joint, field = names[name]
    bound = GRAVITY if joint < 0 else BOUNDS[field]
    above = value >= bound.least if bound.equal else value > bound.least
    if not (math.isfinite(value) and above and value <= bound.most):
        words = "at least" if bound.equal else "above"
        most = "" if math.isinf(bound.most) else f" and at most {bound.most:g}"
        raise DriveError(f"{name} = {value} must be {words} {bound.least:g}{most}")
    if joint < 0:
        gravity[field] = value
    else:
        drives[joint][field] = value
