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
    R_a, R_b = xmat[a].copy().reshape(3, 3), xmat[b].copy().reshape(3, 3)
    p = xpos[a] + R_a @ parts.p_moving[i]
    R = R_b @ parts.R_counterpart[i]
    T = np.eye(4)
    T[:3, :3] = R.T @ (R_a @ parts.R_moving[i])
    T[:3, 3] = R.T @ (p - xpos[b] - R_b @ parts.p_counterpart[i])
    v = cvel[a, 3:] + np.cross(cvel[a, :3], p - com[root[a]])
    v -= cvel[b, 3:] + np.cross(cvel[b, :3], p - com[root[b]])
    twist = np.empty(6)
    twist[:3] = R.T @ v
    twist[3:] = R.T @ (cvel[a, :3] - cvel[b, :3])
    return T, twist, p, R


@njit(cache=True, nogil=True, error_model="numpy")
def add_parts(
    wrench: Array, parts: Parts, userdata: Array, xpos: Array, xmat: Array, cvel: Array, com: Array,
    root: IntArray,
) -> None:  # fmt: skip
    """Bring all parts to where the bodies are, and add their loads, about the world's origin.

    Args:
        wrench: on the bodies, shape (nbody, 6).
        parts: tables.
        userdata: rows of the parts, changed in place, shape (n * WIDTH,).
        xpos: as in `relative_motion`.
        xmat: the same.
        cvel: the same.
        com: the same.
        root: the same.
    """
    for i in range(parts.moving.shape[0]):
        row = userdata[i * WIDTH : (i + 1) * WIDTH]
        T, twist, p, R = relative_motion(parts, i, xpos, xmat, cvel, com, root)
        step_part(row, parts.packed, i, T, twist, parts.dt)
        force, moment = R @ row[LOAD : LOAD + 3], R @ row[LOAD + 3 : LOAD + 6]
        moment += np.cross(p, force)
        a, b = parts.moving[i], parts.counterpart[i]
        wrench[a, :3] += force
        wrench[a, 3:] += moment
        wrench[b, :3] -= force
        wrench[b, 3:] -= moment


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
