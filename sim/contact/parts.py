"""Seals and latches between the body of the pins and that of the plate: their loads, compiled.

Their laws are those of `sim.mating`. What they remember is a part of MuJoCo's state (`userdata`): a saved
state says all, and rewind, prediction and replay need no more.
"""

from collections.abc import Sequence
from typing import NamedTuple

import mujoco
import numpy as np
from numba import njit

from hil.common.arrays import Array, IntArray
from hil.common.triples import Triple, added, column, crossed, scaled, triple, turned, turned_back
from sim.contact.interface import Interface
from sim.mating.o_ring_schema import ORingSection
from sim.mating.packed import HOLDS, LOAD, SEAL, SNAP, WIDTH, WORK, Packed, packed, step_part
from sim.mating.snap_schema import SnapSection


class Parts(NamedTuple):
    """The parts of a scene.

    Attributes:
        packed: their laws.
        moving: bodies that carry them, shape (n,).
        counterpart: bodies of the bores and edges, shape (n,).
        p_moving: their origins in these bodies [m], shape (n, 3).
        R_moving: their axes, shape (n, 3, 3).
        p_counterpart: the same of the counterparts, shape (n, 3).
        R_counterpart: shape (n, 3, 3).
        dt: step of the simulation [s].
    """

    packed: Packed
    moving: IntArray
    counterpart: IntArray
    p_moving: Array
    R_moving: Array
    p_counterpart: Array
    R_counterpart: Array
    dt: float


class Fastening(NamedTuple):
    """What the parts say.

    Attributes:
        sealed: how many seals are squeezed all around in their bores.
        closed: how many latches hold.
        force: that pushes moving part and counterpart apart along the insertion [N]; below 0: holds them.
        latch_force: the latches' share of it [N].
        work: done on the parts so far [J].
    """

    sealed: int
    closed: int
    force: float
    latch_force: float
    work: float


def no_parts() -> Parts:
    """Return the tables of a scene without parts."""
    none, nowhere, axes = np.zeros(0, np.int64), np.zeros((0, 3)), np.zeros((0, 3, 3))
    return Parts(packed([]), none, none, nowhere, axes, nowhere, axes, 0.0)


def parts_of(model: mujoco.MjModel, interface: Interface, T_plate_moving: Array, step: float) -> Parts:
    """Return the parts of an interface.

    Args:
        model: the compiled scene, with room in its userdata (`kept_rows`).
        interface: with seals and snaps.
        T_plate_moving: pose of the pins' body in the plate's frame, pins on the bottoms, shape (4, 4).
        step: of the simulation [s].
    """
    seated: list[Array] = []
    counterparts: list[Array] = []
    sections: list[ORingSection | SnapSection] = []
    for seal in interface.seals:
        T = np.eye(4)
        T[:3, 3] = [*seal.bore, -seal.o_ring.chamfer]
        counterparts.append(T)
        seated.append(T @ _shifted(2, -seal.depth))
        sections.append(seal.o_ring)
    for snaps in interface.snaps:
        for edge, facing in zip(snaps.edges, snaps.facing, strict=True):
            T = np.eye(4)
            z = np.append(facing, 0.0) / np.linalg.norm(facing)
            x = np.array([0.0, 0.0, -1.0])
            T[:3, :3], T[:3, 3] = np.column_stack((x, np.cross(z, x), z)), edge
            counterparts.append(T)
            seated.append(T @ _shifted(0, snaps.travel))
            sections.append(snaps.fastener)
    if not sections:
        return no_parts()
    T_body_plate, T_moving_plate = np.eye(4), np.linalg.inv(T_plate_moving)
    T_body_plate[:3, :3], T_body_plate[:3, 3] = interface.plate.R_body_plate, interface.plate.p_body_plate
    own = np.array([T_moving_plate @ T for T in seated])
    other = np.array([T_body_plate @ T for T in counterparts])
    n = len(sections)
    return Parts(
        packed(sections),
        np.full(n, model.body(interface.pins.body).id, np.int64),
        np.full(n, model.body(interface.plate.body).id, np.int64),
        np.array(own[:, :3, 3]),
        np.array(own[:, :3, :3]),
        np.array(other[:, :3, 3]),
        np.array(other[:, :3, :3]),
        step,
    )


def _shifted(axis: int, way: float) -> Array:
    T = np.eye(4)
    T[axis, 3] = way
    return T


@njit(cache=True, nogil=True, error_model="numpy")
def relative_motion(
    parts: Parts, i: int, xpos: Array, xmat: Array, cvel: Array, com: Array, root: IntArray
) -> tuple[Array, Array, Array, Array]:
    """Return pose (4, 4) and twist (6,) of a part in its counterpart, and where it is: p (3,), R (3, 3).

    Args:
        parts: tables.
        i: which part.
        xpos: places of the bodies [m], shape (nbody, 3).
        xmat: their axes, shape (nbody, 9).
        cvel: their velocities at the centres of their trees, angular first, shape (nbody, 6).
        com: centres of mass of the trees below each body [m], shape (nbody, 3).
        root: body that carries each tree, shape (nbody,).
    """
    a, b = parts.moving[i], parts.counterpart[i]
    T, twist, p, R = np.eye(4), np.empty(6), np.empty(3), np.empty((3, 3))
    for k in range(3):
        axis = _turned_flat(xmat[b], column(parts.R_counterpart[i], k))
        for j in range(3):
            R[j, k] = axis[j]
    for k in range(3):
        axis = turned_back(R, _turned_flat(xmat[a], column(parts.R_moving[i], k)))
        for j in range(3):
            T[j, k] = axis[j]
    place = added(triple(xpos[a]), _turned_flat(xmat[a], triple(parts.p_moving[i])))
    origin = added(triple(xpos[b]), _turned_flat(xmat[b], triple(parts.p_counterpart[i])))
    off = turned_back(R, added(place, scaled(origin, -1.0)))
    v = _velocity_at(place, cvel[a], com[root[a]])
    v = added(v, scaled(_velocity_at(place, cvel[b], com[root[b]]), -1.0))
    omega = added(triple(cvel[a]), scaled(triple(cvel[b]), -1.0))
    v, omega = turned_back(R, v), turned_back(R, omega)
    for k in range(3):
        T[k, 3], twist[k], twist[3 + k], p[k] = off[k], v[k], omega[k], place[k]
    return T, twist, p, R


