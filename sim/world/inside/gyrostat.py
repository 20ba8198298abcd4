"""A body whose inner bodies move as they are told: one step, a grid of them, and its motion; compiled.

theory: `w = I_c(t)^-1 (R' L - h(t))` and `q' = q w / 2` by the classical Runge-Kutta method, with the
momentum `L` about the whole's centre kept as it is; the centre goes straight. Before and behind it half a
kick of the stops' wrench, as in `sim.world.body`. I_c and h are those of `composite` at begin, middle and end
of a step.

A row is as in `sim.world.motion`, but its place is the whole's centre, its velocity that of the centre and
its momentum about it; behind it the object time [s], and the energy that start and pushes have given [J].
"""

import math

import numpy as np
from numba import njit

from hil.common.arrays import Array
from hil.common.geometry import matrix_from_quat
from sim.world.inside.stop_kick import stop_energy, stop_wrench
from sim.world.motion import ROW_SIZE

TIME, GIVEN = ROW_SIZE, ROW_SIZE + 1
GYROSTAT_ROW = ROW_SIZE + 2


@njit(cache=True, error_model="numpy", inline="always")
def _rate(
    w: float, x: float, y: float, z: float, L0: float, L1: float, L2: float, at: Array
) -> tuple[float, float, float, float]:
    """Return `q omega / 2`; `at` is a row of `composite`."""
    a = (1 - 2 * (y * y + z * z)) * L0 + 2 * (x * y + w * z) * L1 + 2 * (x * z - w * y) * L2 - at[6]
    b = 2 * (x * y - w * z) * L0 + (1 - 2 * (x * x + z * z)) * L1 + 2 * (y * z + w * x) * L2 - at[7]
    c = 2 * (x * z + w * y) * L0 + 2 * (y * z - w * x) * L1 + (1 - 2 * (x * x + y * y)) * L2 - at[8]
    u = 0.5 * (at[0] * a + at[1] * b + at[2] * c)
    v = 0.5 * (at[1] * a + at[3] * b + at[4] * c)
    t = 0.5 * (at[2] * a + at[4] * b + at[5] * c)
    return -x * u - y * v - z * t, w * u + y * t - z * v, w * v - x * t + z * u, w * t + x * v - y * u


@njit(cache=True, error_model="numpy", inline="always")
def _kicked(
    p: tuple[float, float, float],
    q: tuple[float, float, float, float],
    L: tuple[float, float, float],
    at: Array,
    mass: float,
    stops: Array,
    h: float,
) -> tuple[float, float, float, float, float, float]:
    """Return the change of the centre's velocity (3) and the new momentum (3) by half a kick `h` [s]."""
    w, x, y, z = q
    a, b, c = at[9], at[10], at[11]
    r0 = (1 - 2 * (y * y + z * z)) * a + 2 * (x * y - w * z) * b + 2 * (x * z + w * y) * c
    r1 = 2 * (x * y + w * z) * a + (1 - 2 * (x * x + z * z)) * b + 2 * (y * z - w * x) * c
    r2 = 2 * (x * z - w * y) * a + 2 * (y * z + w * x) * b + (1 - 2 * (x * x + y * y)) * c
    f0, f1, f2, t0, t1, t2 = stop_wrench(p[0] - r0, p[1] - r1, p[2] - r2, w, x, y, z, mass, stops)
    s = h / mass
    return (
        s * f0,
        s * f1,
        s * f2,
        L[0] + h * (t0 - (r1 * f2 - r2 * f1)),
        L[1] + h * (t1 - (r2 * f0 - r0 * f2)),
        L[2] + h * (t2 - (r0 * f1 - r1 * f0)),
    )


@njit(cache=True, error_model="numpy")
def gyrostat_step_into(
    out: Array, row: Array, begin: Array, middle: Array, end: Array, mass: float, stops: Array, dt: float
) -> None:
    """Write the first 13 numbers of the row after `dt` into `out`, which may be `row` itself.

    Args:
        out: where it goes.
        row: before.
        begin: row of `composite` at the step's begin, shape (22,).
        middle: in its middle.
        end: at its end.
        mass: of the whole [kg].
        stops: packed stops, shape (17,).
        dt: length of the step [s], negative to go back.
    """
    h, s = 0.5 * dt, dt / 6.0
    w, x, y, z = row[3], row[4], row[5], row[6]
    v0, v1, v2, L0, L1, L2 = _kicked(
        (row[0], row[1], row[2]), (w, x, y, z), (row[10], row[11], row[12]), begin, mass, stops, h
    )
    v0, v1, v2 = row[7] + v0, row[8] + v1, row[9] + v2
    a0, a1, a2, a3 = _rate(w, x, y, z, L0, L1, L2, begin)
    b0, b1, b2, b3 = _rate(w + h * a0, x + h * a1, y + h * a2, z + h * a3, L0, L1, L2, middle)
    c0, c1, c2, c3 = _rate(w + h * b0, x + h * b1, y + h * b2, z + h * b3, L0, L1, L2, middle)
    d0, d1, d2, d3 = _rate(w + dt * c0, x + dt * c1, y + dt * c2, z + dt * c3, L0, L1, L2, end)
    w += s * (a0 + 2.0 * (b0 + c0) + d0)
    x += s * (a1 + 2.0 * (b1 + c1) + d1)
    y += s * (a2 + 2.0 * (b2 + c2) + d2)
    z += s * (a3 + 2.0 * (b3 + c3) + d3)
    scale = 1.0 / math.sqrt(w * w + x * x + y * y + z * z)
    w, x, y, z = w * scale, x * scale, y * scale, z * scale
    p0, p1, p2 = row[0] + dt * v0, row[1] + dt * v1, row[2] + dt * v2
    k0, k1, k2, L0, L1, L2 = _kicked((p0, p1, p2), (w, x, y, z), (L0, L1, L2), end, mass, stops, h)
    out[0], out[1], out[2] = p0, p1, p2
    out[3], out[4], out[5], out[6] = w, x, y, z
    out[7], out[8], out[9] = v0 + k0, v1 + k1, v2 + k2
    out[10], out[11], out[12] = L0, L1, L2


