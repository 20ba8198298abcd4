"""An assembled arm as a robot for mating: gears, sensors and motors are those of its components."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from hil.common.arrays import Array, frozen_array
from sim.assembly.assembly_file import load_assembly
from sim.assembly.database import Database, load_database
from sim.assembly.manipulator import manipulator_of
from sim.drives.of_assembly import drives_of
from sim.insertion.elastic_robot import ElasticRobot, elastic_robot
from sim.insertion.joint_drives import Servo


def assembled_robot(
    path: Path, position: Array | None, servo: Servo, limited: bool = False,
    database: Database | None = None,
) -> ElasticRobot:  # fmt: skip
    """Return an assembled arm with the gears and motors of its components.

    Args:
        path: of the assembly's file.
        position: where it is tuned [rad, m]; None: the middle of its joints' range.
        servo: its controller; the last frequency is that of all joints that follow.
        limited: whether its motors give no more than they can.
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
    bare = made.chain._replace(armatures=frozen_array(np.zeros(n)))
    at = 0.5 * (made.lower + made.upper) if position is None else position
    each = np.concatenate(
        [servo.frequencies, np.full(max(0, n - len(servo.frequencies)), servo.frequencies[-1])]
    )
    said = [
        f"{axis.name}: {what}"
        for axis, drive in zip(made.axes, drives, strict=True)
        for what in drive.assumed
    ]
    return elastic_robot(
        made.name, bare, made.gravity, at, drives, replace(servo, frequencies=each[:n].tolist()),
        (made.lower, made.upper, made.speeds), (*said, "the controller's frequencies"), limited,
    )  # fmt: skip
