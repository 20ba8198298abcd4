"""A base that stands, or floats: its pose, its twist, its momenta. Compiled.

theory: the base's turn of a step is `R1 = R0 exp(h w)` with the mean angular velocity in its own axes. After
each step its twist is set so that momentum and angular momentum are what the impulses from outside made of
them: the six numbers are states, and do not drift (docs/understand/drives.md).
"""

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from hil.common.arrays import NO, YES, Array
from sim.chain.dynamics import free_mass_matrix_at
from sim.chain.kinematics import body_poses, jacobian_at
from sim.chain.serial_chain import SerialChain
from sim.drives.rotors import spin_momentum
from sim.drives.solving import solve_into


class Base(NamedTuple):
    """The base's state, written by the steps.

    Attributes:
        pose: of the base in the world, shape (4, 4).
        twist: velocity of its origin in world axes, angular velocity in its own [m/s, rad/s], shape (6,).
        acceleration: of its origin and angular, in its own axes, of the last step, shape (6,).
        momentum: of the whole, and angular momentum about the world's origin, in world axes, shape (6,).
        wrench: that the base is given from outside: of a base that stands what holds it, of one that floats
            what the satellite gives to the arm; about the base's origin, base axes [N, N m], shape (6,).
        outside: work of what acts from outside since the beginning [J], shape (1,).
    """

    pose: Array
    twist: Array
    acceleration: Array
    momentum: Array
    wrench: Array
    outside: Array


def base_at_rest(pose: Array) -> Base:
    """Return a base at a pose in the world, shape (4, 4)."""
    return Base(np.array(pose, np.float64), np.zeros(6), np.zeros(6), np.zeros(6), np.zeros(6), np.zeros(1))


@njit(cache=True)
def turned_pose_into(out: Array, pose: Array, spin: Array, h: float) -> None:
    """Write a pose's rotation after a turn of `spin * h` in its own axes; the rest stays."""
    wx, wy, wz = spin[0] * h, spin[1] * h, spin[2] * h
    angle = math.sqrt(wx * wx + wy * wy + wz * wz)
    if angle > 1e-6:
        a, b = math.sin(angle) / angle, (1.0 - math.cos(angle)) / (angle * angle)
    else:
        a, b = 1.0 - angle * angle / 6.0, 0.5 - angle * angle / 24.0
    E = np.empty((3, 3))
    E[0, 0], E[0, 1], E[0, 2] = 1.0 - b * (wy * wy + wz * wz), b * wx * wy - a * wz, b * wx * wz + a * wy
    E[1, 0], E[1, 1], E[1, 2] = b * wx * wy + a * wz, 1.0 - b * (wx * wx + wz * wz), b * wy * wz - a * wx
    E[2, 0], E[2, 1], E[2, 2] = b * wx * wz - a * wy, b * wy * wz + a * wx, 1.0 - b * (wx * wx + wy * wy)
    for i in range(3):
        for j in range(3):
            out[i, j] = pose[i, 0] * E[0, j] + pose[i, 1] * E[1, j] + pose[i, 2] * E[2, j]


@njit(cache=True)
def turned_into(out: Array, pose: Array, vector: Array, back: bool) -> None:
    """Write a vector turned by a pose's rotation, or back."""
    for i in range(3):
        if back:
            out[i] = pose[0, i] * vector[0] + pose[1, i] * vector[1] + pose[2, i] * vector[2]
        else:
            out[i] = pose[i, 0] * vector[0] + pose[i, 1] * vector[1] + pose[i, 2] * vector[2]


@njit(cache=True)
def add_cross(out: Array, a: Array, b: Array, factor: float) -> None:
    """Add a cross product, times a factor."""
    out[0] += factor * (a[1] * b[2] - a[2] * b[1])
    out[1] += factor * (a[2] * b[0] - a[0] * b[2])
    out[2] += factor * (a[0] * b[1] - a[1] * b[0])


@njit(cache=True)
def momenta_in_base(M: Array, base: Base, dq: Array) -> Array:
    """Return the momenta about the base's origin in base axes, by the free mass matrix, shape (6,)."""
    motion = np.empty(6 + dq.shape[0])
    turned_into(motion[:3], base.pose, base.twist[:3], YES)
    motion[3:6], motion[6:] = base.twist[3:], dq
    momenta = np.zeros(6)
    for i in range(6):
        for j in range(motion.shape[0]):
            momenta[i] += M[i, j] * motion[j]
    return momenta


@njit(cache=True)
def momenta_in_world(chain: SerialChain, base: Base, q: Array, dq: Array, spins: Array) -> Array:
    """Return momentum and angular momentum about the world's origin, in world axes, shape (6,).

    That of rotors beside what carries them, `spins` [N m s], shape (n,), is in it.
    """
    poses = body_poses(chain, q)
    own = momenta_in_base(free_mass_matrix_at(chain, poses), base, dq)
    own[3:] += spin_momentum(chain, poses, spins)
    world = np.empty(6)
    turned_into(world[:3], base.pose, own[:3], NO)
    turned_into(world[3:], base.pose, own[3:], NO)
    add_cross(world[3:], base.pose[:3, 3].copy(), world[:3].copy(), 1.0)
    return world


