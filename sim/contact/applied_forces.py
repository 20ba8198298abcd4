"""Forces beside the contacts, compiled into every step: an arm's impedance, a push, an orbit, seals, latches.

They are computed between the kinematics and the accelerations of a step, from the state and the time at its
beginning and from constant tables (`sim.contact.force_tables`). Wrenches on bodies are taken about the
world's origin, summed from the leaves of the tree to its roots, and read off at each joint:
hinge `axis . (N - anchor x F)`, slide `axis . F`, free joint `F` in world axes and `R^T (N - p x F)`.
"""

import math
from typing import NamedTuple

import mujoco
import numpy as np
from numba import njit

from hil.common.arrays import Array
from hil.common.geometry import matrix_from_quat, quat_conjugate, quat_multiply, rotvec_from_quat
from sim.contact.force_tables import (
    CARTESIAN,
    JOINT,
    Chain,
    ForceTables,
    Impedance,
    Kinematics,
    Tree,
    kinematics_of,
)
from sim.contact.parts import add_parts
from sim.contact.seating import close_latch

FREE, SLIDE, HINGE = 0, 2, 3  # mujoco.mjtJoint
REGULAR = 1e-6  # added to J J^T, so that an arm at its singularity is damped as well


class AppliedForces(NamedTuple):
    """The tables of a scene's forces, with the views and the room that one simulation needs."""

    tables: ForceTables
    at: Kinematics
    wrench: Array  # (nbody, 6) room
    by_parts: Array  # (nv,) the generalised force of seals and latches alone [N, N m]


def bound_forces(tables: ForceTables, data: mujoco.MjData) -> AppliedForces:
    """Return tables bound to the data of one simulation."""
    return AppliedForces(
        tables, kinematics_of(data), np.empty((data.xpos.shape[0], 6)), np.zeros(data.qvel.shape[0])
    )


@njit(cache=True, nogil=True, error_model="numpy")
def apply_forces(forces: AppliedForces, time: float, qfrc_applied: Array) -> None:
    """Add the generalised force of everything in the tables; a latch may close for the next step.

    Args:
        forces: tables, with where everything is at the step's beginning.
        time: of the same instant [s].
        qfrc_applied: generalised forces [N, N m], shape (nv,).
    """
    tables, at, wrench = forces.tables, forces.at, forces.wrench
    if tables.parts.moving.shape[0] > 0:
        wrench[:] = 0.0
        forces.by_parts[:] = 0.0
        if add_parts(
            wrench, tables.parts, at.userdata, at.xpos, at.xmat, at.cvel, at.subtree_com, tables.tree.root
        ):
            _project(forces.by_parts, wrench, tables.tree, at)
            qfrc_applied += forces.by_parts
    wrench[:] = 0.0
    pushed = _push(tables, at, time, wrench)
    if tables.rate != 0.0:
        _add_orbit(wrench, tables.tree, at, tables.rate)
    if pushed or tables.rate != 0.0:
        _project(qfrc_applied, wrench, tables.tree, at)
    if tables.impedance.kind == JOINT:
        _joint_impedance(qfrc_applied, tables.chain, tables.impedance, at, time)
    elif tables.impedance.kind == CARTESIAN:
        _cartesian_impedance(qfrc_applied, tables.chain, tables.impedance, at, time)
    close_latch(tables.latch, at.xpos, at.xmat, at.eq_active)


@njit(cache=True, nogil=True, error_model="numpy")
def _knot(times: Array, time: float) -> tuple[int, float, float]:
    """Return the interval of `time`, the share of it that is over, and 1 / its length or 0 outside."""
    last = times.shape[0] - 1
    if last == 0 or time <= times[0]:
        return 0, 0.0, 0.0
    if time >= times[last]:
        return last - 1, 1.0, 0.0
    i = int(np.searchsorted(times, time, side="right")) - 1
    length = times[i + 1] - times[i]
    return i, (time - times[i]) / length, 1.0 / length


@njit(cache=True, nogil=True, error_model="numpy")
def _push(tables: ForceTables, at: Kinematics, time: float, wrench: Array) -> bool:
    """Add the push on the held point; return whether there is any."""
    if tables.push.shape[0] == 0:
        return False
    i, share, _ = _knot(tables.push_time, time)
    following = min(i + 1, tables.push.shape[0] - 1)
    size = (1.0 - share) * tables.push[i] + share * tables.push[following]
    if size == 0.0:
        return False
    body = tables.chain.effector
    R = matrix_from_quat(at.xquat[body])
    point = at.xpos[body] + R @ tables.chain.point
    force = size * (R @ tables.push_axis)
    wrench[body, :3] += force
    wrench[body, 3:] += np.cross(point, force)
    return True


