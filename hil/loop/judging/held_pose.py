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
        chain = model.chain
        self._joints = [
            (_pose_of_matrix(T), axis) for T, axis in zip(chain.placements, chain.axes.tolist(), strict=True)
        ]
        self._mount = _pose_of(c.robot.mount_position, c.robot.mount_rotvec)
        tcp = _pose_of(c.robot.tcp_position, c.robot.tcp_rotvec)
        held = _joined(tcp, _pose_of(c.object.position, c.object.rotvec))
        self._last_object = _joined(_pose_of_matrix(chain.T_last_tip), held)

    def at(self, q: Array) -> tuple[Array, Array]:
        """Return the object's centre [m], (3,), and attitude w x y z, (4,), in the world.

        `q` are joint positions [rad], shape (7,).
        """
        pose = self._mount
        for (placement, axis), angle in zip(self._joints, np.asarray(q, np.float64).tolist(), strict=True):
            sine, (x, y, z) = math.sin(0.5 * angle), axis
            pose = _joined(pose, placement)
            pose = pose[0], times(pose[1], (math.cos(0.5 * angle), sine * x, sine * y, sine * z))
        p, quat = _joined(pose, self._last_object)
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


def _pose_of_matrix(T: Array) -> Pose:
    """Return a pose (4, 4); of the quaternion's four forms that whose divisor is greatest (Shepperd)."""
    R, (px, py, pz) = T[:3, :3].tolist(), T[:3, 3].tolist()
    diagonal = [R[0][0], R[1][1], R[2][2]]
    parts = [sum(diagonal), *diagonal]
    k = max(range(4), key=parts.__getitem__)
    if k == 0:
        found = [1.0 + parts[0], R[2][1] - R[1][2], R[0][2] - R[2][0], R[1][0] - R[0][1]]
    else:
        i, j, m = k - 1, k % 3, (k + 1) % 3
        found = [R[m][j] - R[j][m], 0.0, 0.0, 0.0]
        found[1 + i] = 1.0 + 2.0 * R[i][i] - parts[0]
        found[1 + j], found[1 + m] = R[i][j] + R[j][i], R[m][i] + R[i][m]
    scale = 1.0 / math.sqrt(sum(value * value for value in found))
    w, x, y, z = (scale * value for value in found)
    return (px, py, pz), (w, x, y, z)