@njit(cache=True, nogil=True, error_model="numpy")
def _turned_flat(m: Array, v: Triple) -> Triple:
    """Return the product of a matrix as MuJoCo has it, shape (9,), and a vector."""
    x, y, z = v
    return m[0] * x + m[1] * y + m[2] * z, m[3] * x + m[4] * y + m[5] * z, m[6] * x + m[7] * y + m[8] * z


@njit(cache=True, nogil=True, error_model="numpy")
def _velocity_at(p: Triple, cvel: Array, com: Array) -> Triple:
    """Return the velocity at a point of a body that moves with `cvel` (6,) at its tree's centre of mass."""
    v = crossed(triple(cvel), added(p, scaled(triple(com), -1.0)))
    return added((cvel[3], cvel[4], cvel[5]), v)


@njit(cache=True, nogil=True, error_model="numpy")
def add_parts(
    wrench: Array, parts: Parts, userdata: Array, xpos: Array, xmat: Array, cvel: Array, com: Array,
    root: IntArray,
) -> bool:  # fmt: skip
    """Bring all parts to where the bodies are, add their loads; return whether there are any.

    Args:
        wrench: on the bodies, about the world's origin, shape (nbody, 6).
        parts: tables.
        userdata: rows of the parts, changed in place, shape (n * WIDTH,).
        xpos: as in `relative_motion`.
        xmat: the same.
        cvel: the same.
        com: the same.
        root: the same.
    """
    loaded = False
    for i in range(parts.moving.shape[0]):
        row = userdata[i * WIDTH : (i + 1) * WIDTH]
        T, twist, p, R = relative_motion(parts, i, xpos, xmat, cvel, com, root)
        step_part(row, parts.packed, i, T, twist, parts.dt)
        if not np.any(row[LOAD : LOAD + 6]):
            continue
        loaded = True
        force = turned(R, (row[LOAD], row[LOAD + 1], row[LOAD + 2]))
        moment = turned(R, (row[LOAD + 3], row[LOAD + 4], row[LOAD + 5]))
        moment = added(moment, crossed(triple(p), force))
        a, b = parts.moving[i], parts.counterpart[i]
        for k in range(3):
            wrench[a, k] += force[k]
            wrench[a, 3 + k] += moment[k]
            wrench[b, k] -= force[k]
            wrench[b, 3 + k] -= moment[k]
    return loaded


@njit(cache=True, nogil=True, error_model="numpy")
def load_at(parts: Parts, userdata: Array, xpos: Array, xmat: Array, point: Array) -> Array:
    """Return force and moment of all parts on what moves, about a point, world axes, shape (6,)."""
    total = np.zeros(6)
    for i in range(parts.moving.shape[0]):
        row = userdata[i * WIDTH : (i + 1) * WIDTH]
        a, b = parts.moving[i], parts.counterpart[i]
        R = xmat[b].copy().reshape(3, 3) @ parts.R_counterpart[i]
        p = xpos[a] + xmat[a].copy().reshape(3, 3) @ parts.p_moving[i]
        force = R @ row[LOAD : LOAD + 3]
        total[:3] += force
        total[3:] += R @ row[LOAD + 3 : LOAD + 6] + np.cross(p - point, force)
    return total


@njit(cache=True, nogil=True, error_model="numpy")
def fastening(parts: Parts, userdata: Array) -> Fastening:
    """Return what the rows say."""
    sealed, closed, force, latch_force, work = 0, 0, 0.0, 0.0, 0.0
    for i in range(parts.moving.shape[0]):
        row = userdata[i * WIDTH : (i + 1) * WIDTH]
        work += row[WORK]
        if parts.packed.kind[i] == SEAL:
            force += row[LOAD + 2]
            sealed += row[HOLDS] > 0.0
        else:
            latch_force -= row[LOAD]
            closed += row[HOLDS] > 0.0
    return Fastening(sealed, closed, force + latch_force, latch_force, work)


def counts(parts: Parts) -> tuple[int, int]:
    """Return how many seals and how many latches there are."""
    return int((parts.packed.kind == SEAL).sum()), int((parts.packed.kind == SNAP).sum())


def kept_rows(interfaces: Sequence[Interface]) -> int:
    """Return how many numbers of a scene's state the parts of some interfaces need."""
    return WIDTH * sum(len(i.seals) + sum(len(s.edges) for s in i.snaps) for i in interfaces)
