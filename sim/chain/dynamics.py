"""Forces and inertia of a serial chain. Compiled.

theory: Newton and Euler, from the base outwards for motion and back for forces (docs/theory.md, section
on chains), all vectors in base axes; the mass matrix by composite bodies, momenta about the base's origin.
"""

import numpy as np
from numba import njit

from hil.common.arrays import ZERO, Array
from sim.chain.kinematics import axes_in_base, body_poses
from sim.chain.serial_chain import SerialChain


@njit(cache=True)
def _cross_into(out: Array, a: Array, b: Array) -> None:
    out[0] = a[1] * b[2] - a[2] * b[1]
    out[1] = a[2] * b[0] - a[0] * b[2]
    out[2] = a[0] * b[1] - a[1] * b[0]


@njit(cache=True)
def _turned_into(out: Array, pose: Array, vector: Array) -> None:
    for k in range(3):
        out[k] = pose[k, 0] * vector[0] + pose[k, 1] * vector[1] + pose[k, 2] * vector[2]


@njit(cache=True)
def _inertia_times(pose: Array, inertia: Array, x: float, y: float, z: float) -> tuple[float, float, float]:
    """Return R I R^T v; of numbers, for arrays that come and go are what costs here."""
    a = pose[0, 0] * x + pose[1, 0] * y + pose[2, 0] * z
    b = pose[0, 1] * x + pose[1, 1] * y + pose[2, 1] * z
    c = pose[0, 2] * x + pose[1, 2] * y + pose[2, 2] * z
    d = inertia[0, 0] * a + inertia[0, 1] * b + inertia[0, 2] * c
    e = inertia[1, 0] * a + inertia[1, 1] * b + inertia[1, 2] * c
    f = inertia[2, 0] * a + inertia[2, 1] * b + inertia[2, 2] * c
    return (
        pose[0, 0] * d + pose[0, 1] * e + pose[0, 2] * f,
        pose[1, 0] * d + pose[1, 1] * e + pose[1, 2] * f,
        pose[2, 0] * d + pose[2, 1] * e + pose[2, 2] * f,
    )


@njit(cache=True)
def _cross(ax: float, ay: float, az: float, bx: float, by: float, bz: float) -> tuple[float, float, float]:
    return ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx


@njit(cache=True)
def forces_at(
    chain: SerialChain, poses: Array, dq: Array, ddq: Array, gravity: Array, wrench_tip: Array
) -> tuple[Array, Array]:
    """Return what the joints must give, and what a base at rest gives; see `moving_forces_at`."""
    return moving_forces_at(chain, poses, dq, ddq, np.zeros(3), np.zeros(6), gravity, wrench_tip)


@njit(cache=True)
def moving_forces_at(
    chain: SerialChain,
    poses: Array,
    dq: Array,
    ddq: Array,
    spin: Array,
    base_acceleration: Array,
    gravity: Array,
    wrench_tip: Array,
) -> tuple[Array, Array]:
    """Return what the joints must give, and what the base, which may move, is given from outside.

    Args:
        chain: see there.
        poses: by `body_poses`.
        dq: joint velocity [rad/s, m/s], shape (n,).
        ddq: joint acceleration [rad/s2, m/s2], shape (n,).
        spin: the base's angular velocity in base axes [rad/s], shape (3,).
        base_acceleration: of the base's origin, and angular, in base axes [m/s2, rad/s2], shape (6,).
        gravity: in base axes [m/s2], shape (3,).
        wrench_tip: force and torque of the environment on the tip, about it, in base axes [N, N m], (6,).

    Returns:
        Joint torques and forces [N m, N], shape (n,), the armatures' share included; and force and torque
        on the base body's underside about the base's origin in base axes [N, N m], shape (6,), the base
        body's weight included.
    """
    n = dq.shape[0]
    axes = axes_in_base(chain, poses)
    force, moment = np.zeros((n + 1, 3)), np.zeros((n + 1, 3))  # each body's own, moment about its frame
    w, acc, alpha = spin.copy(), base_acceleration[:3].copy(), base_acceleration[3:].copy()
    r, t, u = np.empty(3), np.empty(3), np.empty(3)
    _own_forces_into(force[0], moment[0], chain, poses, ZERO, w, alpha, acc, gravity)
    for i in range(n):
        a = axes[i]
        for k in range(3):
            r[k] = poses[i + 1, k, 3] - poses[i, k, 3]
        _cross_into(t, w, r)
        _cross_into(u, w, t)
        _cross_into(t, alpha, r)
        for k in range(3):
            acc[k] += t[k] + u[k]
        _cross_into(t, w, a)
        for k in range(3):
            if chain.linear[i]:
                acc[k] += a[k] * ddq[i] + 2.0 * dq[i] * t[k]
            else:
                alpha[k] += a[k] * ddq[i] + dq[i] * t[k]
                w[k] += a[k] * dq[i]
        _own_forces_into(force[i + 1], moment[i + 1], chain, poses, i + 1, w, alpha, acc, gravity)
    return _inwards(chain, poses, axes, ddq, wrench_tip, force, moment)


