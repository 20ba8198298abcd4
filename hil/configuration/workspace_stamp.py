"""The fingerprint that ties certified stops to what they were certified for."""

import hashlib
import itertools

import numpy as np

from hil.common.arm_files import read_arm
from hil.common.arrays import Array
from hil.configuration import Configuration

FAMILY = 1, 3, 5  # A2, A4, A6, whose signs tell branches apart
Family = tuple[bool, ...]


def family_of(q: Array) -> Family:
    """Return which of A2, A4 and A6 are below zero, for joint positions (7,) [rad]."""
    return tuple(bool(q[j] < 0.0) for j in FAMILY)


def certified_family(c: Configuration) -> Family:
    """Return the branch for which the stops are certified; without a certificate that of the start pose."""
    own = family_of(c.robot.start)
    for family in (own, *itertools.product((False, True), repeat=len(FAMILY))):
        if c.stops.certified == workspace_stamp(c, family):
            return family
    return own


def workspace_stamp(c: Configuration, family: Family | None = None) -> str:
    """Return a hash of mount, tool, object, mock-up, stops, joint speeds, robot model and branch.

    Without branches it covers the inverse kinematics and the start pose too: what is certified then are the
    joints to which the one settles, and it settles near the other.

    Args:
        c: the configuration.
        family: the branch, as `family_of` has it; None: that of the start pose.
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
    if c.planner.inverse == "branches":
        digest.update(bytes(family_of(c.robot.start) if family is None else family))
    else:
        digest.update(c.planner.inverse.encode() + np.round(c.robot.start, 9).tobytes())
    return digest.hexdigest()[:16]