@njit(cache=True)
def keep_momenta(chain: SerialChain, base: Base, q: Array, dq: Array, spins: Array) -> None:
    """Set the base's twist so that the momenta are those that it has as states; see `momenta_in_world`."""
    poses = body_poses(chain, q)
    M = free_mass_matrix_at(chain, poses)
    wanted, rest, change, turned = base.momentum.copy(), np.empty(6), np.empty(6), np.empty(3)
    add_cross(wanted[3:], base.pose[:3, 3].copy(), wanted[:3].copy(), -1.0)
    turned_into(rest[:3], base.pose, wanted[:3], YES)
    turned_into(rest[3:], base.pose, wanted[3:], YES)
    rest -= momenta_in_base(M, base, dq)
    rest[3:] -= spin_momentum(chain, poses, spins)
    solve_into(change, M[:6, :6].copy(), rest)
    turned_into(turned, base.pose, change[:3], NO)
    for k in range(3):
        base.twist[k] += turned[k]
        base.twist[3 + k] += change[3 + k]


@njit(cache=True)
def add_outside_work(
    chain: SerialChain,
    base: Base,
    poses: Array,
    pose: Array,
    spin: Array,
    dq: Array,
    x: Array,
    floats: bool,
    wrench_tip: Array,
    h: float,
) -> None:
    """Add the work of the wrench at the tip during a step, all motion that of its middle."""
    n, loaded = dq.shape[0], False
    for k in range(6):
        loaded |= wrench_tip[k] != 0.0
    if not loaded:
        return
    twist, v, tip = np.zeros(6), np.empty(3), poses[n + 1, :3, 3].copy()
    J = jacobian_at(chain, poses)
    for k in range(6):
        for i in range(n):
            twist[k] += J[k, i] * dq[i]
    if floats:
        turned_into(v, pose, base.twist[:3], YES)
        for k in range(3):
            twist[k] += v[k] + 0.5 * h * x[k]
            twist[3 + k] += spin[k]
        add_cross(twist[:3], spin, tip, 1.0)
    for k in range(6):
        base.outside[0] += h * wrench_tip[k] * twist[k]


@njit(cache=True)
def carry_base(
    chain: SerialChain,
    base: Base,
    poses: Array,
    pose: Array,
    acceleration: Array,
    gravity: Array,
    wrench_tip: Array,
    h: float,
) -> None:
    """Write pose, twist and momenta of a floating base at the end of a step.

    Args:
        chain: of the whole.
        base: state at the start; written.
        poses: of the bodies in the base, in the middle of the step.
        pose: of the base in the middle; its rotation counts.
        acceleration: of the base, in its own axes, shape (6,).
        gravity: in world axes, shape (3,).
        wrench_tip: see `arm_step`.
        h: step [s].
    """
    n = poses.shape[0] - 2
    spin, linear, force, torque = np.empty(3), np.empty(3), np.empty(3), np.empty(3)
    centre, tip, p = np.zeros(3), np.empty(3), np.empty(3)
    turned_into(linear, pose, acceleration[:3], NO)
    turned_into(force, pose, wrench_tip[:3], NO)
    turned_into(torque, pose, wrench_tip[3:], NO)
    turned_into(tip, pose, poses[n + 1, :3, 3].copy(), NO)
    mass = 0.0
    for i in range(n + 1):
        turned_into(p, poses[i], chain.centres[i], NO)
        mass += chain.masses[i]
        for k in range(3):
            centre[k] += chain.masses[i] * (p[k] + poses[i, k, 3])
    turned_into(p, pose, centre, NO)  # mass times the centre's place beside the base's origin
    before = base.pose.copy()
    for k in range(3):
        middle = base.pose[k, 3] + 0.5 * h * (base.twist[k] + 0.25 * h * linear[k])
        p[k] += mass * middle
        tip[k] += middle
        spin[k] = base.twist[3 + k] + 0.5 * h * acceleration[3 + k]
        base.pose[k, 3] += h * (base.twist[k] + 0.5 * h * linear[k])
        base.twist[k] += h * linear[k]
        base.twist[3 + k] += h * acceleration[3 + k]
        base.momentum[k] += h * (mass * gravity[k] + force[k])
        base.momentum[3 + k] += h * torque[k]
        base.acceleration[k], base.acceleration[3 + k] = acceleration[k], acceleration[3 + k]
    turned_pose_into(base.pose, before, spin, h)
    add_cross(base.momentum[3:], p, gravity, h)
    add_cross(base.momentum[3:], tip, force, h)
