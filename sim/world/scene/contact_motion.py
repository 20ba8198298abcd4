"""The body's motion over the grid among contacts that MuJoCo solves; compiled.

theory: in a cell the whole scene steps once, from the state at the grid point. What its contacts do to the
object is an impulse at the cell's start; from there the object flies as it always does, in its own kernel,
so that stops, slices and rotation are as exact as without a scene. A contact and a free flight solved apart
are one symplectic step: the solver's own step gives the object the same velocity and the same path.

A row is that of `sim.world.motion`, then the work that contacts have done on the object [J], the object
time at which they did last [s], and the state of the whole scene (`ContactScene.state_into`).
"""

import numpy as np
from numba import njit

from hil.common.arrays import Array, IntArray
from hil.common.geometry import matrix_from_quat
from sim.contact.mujoco_calls import mj_getState, mj_setState
from sim.contact.stepping import DONE, Compiled, step_once
from sim.world.body import body_twist
from sim.world.motion import ROW_SIZE, fly_cell_into

WORK, PRESSED = ROW_SIZE, ROW_SIZE + 1
SCENE = ROW_SIZE + 2  # where the scene's state begins


@njit(cache=True, nogil=True, error_model="numpy")
def contact_grid_into(
    ring: Array,
    first: int,
    last: int,
    step: float,
    slices: Array,
    cells: IntArray,
    body: Array,
    stops: Array,
    caps: Array,
    scene: Compiled,
    addresses: IntArray,
    hits: IntArray,
) -> tuple[int, int]:
    """Fill the rows `first + 1` to `last` of a ring; return how it ended and the number of hits.

    Args:
        ring: rows, row `i` at `i % len(ring)`, shape (n, row size).
        first: grid point to begin at.
        last: grid point to end at.
        step: the grid's step [s], the scene's own.
        slices: all slices, in order of object time, shape (K, 8).
        cells: grid cell of each, shape (K,).
        body: mass and principal inertia, shape (4,).
        stops: packed stops, shape (19,).
        caps: largest speed and spin, shape (2,).
        scene: the scene as compiled code sees it.
        addresses: of the object's free joint in qpos and qvel, shape (2,).
        hits: out: grid points where contacts acted on the object, shape (last - first,).
    """
    size, count = ring.shape[0], 0
    for i in range(first, last):
        row = ring[(i + 1) % size]
        row[:] = ring[i % size]
        status, hit = contact_cell_into(
            row, i, step, step, slices, cells, body, stops, caps, scene, addresses
        )
        if status != DONE:
            return status, count
        if hit:
            hits[count] = i
            count += 1
    return DONE, count


@njit(cache=True, nogil=True, error_model="numpy")
def contact_cell_into(
    row: Array,
    index: int,
    until: float,
    step: float,
    slices: Array,
    cells: IntArray,
    body: Array,
    stops: Array,
    caps: Array,
    scene: Compiled,
    addresses: IntArray,
) -> tuple[int, bool]:
    """Carry a row on by `until` [s] in a cell, contacts first; return how it ended, and if there were any.

    The scene's other bodies are always carried to the cell's end. Arguments as in `contact_grid_into`.
    """
    state = row[SCENE:]
    mj_setState(scene.model, scene.data, state.ctypes.data, scene.signature)
    q, v = addresses[0], addresses[1]
    before = body_twist(row, body)
    R = matrix_from_quat(row[3:7])
    scene.views.qpos[q : q + 7] = row[:7]
    scene.views.qvel[v : v + 3] = before[:3]
    scene.views.qvel[v + 3 : v + 6] = R.T @ before[3:]
    status = step_once(scene, state[0])  # the scene's own time, which a coasting has begun
    if status != DONE:
        return status, False
    impulse = (scene.views.qfrc_constraint[v : v + 6] + scene.forces.by_parts[v : v + 6]) * step
    hit = bool(np.any(impulse != 0.0))
    if hit:
        turn = R @ impulse[3:]
        row[7:10] += impulse[:3] / body[0]
        row[10:13] += turn
        mean = 0.5 * (before + body_twist(row, body))
        row[PRESSED] = index * step
        row[WORK] += np.sum(impulse[:3] * mean[:3]) + np.sum(turn * mean[3:])
    fly_cell_into(row, index, until, step, slices, cells, body, stops, caps)
    mj_getState(scene.model, scene.data, state.ctypes.data, scene.signature)
    return DONE, hit
