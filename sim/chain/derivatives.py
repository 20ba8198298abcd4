"""How joint torques and base wrench change with position, velocity, acceleration. Compiled.

theory: spatial vectors about the base's origin in base axes (Carpentier and Mansard 2018, in world axes).
Joint j turns all that is behind it: dI_k = S_j x* I_k - I_k S_j x, and with p the body before j,
beta_j = v_p x S_j and alpha_j = a_p x S_j - beta_j x v_p,

    dF_i/dq_j = S_j x* F_i + I_i alpha_j + B_i beta_j
    dF_i/dq'_j = 2 I_i beta_j + B_i S_j
    dF_i/dq''_j = I_i S_j

for i behind j, with F_i, I_i and B_i summed over the bodies from i outwards, and of each body, of velocity v,
B w = v x* I w - I (v x w) + w x* I v. The torque is S_i . F_i; before j the same forces are felt as at j.
"""

import numpy as np
from numba import njit

from hil.common.arrays import Array
from sim.chain.kinematics import axes_in_base, body_poses
from sim.chain.serial_chain import SerialChain


@njit(cache=True)
def _motion_cross_into(out: Array, a: Array, b: Array) -> None:
    out[0] = a[4] * b[2] - a[5] * b[1] + a[1] * b[5] - a[2] * b[4]
    out[1] = a[5] * b[0] - a[3] * b[2] + a[2] * b[3] - a[0] * b[5]
    out[2] = a[3] * b[1] - a[4] * b[0] + a[0] * b[4] - a[1] * b[3]
    out[3] = a[4] * b[5] - a[5] * b[4]
    out[4] = a[5] * b[3] - a[3] * b[5]
    out[5] = a[3] * b[4] - a[4] * b[3]


@njit(cache=True)
def _add_force_cross(out: Array, a: Array, f: Array) -> None:
    out[0] += a[4] * f[2] - a[5] * f[1]
    out[1] += a[5] * f[0] - a[3] * f[2]
    out[2] += a[3] * f[1] - a[4] * f[0]
    out[3] += a[4] * f[5] - a[5] * f[4] + a[1] * f[2] - a[2] * f[1]
    out[4] += a[5] * f[3] - a[3] * f[5] + a[2] * f[0] - a[0] * f[2]
    out[5] += a[3] * f[4] - a[4] * f[3] + a[0] * f[1] - a[1] * f[0]


@njit(cache=True)
def _times_into(out: Array, A: Array, x: Array) -> None:
    for i in range(6):
        total = 0.0
        for k in range(6):
            total += A[i, k] * x[k]
        out[i] = total


@njit(cache=True)
def _spatial_inertia_into(out: Array, chain: SerialChain, poses: Array, body: int) -> None:
    """Write the inertia of a body about the base's origin, linear first, shape (6, 6)."""
    m, pose, c = chain.masses[body], poses[body], np.empty(3)
    for k in range(3):
        c[k] = pose[k, 3]
        for i in range(3):
            c[k] += pose[k, i] * chain.centres[body, i]
    square = c[0] * c[0] + c[1] * c[1] + c[2] * c[2]
    for i in range(3):
        for j in range(3):
            turned = 0.0
            for a in range(3):
                for b in range(3):
                    turned += pose[i, a] * chain.inertias[body, a, b] * pose[j, b]
            same = 1.0 if i == j else 0.0
            out[i, j] = m * same
            out[3 + i, 3 + j] = turned + m * (same * square - c[i] * c[j])
            out[i, 3 + j] = out[3 + i, j] = 0.0
    out[0, 4], out[0, 5], out[1, 3] = m * c[2], -m * c[1], -m * c[2]
    out[1, 5], out[2, 3], out[2, 4] = m * c[0], m * c[1], -m * c[0]
    for i in range(3):
        for j in range(3):
            out[3 + i, j] = out[j, 3 + i]


@njit(cache=True)
def _gyration_into(out: Array, inertia: Array, v: Array) -> None:
    """Write B, shape (6, 6)."""
    unit, moved, column, momentum, part = np.zeros(6), np.empty(6), np.empty(6), np.empty(6), np.empty(6)
    _times_into(momentum, inertia, v)
    for k in range(6):
        for i in range(6):
            unit[i], moved[i] = 0.0, inertia[i, k]
        unit[k] = 1.0
        _motion_cross_into(part, v, unit)
        _times_into(column, inertia, part)
        for i in range(6):
            column[i] = -column[i]
        _add_force_cross(column, v, moved)
        _add_force_cross(column, unit, momentum)
        for i in range(6):
            out[i, k] = column[i]


