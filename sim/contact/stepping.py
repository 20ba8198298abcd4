"""The compiled step: MuJoCo's pipeline with own contacts, own contact laws and exact free bodies.

The order is that of `mj_step`, taken apart (MuJoCo 4.0.0, `mj_fwdPosition` and `mj_forward`), with ours in
between; sleeping, the `discrete` integrator and Runge-Kutta cannot be had this way.
"""

from typing import NamedTuple

from numba import njit

from hil.common.arrays import Array, IntArray
from sim.contact.applied_forces import AppliedForces, apply_forces
from sim.contact.contact_laws import DEPTH, count_at, label_contacts, refer_rows, write_rows
from sim.contact.free_bodies import advance_momenta, place_bodies
from sim.contact.friction import solve_contacts
from sim.contact.mujoco_calls import (
    mj_collision,
    mj_factorM,
    mj_fwdAcceleration,
    mj_fwdActuation,
    mj_fwdConstraint,
    mj_fwdKinematics,
    mj_fwdVelocity,
    mj_getState,
    mj_implicit,
    mj_island,
    mj_makeConstraint,
    mj_makeM,
    mj_mulJacVec,
    mj_projectConstraint,
    mj_transmission,
)
from sim.contact.own_contacts import OwnPairs, add_contacts
from sim.contact.struct_layout import N_ROWS

# how a run ended
DONE, TOO_MANY_CONTACTS, DIVERGED = 0, 1, 2
# counters: steps done, contacts of our own begin at, contacts, largest number of rounds, sum of rounds
STEPS, OWN_FROM, CONTACTS, MOST_ROUNDS, ALL_ROUNDS, COUNTERS = 0, 1, 2, 3, 4, 5


class Views(NamedTuple):
    """Arrays of `mjData`, seen from compiled code."""

    qpos: Array
    qvel: Array
    qacc: Array
    warm: Array
    ctrl: Array
    qfrc_applied: Array
    qfrc_smooth: Array
    qfrc_bias: Array
    qfrc_constraint: Array
    xpos: Array
    xmat: Array


class Tables(NamedTuple):
    """What of a scene does not change."""

    layout: IntArray
    geom_material: IntArray
    shut: IntArray
    pairs: IntArray
    laws: Array
    free_addresses: IntArray
    free_bodies: Array
    gravity: Array
    geom_body: IntArray
    mobility: Array  # inverse mass of each body [1/kg]
    stands: float  # where the rounds of friction end, see `sim.contact.friction`


class Rooms(NamedTuple):
    """Room for numbers of one step, allocated once."""

    law_of: IntArray  # of each contact
    labels: IntArray
    contact: Array
    numbers: Array  # of each contact
    rows: Array
    work: Array
    momenta: Array
    applied: Array  # the caller's qfrc_applied
    before: Array  # the state before the last step
    counters: IntArray
    deepest: Array  # largest depth of any contact in the last run [m], shape (1,)


class Compiled(NamedTuple):
    """A scene as compiled code sees it that steps it from outside."""

    model: int  # address of `mjModel`
    data: int  # address of `mjData`
    dt: float
    fastest: float
    signature: int  # parts of the state
    views: Views
    tables: Tables
    own: OwnPairs
    forces: AppliedForces
    rooms: Rooms


@njit(cache=True, nogil=True, error_model="numpy")
def step_once(scene: Compiled, time: float) -> int:
    """Do the step from `time` [s] on, nothing of the caller's applied; return how it ended."""
    scene.rooms.applied[:] = 0.0
    return _guarded_step(scene, time)


@njit(cache=True, nogil=True, error_model="numpy")
def run_steps(scene: Compiled, n: int, time: float, controls: Array) -> int:
    """Do n steps; return how they ended.

    Args:
        scene: what is stepped.
        n: number of steps.
        time: of the simulation before the first step [s].
        controls: ctrl of each step, shape (n, nu), or (0, nu) to leave it as it is.
    """
    views, rooms = scene.views, scene.rooms
    counters = rooms.counters
    counters[STEPS] = counters[MOST_ROUNDS] = counters[ALL_ROUNDS] = 0
    rooms.deepest[0] = 0.0
    rooms.applied[:] = views.qfrc_applied
    for i in range(n):
        if controls.shape[0] > 0:
            views.ctrl[:] = controls[i]
        status = _guarded_step(scene, time)
        if status != DONE:
            return status
        counters[STEPS] += 1
        time += scene.dt
    return DONE


