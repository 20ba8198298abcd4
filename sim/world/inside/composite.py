"""What an arm with given joints makes of a body: inertia, centre, momentum inside; tabulated, compiled.

theory: with the base at rest, body `i` of the arm has its centre at `x_i`, the velocity `v_i` and the spin
`w_i` in base axes. The whole's centre is `c = sum m x / m`, its inertia about it `I_c`, and
`h = sum (I_i w_i + m (x_i - c) x (v_i - c'))` is the momentum that the joints' speeds give about it
(docs/understand/inside.md). `T` is the kinetic energy that they have against base and centre.
"""

import math

import numpy as np
from numba import njit

from hil.common.arrays import Array, IntArray
from sim.world.inside.joint_path import joints_into

# a row: inverse of I_c (xx, xy, xz, yy, yz, zz) [1/(kg m2)] 0:6, h [N m s] 6:9, c [m] 9:12, c' [m/s] 12:15,
# T [J] 15, I_c in the same order [kg m2] 16:22; about the whole's centre, base axes, c from the base's frame
COMPOSITE_SIZE = 22
H, CENTRE, RATE, INNER, INERTIA = 6, 9, 12, 15, 16


@njit(cache=True, error_model="numpy")
def tabulate_into(
    table: Array,
    first: int,
    last: int,
    spacing: float,
    breaks: Array,
    powers: Array,
    parent: IntArray,
    placement: Array,
    axis: Array,
    mass: Array,
    centre: Array,
    inertia: Array,
) -> None:
    """Fill the rows `first` to `last` of a ring, row `k` at `k % len(table)`, of object time `k * spacing`.

    Args:
        table: out, shape (size, 22).
        first: number of the first row.
        last: number of the last one.
        spacing: object time from row to row [s].
        breaks: of the joints' path, see `JointPath`.
        powers: likewise.
        parent: of the bodies, see `ArmTree`, as all that follows.
        placement: likewise.
        axis: likewise.
        mass: likewise.
        centre: likewise.
        inertia: likewise.
    """
    n = mass.shape[0]
    q, dq = np.empty(n - 1), np.empty(n - 1)
    poses, speeds = np.empty((n, 12)), np.empty((n, 6))
    for k in range(first, last + 1):
        joints_into(q, dq, k * spacing, breaks, powers)
        composite_into(
            table[k % table.shape[0]], q, dq, parent, placement, axis, mass, centre, inertia, poses, speeds
        )


@njit(cache=True, error_model="numpy")
def place_into(
    poses: Array, speeds: Array, k: int, q: float, dq: float, up: int, placement: Array, axis: Array
) -> None:
    """Write pose and speed of a body `k` whose parent `up` is placed already.

    A pose is a rotation row by row 0:9 and a place 9:12; a speed is spin 0:3 and velocity of the frame 3:6.
    """
    R, t = poses[up], placement[k]
    x, y, z = axis[k, 0], axis[k, 1], axis[k, 2]
    cosine, sine = math.cos(q), math.sin(q)
    v = 1.0 - cosine
    # the turn about the joint, row by row
    a0, a1, a2 = cosine + x * x * v, x * y * v - z * sine, x * z * v + y * sine
    b0, b1, b2 = y * x * v + z * sine, cosine + y * y * v, y * z * v - x * sine
    c0, c1, c2 = z * x * v - y * sine, z * y * v + x * sine, cosine + z * z * v
    for i in range(3):
        r0, r1, r2 = R[3 * i], R[3 * i + 1], R[3 * i + 2]
        s0 = r0 * t[0, 0] + r1 * t[1, 0] + r2 * t[2, 0]
        s1 = r0 * t[0, 1] + r1 * t[1, 1] + r2 * t[2, 1]
        s2 = r0 * t[0, 2] + r1 * t[1, 2] + r2 * t[2, 2]
        poses[k, 9 + i] = R[9 + i] + r0 * t[0, 3] + r1 * t[1, 3] + r2 * t[2, 3]
        poses[k, 3 * i] = s0 * a0 + s1 * b0 + s2 * c0
        poses[k, 3 * i + 1] = s0 * a1 + s1 * b1 + s2 * c1
        poses[k, 3 * i + 2] = s0 * a2 + s1 * b2 + s2 * c2
        speeds[k, i] = speeds[up, i] + dq * (s0 * x + s1 * y + s2 * z)
    d0, d1, d2 = poses[k, 9] - R[9], poses[k, 10] - R[10], poses[k, 11] - R[11]
    w0, w1, w2 = speeds[up, 0], speeds[up, 1], speeds[up, 2]
    speeds[k, 3] = speeds[up, 3] + w1 * d2 - w2 * d1
    speeds[k, 4] = speeds[up, 4] + w2 * d0 - w0 * d2
    speeds[k, 5] = speeds[up, 5] + w0 * d1 - w1 * d0


@njit(cache=True, error_model="numpy")
def rest_into(poses: Array, speeds: Array) -> None:
    """Write the base's own pose and speed: none."""
    for i in range(12):
        poses[0, i] = 1.0 if i in (0, 4, 8) else 0.0
    for i in range(6):
        speeds[0, i] = 0.0