@njit(cache=True)
def dynamics_with_derivatives(
    chain: SerialChain, q: Array, dq: Array, ddq: Array, gravity: Array
) -> tuple[Array, Array, Array, Array, Array]:
    """Return torques and base wrench of a motion without a wrench at the tip, and their derivatives.

    Args:
        chain: see there.
        q: joint positions [rad, m], shape (n,).
        dq: joint velocity, shape (n,).
        ddq: joint acceleration, shape (n,).
        gravity: in base axes [m/s2], shape (3,).

    Returns:
        The torques, then the base's wrench as `inverse_dynamics` gives it, shape (n + 6,); derivatives with
        respect to positions, velocities and accelerations, each of shape (n + 6, n); and the joints'
        motions S about the base's origin, shape (n, 6).
    """
    n = q.shape[0]
    poses = body_poses(chain, q)
    axes, S = axes_in_base(chain, poses), np.zeros((n, 6))
    v, a = np.zeros((n + 1, 6)), np.zeros((n + 1, 6))
    F, inertia, B = np.zeros((n + 1, 6)), np.zeros((n + 1, 6, 6)), np.zeros((n + 1, 6, 6))
    part = np.empty(6)
    for k in range(3):
        a[0, k] = -gravity[k]
    for i in range(n):
        for k in range(3):
            if chain.linear[i]:
                S[i, k] = axes[i, k]
            else:
                S[i, 3 + k] = axes[i, k]
        if not chain.linear[i]:
            x, y, z = poses[i + 1, 0, 3], poses[i + 1, 1, 3], poses[i + 1, 2, 3]
            S[i, 0] = y * axes[i, 2] - z * axes[i, 1]
            S[i, 1] = z * axes[i, 0] - x * axes[i, 2]
            S[i, 2] = x * axes[i, 1] - y * axes[i, 0]
        for k in range(6):
            v[i + 1, k] = v[i, k] + S[i, k] * dq[i]
        _motion_cross_into(part, v[i + 1], S[i])
        for k in range(6):
            a[i + 1, k] = a[i, k] + S[i, k] * ddq[i] + part[k] * dq[i]
    for i in range(n, -1, -1):
        _spatial_inertia_into(inertia[i], chain, poses, i)
        _times_into(F[i], inertia[i], a[i])
        _times_into(part, inertia[i], v[i])
        _add_force_cross(F[i], v[i], part)
        _gyration_into(B[i], inertia[i], v[i])
        if i < n:
            for k in range(6):
                F[i, k] += F[i + 1, k]
                for m in range(6):
                    inertia[i, k, m] += inertia[i + 1, k, m]
                    B[i, k, m] += B[i + 1, k, m]
    return _derivatives(chain, S, v, a, F, inertia, B, ddq)


@njit(cache=True)
def _derivatives(
    chain: SerialChain,
    S: Array,
    v: Array,
    a: Array,
    F: Array,
    inertia: Array,
    B: Array,
    ddq: Array,
) -> tuple[Array, Array, Array, Array, Array]:
    n = S.shape[0]
    value = np.empty(n + 6)
    by_q, by_dq, by_ddq = np.empty((n + 6, n)), np.empty((n + 6, n)), np.empty((n + 6, n))
    alpha, beta, part = np.empty(6), np.empty(6), np.empty(6)
    u, w, t = np.empty(6), np.empty(6), np.empty(6)
    for j in range(n):
        _motion_cross_into(beta, v[j], S[j])
        _motion_cross_into(alpha, a[j], S[j])
        _motion_cross_into(part, beta, v[j])
        for k in range(6):
            alpha[k] -= part[k]
        for i in range(n - 1, -1, -1):
            if i >= j:
                _times_into(u, inertia[i + 1], alpha)
                _times_into(part, B[i + 1], beta)
                for k in range(6):
                    u[k] += part[k]
                _times_into(w, inertia[i + 1], beta)
                _times_into(part, B[i + 1], S[j])
                for k in range(6):
                    w[k] = 2.0 * w[k] + part[k]
                _times_into(t, inertia[i + 1], S[j])
            x = y = z = 0.0
            for k in range(6):
                x += S[i, k] * u[k]
                y += S[i, k] * w[k]
                z += S[i, k] * t[k]
            by_q[i, j], by_dq[i, j], by_ddq[i, j] = x, y, z
            if i == j:  # from here inwards all that is behind j is turned with its forces
                _add_force_cross(u, S[j], F[j + 1])
        by_ddq[j, j] += chain.armatures[j]
        for k in range(6):
            by_q[n + k, j], by_dq[n + k, j], by_ddq[n + k, j] = u[k], w[k], t[k]
    for i in range(n):
        value[i] = chain.armatures[i] * ddq[i]
        for k in range(6):
            value[i] += S[i, k] * F[i + 1, k]
    for k in range(6):
        value[n + k] = F[0, k]
    return value, by_q, by_dq, by_ddq, S