@njit(cache=True, nogil=True, error_model="numpy")
def _guarded_step(scene: Compiled, time: float) -> int:
    """Keep the state, do the step with the caller's forces, and return whether its result is credible."""
    views, rooms = scene.views, scene.rooms
    mj_getState(scene.model, scene.data, rooms.before.ctypes.data, scene.signature)
    views.qfrc_applied[:] = rooms.applied
    status = _step(scene, time)
    views.qfrc_applied[:] = rooms.applied
    if status == DONE and not _credible(views.qvel, scene.fastest):
        return DIVERGED
    return status


@njit(cache=True, nogil=True, error_model="numpy")
def _credible(qvel: Array, fastest: float) -> bool:
    """Return whether all velocities are numbers within the bound."""
    for v in qvel:
        if not abs(v) <= fastest:  # true for NaN as well
            return False
    return True


@njit(cache=True, nogil=True, error_model="numpy")
def _step(scene: Compiled, time: float) -> int:
    model, data, dt = scene.model, scene.data, scene.dt
    views, tables, rooms = scene.views, scene.tables, scene.rooms
    layout, laws, law_of, counters = tables.layout, tables.laws, rooms.law_of, rooms.counters
    mj_fwdKinematics(model, data)
    mj_makeM(model, data)
    mj_factorM(model, data)
    mj_collision(model, data)
    found = label_contacts(data, layout, tables.geom_material, tables.pairs, laws, tables.shut, law_of)
    if found > law_of.shape[0]:
        return TOO_MANY_CONTACTS
    counters[OWN_FROM] = found
    found = add_contacts(
        model, data, scene.own, views.xpos, views.xmat, law_of, found, rooms.labels, rooms.contact
    )
    if found < 0:
        return TOO_MANY_CONTACTS
    counters[CONTACTS] = found
    mj_makeConstraint(model, data)
    if count_at(data, layout, N_ROWS) > rooms.rows.shape[0]:
        return TOO_MANY_CONTACTS
    mj_projectConstraint(model, data)  # the exact diagonal is found here
    mj_mulJacVec(model, data, rooms.rows.ctypes.data, views.qvel.ctypes.data)
    write_rows(
        model,
        data,
        layout,
        laws,
        law_of,
        tables.geom_body,
        tables.mobility,
        dt,
        rooms.rows,
        rooms.work,
        rooms.numbers,
    )
    for i in range(found):
        rooms.deepest[0] = max(rooms.deepest[0], rooms.numbers[i, DEPTH])
    mj_island(model, data)  # copies R and D
    mj_transmission(model, data)
    mj_fwdVelocity(model, data)
    apply_forces(scene.forces, time, views.qfrc_applied)
    mj_fwdActuation(model, data)
    mj_fwdAcceleration(model, data)
    if refer_rows(data, layout, found, dt, rooms.numbers) > 0:
        rounds = solve_contacts(
            model, data, layout, rooms.numbers, rooms.rows, views.qacc, views.warm, tables.stands
        )
        counters[MOST_ROUNDS] = max(counters[MOST_ROUNDS], rounds)
        counters[ALL_ROUNDS] += rounds
    else:
        mj_fwdConstraint(model, data)
    advance_momenta(
        views.qpos,
        views.qvel,
        views.qfrc_smooth,
        views.qfrc_bias,
        views.qfrc_constraint,
        tables.gravity,
        tables.free_addresses,
        tables.free_bodies,
        dt,
        rooms.momenta,
    )
    mj_implicit(model, data)
    place_bodies(views.qpos, views.qvel, tables.free_addresses, tables.free_bodies, dt, rooms.momenta)
    return DONE
