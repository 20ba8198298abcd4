"""A free rigid body in Hill's frame over long times: the way of its centre exact, its attitude by RK4.

theory: what acts on a mass element at rho from the centre is `A (r + rho) - 2 n x v` with
`A = n^2 diag(3, 0, -1)`. Summed over the body that is the Clohessy-Wiltshire force at the centre of mass
and a torque: gravity gradient, centrifugal and Coriolis terms, with `S = tr(I)/2 - I`

    tau = n^2 (-S_yz, 4 S_zx, -3 S_xy) + 2 omega x (S n),

all in Hill's axes, omega relative to Hill's frame. Without the gravity gradient this is Euler's equation
of the body among the stars, written in the turning frame.
"""

import math

import numpy as np

from hil.common.arrays import Array
from hil.common.geometry import matrix_from_quat, quat_multiply, quat_normalized
from sim.orbit.clohessy_wiltshire import transition

TURN = 0.02  # [rad] that a body, or the orbit thrice over, turns in one step of the attitude's integration


def orbit_torque(inertia: Array, omega: Array, rate: float) -> Array:
    """Return the torque of the orbit about a body's centre of mass, Hill's axes [N m], shape (3,).

    Args:
        inertia: about the centre of mass, Hill's axes [kg m2], shape (3, 3).
        omega: angular velocity relative to Hill's frame, Hill's axes [rad/s], shape (3,).
        rate: mean motion [rad/s].
    """
    spread = 0.5 * np.trace(inertia) * np.eye(3) - inertia
    tide = rate**2 * np.array([-spread[1, 2], 4.0 * spread[2, 0], -3.0 * spread[0, 1]])
    coriolis: Array = 2.0 * np.cross(omega, spread[:, 2] * rate)
    return tide + coriolis


def drifted_centre(p: Array, v: Array, rate: float, time: float) -> tuple[Array, Array]:
    """Return position and velocity of a free body's centre of mass after `time`, exactly.

    Args:
        p: position [m], shape (3,).
        v: velocity [m/s], shape (3,).
        rate: mean motion [rad/s]; 0: no orbit.
        time: how long [s].
    """
    if rate == 0.0:
        return p + time * v, v.copy()
    state = transition(rate, time) @ np.concatenate((p, v))
    return state[:3], state[3:]


def drifted_attitude(
    quat: Array, omega: Array, inertia: Array, rate: float, time: float
) -> tuple[Array, Array]:
    """Return attitude and angular velocity of a free body after `time`.

    Args:
        quat: attitude in Hill's frame, w x y z, shape (4,).
        omega: angular velocity relative to Hill's frame, Hill's axes [rad/s], shape (3,).
        inertia: about the centre of mass, body axes [kg m2], shape (3, 3).
        rate: mean motion [rad/s].
        time: how long [s].
    """
    speed = float(np.linalg.norm(omega)) + 3.0 * rate
    count = max(1, math.ceil(abs(time) * speed / TURN))
    step = time / count
    inverse = np.linalg.inv(inertia)
    q, w = quat.copy(), matrix_from_quat(quat).T @ omega  # body axes from here on

    def rates(q: Array, w: Array) -> tuple[Array, Array]:
        R = matrix_from_quat(quat_normalized(q))
        torque = R.T @ orbit_torque(R @ inertia @ R.T, R @ w, rate)
        return 0.5 * quat_multiply(q, np.append(0.0, w)), inverse @ (torque - np.cross(w, inertia @ w))

    for _ in range(count):
        q1, w1 = rates(q, w)
        q2, w2 = rates(q + 0.5 * step * q1, w + 0.5 * step * w1)
        q3, w3 = rates(q + 0.5 * step * q2, w + 0.5 * step * w2)
        q4, w4 = rates(q + step * q3, w + step * w3)
        q = quat_normalized(q + step / 6.0 * (q1 + 2.0 * (q2 + q3) + q4))
        w = w + step / 6.0 * (w1 + 2.0 * (w2 + w3) + w4)
    return q, matrix_from_quat(q) @ w
