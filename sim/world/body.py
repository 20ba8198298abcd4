"""One free rigid body with its stops, compiled: the core that world, prediction and ideal body share.

A state is an array of 13 numbers: position of the centre of mass in world [m] 0:3, orientation
w x y z 3:7, linear velocity in world [m/s] 7:10, angular momentum about the centre of mass in world
axes [N m s] 10:13. A body is `[mass, Ixx, Iyy, Izz]` about its own axes, which are its principal ones.

theory: a step is the symmetric splitting half kick, free motion, half kick. Kicks change the velocity
and the angular momentum L by the given wrench and by the torque of the stops; in free motion L is kept
as it is, and the orientation follows `q' = q omega(q, L) / 2` by the classical Runge-Kutta method, so
the momentum is exact and the energy's error that of the orientation alone, O(dt^4). The centre's
springs are solved exactly (`sim.world.stops.spring_flow`), whatever the length of the step.
"""

import math

import numpy as np
from numba import njit

from hil.common.arrays import Array
from hil.common.geometry import matrix_from_quat
from hil.configuration.schema import EmulatedObject
from sim.world.stops import RATE, spin_potential, spring_flow, stop_torque, stored_speed_squared

BODY_STATE_SIZE = 13
NO_WRENCH = np.zeros(6)


def pack_body(body: EmulatedObject) -> Array:
    """Return `[mass, Ixx, Iyy, Izz]` [kg, kg m2]."""
    return np.array([body.mass, *body.inertia])


@njit(cache=True)
def body_state(p: Array, quat: Array, twist: Array, body: Array) -> Array:
    """Return the state (13,) of a body.

    Args:
        p: centre of mass in world [m], shape (3,).
        quat: orientation in world, w x y z, shape (4,).
        twist: linear and angular velocity, world axes [m/s, rad/s], shape (6,).
        body: mass and principal inertia [kg, kg m2], shape (4,).
    """
    state = np.empty(13)
    norm = math.sqrt(np.sum(quat * quat))
    for i in range(4):
        state[3 + i] = quat[i] / norm
    R = matrix_from_quat(state[3:7])
    for i in range(3):
        state[i], state[7 + i], state[10 + i] = p[i], twist[i], 0.0
        for j in range(3):
            spin = R[0, j] * twist[3] + R[1, j] * twist[4] + R[2, j] * twist[5]
            state[10 + i] += R[i, j] * body[1 + j] * spin
    return state


@njit(cache=True)
def body_twist(state: Array, body: Array) -> Array:
    """Return linear and angular velocity in world axes [m/s, rad/s], shape (6,)."""
    twist = np.empty(6)
    R = matrix_from_quat(state[3:7])
    for i in range(3):
        twist[i], twist[3 + i] = state[7 + i], 0.0
        for j in range(3):
            momentum = R[0, j] * state[10] + R[1, j] * state[11] + R[2, j] * state[12]
            twist[3 + i] += R[i, j] * momentum / body[1 + j]
    return twist


@njit(cache=True)
def stored_energy(state: Array, body: Array, stops: Array) -> float:
    """Return what the stops' springs hold [J]."""
    return 0.5 * body[0] * stored_speed_squared(state[0:3], stops) + spin_potential(state[3:7], stops)


@njit(cache=True)
def is_finite(p: Array, quat: Array, twist: Array) -> bool:
    """Return whether all numbers of a body's pose and motion are finite."""
    for values in (p, quat, twist):
        for value in values:
            if not math.isfinite(value):
                return False
    return True


@njit(cache=True)
def body_energy(state: Array, body: Array, stops: Array) -> float:
    """Return kinetic energy and what the stops' springs hold [J]."""
    twist = body_twist(state, body)
    energy = stored_energy(state, body, stops)
    for i in range(3):
        energy += 0.5 * body[0] * twist[i] ** 2 + 0.5 * state[10 + i] * twist[3 + i]
    return energy