@njit(cache=True, error_model="numpy")
def composite_into(
    row: Array,
    q: Array,
    dq: Array,
    parent: IntArray,
    placement: Array,
    axis: Array,
    mass: Array,
    centre: Array,
    inertia: Array,
    poses: Array,
    speeds: Array,
) -> None:
    """Write a row (22,) of joints `q` [rad] and speeds `dq` [rad/s], shapes (n,).

    `poses` (n + 1, 12) and `speeds` (n + 1, 6) are filled on the way, the rest as in `tabulate_into`.
    """
    rest_into(poses, speeds)
    total = 0.0
    x0 = x1 = x2 = u0 = u1 = u2 = 0.0  # sums of m x and m v
    xx = xy = xz = yy = yz = zz = 0.0  # inertia about the base's frame
    h0 = h1 = h2 = energy = 0.0
    for k in range(mass.shape[0]):
        if k > 0:
            place_into(poses, speeds, k, q[k - 1], dq[k - 1], parent[k], placement, axis)
        m, R, V, c, J = mass[k], poses[k], speeds[k], centre[k], inertia[k]
        d0 = R[0] * c[0] + R[1] * c[1] + R[2] * c[2]
        d1 = R[3] * c[0] + R[4] * c[1] + R[5] * c[2]
        d2 = R[6] * c[0] + R[7] * c[1] + R[8] * c[2]
        w0, w1, w2 = V[0], V[1], V[2]
        p0, p1, p2 = R[9] + d0, R[10] + d1, R[11] + d2
        v0, v1, v2 = V[3] + w1 * d2 - w2 * d1, V[4] + w2 * d0 - w0 * d2, V[5] + w0 * d1 - w1 * d0
        # R J R'
        a0 = R[0] * J[0, 0] + R[1] * J[0, 1] + R[2] * J[0, 2]
        a1 = R[0] * J[0, 1] + R[1] * J[1, 1] + R[2] * J[1, 2]
        a2 = R[0] * J[0, 2] + R[1] * J[1, 2] + R[2] * J[2, 2]
        b0 = R[3] * J[0, 0] + R[4] * J[0, 1] + R[5] * J[0, 2]
        b1 = R[3] * J[0, 1] + R[4] * J[1, 1] + R[5] * J[1, 2]
        b2 = R[3] * J[0, 2] + R[4] * J[1, 2] + R[5] * J[2, 2]
        e0 = R[6] * J[0, 0] + R[7] * J[0, 1] + R[8] * J[0, 2]
        e1 = R[6] * J[0, 1] + R[7] * J[1, 1] + R[8] * J[1, 2]
        e2 = R[6] * J[0, 2] + R[7] * J[1, 2] + R[8] * J[2, 2]
        ixx, ixy = a0 * R[0] + a1 * R[1] + a2 * R[2], a0 * R[3] + a1 * R[4] + a2 * R[5]
        ixz, iyy = a0 * R[6] + a1 * R[7] + a2 * R[8], b0 * R[3] + b1 * R[4] + b2 * R[5]
        iyz, izz = b0 * R[6] + b1 * R[7] + b2 * R[8], e0 * R[6] + e1 * R[7] + e2 * R[8]
        g0 = ixx * w0 + ixy * w1 + ixz * w2
        g1 = ixy * w0 + iyy * w1 + iyz * w2
        g2 = ixz * w0 + iyz * w1 + izz * w2
        energy += 0.5 * (g0 * w0 + g1 * w1 + g2 * w2 + m * (v0 * v0 + v1 * v1 + v2 * v2))
        h0 += g0 + m * (p1 * v2 - p2 * v1)
        h1 += g1 + m * (p2 * v0 - p0 * v2)
        h2 += g2 + m * (p0 * v1 - p1 * v0)
        xx += ixx + m * (p1 * p1 + p2 * p2)
        yy += iyy + m * (p0 * p0 + p2 * p2)
        zz += izz + m * (p0 * p0 + p1 * p1)
        xy += ixy - m * p0 * p1
        xz += ixz - m * p0 * p2
        yz += iyz - m * p1 * p2
        total += m
        x0, x1, x2 = x0 + m * p0, x1 + m * p1, x2 + m * p2
        u0, u1, u2 = u0 + m * v0, u1 + m * v1, u2 + m * v2
    c0, c1, c2 = x0 / total, x1 / total, x2 / total
    s0, s1, s2 = u0 / total, u1 / total, u2 / total
    row[6] = h0 - total * (c1 * s2 - c2 * s1)
    row[7] = h1 - total * (c2 * s0 - c0 * s2)
    row[8] = h2 - total * (c0 * s1 - c1 * s0)
    row[9], row[10], row[11] = c0, c1, c2
    row[12], row[13], row[14] = s0, s1, s2
    row[15] = energy - 0.5 * total * (s0 * s0 + s1 * s1 + s2 * s2)
    row[16] = xx - total * (c1 * c1 + c2 * c2)
    row[17], row[18] = xy + total * c0 * c1, xz + total * c0 * c2
    row[19] = yy - total * (c0 * c0 + c2 * c2)
    row[20] = yz + total * c1 * c2
    row[21] = zz - total * (c0 * c0 + c1 * c1)
    inverse_into(row)


@njit(cache=True, error_model="numpy")
def inverse_into(row: Array) -> None:
    """Write the inverse of a row's inertia."""
    a, b, c, d, e, f = row[16], row[17], row[18], row[19], row[20], row[21]
    p, q, r = d * f - e * e, c * e - b * f, b * e - c * d
    scale = 1.0 / (a * p + b * q + c * r)
    row[0], row[1], row[2] = p * scale, q * scale, r * scale
    row[3], row[4] = (a * f - c * c) * scale, (b * c - a * e) * scale
    row[5] = (a * d - b * b) * scale
