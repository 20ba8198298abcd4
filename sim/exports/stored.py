"""A driven arm as one JSON text, and back: all numbers that its simulation needs, no components."""

import json
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from hil.common.arrays import Array
from sim.assembly.manipulator import Manipulator
from sim.chain.serial_chain import SerialChain, serial_chain
from sim.drives.brake import Brake
from sim.drives.controllers import Cascade, Impedance
from sim.drives.drive import DriveParameters
from sim.drives.end_stop import EndStop
from sim.drives.friction import Friction
from sim.drives.gear import Gear, TorqueSensor
from sim.drives.motor import CurrentLoop, Heating, Motor
from sim.exports.swing import home_of


@dataclass(frozen=True, eq=False)
class StoredArm:
    """What the text says.

    Attributes:
        name: of the arm.
        chain: its bodies.
        drives: of its joints, base first.
        gravity: in the base's axes [m/s2], shape (3,).
        start: where it begins [rad, m], shape (n,).
        lower: least positions.
        upper: greatest.
        speeds: greatest [rad/s, m/s].
        joints: their names.
    """

    name: str
    chain: SerialChain
    drives: tuple[DriveParameters, ...]
    gravity: Array
    start: Array
    lower: Array
    upper: Array
    speeds: Array
    joints: tuple[str, ...]


def stored_text(manipulator: Manipulator, drives: tuple[DriveParameters, ...]) -> str:
    """Return a driven arm as JSON; each number is read as the same double again."""
    kinds = {Cascade: "cascade", Impedance: "impedance", type(None): "off"}
    return json.dumps(
        {
            "name": manipulator.name,
            "chain": {name: part.tolist() for name, part in manipulator.chain._asdict().items()},
            "drives": [{**asdict(drive), "control": kinds[type(drive.controller)]} for drive in drives],
            "gravity": manipulator.gravity.tolist(),
            "start": home_of(manipulator).tolist(),
            "lower": manipulator.lower.tolist(),
            "upper": manipulator.upper.tolist(),
            "speeds": manipulator.speeds.tolist(),
            "joints": [axis.name for axis in manipulator.axes],
        },
        indent=1,
    )


def stored_arm(text: str) -> StoredArm:
    """Return the arm that `stored_text` wrote."""
    table = json.loads(text)
    vectors = {name: np.array(table[name]) for name in ("gravity", "start", "lower", "upper", "speeds")}
    drives = tuple(_drive(drive) for drive in table["drives"])
    return StoredArm(
        table["name"], serial_chain(**table["chain"]), drives, joints=tuple(table["joints"]), **vectors
    )


def _drive(table: dict[str, Any]) -> DriveParameters:
    motor, gear = table["motor"], table["gear"]
    parts = {
        "loop": CurrentLoop(**motor["loop"]),
        "friction": Friction(**motor["friction"]),
        "heating": None if motor["heating"] is None else Heating(**motor["heating"]),
    }
    tuples = {
        "stiffness": gear["stiffness"] and tuple(gear["stiffness"]),
        "torque_limits": tuple(gear["torque_limits"]),
    }
    controllers = {"cascade": Cascade, "impedance": Impedance}
    return DriveParameters(
        Motor(**{**motor, **parts}),
        Gear(**{**gear, **tuples}),
        Friction(**table["joint_friction"]),
        None if table["sensor"] is None else TorqueSensor(**table["sensor"]),
        None if table["brake"] is None else Brake(**table["brake"]),
        None if table["controller"] is None else controllers[table["control"]](**table["controller"]),
        tuple(table["assumed"]),
        None if table["end_stop"] is None else EndStop(**table["end_stop"]),
    )
