"""The variables of a driven arm, by dotted names with their units."""

import functools

from hil.common.arrays import Array
from sim.drives.base import Base
from sim.drives.drive import Drives
from sim.drives.state import States

OF_A_JOINT = {  # name behind the dot: field of the state
    "position_rad": "q",
    "speed_rad_s": "dq",
    "acceleration_rad_s2": "ddq",
    "torque_n_m": "torque",
    "motor_angle_rad": "theta",
    "motor_speed_rad_s": "omega",
    "current_a": "current",
    "current_reference_a": "reference",
    "voltage_v": "voltage",
    "power_w": "power",
    "winding_k": "winding",
    "housing_k": "housing",
    "motor_friction_n_m": "motor_friction",
    "joint_friction_n_m": "joint_friction",
    "end_stop_n_m": "end_stop",
    "braked": "braked",
    "electric_j": "electric",
    "copper_heat_j": "copper",
    "friction_heat_j": "friction_heat",
}
OF_A_SLIDE = {  # the same of a joint that slides, where it has another unit
    "position_rad": "position_m",
    "speed_rad_s": "speed_m_s",
    "acceleration_rad_s2": "acceleration_m_s2",
    "torque_n_m": "force_n",
    "joint_friction_n_m": "joint_friction_n",
    "end_stop_n_m": "end_stop_n",
    "gear_twist_rad": "gear_twist_m",
    "sensor_twist_rad": "sensor_twist_m",
}
SIX = ("force_x_n", "force_y_n", "force_z_n", "moment_x_n_m", "moment_y_n_m", "moment_z_n_m")
TWIST = ("speed_x_m_s", "speed_y_m_s", "speed_z_m_s", "spin_x_rad_s", "spin_y_rad_s", "spin_z_rad_s")
XYZ = ("x_m", "y_m", "z_m")


@functools.lru_cache(maxsize=32)
def _names(linear: tuple[bool, ...]) -> tuple[tuple[str, int, str], ...]:
    return tuple(
        (_name(joint, name, slides), joint, field)
        for joint, slides in enumerate(linear)
        for name, field in OF_A_JOINT.items()
    )


def _name(joint: int, name: str, slides: bool) -> str:
    return f"joint_{joint + 1}.{OF_A_SLIDE.get(name, name) if slides else name}"


def variables_of(
    drives: Drives,
    states: States,
    linear: tuple[bool, ...],
    base: Base,
    tip: Array,
    floats: bool,
    t: float,
) -> dict[str, float]:
    """Return all that can be watched, by name."""
    found = {"time_s": t}
    columns = {field: states[field].tolist() for field in OF_A_JOINT.values()}
    for name, joint, field in _names(linear):
        found[name] = float(columns[field][joint])
    twists = (states["theta"] / drives["ratio"] - states["q"]).tolist()
    sensors = (states["torque"] / drives["sensor_stiffness"]).tolist()
    for joint, (twist, sensor) in enumerate(zip(twists, sensors, strict=True)):
        found[_name(joint, "gear_twist_rad", linear[joint])] = twist - sensor
        found[_name(joint, "sensor_twist_rad", linear[joint])] = sensor
    found.update(zip((f"base.{name}" for name in SIX), base.wrench.tolist(), strict=True))
    found.update(zip((f"tip.{name}" for name in XYZ), tip[:3, 3].tolist(), strict=True))
    found["power_w"] = float(states["power"].sum())
    if floats:
        found.update(zip((f"base.{name}" for name in XYZ), base.pose[:3, 3].tolist(), strict=True))
        found.update(zip((f"base.{name}" for name in TWIST), base.twist.tolist(), strict=True))
    return found
