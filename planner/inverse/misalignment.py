"""How far the tip is from its target, with exact first and second derivatives. Compiled.

theory: two forms of h(q) = 0. The log map: p - p_target and the rotation vector phi of R R_target^T in base
axes; d phi = Jl^-1(phi) omega. `entries`: Krenn (2) and (3), the position column and the differences of
mirrored entries of B_target^-1 B, in the order z, x, y and of the opposite sign of the rotation; they
are zero at half a turn as well and flat at a quarter, so they are good for small angles only. Angles count
by a length [m], so that both kinds of rows are lengths; at length 0 the orientation is free.
"""

import math

import numpy as np
from numba import njit

from hil.common.arrays import Array
from hil.common.geometry import quat_from_matrix, rotvec_from_quat
from sim.chain.serial_chain import SerialChain

SMALL = 1e-2  # [rad] below which the coefficients are taken from their series


@njit(cache=True)
def cross_of(a: Array, b: Array) -> tuple[float, float, float]:
    """Return the cross product of two vectors (3,) as numbers."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@njit(cache=True)
def coefficients(angle: float) -> tuple[float, float]:
    """Return c of Jl^-1 = 1 - [phi]/2 + c [phi]^2, and c'/angle."""
    if angle < SMALL:
        square = angle * angle
        return 1.0 / 12.0 + square / 720.0, 1.0 / 360.0 + square / 7560.0
    half = 0.5 * angle
    cot = math.cos(half) / math.sin(half)
    c = 1.0 / angle**2 - 0.5 * cot / angle
    slope = -2.0 / angle**3 + 0.5 * cot / angle**2 + 0.25 / (angle * math.sin(half) ** 2)
    return c, slope / angle


@njit(cache=True)
def rotation_error(T_target: Array, T: Array) -> Array:
    """Return the rotation vector of R R_target^T in base axes [rad], shape (3,)."""
    E = np.empty((3, 3))
    for i in range(3):
        for j in range(3):
            E[i, j] = T[i, 0] * T_target[j, 0] + T[i, 1] * T_target[j, 1] + T[i, 2] * T_target[j, 2]
    return rotvec_from_quat(quat_from_matrix(E))


@njit(cache=True)
def errors(T_target: Array, T: Array) -> tuple[float, float]:
    """Return distance [m] and angle [rad] between two poses (4, 4)."""
    phi, square = rotation_error(T_target, T), 0.0
    for i in range(3):
        square += (T[i, 3] - T_target[i, 3]) ** 2
    return math.sqrt(square), math.sqrt(phi[0] ** 2 + phi[1] ** 2 + phi[2] ** 2)


@njit(cache=True)
def misalignment_into(h: Array, T_target: Array, T: Array, length: float, entries: bool) -> None:
    """Write h [m], shape (6,)."""
    if entries:
        S = np.empty((3, 3))
        for i in range(3):
            h[i] = 0.0
            for k in range(3):
                h[i] += T_target[k, i] * (T[k, 3] - T_target[k, 3])
            for j in range(3):
                S[i, j] = T_target[0, i] * T[0, j] + T_target[1, i] * T[1, j] + T_target[2, i] * T[2, j]
        h[3] = 0.5 * length * (S[0, 1] - S[1, 0])
        h[4] = 0.5 * length * (S[1, 2] - S[2, 1])
        h[5] = 0.5 * length * (S[2, 0] - S[0, 2])
        return
    phi = rotation_error(T_target, T)
    for i in range(3):
        h[i], h[3 + i] = T[i, 3] - T_target[i, 3], length * phi[i]


@njit(cache=True)
def _left_inverse_into(out: Array, phi: Array, c: float, w: Array) -> None:
    """Write Jl^-1(phi) w."""
    x, y, z = cross_of(phi, w)
    out[0], out[1], out[2] = x, y, z
    u, v, t = cross_of(phi, out)
    out[0], out[1], out[2] = w[0] - 0.5 * x + c * u, w[1] - 0.5 * y + c * v, w[2] - 0.5 * z + c * t


@njit(cache=True)
def _mirrored(b: Array, S: Array) -> tuple[float, float, float]:
    """Return the differences of mirrored entries of [b] S."""
    return (
        (b[1] * S[2, 1] - b[2] * S[1, 1]) - (b[2] * S[0, 0] - b[0] * S[2, 0]),
        (b[2] * S[0, 2] - b[0] * S[2, 2]) - (b[0] * S[1, 1] - b[1] * S[0, 1]),
        (b[0] * S[1, 0] - b[1] * S[0, 0]) - (b[1] * S[2, 2] - b[2] * S[1, 2]),
    )


@njit(cache=True)
def _turned(T_target: Array, a: Array) -> Array:
    """Return a vector of base axes in the target's axes."""
    out = np.empty(3)
    for i in range(3):
        out[i] = T_target[0, i] * a[0] + T_target[1, i] * a[1] + T_target[2, i] * a[2]
    return out


