"""What is seen of a docking in one step, compiled: depths, tilt, speeds, contact forces."""

import math
from typing import NamedTuple

import mujoco
import numpy as np
from numba import njit

from hil.common.arrays import Array, IntArray
from sim.contact.parts import Parts, fastening, load_at
from sim.contact.seating import Seat, depths_into
from sim.docking.judge import History

# columns of a row; the depths of the pins follow
TIME, INSERTION, TILT, SPEED, AXIAL, FORCE, TORQUE, PENETRATION = range(8)
SEALED, CLOSED, PARTS_FORCE, LATCH_FORCE, WORK, DEPTHS = range(8, 14)


class Seen(NamedTuple):
    """Who is looked at."""

    seat: Seat
    roots: IntArray  # (nbody,)
    geom_body: IntArray  # (ngeom,)
    parts: Parts


def seen_of(model: mujoco.MjModel, seat: Seat, parts: Parts) -> Seen:
    """Return the table of a scene."""
    return Seen(seat, np.array(model.body_rootid, np.int64), np.array(model.geom_bodyid, np.int64), parts)


def sample_into(row: Array, seen: Seen, data: mujoco.MjData) -> None:
    """Write what is seen at the beginning of the step that was done last.

    Args:
        row: shape (DEPTHS + P,).
        seen: who is looked at.
        data: after a step.
    """
    contact = data.contact
    row[TIME] = data.time
    look_into(row, seen, data.xpos, data.xmat, data.cvel, data.subtree_com)
    feel_into(
        row, seen, data.xpos, data.xmat, contact.pos, contact.frame, contact.dist, contact.dim, contact.geom,
        contact.efc_address, data.efc_force, data.userdata,
    )  # fmt: skip
    row[SEALED : WORK + 1] = fastening(seen.parts, data.userdata)


@njit(cache=True, error_model="numpy")
def look_into(row: Array, seen: Seen, xpos: Array, xmat: Array, cvel: Array, subtree_com: Array) -> None:
    """Write depths, insertion, tilt and speed; arrays are MuJoCo's."""
    seat = seen.seat
    row[INSERTION], row[TILT] = depths_into(row[DEPTHS:], seat, xpos, xmat)
    row[SPEED] = 0.0
    R_effector = xmat[seat.effector].copy().reshape(3, 3)
    for i in range(seat.tips.shape[0]):
        point = xpos[seat.effector] + R_effector @ seat.tips[i]
        apart = _velocity(seen, seat.effector, point, cvel, subtree_com)
        apart -= _velocity(seen, seat.module, point, cvel, subtree_com)
        row[SPEED] = max(row[SPEED], math.sqrt(apart @ apart))


@njit(cache=True, error_model="numpy")
def _velocity(seen: Seen, body: int, point: Array, cvel: Array, subtree_com: Array) -> Array:
    """Return the velocity of a body's material at a point, world axes [m/s]."""
    return cvel[body, 3:] + np.cross(cvel[body, :3], point - subtree_com[seen.roots[body]])


@njit(cache=True, error_model="numpy")
def feel_into(
    row: Array, seen: Seen, xpos: Array, xmat: Array, pos: Array, frame: Array, dist: Array, dim: IntArray,
    geom: IntArray, address: IntArray, force: Array, userdata: Array,
) -> None:  # fmt: skip
    """Write the sums over the contacts and the parts of effector and module; arrays are MuJoCo's."""
    seat = seen.seat
    R_module = xmat[seat.module].copy().reshape(3, 3)
    p_world_plate = xpos[seat.module] + R_module @ seat.p_module_plate
    normal = R_module @ seat.R_module_plate[:, 2].copy()
    load = load_at(seen.parts, userdata, xpos, xmat, p_world_plate)
    total, moment, deepest = load[:3].copy(), load[3:].copy(), 0.0
    for i in range(dist.shape[0]):
        first, second = seen.geom_body[geom[i, 0]], seen.geom_body[geom[i, 1]]
        if first == seat.module and second == seat.effector:
            sign = 1.0
        elif first == seat.effector and second == seat.module:
            sign = -1.0
        else:
            continue
        deepest = max(deepest, -dist[i])
        if address[i] < 0:
            continue
        on_effector = np.zeros(3)
        for k in range(min(dim[i], 3)):
            for axis in range(3):
                on_effector[axis] += sign * force[address[i] + k] * frame[i, 3 * k + axis]
        total += on_effector
        moment += np.cross(pos[i] - p_world_plate, on_effector)
    row[AXIAL] = total @ normal
    row[FORCE] = math.sqrt(total @ total)
    row[TORQUE] = math.sqrt(moment @ moment)
    row[PENETRATION] = deepest


def history_of(rows: Array) -> History:
    """Return rows (N, DEPTHS + P) as the judge wants them."""
    return History(
        time=rows[:, TIME],
        depth=rows[:, DEPTHS:],
        insertion=rows[:, INSERTION],
        tilt=rows[:, TILT],
        speed=rows[:, SPEED],
        axial=rows[:, AXIAL],
        force=rows[:, FORCE],
        torque=rows[:, TORQUE],
        penetration=rows[:, PENETRATION],
        sealed=rows[:, SEALED],
        closed=rows[:, CLOSED],
        parts_force=rows[:, PARTS_FORCE],
        work=rows[:, WORK],
    )