@njit(cache=True, error_model="numpy")
def gyrostat_grid_into(
    ring: Array, first: int, last: int, step: float, table: Array, mass: float, stops: Array
) -> None:
    """Fill the rows `first + 1` to `last` of a ring; no slice acts in between.

    `table` is a ring of `composite` rows at the half steps: that of grid point `i` is at `2 i % len(table)`.
    """
    size, known = ring.shape[0], table.shape[0]
    for i in range(first, last):
        before, row = ring[i % size], ring[(i + 1) % size]
        at = 2 * i
        gyrostat_step_into(
            row,
            before,
            table[at % known],
            table[(at + 1) % known],
            table[(at + 2) % known],
            mass,
            stops,
            step,
        )
        for j in range(13, row.shape[0]):
            row[j] = before[j]
        row[TIME] = (i + 1) * step


@njit(cache=True, error_model="numpy")
def base_motion_into(p: Array, quat: Array, twist: Array, row: Array, at: Array) -> None:
    """Write place (3,), attitude (4,) and twist (6,) in world axes of the base's frame.

    Args:
        p: out [m].
        quat: out, w x y z.
        twist: out [m/s, rad/s].
        row: of the body.
        at: row of `composite` at its instant, shape (22,).
    """
    R = matrix_from_quat(row[3:7])
    spin = np.empty(3)
    body_spin_into(spin, R, row, at)
    c0, c1, c2 = at[9], at[10], at[11]
    u0 = at[12] + spin[1] * c2 - spin[2] * c1
    u1 = at[13] + spin[2] * c0 - spin[0] * c2
    u2 = at[14] + spin[0] * c1 - spin[1] * c0
    for i in range(3):
        p[i] = row[i] - (R[i, 0] * c0 + R[i, 1] * c1 + R[i, 2] * c2)
        twist[i] = row[7 + i] - (R[i, 0] * u0 + R[i, 1] * u1 + R[i, 2] * u2)
        twist[3 + i] = R[i, 0] * spin[0] + R[i, 1] * spin[1] + R[i, 2] * spin[2]
    for i in range(4):
        quat[i] = row[3 + i]


@njit(cache=True, error_model="numpy")
def body_spin_into(spin: Array, R: Array, row: Array, at: Array) -> None:
    """Write the base's spin in its own axes [rad/s], shape (3,)."""
    a = R[0, 0] * row[10] + R[1, 0] * row[11] + R[2, 0] * row[12] - at[6]
    b = R[0, 1] * row[10] + R[1, 1] * row[11] + R[2, 1] * row[12] - at[7]
    c = R[0, 2] * row[10] + R[1, 2] * row[11] + R[2, 2] * row[12] - at[8]
    spin[0] = at[0] * a + at[1] * b + at[2] * c
    spin[1] = at[1] * a + at[3] * b + at[4] * c
    spin[2] = at[2] * a + at[4] * b + at[5] * c


@njit(cache=True, error_model="numpy")
def base_nodes_into(
    p: Array, quat: Array, twist: Array, ring: Array, first: int, ratio: int, table: Array
) -> None:
    """Write the base's motion at every `ratio`-th row of a ring from `first` on; `table` as of the grid."""
    for n in range(p.shape[0]):
        i = first + n * ratio
        row = ring[i % ring.shape[0]]
        base_motion_into(p[n], quat[n], twist[n], row, table[2 * i % table.shape[0]])


@njit(cache=True, error_model="numpy")
def gyrostat_energy(row: Array, at: Array, mass: float, stops: Array) -> float:
    """Return the energy of all bodies, kinetic and what the stops hold [J]."""
    p, quat, twist, spin = np.empty(3), np.empty(4), np.empty(6), np.empty(3)
    base_motion_into(p, quat, twist, row, at)
    body_spin_into(spin, matrix_from_quat(row[3:7]), row, at)
    a, b, c = spin[0], spin[1], spin[2]
    energy = 0.5 * (at[16] * a * a + at[19] * b * b + at[21] * c * c)
    energy += at[17] * a * b + at[18] * a * c + at[20] * b * c
    energy += a * at[6] + b * at[7] + c * at[8] + at[15]
    energy += 0.5 * mass * (row[7] ** 2 + row[8] ** 2 + row[9] ** 2)
    return energy + stop_energy(p, quat, mass, stops)