@njit(cache=True)
def slope_into(A: Array, T_target: Array, T: Array, J: Array, length: float, entries: bool) -> None:
    """Write dh/dq, shape (6, n), from the Jacobian of the tip in base axes (6, n)."""
    n = J.shape[1]
    w, out = np.empty(3), np.empty(3)
    if entries:
        S = np.empty((3, 3))
        for i in range(3):
            for j in range(3):
                S[i, j] = T_target[0, i] * T[0, j] + T_target[1, i] * T[1, j] + T_target[2, i] * T[2, j]
        for i in range(n):
            for k in range(3):
                out[k], w[k] = J[k, i], J[3 + k, i]
            v, b = _turned(T_target, out), _turned(T_target, w)
            x, y, z = _mirrored(b, S)
            for k in range(3):
                A[k, i] = v[k]
            A[3, i], A[4, i], A[5, i] = 0.5 * length * x, 0.5 * length * y, 0.5 * length * z
        return
    phi = rotation_error(T_target, T)
    c, _ = coefficients(math.sqrt(phi[0] ** 2 + phi[1] ** 2 + phi[2] ** 2))
    for i in range(n):
        for k in range(3):
            w[k] = J[3 + k, i]
        _left_inverse_into(out, phi, c, w)
        for k in range(3):
            A[k, i], A[3 + k, i] = J[k, i], length * out[k]


@njit(cache=True)
def _log_curvature(weights: Array, phi: Array, c: float, slope: float, along: Array, a: Array) -> float:
    """Return weights . dJl^-1(along) a, for the change `along` of phi."""
    d, e, u, v = np.empty(3), np.empty(3), np.empty(3), np.empty(3)
    d[0], d[1], d[2] = cross_of(along, a)
    e[0], e[1], e[2] = cross_of(phi, a)
    u[0], u[1], u[2] = cross_of(along, e)
    v[0], v[1], v[2] = cross_of(phi, d)
    x, y, z = cross_of(phi, e)
    s = slope * (phi[0] * along[0] + phi[1] * along[1] + phi[2] * along[2])
    return (
        weights[0] * (-0.5 * d[0] + c * (u[0] + v[0]) + s * x)
        + weights[1] * (-0.5 * d[1] + c * (u[1] + v[1]) + s * y)
        + weights[2] * (-0.5 * d[2] + c * (u[2] + v[2]) + s * z)
    )


@njit(cache=True)
def add_curvature(
    H: Array,
    multipliers: Array,
    chain: SerialChain,
    T_target: Array,
    T: Array,
    J: Array,
    length: float,
    entries: bool,
) -> None:
    """Add sum_k multipliers_k d2h_k/dq2 to H, shape (n, n).

    theory: a joint turns all that is behind it: d J_i / dq_j = a_j x J_i for j before i, in base axes.
    """
    n = J.shape[1]
    force, torque, phi, S = np.empty(3), np.empty(3), np.zeros(3), np.zeros((3, 3))
    c = slope = 0.0
    for k in range(3):
        force[k], torque[k] = multipliers[k], length * multipliers[3 + k]
    if entries:
        for i in range(3):
            force[i] = 0.0
            for k in range(3):
                force[i] += T_target[i, k] * multipliers[k]
                S[i, k] = T_target[0, i] * T[0, k] + T_target[1, i] * T[1, k] + T_target[2, i] * T[2, k]
    else:
        phi = rotation_error(T_target, T)
        c, slope = coefficients(math.sqrt(phi[0] ** 2 + phi[1] ** 2 + phi[2] ** 2))
    a, b, v, t, along = np.empty(3), np.empty(3), np.empty(3), np.empty(3), np.empty(3)
    for j in range(n):
        if chain.linear[j]:
            continue
        for k in range(3):
            a[k] = J[3 + k, j]
        _left_inverse_into(along, phi, c, a)
        for i in range(j, n):
            for k in range(3):
                v[k], b[k] = J[k, i], J[3 + k, i]
            x, y, z = cross_of(a, v)
            value = force[0] * x + force[1] * y + force[2] * z
            if not chain.linear[i] and length > 0.0:
                if entries:
                    value += _entries_curvature(torque, _turned(T_target, a), _turned(T_target, b), S)
                else:
                    value += _log_curvature(torque, phi, c, slope, along, b)
                    if i > j:
                        t[0], t[1], t[2] = cross_of(a, b)
                        _left_inverse_into(v, phi, c, t)
                        value += torque[0] * v[0] + torque[1] * v[1] + torque[2] * v[2]
            H[i, j] += value
            if i > j:
                H[j, i] += value


@njit(cache=True)
def _entries_curvature(weights: Array, a: Array, b: Array, S: Array) -> float:
    """Return weights . the differences of mirrored entries of [a] [b] S."""
    M = np.empty((3, 3))
    for k in range(3):
        column = S[:, k].copy()
        M[0, k], M[1, k], M[2, k] = cross_of(b, column)
    x, y, z = _mirrored(a, M)
    return 0.5 * (weights[0] * x + weights[1] * y + weights[2] * z)


@njit(cache=True)
def half_a_turn_near(T_target: Array, T: Array) -> bool:
    """Return whether the angle is above 90 degrees, where `entries` leads astray."""
    trace = 0.0
    for i in range(3):
        for k in range(3):
            trace += T_target[k, i] * T[k, i]
    return trace < 1.0
