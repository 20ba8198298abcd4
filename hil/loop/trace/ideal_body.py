"""The ideal body: a free body among the same stops, driven by the true force; what the arm should feel like.

It is computed after the run from what was recorded, on the simulation's own step with finer
sub-steps. At chosen rows it is set to the simulated body, so that it tells what one push should do
and not what pushes long ago did.
"""

import math
from dataclasses import dataclass

import numpy as np
from numba import njit

from hil.common.arrays import Array, BoolArray
from sim.world.body import body_state, body_twist, step_body_into
from sim.world.stops import SWING, TWIST, swing_twist

SUB_STEP = 0.000_25  # [s]
STANDSTILL = 1e-6  # pace of object time below which a force changes momentum only


@dataclass(frozen=True, eq=False)
class BodyPath:
    """A body's motion, one row an instant.

    Attributes:
        p: centre of mass in world [m], shape (n, 3).
        quat: attitude in world, w x y z, shape (n, 4).
        twist: linear and angular velocity, world axes [m/s, rad/s], shape (n, 6).
    """

    p: Array
    quat: Array
    twist: Array


def ideal_path(
    t: Array, wrench: Array, rate: Array, reset: BoolArray, sim: BodyPath, body: Array, stops: Array
) -> BodyPath:
    """Return the path of the ideal body.

    Args:
        t: instants of the rows [s], shape (n,).
        wrench: true wrench about the centre of mass, world axes, at the ends of equal parts of the cycle
            that ends at each row [N, N m], shape (n, parts, 6); linear in between.
        rate: pace of object time at each row, shape (n,).
        reset: where the body is set to the simulated one, shape (n,); the first row always is.
        sim: path of the simulated body.
        body: packed mass and inertia, see `sim.world.body.pack_body`.
        stops: packed stops, see `sim.world.stops.pack_stops`.
    """
    count = len(t)
    path = BodyPath(np.empty((count, 3)), np.empty((count, 4)), np.empty((count, 6)))
    if count:
        _drive(path.p, path.quat, path.twist, t, wrench, rate, reset, sim.p, sim.quat, sim.twist, body, stops)
    return path


@njit(cache=True)
def _drive(
    p: Array,
    quat: Array,
    twist: Array,
    t: Array,
    wrench: Array,
    rate: Array,
    reset: BoolArray,
    sim_p: Array,
    sim_quat: Array,
    sim_twist: Array,
    body: Array,
    stops: Array,
) -> None:
    """Fill the ideal body's rows."""
    parts = wrench.shape[1]
    state = body_state(sim_p[0], sim_quat[0], sim_twist[0], body)
    for k in range(len(t)):
        if k == 0 or reset[k]:
            state = body_state(sim_p[k], sim_quat[k], sim_twist[k], body)
            twist[k] = sim_twist[k]
        else:
            part = (t[k] - t[k - 1]) / parts
            before = wrench[k - 1, parts - 1]
            for j in range(parts):
                pace = rate[k - 1] + (rate[k] - rate[k - 1]) * (j + 0.5) / parts
                _advance(state, body, stops, before, wrench[k, j], part, pace)
                before = wrench[k, j]
            twist[k] = body_twist(state, body)
        p[k] = state[0:3]
        quat[k] = state[3:7]


@njit(cache=True)
def _advance(
    state: Array, body: Array, stops: Array, before: Array, after: Array, dt: float, pace: float
) -> None:
    """Advance by wall time `dt` under a wrench that goes linearly from `before` to `after`.

    Momentum changes in wall time, position runs in object time at `pace`.
    """
    if pace < STANDSTILL:
        for i in range(3):
            state[7 + i] += 0.5 * (before[i] + after[i]) / body[0] * dt
            state[10 + i] += 0.5 * (before[3 + i] + after[3 + i]) * dt
        return
    steps = max(1, math.ceil(dt / SUB_STEP - 1e-6))
    for step in range(steps):
        middle = (step + 0.5) / steps
        wrench = (before + (after - before) * middle) / pace
        step_body_into(state, state, body, stops, wrench, dt * pace / steps)


@njit(cache=True)
def touching_stops(p: Array, quat: Array, stops: Array) -> BoolArray:
    """Return at which rows a body is beyond a stop's bound, shape (n,).

    Args:
        p: centre of mass in world [m], shape (n, 3).
        quat: attitude in world, w x y z, shape (n, 4).
        stops: packed stops, see `sim.world.stops.pack_stops`.
    """
    touching = np.zeros(len(p), dtype=np.bool_)
    for k in range(len(p)):
        for i in range(3):
            if abs(p[k, i] - stops[i]) > stops[3 + i]:
                touching[k] = True
        swing, twist = swing_twist(quat[k], stops)
        if swing > stops[SWING] or abs(twist) > stops[TWIST]:
            touching[k] = True
    return touching
