"""A body with modes: one step, a grid of steps, its motion and energy; compiled.

theory: with `b = R' L` and `a = I^-1 b`, `eta' = Mr^-1 (pi - dr' a)`, `w = a - I^-1 dr eta'`,
`q' = q w / 2` and `pi' = -W^2 eta - 2 z W eta'`, by the classical Runge-Kutta method, with L about the
whole's centre kept as it is; the centre goes straight. Before and behind it half a kick of the stops' wrench
on the rigid part. Small deflections: what is of second order in eta is left out.

A row is as in `sim.world.motion`, but its place is the whole's centre and its momentum about it; behind it
the deflections eta (n) and their momenta pi (n). The rigid part's frame is at `p - R dt eta / m`.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from hil.common.arrays import Array
from hil.common.geometry import matrix_from_quat
from sim.world.inside.stop_kick import stop_energy, stop_wrench
from sim.world.motion import ROW_SIZE

ETA = ROW_SIZE


class Modal(NamedTuple):
    """What the kernels take of `Modes`.

    Attributes:
        mass: of the whole [kg].
        inertia: of the whole, principal [kg m2], shape (3,).
        stiffness: squares of the cantilever angular frequencies, shape (n,).
        damping: twice damping ratio times angular frequency, shape (n,).
        translation: `dt`, shape (3, n).
        rotation: `dr`, shape (3, n).
        inverse: of `Mr`, shape (n, n).
    """

    mass: float
    inertia: Array
    stiffness: Array
    damping: Array
    translation: Array
    rotation: Array
    inverse: Array


@njit(cache=True, error_model="numpy")
def _rate_into(rate: Array, y: Array, L0: float, L1: float, L2: float, m: Modal, free: Array) -> None:
    """Write the rates of attitude, deflections and momenta (4 + 2 n,) of a state of the same layout.

    `free` (n,) is filled on the way.
    """
    n = m.stiffness.shape[0]
    w, x, y_, z = y[0], y[1], y[2], y[3]
    a = (1 - 2 * (y_ * y_ + z * z)) * L0 + 2 * (x * y_ + w * z) * L1 + 2 * (x * z - w * y_) * L2
    b = 2 * (x * y_ - w * z) * L0 + (1 - 2 * (x * x + z * z)) * L1 + 2 * (y_ * z + w * x) * L2
    c = 2 * (x * z + w * y_) * L0 + 2 * (y_ * z - w * x) * L1 + (1 - 2 * (x * x + y_ * y_)) * L2
    a, b, c = a / m.inertia[0], b / m.inertia[1], c / m.inertia[2]
    for k in range(n):
        free[k] = y[4 + n + k] - (m.rotation[0, k] * a + m.rotation[1, k] * b + m.rotation[2, k] * c)
    for k in range(n):
        speed = 0.0
        for j in range(n):
            speed += m.inverse[k, j] * free[j]
        rate[4 + k] = speed
        rate[4 + n + k] = -m.stiffness[k] * y[4 + k] - m.damping[k] * speed
    for k in range(n):
        a -= m.rotation[0, k] * rate[4 + k] / m.inertia[0]
        b -= m.rotation[1, k] * rate[4 + k] / m.inertia[1]
        c -= m.rotation[2, k] * rate[4 + k] / m.inertia[2]
    a, b, c = 0.5 * a, 0.5 * b, 0.5 * c
    rate[0] = -x * a - y_ * b - z * c
    rate[1] = w * a + y_ * c - z * b
    rate[2] = w * b - x * c + z * a
    rate[3] = w * c + x * b - y_ * a


@njit(cache=True, error_model="numpy")
def _kick(row: Array, y: Array, m: Modal, stops: Array, h: float) -> None:
    """Let the stops act on a row's velocity and momentum and a state's modal momenta for `h` [s]."""
    n = m.stiffness.shape[0]
    w, x, y_, z = y[0], y[1], y[2], y[3]
    a = b = c = 0.0
    for k in range(n):
        a += m.translation[0, k] * y[4 + k]
        b += m.translation[1, k] * y[4 + k]
        c += m.translation[2, k] * y[4 + k]
    a, b, c = -a / m.mass, -b / m.mass, -c / m.mass  # the frame from the centre, object axes
    r00, r01, r02 = 1 - 2 * (y_ * y_ + z * z), 2 * (x * y_ - w * z), 2 * (x * z + w * y_)
    r10, r11, r12 = 2 * (x * y_ + w * z), 1 - 2 * (x * x + z * z), 2 * (y_ * z - w * x)
    r20, r21, r22 = 2 * (x * z - w * y_), 2 * (y_ * z + w * x), 1 - 2 * (x * x + y_ * y_)
    d0, d1, d2 = r00 * a + r01 * b + r02 * c, r10 * a + r11 * b + r12 * c, r20 * a + r21 * b + r22 * c
    f0, f1, f2, t0, t1, t2 = stop_wrench(row[0] + d0, row[1] + d1, row[2] + d2, w, x, y_, z, m.mass, stops)
    if f0 == 0.0 and f1 == 0.0 and f2 == 0.0 and t0 == 0.0 and t1 == 0.0 and t2 == 0.0:
        return
    row[7] += h * f0 / m.mass
    row[8] += h * f1 / m.mass
    row[9] += h * f2 / m.mass
    row[10] += h * (t0 + d1 * f2 - d2 * f1)
    row[11] += h * (t1 + d2 * f0 - d0 * f2)
    row[12] += h * (t2 + d0 * f1 - d1 * f0)
    g0, g1, g2 = (
        r00 * f0 + r10 * f1 + r20 * f2,
        r01 * f0 + r11 * f1 + r21 * f2,
        r02 * f0 + r12 * f1 + r22 * f2,
    )
    for k in range(n):
        along = m.translation[0, k] * g0 + m.translation[1, k] * g1 + m.translation[2, k] * g2
        y[4 + n + k] -= h * along / m.mass


@njit(cache=True, error_model="numpy")
def modal_step_into(row: Array, m: Modal, stops: Array, dt: float, work: Array) -> None:
    """Carry a row on by `dt` [s], negative: back; `work` (6, 4 + 2 n) is filled on the way."""
    n = m.stiffness.shape[0]
    size = 4 + 2 * n
    y, at, free = work[4], work[5], work[3]
    k1, k2, k3 = work[0], work[1], work[2]
    for i in range(4):
        y[i] = row[3 + i]
    for i in range(2 * n):
        y[4 + i] = row[ETA + i]
    _kick(row, y, m, stops, 0.5 * dt)
    L0, L1, L2 = row[10], row[11], row[12]
    _rate_into(k1, y, L0, L1, L2, m, free)
    for i in range(size):
        at[i] = y[i] + 0.5 * dt * k1[i]
    _rate_into(k2, at, L0, L1, L2, m, free)
    for i in range(size):
        at[i] = y[i] + 0.5 * dt * k2[i]
    _rate_into(k3, at, L0, L1, L2, m, free)
    for i in range(size):
        at[i] = y[i] + dt * k3[i]
        k2[i] += k3[i]
    _rate_into(k3, at, L0, L1, L2, m, free)
    for i in range(size):
        y[i] += dt / 6.0 * (k1[i] + 2.0 * k2[i] + k3[i])
    scale = 1.0 / math.sqrt(y[0] * y[0] + y[1] * y[1] + y[2] * y[2] + y[3] * y[3])
    for i in range(4):
        y[i] *= scale
    for i in range(3):
        row[i] += dt * row[7 + i]
    _kick(row, y, m, stops, 0.5 * dt)
    for i in range(4):
        row[3 + i] = y[i]
    for i in range(2 * n):
        row[ETA + i] = y[4 + i]


@njit(cache=True, error_model="numpy")
def modal_grid_into(ring: Array, first: int, last: int, step: float, m: Modal, stops: Array) -> None:
    """Fill the rows `first + 1` to `last` of a ring; no slice acts in between."""
    size, work = ring.shape[0], np.empty((6, 4 + 2 * m.stiffness.shape[0]))
    for i in range(first, last):
        row = ring[(i + 1) % size]
        for j in range(row.shape[0]):
            row[j] = ring[i % size, j]
        modal_step_into(row, m, stops, step, work)


@njit(cache=True, error_model="numpy")
def modal_motion_into(p: Array, quat: Array, twist: Array, speeds: Array, row: Array, m: Modal) -> None:
    """Write place, attitude and twist in world axes of the rigid part, and the modal speeds (n,)."""
    n = m.stiffness.shape[0]
    state, rate, free = np.empty(4 + 2 * n), np.empty(4 + 2 * n), np.empty(n)
    for i in range(4):
        state[i] = row[3 + i]
        quat[i] = row[3 + i]
    for i in range(2 * n):
        state[4 + i] = row[ETA + i]
    _rate_into(rate, state, row[10], row[11], row[12], m, free)
    R = matrix_from_quat(quat)
    spin, off, going = np.empty(3), np.zeros(3), np.zeros(3)
    for k in range(n):
        speeds[k] = rate[4 + k]
    for i in range(3):
        own = R[0, i] * row[10] + R[1, i] * row[11] + R[2, i] * row[12]
        for k in range(n):
            own -= m.rotation[i, k] * speeds[k]
            off[i] -= m.translation[i, k] * row[ETA + k] / m.mass
            going[i] -= m.translation[i, k] * speeds[k] / m.mass
        spin[i] = own / m.inertia[i]
    turned = (
        going[0] + spin[1] * off[2] - spin[2] * off[1],
        going[1] + spin[2] * off[0] - spin[0] * off[2],
        going[2] + spin[0] * off[1] - spin[1] * off[0],
    )
    for i in range(3):
        p[i] = row[i] + R[i, 0] * off[0] + R[i, 1] * off[1] + R[i, 2] * off[2]
        twist[i] = row[7 + i] + R[i, 0] * turned[0] + R[i, 1] * turned[1] + R[i, 2] * turned[2]
        twist[3 + i] = R[i, 0] * spin[0] + R[i, 1] * spin[1] + R[i, 2] * spin[2]


@njit(cache=True, error_model="numpy")
def modal_nodes_into(
    p: Array, quat: Array, twist: Array, ring: Array, first: int, ratio: int, m: Modal
) -> None:
    """Write the rigid part's motion at every `ratio`-th row of a ring from `first` on."""
    speeds = np.empty(m.stiffness.shape[0])
    for k in range(p.shape[0]):
        row = ring[(first + k * ratio) % ring.shape[0]]
        modal_motion_into(p[k], quat[k], twist[k], speeds, row, m)


