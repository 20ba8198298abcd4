"""What an inverse kinematics spares: joint positions, speeds, accelerations, torques, power, base wrench.

theory: Krenn (4) to (8), f = sum r^T P r with q' = (q - q1) / dt and q'' = (q - 2 q1 + q2) / dt^2 of the two
commands before; power is tau_i q'_i. Slopes are exact (sim/chain/derivatives.py), curvature is Gauss-Newton's
2 (dr/dq)^T P (dr/dq). A criterion minimised step by step is greedy: without a price on speed it may drive the
chain through its null space ever faster, so that all but position and speed always pay for speed too.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numba import njit

from hil.common.arrays import Array
from sim.chain.derivatives import dynamics_with_derivatives
from sim.chain.dynamics import inverse_dynamics
from sim.chain.serial_chain import SerialChain

NAMES = ("position", "speed", "acceleration", "torque", "power", "base")
# weight of speed behind each greedy criterion of weight 1, where none is given: found on the reference path
# (configs/inverse), where much less lets the chain race and much more leaves nothing of the criterion
SPEED_BEHIND = {"acceleration": 1e3, "torque": 1.0, "power": 1e3, "base": 1e2}


class Criteria(NamedTuple):
    """Weights P of the criteria, symmetric, and what they are measured against.

    Attributes:
        position: shape (n, n), as are speed, acceleration, torque and power.
        speed: see there.
        acceleration: see there.
        torque: see there.
        power: see there.
        base: of force and moment that the base gives to the chain, about its origin, shape (6, 6).
        dynamic: whether torque, power or base have weight.
        q_ref: positions that `position` is measured from [rad, m], shape (n,).
        gravity: in base axes [m/s2], shape (3,).
    """

    position: Array
    speed: Array
    acceleration: Array
    torque: Array
    power: Array
    base: Array
    dynamic: bool
    q_ref: Array
    gravity: Array


class Motion(NamedTuple):
    """The commands before.

    Attributes:
        q_1: the last [rad, m], shape (n,).
        q_2: the one before, shape (n,).
        dt: from one to the next [s].
    """

    q_1: Array
    q_2: Array
    dt: float


def criteria_of(
    joints: int, names: Sequence[str], weights: Sequence[float | Array], q_ref: Array, gravity: Array
) -> Criteria:
    """Return criteria by their names and weights: numbers, diagonals, or matrices.

    Raises:
        ValueError: a name is unknown or twice there, or a weight has the wrong shape or is not symmetric.
    """
    if unknown := [name for name in names if name not in NAMES]:
        raise ValueError(f"criterion {unknown[0]!r} is unknown; there are {', '.join(NAMES)}")
    if len(set(names)) != len(names) or len(names) != len(weights):
        raise ValueError(f"{len(names)} criteria ({', '.join(names)}), each once, need as many weights")
    given = dict(zip(names, weights, strict=True))
    P = {name: _matrix(name, given.get(name, 0.0), 6 if name == "base" else joints) for name in NAMES}
    if not P["speed"].any():
        behind = max(price * float(np.abs(P[name]).max()) for name, price in SPEED_BEHIND.items())
        P["speed"] = behind * np.eye(joints)
    dynamic = any(P[name].any() for name in ("torque", "power", "base"))
    return Criteria(
        P["position"],
        P["speed"],
        P["acceleration"],
        P["torque"],
        P["power"],
        P["base"],
        dynamic,
        np.array(q_ref, np.float64),
        np.array(gravity, np.float64),
    )


def _matrix(name: str, weight: float | Array, size: int) -> Array:
    P = np.array(weight, np.float64)
    P = P * np.eye(size) if P.ndim == 0 else np.diag(P) if P.ndim == 1 else P
    if P.shape != (size, size) or not np.allclose(P, P.T):
        raise ValueError(
            f"weight of {name!r} must be a number, {size} numbers or a symmetric matrix of {size}"
        )
    return np.ascontiguousarray(P)


@njit(cache=True)
def _square(P: Array, r: Array) -> float:
    total = 0.0
    for i in range(r.shape[0]):
        for j in range(r.shape[0]):
            total += r[i] * P[i, j] * r[j]
    return total


@njit(cache=True)
def objective(chain: SerialChain, criteria: Criteria, motion: Motion, q: Array) -> float:
    """Return what is minimised, at joints q (n,)."""
    n, dt = q.shape[0], motion.dt
    r, dq, ddq = np.empty(n), np.empty(n), np.empty(n)
    for i in range(n):
        r[i] = q[i] - criteria.q_ref[i]
        dq[i] = (q[i] - motion.q_1[i]) / dt
        ddq[i] = (q[i] - 2.0 * motion.q_1[i] + motion.q_2[i]) / (dt * dt)
    f = _square(criteria.position, r) + _square(criteria.speed, dq) + _square(criteria.acceleration, ddq)
    if criteria.dynamic:
        tau, base = inverse_dynamics(chain, q, dq, ddq, criteria.gravity, np.zeros(6))
        f += _square(criteria.torque, tau) + _square(criteria.base, base)
        for i in range(n):
            r[i] = tau[i] * dq[i]
        f += _square(criteria.power, r)
    return f


@njit(cache=True)
def _add_kinematic(g: Array, B: Array, P: Array, r: Array, scale: float) -> None:
    for i in range(r.shape[0]):
        for j in range(r.shape[0]):
            g[i] += 2.0 * scale * P[i, j] * r[j]
            B[i, j] += 2.0 * scale * scale * P[i, j]


@njit(cache=True)
def _add_residuals(g: Array, B: Array, P: Array, r: Array, R: Array) -> float:
    """Add a criterion of residuals r with slopes R; return its value."""
    m, n = R.shape
    f = 0.0
    for a in range(m):
        for b in range(m):
            if P[a, b] == 0.0:
                continue
            f += r[a] * P[a, b] * r[b]
            for i in range(n):
                g[i] += 2.0 * R[a, i] * P[a, b] * r[b]
                for j in range(n):
                    B[i, j] += 2.0 * R[a, i] * P[a, b] * R[b, j]
    return f


@njit(cache=True)
def objective_model(
    chain: SerialChain, criteria: Criteria, motion: Motion, q: Array
) -> tuple[float, Array, Array]:
    """Return value, gradient (n,) and Gauss-Newton curvature (n, n) of what is minimised."""
    n, dt = q.shape[0], motion.dt
    r, dq, ddq = np.empty(n), np.empty(n), np.empty(n)
    g, B = np.zeros(n), np.zeros((n, n))
    for i in range(n):
        r[i] = q[i] - criteria.q_ref[i]
        dq[i] = (q[i] - motion.q_1[i]) / dt
        ddq[i] = (q[i] - 2.0 * motion.q_1[i] + motion.q_2[i]) / (dt * dt)
    f = _square(criteria.position, r) + _square(criteria.speed, dq) + _square(criteria.acceleration, ddq)
    one = np.float64(1.0)
    _add_kinematic(g, B, criteria.position, r, one)
    _add_kinematic(g, B, criteria.speed, dq, one / dt)
    _add_kinematic(g, B, criteria.acceleration, ddq, one / (dt * dt))
    if criteria.dynamic:
        value, by_q, by_dq, by_ddq, _ = dynamics_with_derivatives(chain, q, dq, ddq, criteria.gravity)
        R = by_q + by_dq / dt + by_ddq / (dt * dt)
        power = np.empty((n, n))
        for i in range(n):
            r[i] = value[i] * dq[i]
            for j in range(n):
                power[i, j] = R[i, j] * dq[i]
            power[i, i] += value[i] / dt
        f += _add_residuals(g, B, criteria.torque, value[:n], R[:n])
        f += _add_residuals(g, B, criteria.power, r, power)
        f += _add_residuals(g, B, criteria.base, value[n:], R[n:])
    return f, g, B
