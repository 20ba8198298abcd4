"""One pose's inverse kinematics with the proof: how far the solution is from the pose and the limits."""

import math
from dataclasses import dataclass

import numpy as np

from hil.common.arrays import Array
from planner.kinematics.arm_model import ArmModel
from planner.kinematics.forward import flange_pose
from planner.kinematics.inverse import BRANCHES, solve_into


@dataclass(frozen=True, eq=False)
class InverseSolution:
    """Joints for a pose, and the residuals that prove them.

    Attributes:
        q: joint positions [rad], shape (7,).
        arm_angle: stereographic arm angle [rad].
        branch: 0 to 7.
        position_error: distance of the flange from the pose asked for [m].
        orientation_error: angle between its axes and those asked for [rad].
        limit_margin: distance to the nearest joint limit, negative outside [rad].
    """

    q: Array
    arm_angle: float
    branch: int
    position_error: float
    orientation_error: float
    limit_margin: float


def inverse_solutions(
    model: ArmModel, T_base_flange: Array, arm_angles: Array, q_near: Array
) -> list[InverseSolution]:
    """Return the solutions within the joint limits, largest margin first; empty when there are none.

    Args:
        model: the arm.
        T_base_flange: the pose, shape (4, 4).
        arm_angles: arm angles to try [rad], shape (m,).
        q_near: joints that decide where a singular pose leaves a choice [rad], shape (7,).
    """
    solutions = []
    for arm_angle in arm_angles:
        for branch in range(BRANCHES):
            q = np.empty(7)
            if not solve_into(q, model.lengths, model.signs, T_base_flange, arm_angle, branch, q_near):
                return []
            solution = _proved(model, T_base_flange, q, float(arm_angle), branch)
            if solution.limit_margin >= 0.0:
                solutions.append(solution)
    return sorted(solutions, key=lambda solution: -solution.limit_margin)


def _proved(model: ArmModel, T: Array, q: Array, arm_angle: float, branch: int) -> InverseSolution:
    reached = flange_pose(model.geometry, q)
    difference = reached[:3, :3] - T[:3, :3]
    # |R1 - R2| (Frobenius) = 2 sqrt(2) sin(angle / 2): exact for small angles, unlike the trace
    chord = float(np.linalg.norm(difference)) / (2.0 * math.sqrt(2.0))
    return InverseSolution(
        q=q,
        arm_angle=arm_angle,
        branch=branch,
        position_error=float(np.linalg.norm(reached[:3, 3] - T[:3, 3])),
        orientation_error=2.0 * math.asin(min(1.0, chord)),
        limit_margin=float(np.min(np.minimum(q - model.lower, model.upper - q))),
    )
