"""An assembled arm as a robot for mating: gears, sensors and motors are those of its components."""

from pathlib import Path

import numpy as np

from hil.common.arrays import Array, frozen_array
from sim.assembly.assembly_file import load_assembly
from sim.assembly.database import Database, load_database
from sim.assembly.manipulator import manipulator_of
from sim.drives.of_assembly import drives_of
from sim.insertion.elastic_robot import ElasticRobot, Servo, elastic_robot


def assembled_robot(
    path: Path, position: Array | None, frequency: Array, damping: float, database: Database | None = None
) -> ElasticRobot:
    """Return an assembled arm with the gears and motors of its components.

    Args:
        path: of the assembly's file.
        position: where it is tuned [rad, m]; None: the middle of its joints' range.
        frequency: of its controller at its joints [Hz]; the last one for all that follow.
        damping: of the controller.
        database: of components; the shipped one.

    Raises:
        AssemblyError: the file breaks a rule.
        DriveError: a joint names a component of the wrong kind.
        InsertionError: numbers that no robot has.
    """
    found = database or load_database()
    made = manipulator_of(load_assembly(path, found))
    drives = drives_of(made, found, "off")
    n = len(made.axes)
    springs = np.zeros(n)
    for k, drive in enumerate(drives):
        soft = 0.0 if drive.gear.stiffness is None else 1.0 / drive.gear.stiffness[0]
        soft += 0.0 if drive.sensor is None else 1.0 / drive.sensor.stiffness
        springs[k] = 1.0 / soft if soft > 0.0 else 0.0
    rotors = np.array([drive.motor.rotor_inertia * drive.gear.ratio**2 for drive in drives])
    bare = made.chain._replace(armatures=frozen_array(np.zeros(n)))
    at = 0.5 * (made.lower + made.upper) if position is None else position
    each = np.concatenate([frequency, np.full(max(0, n - len(frequency)), frequency[-1])])[:n]
    said = [
        f"{axis.name}: {what}"
        for axis, drive in zip(made.axes, drives, strict=True)
        for what in drive.assumed
    ]
    limits = made.lower, made.upper, made.efforts, made.speeds
    return elastic_robot(
        made.name, bare, made.gravity, at, springs > 0.0, springs,
        np.array([drive.gear.damping for drive in drives]), rotors, Servo(each.tolist(), damping), limits,
        (*said, "the controller's frequencies"),
    )  # fmt: skip
