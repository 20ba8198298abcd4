"""The port's planes in the world, and the mock-up's feet in the object's axes."""

import math

import numpy as np

from hil.common.arrays import Array
from hil.configuration.port import Port

LEVEL = 1e-6  # sine of the face's slope below which its horizontal is no direction


def planes_of(port: Port) -> Array:
    """Return a point [m] and the outward normal of each plane of the face, world axes, shape (planes, 6).

    A groove has two, tilted by its angle to either side about the line of its bottom: beyond the bottom each
    goes on within the other's port, so that a point touches the nearer flank, or at the bottom both.
    """
    n = port.normal_unit
    if port.groove is None:
        return np.concatenate((port.point, n))[None]
    along = within_face(port.normal_unit, port.groove_axis)
    across = np.cross(along, n)
    c, s = math.cos(port.groove), math.sin(port.groove)
    return np.array([np.concatenate((port.point, c * n + side * s * across)) for side in (1.0, -1.0)])


def feet_of(port: Port, edge: float, T_tcp_object: Array, R_world_tcp: Array) -> Array:
    """Return the mock-up's contact points, from the object's centre, object axes [m], shape (feet, 3).

    Args:
        port: where the feet stand, unless it is to be the middle of a face of the mock-up's cube.
        edge: of that cube [m], which lies along the tcp's z from the tcp on.
        T_tcp_object: pose of the object in the tcp, shape (4, 4).
        R_world_tcp: attitude of the tcp when the arm begins, shape (3, 3).
    """
    if port.feet is not None:
        return np.array(port.feet)
    towards = -(R_world_tcp.T @ port.normal_unit)
    axis = int(np.argmax(np.abs(towards)))
    foot = np.array([0.0, 0.0, 0.5 * edge])
    foot[axis] += math.copysign(0.5 * edge, towards[axis])
    return (T_tcp_object[:3, :3].T @ (foot - T_tcp_object[:3, 3]))[None]


def plate_pose(port: Port) -> Array:
    """Return the pose in world (4, 4) of a plate with holes: z out of its face, the point its middle."""
    n = port.normal_unit
    x = within_face(n, port.plate_axis)
    T = np.eye(4)
    T[:3, :3] = np.column_stack((x, np.cross(n, x), n))
    T[:3, 3] = port.point
    return T


def within_face(n: Array, wanted: Array | None) -> Array:
    """Return the direction (3,) nearest to `wanted` in the face with the normal `n`; None: its horizontal."""
    if wanted is not None:
        wanted = np.array(wanted)
    elif math.hypot(n[0], n[1]) > LEVEL:
        wanted = np.array([-n[1], n[0], 0.0])
    else:
        wanted = np.array([1.0, 0.0, 0.0])
    within = wanted - (wanted @ n) * n
    along: Array = within / np.linalg.norm(within)
    return along
