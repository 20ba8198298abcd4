"""The second arm's joints for where its tip is to be, and where its links are then."""

import math
from dataclasses import dataclass

import numpy as np

from hil.common.arrays import Array
from hil.common.errors import ConfigurationError
from hil.configuration import Configuration
from hil.configuration.frames import pose_of
from planner.kinematics.arm_bodies import Capsule
from planner.kinematics.arm_model import ArmModel
from planner.kinematics.forward import flange_pose
from planner.kinematics.inverse import solve_grid, solve_into

ANGLES = np.linspace(-math.pi, math.pi, 72, endpoint=False)  # of the arm, that are tried [rad]
BRANCHES = 8
HAND_RADIUS = 0.05  # [m] of wrist, hand and gripper
TIP_KEPT = 0.03  # [m] of the hand's end that touches the bar, and is no obstacle


@dataclass(frozen=True)
class Posture:
    """How the arm is bent.

    Attributes:
        arm_angle: stereographic [rad].
        branch: 0 to 7.
        margin: least distance to a joint's limit over all poses [rad].
    """

    arm_angle: float
    branch: int
    margin: float


class SecondArm:
    """Geometry of the partner's arm, which is of the same model as the first."""

    def __init__(self, configuration: Configuration, model: ArmModel) -> None:
        """Stand where [partner] says.

        Raises:
            ConfigurationError: the arm has no closed form to be judged by.
        """
        partner = configuration.partner
        assert partner is not None
        if model.open_form:
            raise ConfigurationError(f"[partner] needs an arm of the closed form: {model.open_form}")
        self._model = model
        self._T_world_base = pose_of(partner.mount_rotvec, partner.mount_position)
        self._T_base_world = np.linalg.inv(self._T_world_base)
        self._T_tip_flange = np.eye(4)
        self._T_tip_flange[2, 3] = -partner.tool_length
        self._near = np.zeros(7)
        lengths = model.lengths
        self.reach = float(lengths[1] + lengths[2])  # [m] from shoulder to wrist
        self._shoulder = self._T_world_base @ np.array([0.0, 0.0, lengths[0], 1.0])
        self._wrist = np.array([0.0, 0.0, -lengths[3], 1.0])

    def flange_of(self, T_world_tip: Array) -> Array:
        """Return the flange in the arm's base for a pose of the tip (4, 4), or many (n, 4, 4)."""
        return np.ascontiguousarray(self._T_base_world @ T_world_tip @ self._T_tip_flange)

    def wrist_way(self, T_world_tip: Array) -> float:
        """Return how far the wrist is from the shoulder where the tip is at a pose (4, 4) [m]."""
        wrist = T_world_tip @ self._T_tip_flange @ self._wrist
        return float(np.linalg.norm(wrist[:3] - self._shoulder[:3]))

    def posture(self, poses: Array) -> tuple[Posture | None, int]:
        """Return the posture that reaches all poses (n, 4, 4) of the tip with the greatest margin.

        Without one: None, and the number of the first pose to which none leads from the beginning.
        """
        m, flanges = self._model, self.flange_of(poses)
        q = np.empty((len(poses), len(ANGLES), BRANCHES, 7))
        valid = np.zeros(q.shape[:3], np.bool_)
        solve_grid(q, valid, m.lengths, m.signs, m.lower, m.upper, flanges, ANGLES, self._near)
        margin = np.minimum(q - m.lower, m.upper - q).min(axis=-1)
        margin[~valid] = -np.inf
        steps = np.abs(np.diff(q, axis=0)).max(axis=-1)
        jumps = steps > 0.5  # no arm turns so far between two samples
        margin[1:][jumps] = -np.inf
        least = np.minimum.accumulate(margin, axis=0)
        last = least[-1]
        if not np.isfinite(last).any():
            lost = ~np.isfinite(least).any(axis=(1, 2))
            return None, int(np.argmax(lost))
        i, j = np.unravel_index(int(np.argmax(last)), last.shape)
        return Posture(float(ANGLES[i]), int(j), float(last[i, j])), -1

    def joints(self, T_world_tip: Array, posture: Posture) -> Array | None:
        """Return the joints for a pose of the tip (4, 4) [rad], (7,); None where it is out of reach."""
        m, q = self._model, np.empty(7)
        flange = self.flange_of(T_world_tip)
        if not solve_into(q, m.lengths, m.signs, flange, posture.arm_angle, posture.branch, self._near):
            return None
        inside = bool((q >= m.lower).all() and (q <= m.upper).all())
        return q if inside else None

    def segments(self, q: Array, T_world_tip: Array) -> list[tuple[Array, Array, float]]:
        """Return the arm as capsules at its joints (7,): start, end [m] in world, radius [m]."""
        found = arm_segments(self._model, q, self._T_world_base)
        flange = self._T_world_base @ flange_pose(self._model.geometry, q)
        wrist = (flange @ self._wrist)[:3]
        end = T_world_tip[:3, 3] - TIP_KEPT * T_world_tip[:3, 2]
        return [*found, (wrist, end, HAND_RADIUS)]


def followed_joints(model: ArmModel, flanges: Array, q: Array) -> Array:
    """Return an arm's joints along poses of its flange [rad], (n, 7): each those nearest to the ones before.

    Where nothing within its limits reaches, it stays.

    Args:
        model: the arm.
        flanges: in its base, (n, 4, 4).
        q: joints from which it begins [rad], (7,).
    """
    found = np.empty((len(flanges), len(ANGLES), BRANCHES, 7))
    valid, out = np.zeros(found.shape[:3], np.bool_), np.empty((len(flanges), 7))
    solve_grid(found, valid, model.lengths, model.signs, model.lower, model.upper, flanges, ANGLES, q)
    for n, (joints, here) in enumerate(zip(found, valid, strict=True)):
        if here.any():
            reached = joints[here]
            q = reached[int(np.argmin(np.abs(reached - q).max(axis=1)))]
        out[n] = q
    return out


def arm_segments(model: ArmModel, q: Array, T_world_base: Array) -> list[tuple[Array, Array, float]]:
    """Return the links of an arm as capsules in world at its joints [rad], (7,)."""
    frames = [T_world_base]
    for j, placement in enumerate(model.chain.placements):
        turn = np.eye(4)
        turn[:3, :3] = pose_of(np.asarray(model.chain.axes[j]) * float(q[j]), np.zeros(3))[:3, :3]
        frames.append(frames[-1] @ placement @ turn)
    return [_in_world(body, frames[body.link]) for body in model.bodies]


def _in_world(body: Capsule, T: Array) -> tuple[Array, Array, float]:
    return T[:3, :3] @ body.start + T[:3, 3], T[:3, :3] @ body.end + T[:3, 3], body.radius