@njit(cache=True, nogil=True, error_model="numpy")
def _add_orbit(wrench: Array, tree: Tree, at: Kinematics, n: float) -> None:
    """Add what a circular orbit does to every body in Hill's frame: force and torque, see `sim.orbit`."""
    for b in range(1, tree.mass.shape[0]):
        m = tree.mass[b]
        if m == 0.0:
            continue
        p, centre = at.xipos[b], at.subtree_com[tree.root[b]]
        w0, w1, w2 = at.cvel[b, 0], at.cvel[b, 1], at.cvel[b, 2]
        vx = at.cvel[b, 3] + w1 * (p[2] - centre[2]) - w2 * (p[1] - centre[1])
        vy = at.cvel[b, 4] + w2 * (p[0] - centre[0]) - w0 * (p[2] - centre[2])
        fx = m * (3.0 * n * n * p[0] + 2.0 * n * vy)
        fy = -2.0 * m * n * vx
        fz = -m * n * n * p[2]
        # columns of S = tr(I)/2 - I in world axes that the torque needs
        i0, i1, i2 = tree.inertia[b, 0], tree.inertia[b, 1], tree.inertia[b, 2]
        R = at.ximat[b]
        xy = -(R[0] * R[3] * i0 + R[1] * R[4] * i1 + R[2] * R[5] * i2)
        xz = -(R[0] * R[6] * i0 + R[1] * R[7] * i1 + R[2] * R[8] * i2)
        yz = -(R[3] * R[6] * i0 + R[4] * R[7] * i1 + R[5] * R[8] * i2)
        zz = 0.5 * (i0 + i1 + i2) - (R[6] * R[6] * i0 + R[7] * R[7] * i1 + R[8] * R[8] * i2)
        tx = -n * n * yz + 2.0 * n * (w1 * zz - w2 * yz)
        ty = 4.0 * n * n * xz + 2.0 * n * (w2 * xz - w0 * zz)
        tz = -3.0 * n * n * xy + 2.0 * n * (w0 * yz - w1 * xz)
        wrench[b, 0] += fx
        wrench[b, 1] += fy
        wrench[b, 2] += fz
        wrench[b, 3] += tx + p[1] * fz - p[2] * fy
        wrench[b, 4] += ty + p[2] * fx - p[0] * fz
        wrench[b, 5] += tz + p[0] * fy - p[1] * fx


@njit(cache=True, nogil=True, error_model="numpy")
def _along(axis: Array, anchor: Array, force: Array, moment: Array) -> float:
    """Return `axis . (moment - anchor x force)`: what a wrench about the world's origin is to a hinge."""
    return (
        axis[0] * (moment[0] - anchor[1] * force[2] + anchor[2] * force[1])
        + axis[1] * (moment[1] - anchor[2] * force[0] + anchor[0] * force[2])
        + axis[2] * (moment[2] - anchor[0] * force[1] + anchor[1] * force[0])
    )


@njit(cache=True, nogil=True, error_model="numpy")
def _project(out: Array, wrench: Array, tree: Tree, at: Kinematics) -> None:
    """Add the generalised force of wrenches on bodies, about the world's origin; `wrench` is summed up."""
    for b in range(wrench.shape[0] - 1, 0, -1):
        wrench[tree.parent[b]] += wrench[b]
    for j in range(tree.joint_body.shape[0]):
        body, dof, kind = tree.joint_body[j], tree.joint_dof[j], tree.joint_kind[j]
        force, moment = wrench[body, :3], wrench[body, 3:]
        if kind == HINGE:
            out[dof] += _along(at.xaxis[j], at.xanchor[j], force, moment)
        elif kind == SLIDE:
            out[dof] += at.xaxis[j] @ force
        elif kind == FREE:
            axes = matrix_from_quat(quat_conjugate(at.xquat[body]))  # its rows are the body's axes
            for i in range(3):
                out[dof + i] += force[i]
                out[dof + 3 + i] += _along(axes[i], at.xpos[body], force, moment)


