"""Steps of a tree of bodies, by MuJoCo's accelerations; compiled.

theory: the classical Runge-Kutta method in the coordinates. The attitude's is the rotation vector o since the
step began, `o' = w + o x w / 2 + o x (o x w) / 12` of the spin w in the base's axes, up to the fourth power
of o; the attitude is then that at the begin times exp(o). The engine's own method is the same, to rounding,
and takes five times as long. Before and behind a step half a kick of the stops' wrench.
"""

from typing import Any, NamedTuple

import mujoco
from numba import njit, types
from numba.core.types import ExternalFunction

from hil.common.arrays import Array
from hil.common.geometry import matrix_from_quat
from sim.contact.mujoco_calls import mj_solveM
from sim.world.inside.stop_kick import stop_wrench
from sim.world.motion import ROW_SIZE

_POINTER = types.uintp
mj_forward: Any = ExternalFunction("mj_forward", types.void(_POINTER, _POINTER))
# model, coordinates, speeds, time
mj_integratePos: Any = ExternalFunction(
    "mj_integratePos", types.void(_POINTER, _POINTER, _POINTER, types.float64)
)


class Engine(NamedTuple):
    """The engine as compiled code sees it.

    Attributes:
        model: address of `mjModel`.
        data: address of `mjData`.
        qpos: its coordinates, shape (nq,).
        qvel: their speeds, shape (nv,).
        qacc: accelerations, shape (nv,).
        work: room, shape (6, nq).
        mass: of the whole [kg].
    """

    model: int
    data: int
    qpos: Array
    qvel: Array
    qacc: Array
    work: Array
    mass: float


def engine_of(model: mujoco.MjModel, data: mujoco.MjData, work: Array, mass: float) -> Engine:
    """Return the engine for the kernels; whoever keeps it keeps model and data as well."""
    return Engine(model._address, data._address, data.qpos, data.qvel, data.qacc, work, mass)


@njit(cache=True, error_model="numpy")
def push_tree(q: Array, v: Array, e: Engine, force: Array, torque: Array) -> None:
    """Change speeds `v` (nv,) at coordinates `q` (nq,) by an impulse on the base about its frame.

    `force` (3,) is in world axes, `torque` (3,) in the base's.
    """
    for i in range(q.shape[0]):
        e.qpos[i] = q[i]
    for i in range(v.shape[0]):
        e.qvel[i] = v[i]
    mj_forward(e.model, e.data)
    push, answer = e.work[0], e.work[1]
    for i in range(v.shape[0]):
        push[i] = 0.0
    for i in range(3):
        push[i], push[3 + i] = force[i], torque[i]
    mj_solveM(e.model, e.data, answer.ctypes.data, push.ctypes.data, 1)
    for i in range(v.shape[0]):
        v[i] += answer[i]


@njit(cache=True, error_model="numpy")
def _kick(q: Array, v: Array, e: Engine, stops: Array, h: float) -> None:
    """Let the stops act on speeds for `h` [s]."""
    f0, f1, f2, t0, t1, t2 = stop_wrench(q[0], q[1], q[2], q[3], q[4], q[5], q[6], e.mass, stops)
    if f0 == 0.0 and f1 == 0.0 and f2 == 0.0 and t0 == 0.0 and t1 == 0.0 and t2 == 0.0:
        return
    R = matrix_from_quat(q[3:7])
    force, torque = e.work[4], e.work[5]
    force[0], force[1], force[2] = h * f0, h * f1, h * f2
    for i in range(3):
        torque[i] = h * (R[0, i] * t0 + R[1, i] * t1 + R[2, i] * t2)
    push_tree(q, v, e, force, torque)


@njit(cache=True, error_model="numpy")
def tree_step_into(row: Array, e: Engine, stops: Array, dt: float) -> None:
    """Carry a row on by `dt` [s], negative.

    Back; its first numbers say place, attitude and velocity again.
    """
    nq, nv = e.qpos.shape[0], e.qvel.shape[0]
    q, v = row[ROW_SIZE : ROW_SIZE + nq], row[ROW_SIZE + nq : ROW_SIZE + nq + nv]
    _kick(q, v, e, stops, 0.5 * dt)
    going, turned, gained = e.work[1], e.work[2], e.work[3]  # stage's speed; sums of speeds and accelerations
    for i in range(nv):
        going[i], turned[i], gained[i] = v[i], 0.0, 0.0
    for stage in range(4):
        ahead = 0.0 if stage == 0 else (dt if stage == 3 else 0.5 * dt)
        weight = dt / 6.0 if stage in (0, 3) else dt / 3.0
        for i in range(nq):
            e.qpos[i] = q[i]
        if stage > 0:
            mj_integratePos(e.model, e.qpos.ctypes.data, going.ctypes.data, ahead)
        for i in range(nv):
            e.qvel[i] = v[i] if stage == 0 else v[i] + ahead * e.qacc[i]
        mj_forward(e.model, e.data)
        o0, o1, o2 = ahead * going[3], ahead * going[4], ahead * going[5]  # turned since the step began
        w0, w1, w2 = e.qvel[3], e.qvel[4], e.qvel[5]
        c0, c1, c2 = o1 * w2 - o2 * w1, o2 * w0 - o0 * w2, o0 * w1 - o1 * w0
        for i in range(nv):
            going[i] = e.qvel[i]
        going[3] += 0.5 * c0 + (o1 * c2 - o2 * c1) / 12.0
        going[4] += 0.5 * c1 + (o2 * c0 - o0 * c2) / 12.0
        going[5] += 0.5 * c2 + (o0 * c1 - o1 * c0) / 12.0
        for i in range(nv):
            turned[i] += weight * going[i]
            gained[i] += weight * e.qacc[i]
    mj_integratePos(e.model, q.ctypes.data, turned.ctypes.data, 1.0)
    for i in range(nv):
        v[i] += gained[i]
    _kick(q, v, e, stops, 0.5 * dt)
    tell(row, q, v)


@njit(cache=True, error_model="numpy")
def tell(row: Array, q: Array, v: Array) -> None:
    """Write place, attitude and velocity where every row has them."""
    for i in range(7):
        row[i] = q[i]
    for i in range(3):
        row[7 + i], row[10 + i] = v[i], 0.0


@njit(cache=True, error_model="numpy")
def tree_grid_into(ring: Array, first: int, last: int, step: float, e: Engine, stops: Array) -> None:
    """Fill the rows `first + 1` to `last` of a ring; no slice acts in between."""
    size = ring.shape[0]
    for i in range(first, last):
        row = ring[(i + 1) % size]
        for j in range(row.shape[0]):
            row[j] = ring[i % size, j]
        tree_step_into(row, e, stops, step)