@njit(cache=True)
def _own_forces_into(
    force: Array,
    moment: Array,
    chain: SerialChain,
    poses: Array,
    i: int,
    w: Array,
    alpha: Array,
    acc: Array,
    gravity: Array,
) -> None:
    """Write the force that body i needs, and its moment about the body's frame."""
    pose, centre, m = poses[i], chain.centres[i], chain.masses[i]
    cx = pose[0, 0] * centre[0] + pose[0, 1] * centre[1] + pose[0, 2] * centre[2]
    cy = pose[1, 0] * centre[0] + pose[1, 1] * centre[1] + pose[1, 2] * centre[2]
    cz = pose[2, 0] * centre[0] + pose[2, 1] * centre[1] + pose[2, 2] * centre[2]
    tx, ty, tz = _cross(w[0], w[1], w[2], cx, cy, cz)
    ux, uy, uz = _cross(w[0], w[1], w[2], tx, ty, tz)
    tx, ty, tz = _cross(alpha[0], alpha[1], alpha[2], cx, cy, cz)
    force[0] = m * (acc[0] + tx + ux - gravity[0])
    force[1] = m * (acc[1] + ty + uy - gravity[1])
    force[2] = m * (acc[2] + tz + uz - gravity[2])
    hx, hy, hz = _inertia_times(pose, chain.inertias[i], w[0], w[1], w[2])
    ux, uy, uz = _cross(w[0], w[1], w[2], hx, hy, hz)
    tx, ty, tz = _inertia_times(pose, chain.inertias[i], alpha[0], alpha[1], alpha[2])
    rx, ry, rz = _cross(cx, cy, cz, force[0], force[1], force[2])
    moment[0], moment[1], moment[2] = tx + ux + rx, ty + uy + ry, tz + uz + rz


@njit(cache=True)
def _inwards(
    chain: SerialChain, poses: Array, axes: Array, ddq: Array, wrench_tip: Array, force: Array, moment: Array
) -> tuple[Array, Array]:
    n = ddq.shape[0]
    tau, base = np.empty(n), np.empty(6)
    total, torque, r, t = -wrench_tip[:3], -wrench_tip[3:], np.empty(3), np.empty(3)
    for i in range(n, -1, -1):
        for k in range(3):
            r[k] = poses[i + 1, k, 3] - poses[i, k, 3]
        _cross_into(t, r, total)
        for k in range(3):
            torque[k] += t[k] + moment[i, k]
            total[k] += force[i, k]
        if i > 0:
            along = total if chain.linear[i - 1] else torque
            tau[i - 1] = (
                axes[i - 1, 0] * along[0]
                + axes[i - 1, 1] * along[1]
                + axes[i - 1, 2] * along[2]
                + chain.armatures[i - 1] * ddq[i - 1]
            )
    base[:3], base[3:] = total, torque
    return tau, base


@njit(cache=True)
def inverse_dynamics(
    chain: SerialChain, q: Array, dq: Array, ddq: Array, gravity: Array, wrench_tip: Array
) -> tuple[Array, Array]:
    """Return joint torques and the base's wrench for a motion; see `forces_at`."""
    return forces_at(chain, body_poses(chain, q), dq, ddq, gravity, wrench_tip)


@njit(cache=True)
def mass_matrix_at(chain: SerialChain, poses: Array) -> Array:
    """Return the mass matrix, the armatures in it [kg m2, kg m, kg], shape (n, n)."""
    return free_mass_matrix_at(chain, poses)[6:, 6:].copy()


