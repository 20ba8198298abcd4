"""The simulated object and the machine's state at each cycle, from states that come at paces of their own."""

from dataclasses import dataclass

import numpy as np

from hil.common.arrays import Array, BoolArray, IntArray
from hil.configuration import Configuration
from hil.loop.judging.state_machine import MOVING, State
from hil.loop.trace.ideal_body import touching_stops
from hil.recording.columns import Columns
from sim.world.body import NO_WRENCH, body_state, body_twist, pack_body, step_body_into
from sim.world.stops import world_stops

NEVER_NS = 50_000_000  # between the simulation's states while it is well; older ones tell nothing of now


@dataclass(frozen=True, eq=False)
class ObjectStates:
    """What the simulation believed at each cycle, one row a cycle.

    Attributes:
        source: the row of `/sim_state` that a row rests on, -1 where there is none, shape (n,).
        p: centre of mass in world [m], shape (n, 3).
        quat: attitude in world, shape (n, 4).
        twist: velocity, world axes [m/s, rad/s], shape (n, 6).
        rate: pace of object time, shape (n,).
        epoch: shape (n,).
        floating: the simulated body moves (else it stands where the arm holds it), shape (n,).
        touching: the state that a row rests on touches a stop, or the one before or behind it does: at the
            edges of a contact a state, which lies between two grid points of the simulation, is not quite
            what the law makes of it, shape (n,).
        pressed: pins and plates press on the object, shape (n,).
    """

    source: IntArray
    p: Array
    quat: Array
    twist: Array
    rate: Array
    epoch: IntArray
    floating: BoolArray
    touching: BoolArray
    pressed: BoolArray


def object_states(c: Configuration, columns: Columns, t_ns: IntArray) -> ObjectStates:
    """Return the newest state before each instant, brought to it by the laws of the body and its stops.

    Args:
        c: the run's configuration.
        columns: of `/sim_state`.
        t_ns: the cycles' instants, rising, shape (n,).
    """
    source = np.searchsorted(columns["t_ns"], t_ns, side="right") - 1
    age_ns = t_ns - columns["t_ns"][source]
    source = np.where((source >= 0) & (age_ns <= NEVER_NS), source, -1)
    p, quat, twist = (columns[f"{name}_world_object"][source] for name in ("p", "quat", "twist"))
    rate, floating = columns["time_rate"][source], _floating(columns)[source]
    body, stops = pack_body(c.object), world_stops(c)
    around = _around(touching_stops(columns["p_world_object"], columns["quat_world_object"], stops))
    touching = around[source] & (age_ns > 0)
    late = np.flatnonzero((source >= 0) & (age_ns > 0) & floating & (rate > 0.0))
    for k in late.tolist():
        ahead = 1e-9 * float(age_ns[k]) * float(rate[k])
        steps = int(np.ceil(ahead / c.simulation.step))
        state = body_state(p[k], quat[k], twist[k], body)
        for _ in range(steps):
            step_body_into(state, state, body, stops, NO_WRENCH, ahead / steps)
        p[k], quat[k], twist[k] = state[:3], state[3:7], body_twist(state, body)
    pressed = columns["pressed"][source]
    return ObjectStates(source, p, quat, twist, rate, columns["epoch"][source], floating, touching, pressed)


def machine_states(columns: Columns | None, objects: ObjectStates, t_ns: IntArray) -> list[str]:
    """Return the machine's state at each cycle, shape (n,).

    The order is told every 20 to 50 ms, so what the simulation does decides: the object floats although
    no order says so yet, or stands although an order to stand has not been told yet.

    Args:
        columns: of `/mode`, or None where it was not recorded.
        objects: what the simulation believed.
        t_ns: the cycles' instants, rising, shape (n,).
    """
    if columns is None:
        return np.where(objects.floating, State.FLOATING.value, State.STOPPED.value).tolist()
    told = columns["state"]
    newest = np.searchsorted(columns["t_ns"], t_ns) - 1
    following = np.minimum(newest + 1, len(told) - 1)
    states = np.where(newest >= 0, told[newest], State.STOPPED.value).astype("U11")
    moving = np.isin(states, MOVING)
    standing = np.where(np.isin(told[following], MOVING), State.STOPPED.value, told[following])
    states = np.where(moving & ~objects.floating, standing, states)
    begun = ~moving & objects.floating & (objects.epoch > columns["epoch"][newest])
    found: list[str] = np.where(begun, State.FLOATING.value, states).tolist()
    return found


def _around(touching: BoolArray) -> BoolArray:
    """Return which of the simulation's states touch, or have a neighbour that does."""
    found = touching.copy()
    found[1:] |= touching[:-1]
    found[:-1] |= touching[1:]
    return found


def _floating(columns: Columns) -> BoolArray:
    """Return at which of the simulation's states the object floats, shape (m,).

    Standing, it has object time zero. So it has at the very beginning of an epoch, before object time
    gains pace.
    """
    epoch, object_time = columns["epoch"], columns["object_time"]
    begins = np.flatnonzero(np.diff(epoch, prepend=epoch[:1] - 1))
    gained = np.maximum.accumulate(np.where(object_time > 0.0, np.arange(len(epoch)), -1))
    of_epoch = np.repeat(begins, np.diff(np.append(begins, len(epoch))))
    floating: BoolArray = (epoch > 0) & ((object_time > 0.0) | (gained < of_epoch))
    return floating
