"""The fingerprint that ties what was found of the load to what it was found for."""

import hashlib
import json

import numpy as np

from hil.common.arm_files import read_arm
from hil.configuration.schema import Configuration
from hil.configuration.sensor import reading_stamp


def load_stamp(c: Configuration) -> str:
    """Return a hash of arm, mount, tool, object's place, mock-up and how the wrench is read.

    What an emulated estimate misses (`mockup.uncompensated`) is not part of it: who calibrates does not know.
    """
    digest = hashlib.sha256(read_arm(c.robot.model).stamped)
    for value in (
        c.robot.mount_rotvec,
        c.robot.tcp_position,
        c.robot.tcp_rotvec,
        c.object.position,
        c.object.rotvec,
        [c.mockup.mass, c.mockup.edge],
        c.mockup.inertia,
    ):
        digest.update(np.round(np.asarray(value, float), 9).tobytes())
    digest.update(json.dumps([c.fri.wrench_frame, c.fri.wrench_sign]).encode())
    digest.update(reading_stamp(c))
    return digest.hexdigest()[:16]