@njit(cache=True, inline="always")
def _quat_rate(
    w: float, x: float, y: float, z: float, L0: float, L1: float, L2: float, body: Array
) -> tuple[float, float, float, float]:
    """Return `q omega / 2` with omega in object axes from the angular momentum in world axes."""
    a = (1 - 2 * (y * y + z * z)) * L0 + 2 * (x * y + w * z) * L1 + 2 * (x * z - w * y) * L2
    b = 2 * (x * y - w * z) * L0 + (1 - 2 * (x * x + z * z)) * L1 + 2 * (y * z + w * x) * L2
    c = 2 * (x * z + w * y) * L0 + 2 * (y * z - w * x) * L1 + (1 - 2 * (x * x + y * y)) * L2
    a, b, c = 0.5 * a / body[1], 0.5 * b / body[2], 0.5 * c / body[3]
    return -x * a - y * b - z * c, w * a + y * c - z * b, w * b - x * c + z * a, w * c + x * b - y * a


@njit(cache=True, error_model="numpy")
def _turn(
    w: float, x: float, y: float, z: float, L0: float, L1: float, L2: float, body: Array, dt: float
) -> tuple[float, float, float, float]:
    """Return the orientation after `dt` of free rotation."""
    h = 0.5 * dt
    a0, a1, a2, a3 = _quat_rate(w, x, y, z, L0, L1, L2, body)
    b0, b1, b2, b3 = _quat_rate(w + h * a0, x + h * a1, y + h * a2, z + h * a3, L0, L1, L2, body)
    c0, c1, c2, c3 = _quat_rate(w + h * b0, x + h * b1, y + h * b2, z + h * b3, L0, L1, L2, body)
    d0, d1, d2, d3 = _quat_rate(w + dt * c0, x + dt * c1, y + dt * c2, z + dt * c3, L0, L1, L2, body)
    s = dt / 6.0
    w += s * (a0 + 2.0 * (b0 + c0) + d0)
    x += s * (a1 + 2.0 * (b1 + c1) + d1)
    y += s * (a2 + 2.0 * (b2 + c2) + d2)
    z += s * (a3 + 2.0 * (b3 + c3) + d3)
    scale = 1.0 / math.sqrt(w * w + x * x + y * y + z * z)
    return w * scale, x * scale, y * scale, z * scale


@njit(cache=True, error_model="numpy")
def step_body_into(
    out: Array, state: Array, body: Array, stops: Array, wrench_world: Array, dt: float
) -> None:
    """Write the state after `dt` into `out`, which may be `state` itself.

    Args:
        out: where the new state goes, shape (13,).
        state: the state before, shape (13,).
        body: mass and principal inertia [kg, kg m2], shape (4,).
        stops: packed stops, shape (19,), see `sim.world.stops.pack_stops`.
        wrench_world: force and torque about the centre of mass, world axes, constant over the step
            [N, N m], shape (6,).
        dt: length of the step [s]. In free flight and in the centre's springs any length will do that
            resolves the rotation; in swing and twist stops it must be small against the contact time.
    """
    h = 0.5 * dt
    w, x, y, z = state[3], state[4], state[5], state[6]
    t0, t1, t2 = stop_torque(w, x, y, z, stops)
    L0 = state[10] + h * (wrench_world[3] + t0)
    L1 = state[11] + h * (wrench_world[4] + t1)
    L2 = state[12] + h * (wrench_world[5] + t2)
    w, x, y, z = _turn(w, x, y, z, L0, L1, L2, body, dt)
    t0, t1, t2 = stop_torque(w, x, y, z, stops)
    out[10] = L0 + h * (wrench_world[3] + t0)
    out[11] = L1 + h * (wrench_world[4] + t1)
    out[12] = L2 + h * (wrench_world[5] + t2)
    out[3], out[4], out[5], out[6] = w, x, y, z
    for i in range(3):
        kick = h * wrench_world[i] / body[0]
        centred, v = spring_flow(state[i] - stops[i], state[7 + i] + kick, stops[3 + i], stops[RATE], dt)
        out[i] = centred + stops[i]
        out[7 + i] = v + kick


@njit(cache=True, error_model="numpy")
def step_body(state: Array, body: Array, stops: Array, wrench_world: Array, dt: float) -> Array:
    """Return the state after `dt`; arguments as in `step_body_into`."""
    out = np.empty(13)
    step_body_into(out, state, body, stops, wrench_world, dt)
    return out