@njit(cache=True, error_model="numpy")
def modal_energy(row: Array, m: Modal, stops: Array) -> float:
    """Return the energy of the whole, kinetic, of the modes' springs and of the stops' [J].

    theory: `m v^2 / 2 + w I w / 2 + w dr eta' + eta' (1 - dt' dt / m) eta' / 2 + W^2 eta^2 / 2`, v the
    centre's.
    """
    n = m.stiffness.shape[0]
    p, quat, twist, speeds = np.empty(3), np.empty(4), np.empty(6), np.empty(n)
    modal_motion_into(p, quat, twist, speeds, row, m)
    R = matrix_from_quat(quat)
    energy = stop_energy(p, quat, m.mass, stops)
    for i in range(3):
        spin = R[0, i] * twist[3] + R[1, i] * twist[4] + R[2, i] * twist[5]
        along = about = 0.0
        for k in range(n):
            along += m.translation[i, k] * speeds[k]
            about += m.rotation[i, k] * speeds[k]
        energy += 0.5 * (m.mass * row[7 + i] ** 2 + m.inertia[i] * spin**2) + spin * about
        energy -= 0.5 * along * along / m.mass
    for k in range(n):
        energy += 0.5 * (speeds[k] ** 2 + m.stiffness[k] * row[ETA + k] ** 2)
    return energy