@njit(cache=True, nogil=True, error_model="numpy")
def _joint_impedance(out: Array, chain: Chain, impedance: Impedance, at: Kinematics, time: float) -> None:
    """Add `K (q_d - q) - D (dq - dq_d)` and the bias of the arm's joints."""
    k, share, per = _knot(impedance.time, time)
    knots = impedance.knots
    following = min(k + 1, knots.shape[0] - 1)
    for i in range(chain.dof.shape[0]):
        change = knots[following, i] - knots[k, i]
        error = knots[k, i] + share * change - at.qpos[chain.qpos[i]]
        rate = change * per - at.qvel[chain.dof[i]]
        out[chain.dof[i]] += (
            impedance.stiffness[i] * error + impedance.damping[i] * rate + at.bias[chain.dof[i]]
        )


@njit(cache=True, nogil=True, error_model="numpy")
def _cartesian_impedance(out: Array, chain: Chain, impedance: Impedance, at: Kinematics, time: float) -> None:
    """Add `J^T (K e - D (v - v_d)) - d N dq` and the bias; J, e and v relative to the base, see above."""
    k, share, per = _knot(impedance.time, time)
    knots = impedance.knots
    following = min(k + 1, knots.shape[0] - 1)
    quat_base = at.xquat[chain.base]
    R_base = matrix_from_quat(quat_base)
    change = knots[following, :3] - knots[k, :3]
    goal = at.xpos[chain.base] + R_base @ (knots[k, :3] + share * change)
    attitude = (1.0 - share) * knots[k, 3:] + share * knots[following, 3:]
    quat_goal = quat_multiply(quat_base, attitude / math.sqrt(attitude @ attitude))
    R_goal = matrix_from_quat(quat_goal)
    quat = at.xquat[chain.effector]
    point = at.xpos[chain.effector] + matrix_from_quat(quat) @ chain.point
    J = _jacobian(chain, at, point)
    n = chain.dof.shape[0]
    speeds = np.empty(n)
    for i in range(n):
        speeds[i] = at.qvel[chain.dof[i]]
    twist = J.T @ speeds
    e = R_goal.T @ (goal - point)
    turn = rotvec_from_quat(quat_multiply(quat_conjugate(quat_goal), quat))
    v = R_goal.T @ (R_base @ (change * per) - twist[:3])
    w = R_goal.T @ twist[3:]
    force, torque = np.empty(3), np.empty(3)
    for i in range(3):
        force[i] = impedance.stiffness[i] * e[i] + impedance.damping[i] * v[i]
        torque[i] = -impedance.stiffness[3 + i] * turn[i] - impedance.damping[3 + i] * w[i]
    force, torque = R_goal @ force, R_goal @ torque
    slack = speeds - J @ _solve(J.T @ J, twist)
    for i in range(n):
        tau = J[i, :3] @ force + J[i, 3:] @ torque
        out[chain.dof[i]] += tau - impedance.nullspace_damping * slack[i] + at.bias[chain.dof[i]]


@njit(cache=True, nogil=True, error_model="numpy")
def _jacobian(chain: Chain, at: Kinematics, point: Array) -> Array:
    """Return the transposed Jacobian (n, 6) of a point of the effector relative to the base, world axes."""
    n = chain.joint.shape[0]
    J = np.empty((n, 6))
    for i in range(n):
        axis = at.xaxis[chain.joint[i]]
        J[i, :3] = np.cross(axis, point - at.xanchor[chain.joint[i]])
        J[i, 3:] = axis
    return J


@njit(cache=True, nogil=True, error_model="numpy")
def _solve(A: Array, b: Array) -> Array:
    """Return `(A + REGULAR)^-1 b` of a positive semidefinite matrix, by Cholesky's method."""
    n = b.shape[0]
    L, x = np.zeros((n, n)), b.copy()
    for i in range(n):
        for j in range(i + 1):
            rest = A[i, j] + (REGULAR if i == j else 0.0)
            for k in range(j):
                rest -= L[i, k] * L[j, k]
            L[i, j] = math.sqrt(rest) if i == j else rest / L[j, j]
    for i in range(n):
        for k in range(i):
            x[i] -= L[i, k] * x[k]
        x[i] /= L[i, i]
    for i in range(n - 1, -1, -1):
        for k in range(i + 1, n):
            x[i] -= L[k, i] * x[k]
        x[i] /= L[i, i]
    return x
