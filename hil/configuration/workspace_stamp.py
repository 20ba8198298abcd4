"""The fingerprint that ties certified stops to what they were certified for."""

import hashlib

import numpy as np

from hil.common.arm_files import read_arm
from hil.configuration import Configuration


def workspace_stamp(c: Configuration) -> str:
    """Return a hash of mount, tool, object, mock-up, stops, joint speeds and robot model.

    Without branches it covers the inverse kinematics and the start pose too: what is certified then are the
    joints to which the one settles, and it settles near the other.
    """
    digest = hashlib.sha256(read_arm(c.robot.model).stamped)
    stops = c.stops
    for value in (
        c.robot.mount_position,
        c.robot.mount_rotvec,
        c.robot.tcp_position,
        c.robot.tcp_rotvec,
        c.object.position,
        c.object.rotvec,
        stops.centre,
        stops.half_extent,
        [stops.axis_pitch, stops.axis_yaw, stops.swing, stops.twist, stops.max_speed, stops.max_spin],
        c.limits.velocity,
        [c.mockup.edge],
        [stops.contact_time, c.planner.speed_fraction],
        c.object.inertia / np.max(c.object.inertia),  # they share out the energy among the stops
    ):
        digest.update(np.round(np.asarray(value, float), 9).tobytes())
    if c.planner.inverse != "branches":
        digest.update(c.planner.inverse.encode() + np.round(c.robot.start, 9).tobytes())
    return digest.hexdigest()[:16]
