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
        linear: the same of a joint that slides; None: as of one that turns.
        least: its least value, allowed itself if `equal`.
        equal: see there.
        most: its greatest value.
    """

    unit: str
    linear: str | None = None
    least: float = 0.0
    equal: bool = True
    most: float = math.inf


def _above(unit: str, linear: str | None = None, most: float = math.inf) -> Bound:
    """Return the bound of what must be above 0."""
    return Bound(unit, linear, equal=False, most=most)


BOUNDS = {
    "k1": _above("n_m_per_rad", "n_per_m"),
    "k2": _above("n_m_per_rad", "n_per_m"),
    "k3": _above("n_m_per_rad", "n_per_m"),
    "sensor_stiffness": _above("n_m_per_rad", "n_per_m"),
    "gear_damping": Bound("n_m_s_per_rad", "n_s_per_m"),
    "backlash": Bound("rad", "m", most=0.2),
    "efficiency": _above("", most=1.0),
    "torque_constant": _above("n_m_per_a"),
    "resistance": _above("ohm"),
    "inductance": _above("h"),
    "rotor_inertia": _above("kg_m2"),
    "voltage_max": _above("v"),
    "current_max": Bound("a"),
    "current_continuous": Bound("a"),
    "motor_coulomb": Bound("n_m"),
    "motor_coulomb_back": Bound("n_m"),
    "motor_viscous": Bound("n_m_s_per_rad"),
    "motor_stick": Bound("n_m"),
    "joint_coulomb": Bound("n_m", "n"),
    "joint_coulomb_back": Bound("n_m", "n"),
    "joint_viscous": Bound("n_m_s_per_rad", "n_s_per_m"),
    "joint_stick": Bound("n_m", "n"),
    "brake_torque": Bound("n_m"),
    "stop_stiffness": Bound("n_m_per_rad", "n_per_m"),
    "stop_damping": Bound("s_per_rad", "s_per_m"),
    "winding_resistance": _above("k_per_w"),
    "housing_resistance": _above("k_per_w"),
    "winding_capacity": _above("j_per_k"),
    "housing_capacity": _above("j_per_k"),
    "winding_limit": _above("k"),
    "position_gain": Bound("per_s"),
    "velocity_gain": _above("a_s_per_rad"),
    "integral_time": _above("s"),
    "impedance_stiffness": Bound("n_m_per_rad", "n_per_m"),
    "impedance_damping": Bound("n_m_s_per_rad", "n_s_per_m"),
    "torque_gain": Bound("", most=100.0),
}
AXES = ("x", "y", "z")
GRAVITY = Bound("m_s2", least=-1000.0, most=1000.0)


@functools.lru_cache(maxsize=32)
def parameter_names(linear: tuple[bool, ...]) -> dict[str, tuple[int, Any]]:
    """Return joint and field of each name, by which joints slide; of gravity -1 and the axis."""
    names: dict[str, tuple[int, Any]] = {}
    for joint, slides in enumerate(linear):
        for field, bound in BOUNDS.items():
            unit = bound.linear if slides and bound.linear else bound.unit
            names[f"joint_{joint + 1}.{field}{'_' if unit else ''}{unit}"] = joint, field
    for k, axis in enumerate(AXES):
        names[f"gravity.{axis}_{GRAVITY.unit}"] = -1, k
    return names


def written_parameter(
    drives: Drives, linear: tuple[bool, ...], gravity: Array, name: str, value: float
) -> None:
    """Write a parameter into the records.

    Raises:
        DriveError: there is none of that name, or the value is out of its bounds.
    """
    names = parameter_names(linear)
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
