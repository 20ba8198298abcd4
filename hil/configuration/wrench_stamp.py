"""The fingerprint that ties a passed check of the wrench to what it was checked for."""

import hashlib
import json

import numpy as np

from hil.common.arm_files import read_arm
from hil.configuration import Configuration
from hil.configuration.sensor import reading_stamp


def wrench_stamp(c: Configuration) -> str:
    """Return a hash of all that says how the measured wrench is read: load, arm, tool and interface.

    The place of the mount and the emulated object are not part of it: the check reads the wrench about the
    tcp, in the axes of the base, and gravity is known in those of the world.
    """
    digest = hashlib.sha256(read_arm(c.robot.model).stamped)
    for value in (
        c.robot.mount_rotvec,
        c.robot.tcp_position,
        c.robot.tcp_rotvec,
        [c.mockup.mass],
        c.mockup.inertia,
    ):
        digest.update(np.round(np.asarray(value, float), 9).tobytes())
    fri = c.fri
    words = [fri.controller_address, fri.wrench_frame, fri.wrench_sign, fri.torque_sign]
    digest.update(json.dumps(words).encode())
    digest.update(reading_stamp(c))
    return digest.hexdigest()[:16]
