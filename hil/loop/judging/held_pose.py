"""Where the arm holds the object, in plain Python: the daemon loads no compiled code.

The same as `hil.wrench.held_body.object_pose`, against which it is tested.
"""

import math

import numpy as np

from hil.common.arrays import Array
from hil.configuration import Configuration
from planner.kinematics.arm_model import ArmModel, load_arm_model

Vector = tuple[float, float, float]
Quat = tuple[float, float, float, float]  # w x y z
Pose = tuple[Vector, Quat]


class HeldPose:
    """The arm's forward kinematics up to the object's centre of mass."""

    def __init__(self, configuration: Configuration) -> None:
        """Read the arm's model.

        Raises:
            RobotModelError: it cannot be used.
        """
        c = configuration
        model: ArmModel = load_arm_model(c.robot.model)
        self._lengths, self._signs = model.lengths.tolist(), model.signs.tolist()
        self._mount = _pose_of(c.robot.mount_position, c.robot.mount_rotvec)
        tcp = _pose_of(c.robot.tcp_position, c.robot.tcp_rotvec)
        self._flange_object = _joined(tcp, _pose_of(c.object.position, c.object.rotvec))

    def at(self, q: Array) -> tuple[Array, Array]:
        """Return the object's centre [m], (3,), and attitude w x y z, (4,), in the world.

        `q` are joint positions [rad], shape (7,).
        """
        pose = self._mount
        for j, angle in enumerate(np.asarray(q, np.float64).tolist()):
            half = 0.5 * self._signs[j] * angle
            sine = math.sin(half)
            about_z = j % 2 == 0
            length = self._lengths[j // 2] if about_z else 0.0
            turn = (math.cos(half), 0.0, 0.0 if about_z else sine, sine if about_z else 0.0)
            pose = _joined(pose, ((0.0, 0.0, length), turn))
        p, quat = _joined(pose, self._flange_object)
        return np.array(p), np.array(quat)


def times(a: Quat, b: Quat) -> Quat:
    """Return the Hamilton product of two quaternions."""
    aw, ax, ay, az = a
    bw, bx, by, bz = b
    return (
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    )


def _joined(a: Pose, b: Pose) -> Pose:
    """Return the pose of what lies at `b` in the axes of `a`."""
    (px, py, pz), quat = a
    w, x, y, z = quat
    _, vx, vy, vz = times(times(quat, (0.0, *b[0])), (w, -x, -y, -z))
    return (px + vx, py + vy, pz + vz), times(quat, b[1])


def _pose_of(position: Array, rotvec: Array) -> Pose:
    x, y, z = (float(part) for part in rotvec)
    angle = math.hypot(x, y, z)
    share = math.sin(0.5 * angle) / angle if angle else 0.0
    px, py, pz = (float(part) for part in position)
    return (px, py, pz), (math.cos(0.5 * angle), share * x, share * y, share * z)
