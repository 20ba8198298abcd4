"""What is seen of a docking in one step, compiled: depths, tilt, speeds, contact forces."""

import math
from typing import NamedTuple

import mujoco
import numpy as np
from numba import njit

from hil.arrays import Array, IntArray
from sim.contact.interface import Interface
from sim.docking.judge import History
from sim.docking.mating import Mating
from sim.docking.model import DockingModel

# columns of a row; the depths of the pins follow
TIME, INSERTION, TILT, SPEED, AXIAL, FORCE, TORQUE, PENETRATION, DEPTHS = range(9)


class Seen(NamedTuple):
    """Who is looked at."""

    module: int  # body
    effector: int  # body
    p_module_plate: Array  # (3,)
    R_module_plate: Array  # (3, 3)
    tips: Array  # (P, 3) centres of the half spheres, effector's frame [m]
    axis: Array  # (3,) of the pins, effector's frame
    holes: Array  # (P, 2) plate's frame [m]
    radius: float  # of the pins [m]
    hole_radius: float  # m
    full_depth: float  # m
    roots: IntArray  # (nbody,)
    geom_body: IntArray  # (ngeom,)


def seen_of(scene: DockingModel, mating: Mating, interface: Interface) -> Seen:
    """Return the table of a scene."""
    return Seen(
        module=scene.module,
        effector=scene.effector,
        p_module_plate=np.array(interface.plate.p_body_plate),
        R_module_plate=np.array(interface.plate.R_body_plate),
        tips=np.array(mating.tips),
        axis=np.array(mating.axis),
        holes=np.array(mating.holes),
        radius=mating.radius,
        hole_radius=mating.hole_radius,
        full_depth=mating.full_depth,
        roots=np.array(scene.model.body_rootid, np.int64),
        geom_body=np.array(scene.model.geom_bodyid, np.int64),
    )


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
        contact.efc_address, data.efc_force,
    )  # fmt: skip


@njit(cache=True, error_model="numpy")
def look_into(row: Array, seen: Seen, xpos: Array, xmat: Array, cvel: Array, subtree_com: Array) -> None:
    """Write depths, insertion, tilt and speed; arrays are MuJoCo's."""
    R_module = xmat[seen.module].copy().reshape(3, 3)
    R_world_plate = R_module @ seen.R_module_plate
    p_world_plate = xpos[seen.module] + R_module @ seen.p_module_plate
    R_effector = xmat[seen.effector].copy().reshape(3, 3)
    cosine = -(R_world_plate[:, 2].copy() @ (R_effector @ seen.axis))
    side = np.cross(R_world_plate[:, 2].copy(), R_effector @ seen.axis)
    row[TILT] = math.atan2(math.sqrt(side @ side), cosine)
    row[SPEED] = row[INSERTION] = 0.0
    count = seen.tips.shape[0]
    for i in range(count):
        point = xpos[seen.effector] + R_effector @ seen.tips[i]
        apart = _velocity(seen, seen.effector, point, cvel, subtree_com)
        apart -= _velocity(seen, seen.module, point, cvel, subtree_com)
        row[SPEED] = max(row[SPEED], math.sqrt(apart @ apart))
        local = R_world_plate.T @ (point - p_world_plate)
        depth = seen.radius - local[2]
        row[INSERTION] += depth / count
        aside = math.hypot(local[0] - seen.holes[i, 0], local[1] - seen.holes[i, 1])
        row[DEPTHS + i] = depth / seen.full_depth if aside < seen.hole_radius and depth > 0.0 else 0.0


@njit(cache=True, error_model="numpy")
def _velocity(seen: Seen, body: int, point: Array, cvel: Array, subtree_com: Array) -> Array:
    """Return the velocity of a body's material at a point, world axes [m/s]."""
    return cvel[body, 3:] + np.cross(cvel[body, :3], point - subtree_com[seen.roots[body]])


@njit(cache=True, error_model="numpy")
def feel_into(
    row: Array, seen: Seen, xpos: Array, xmat: Array, pos: Array, frame: Array, dist: Array, dim: IntArray,
    geom: IntArray, address: IntArray, force: Array,
) -> None:  # fmt: skip
    """Write the sums over the contacts of effector and module; arrays are MuJoCo's."""
    R_module = xmat[seen.module].copy().reshape(3, 3)
    p_world_plate = xpos[seen.module] + R_module @ seen.p_module_plate
    normal = R_module @ seen.R_module_plate[:, 2].copy()
    total, moment, deepest = np.zeros(3), np.zeros(3), 0.0
    for i in range(dist.shape[0]):
        first, second = seen.geom_body[geom[i, 0]], seen.geom_body[geom[i, 1]]
        if first == seen.module and second == seen.effector:
            sign = 1.0
        elif first == seen.effector and second == seen.module:
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
    )
