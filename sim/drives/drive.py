"""All of a joint's drive, and the record of numbers that the kernels read."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hil.common.errors import DriveError
from sim.drives.brake import Brake
from sim.drives.controllers import Cascade, Impedance
from sim.drives.end_stop import NO_END, EndStop
from sim.drives.friction import Friction
from sim.drives.gear import Gear, TorqueSensor
from sim.drives.motor import Motor

OFF, CASCADE, IMPEDANCE = 0, 1, 2
NO_CAPACITY = 1e12  # [J/K] a winding that stays cold
RIGID = 1e30  # [N m/rad] a sensor that is not there

_FIELDS = (
    "ratio k1 k2 k3 t1 t2 sensor_stiffness gear_damping backlash efficiency "
    "torque_constant resistance inductance rotor_inertia "
    "loop_proportional loop_integral voltage_max current_max current_continuous "
    "motor_coulomb motor_coulomb_back motor_viscous motor_stick "
    "joint_coulomb joint_coulomb_back joint_viscous joint_stick "
    "brake_torque brake_closing_time "
    "lower upper stop_stiffness stop_damping "
    "winding_resistance housing_resistance winding_capacity housing_capacity winding_limit alpha "
    "position_gain velocity_gain integral_time impedance_stiffness impedance_damping torque_gain"
).split()
DRIVE = np.dtype([(name, np.float64) for name in _FIELDS] + [
    ("elastic", np.int64), ("controller", np.int64), ("gravity_model", np.int64),
])  # fmt: skip
Drives = NDArray[Any]  # of DRIVE, shape (n,)


@dataclass(frozen=True)
class DriveParameters:
    """A joint's drive: motor, gear, what is beside them, controller.

    Attributes:
        motor: see there.
        gear: see there.
        joint_friction: of the joint's bearing, behind the gear [N m, N].
        sensor: torque sensor, if there is one.
        brake: if there is one.
        controller: see there; None: there is no current.
        assumed: what of it is an assumption, in words.
        end_stop: of the joint's range; None: it goes on for ever.
    """

    motor: Motor
    gear: Gear
    joint_friction: Friction = field(default_factory=Friction)
    sensor: TorqueSensor | None = None
    brake: Brake | None = None
    controller: Cascade | Impedance | None = None
    assumed: tuple[str, ...] = ()
    end_stop: EndStop | None = None


def packed(drives: Sequence[DriveParameters]) -> Drives:
    """Return drives as an array of records for the kernels, shape (n,).

    Raises:
        DriveError: a value that no drive has.
    """
    records = np.zeros(len(drives), DRIVE)
    for record, drive in zip(records, drives, strict=True):
        _pack_motor(record, drive.motor)
        _pack_gear(record, drive)
        for shaft, friction in (("motor", drive.motor.friction), ("joint", drive.joint_friction)):
            record[f"{shaft}_coulomb"] = friction.coulomb
            record[f"{shaft}_coulomb_back"] = friction.back
            record[f"{shaft}_viscous"] = friction.viscous
            record[f"{shaft}_stick"] = friction.stick
        if drive.brake is not None:
            record["brake_torque"] = drive.brake.torque
            record["brake_closing_time"] = drive.brake.closing_time
        _pack_end_stop(record, drive.end_stop)
        _pack_controller(record, drive.controller)
    return records


def _pack_motor(record: Any, motor: Motor) -> None:
    for name in ("torque_constant", "resistance", "inductance", "rotor_inertia"):
        value = getattr(motor, name)
        if not (np.isfinite(value) and value > 0.0):
            raise DriveError(f"motor: {name} = {value} must be finite and above 0")
        record[name] = value
    record["loop_proportional"], record["loop_integral"] = motor.loop.proportional, motor.loop.integral
    for name in ("voltage_max", "current_max", "current_continuous"):
        record[name] = getattr(motor.loop, name)
    heating = motor.heating
    if heating is None:
        record["winding_resistance"] = record["housing_resistance"] = 1.0
        record["winding_capacity"] = record["housing_capacity"] = NO_CAPACITY
        record["winding_limit"] = 1e9
        return
    for name in ("winding_resistance", "housing_resistance", "winding_capacity", "housing_capacity"):
        record[name] = getattr(heating, name)
    record["winding_limit"], record["alpha"] = heating.winding_limit, heating.alpha


def _pack_gear(record: Any, drive: DriveParameters) -> None:
    gear = drive.gear
    if not (np.isfinite(gear.ratio) and gear.ratio != 0.0):
        raise DriveError(f"gear: ratio = {gear.ratio} must be finite and not 0")
    if not 0.0 < gear.efficiency <= 1.0:
        raise DriveError(f"gear: efficiency = {gear.efficiency} must be above 0 and at most 1")
    record["ratio"], record["efficiency"] = gear.ratio, gear.efficiency
    record["gear_damping"], record["backlash"] = gear.damping, gear.backlash
    record["elastic"] = gear.stiffness is not None or drive.sensor is not None
    record["k1"], record["k2"], record["k3"] = gear.stiffness or (RIGID, RIGID, RIGID)
    record["t1"], record["t2"] = gear.torque_limits
    record["sensor_stiffness"] = RIGID if drive.sensor is None else drive.sensor.stiffness


def _pack_end_stop(record: Any, stop: EndStop | None) -> None:
    record["lower"], record["upper"] = (-NO_END, NO_END) if stop is None else (stop.lower, stop.upper)
    if stop is not None:
        record["stop_stiffness"], record["stop_damping"] = stop.stiffness, stop.damping


def _pack_controller(record: Any, controller: Cascade | Impedance | None) -> None:
    record["integral_time"] = 1.0
    if isinstance(controller, Cascade):
        record["controller"] = CASCADE
        for name in ("position_gain", "velocity_gain", "integral_time", "gravity_model"):
            record[name] = getattr(controller, name)
    elif isinstance(controller, Impedance):
        record["controller"] = IMPEDANCE
        record["impedance_stiffness"], record["impedance_damping"] = controller.stiffness, controller.damping
        record["torque_gain"], record["gravity_model"] = controller.torque_gain, controller.gravity_model
        if controller.torque_gain > 0.0 and not record["elastic"]:
            raise DriveError("impedance: torque_gain needs a spring to measure: an elastic gear, or a sensor")
