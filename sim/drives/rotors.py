"""The spin of rotors, and what carries them: momentum, reaction, energy. Compiled.

theory: the rotor of joint i, with inertia J about its axis a, is carried by the body before the joint, whose
inertia has it as if it were locked there. It turns beside its carrier by w_r, the carrier by w. Its spin adds
the momentum `J w_r a`, the moment `J (w_r' a + w_r w x a)` that its carrier must give, `J a . w'` on its own
shaft, and the energy `J w_r a . w` (docs/theory.md, section 20).
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from hil.common.arrays import Array
from sim.chain.kinematics import axes_in_base
from sim.chain.serial_chain import SerialChain
from sim.drives.drive_step import Order, rotor_step, shaft_at


class Carriers(NamedTuple):
    """How the bodies move that carry rotors, in base axes.

    Attributes:
        axes: of the joints, shape (n, 3).
        turning: their angular velocities, shape (n, 3).
        carried: their angular accelerations about the joints' axes, shape (n,).
    """

    axes: Array
    turning: Array
    carried: Array


class Spin(NamedTuple):
    """A rotor in a step.

    Attributes:
        momentum: beside its carrier, in the middle [N m s].
        rate: of that [N m].
        own: what an armature takes of its joint's torque for its carrier's turning [N m, N].
        by_q: slope of the rate by the joint's acceleration, and of the joint's torque by the carrier's, less.
        by_carrier: slope of the rate by the carrier's acceleration, less.
    """

    momentum: float
    rate: float
    own: float
    by_q: float
    by_carrier: float


@njit(cache=True)
def carriers_of(
    chain: SerialChain, poses: Array, dq: Array, ddq: Array, spin: Array, base_acceleration: Array
) -> Carriers:
    """Return how the bodies before the joints move; see `sim.chain.dynamics.moving_forces_at`."""
    n = dq.shape[0]
    axes, turning, carried = axes_in_base(chain, poses), np.empty((n, 3)), np.empty(n)
    w, alpha = spin.copy(), base_acceleration[3:].copy()
    for i in range(n):
        a = axes[i]
        carried[i] = a[0] * alpha[0] + a[1] * alpha[1] + a[2] * alpha[2]
        for k in range(3):
            turning[i, k] = w[k]
        if chain.linear[i]:
            continue
        alpha[0] += a[0] * ddq[i] + dq[i] * (w[1] * a[2] - w[2] * a[1])
        alpha[1] += a[1] * ddq[i] + dq[i] * (w[2] * a[0] - w[0] * a[2])
        alpha[2] += a[2] * ddq[i] + dq[i] * (w[0] * a[1] - w[1] * a[0])
        for k in range(3):
            w[k] += a[k] * dq[i]
    return Carriers(axes, turning, carried)


@njit(cache=True)
def spin_of(d: Any, s: Any, order: Order, q: float, dq: float, ddq: float, h: float) -> Spin:
    """Return a rotor's spin for a trial of its joint: position at the end, speed in the middle."""
    J = d.rotor_inertia
    if d.elastic == 0:
        geared = J * d.ratio
        return Spin(geared * dq, geared * ddq, geared * order.carried, geared, 0.0)
    omega, _, stands = rotor_step(d, s, order, q, h)
    by_q, by_carrier = 0.0, 0.0
    if not stands:
        at = shaft_at(d, s, order, omega, q, h)
        by_q, by_carrier = J * at.by_omega / at.slope, J * J / (h * at.slope)
    return Spin(J * 0.5 * (s.omega + omega), J * (omega - s.omega) / h, 0.0, by_q, by_carrier)


@njit(cache=True)
def carrier_moment(carriers: Carriers, i: int, spin: Spin) -> Array:
    """Return the moment that the carrier of rotor i must give for its spin, base axes [N m], shape (3,)."""
    a, w, m = carriers.axes[i], carriers.turning[i], np.empty(3)
    m[0] = spin.rate * a[0] + spin.momentum * (w[1] * a[2] - w[2] * a[1])
    m[1] = spin.rate * a[1] + spin.momentum * (w[2] * a[0] - w[0] * a[2])
    m[2] = spin.rate * a[2] + spin.momentum * (w[0] * a[1] - w[1] * a[0])
    return m


@njit(cache=True)
def react(
    needed: Array, wrench: Array, moment: Array, chain: SerialChain, carriers: Carriers, i: int, spin: Spin
) -> None:
    """Add what rotor i asks of the joints before it and of the base; its moment to `moment`, (3,)."""
    m = carrier_moment(carriers, i, spin)
    for k in range(i):
        if not chain.linear[k]:
            b = carriers.axes[k]
            needed[k] += b[0] * m[0] + b[1] * m[1] + b[2] * m[2]
    for k in range(3):
        wrench[3 + k] += m[k]
        moment[k] += m[k]


@njit(cache=True)
def couple(A: Array, chain: SerialChain, axes: Array, i: int, spin: Spin) -> None:
    """Add rotor i's share to Newton's matrix, whose first six rows are a floating base's."""
    n, a = axes.shape[0], axes[i]
    extra = A.shape[0] - n
    along = np.zeros(A.shape[0])  # the rotor's axis by what turns its carrier
    for k in range(extra // 2):
        along[extra // 2 + k] = a[k]
    for k in range(i):
        if not chain.linear[k]:
            along[extra + k] = axes[k, 0] * a[0] + axes[k, 1] * a[1] + axes[k, 2] * a[2]
    for k in range(extra + i):
        A[k, extra + i] += spin.by_q * along[k]
        A[extra + i, k] += spin.by_q * along[k]
        for j in range(extra + i):
            A[k, j] -= spin.by_carrier * along[k] * along[j]


@njit(cache=True)
def spin_momentum(chain: SerialChain, poses: Array, spins: Array) -> Array:
    """Return the momentum of spins [N m s], shape (n,), in base axes, shape (3,)."""
    axes, total = axes_in_base(chain, poses), np.zeros(3)
    for i in range(spins.shape[0]):
        for k in range(3):
            total[k] += spins[i] * axes[i, k]
    return total


@njit(cache=True)
def spin_energy(chain: SerialChain, poses: Array, spins: Array, dq: Array, turning: Array) -> float:
    """Return the energy that spins [N m s], shape (n,), have by their carriers' turning, that of rest aside.

    Args:
        chain: see there.
        poses: by `body_poses`.
        spins: of the rotors beside their carriers, shape (n,).
        dq: joint speeds, shape (n,).
        turning: of the base, in base axes [rad/s], shape (3,).
    """
    still, n = np.zeros(6), dq.shape[0]
    carriers = carriers_of(chain, poses, dq, np.zeros(n), turning, still)
    total = 0.0
    for i in range(n):
        for k in range(3):
            total += spins[i] * carriers.axes[i, k] * carriers.turning[i, k]
    return total
