"""The held mock-up as the arm's joints place it: its pose, and wrenches seen from its centre of mass."""

import numpy as np
from numba import njit

from hil.common.arrays import Array
from hil.common.geometry import stacked, wrench_moved
from planner.kinematics.arm_geometry import Geometry
from planner.kinematics.forward import flange_pose


@njit(cache=True)
def object_wrench(
    arm: Geometry,
    q: Array,
    T_flange_tcp: Array,
    T_flange_object: Array,
    wrench: Array,
    in_tool_axes: bool,
) -> Array:
    """Return a wrench measured at the tcp about the object's centre of mass, in object axes.

    A person pushes a face of the real mock-up, so every sample is moved with the joints of its own
    packet (what moving only the final moment costs: docs/theory.md, section 1).

    Args:
        arm: its geometry.
        q: measured joint positions [rad], shape (7,).
        T_flange_tcp: tcp in flange, shape (4, 4).
        T_flange_object: object (centre of mass) in flange, shape (4, 4).
        wrench: force, then torque about the tcp [N, N m], shape (6,), in tcp or base axes.
        in_tool_axes: whether `wrench` is in tcp axes (otherwise in base axes).
    """
    T_base_flange = flange_pose(arm, q)
    R_base_flange = np.ascontiguousarray(T_base_flange[:3, :3])
    R_base_object = R_base_flange @ np.ascontiguousarray(T_flange_object[:3, :3])
    in_base = wrench.copy()
    if in_tool_axes:
        R_base_tcp = R_base_flange @ np.ascontiguousarray(T_flange_tcp[:3, :3])
        in_base = stacked(R_base_tcp @ wrench[:3], R_base_tcp @ wrench[3:])
    # where the tcp lies as seen from the object's centre of mass
    lever = R_base_flange @ (T_flange_tcp[:3, 3] - T_flange_object[:3, 3])
    moved = wrench_moved(in_base, lever)
    return stacked(R_base_object.T @ moved[:3], R_base_object.T @ moved[3:])


@njit(cache=True)
def object_axes(arm: Geometry, q: Array, T_flange_object: Array) -> Array:
    """Return `R_base_object` (3, 3) at joint positions `q` [rad]."""
    R_base_flange = np.ascontiguousarray(flange_pose(arm, q)[:3, :3])
    return R_base_flange @ np.ascontiguousarray(T_flange_object[:3, :3])


@njit(cache=True)
def object_pose(arm: Geometry, q: Array, T_world_base: Array, T_flange_object: Array) -> Array:
    """Return `T_world_object` (4, 4) of the held mock-up at joint positions `q` [rad]."""
    return T_world_base @ flange_pose(arm, q) @ T_flange_object