@njit(cache=True)
def free_mass_matrix_at(chain: SerialChain, poses: Array) -> Array:
    """Return the mass matrix of a chain whose base is free, the armatures in it, shape (6 + n, 6 + n).

    Rows and columns: motion of the base's origin and its turning, in base axes, then the joints. Times the
    velocities its first six rows give the momenta, about the base's origin.
    """
    n = chain.axes.shape[0]
    axes, M, S = axes_in_base(chain, poses), np.zeros((6 + n, 6 + n)), np.zeros((6 + n, 6))
    for k in range(6):
        S[k, k] = 1.0
    for i in range(n):  # motion of the point at the base's origin, and turning
        if chain.linear[i]:
            S[6 + i, :3] = axes[i]
        else:
            _cross_into(S[6 + i, :3], poses[i + 1, :3, 3].copy(), axes[i])
            S[6 + i, 3:] = axes[i]
    mass, first, second = 0.0, np.zeros(3), np.zeros((3, 3))  # of all bodies from i outwards, about origin
    momentum = np.empty(6)
    for i in range(n, -1, -1):
        mass += chain.masses[i]
        _gather_into(first, second, chain, poses, i)
        for row in range(5 + i if i > 0 else 0, 6 + i):  # the joint of body i; the base's six rows
            _momentum_into(momentum, mass, first, second, S[row])
            for column in range(row + 1):
                along = 0.0
                for k in range(6):
                    along += S[column, k] * momentum[k]
                M[row, column] = M[column, row] = along
        if i > 0:
            M[5 + i, 5 + i] += chain.armatures[i - 1]
    return M


@njit(cache=True)
def _gather_into(first: Array, second: Array, chain: SerialChain, poses: Array, i: int) -> None:
    """Add body i's first and second moments of mass about the base's origin."""
    p, m, pose = np.empty(3), chain.masses[i], poses[i]
    _turned_into(p, pose, chain.centres[i])
    p += pose[:3, 3]
    square = p[0] * p[0] + p[1] * p[1] + p[2] * p[2]
    for k in range(3):
        first[k] += m * p[k]
        for j in range(3):
            turned = 0.0
            for a in range(3):
                for b in range(3):
                    turned += pose[k, a] * chain.inertias[i, a, b] * pose[j, b]
            second[k, j] += turned + m * ((square if k == j else 0.0) - p[k] * p[j])


@njit(cache=True)
def _momentum_into(out: Array, mass: float, first: Array, second: Array, motion: Array) -> None:
    """Write the momenta about the origin of bodies that move as one."""
    v, w = motion[:3], motion[3:]
    _cross_into(out[:3], w, first)
    _cross_into(out[3:], first, v)
    for k in range(3):
        out[k] += mass * v[k]
        out[3 + k] += second[k, 0] * w[0] + second[k, 1] * w[1] + second[k, 2] * w[2]


@njit(cache=True)
def mass_matrix(chain: SerialChain, q: Array) -> Array:
    """Return the mass matrix, the armatures in it [kg m2, kg m, kg], shape (n, n)."""
    return mass_matrix_at(chain, body_poses(chain, q))


@njit(cache=True)
def bias(chain: SerialChain, q: Array, dq: Array, gravity: Array) -> Array:
    """Return the joint torques of gravity and velocity, without acceleration [N m, N], shape (n,)."""
    n = q.shape[0]
    return inverse_dynamics(chain, q, dq, np.zeros(n), gravity, np.zeros(6))[0]


@njit(cache=True)
def energy(chain: SerialChain, q: Array, dq: Array, gravity: Array) -> tuple[float, float]:
    """Return kinetic and potential energy [J]; the latter about the base's origin."""
    poses = body_poses(chain, q)
    M, p, potential = mass_matrix_at(chain, poses), np.empty(3), 0.0
    for i in range(q.shape[0] + 1):
        _turned_into(p, poses[i], chain.centres[i])
        p += poses[i, :3, 3]
        potential -= chain.masses[i] * (p[0] * gravity[0] + p[1] * gravity[1] + p[2] * gravity[2])
    kinetic = 0.0
    for i in range(q.shape[0]):
        for j in range(q.shape[0]):
            kinetic += 0.5 * dq[i] * M[i, j] * dq[j]
    return kinetic, potential
