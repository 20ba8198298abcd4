"""The port over a grid step of the emulation, and its force at the end of it. Compiled.

A fixed port's force is a function of the mock-up's pose and twist: no stiffness is too large. A port with
mass, and a damper behind an elasticity, go on in substeps: midpoint rule for the mass, with the damper's
force implicit, the mock-up's feet moving linearly over the step. With `x = dt sqrt(k / m)` a substep has at
most `x = 0.05`, which gives the port's speed after a bounce to 2e-4.

Friction: each contact has a spring along the face, as stiff as the contact, that slips at the cone.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from drivers.emulation.port.balance import Instant, normal_forces_into
from drivers.emulation.port.law import MEASURED_AT, Law, softness
from hil.common.arrays import Array, BoolArray

FINENESS = 0.05  # of a substep, as an angle of the port's oscillation
SOFT_SUBSTEPS = 10  # at least, of a damper behind an elasticity
MOST_SUBSTEPS = 400


class PortState(NamedTuple):
    """What a port remembers; all arrays are written.

    Attributes:
        way: of a port with mass from where it began, world [m], (3,).
        v: its velocity [m/s], (3,).
        bent: by what the elasticity gives way under the mock-up, world [m], (3,).
        sprung: the part of it that is a damped device's [m], (3,).
        normal: sum of the normal forces on the mock-up, world [N], (3,).
        latched: which contacts hold, shape (feet, planes).
        bristles: what the friction springs are stretched by, world [m], shape (feet, planes, 3).
        x: penetrations at the end of the step [m], shape (feet, planes); negative: gaps.
        f: normal forces at the end of the step [N], shape (feet, planes).
        wrench: on the mock-up about the object's centre, world axes [N, N m], (6,).
    """

    way: Array
    v: Array
    bent: Array
    sprung: Array
    normal: Array
    latched: BoolArray
    bristles: Array
    x: Array
    f: Array
    wrench: Array


def at_rest(feet: int, planes: int) -> PortState:
    """Return the state of a port that nothing has touched."""
    return PortState(
        way=np.zeros(3),
        v=np.zeros(3),
        bent=np.zeros(3),
        sprung=np.zeros(3),
        normal=np.zeros(3),
        latched=np.zeros((feet, planes), np.bool_),
        bristles=np.zeros((feet, planes, 3)),
        x=np.zeros((feet, planes)),
        f=np.zeros((feet, planes)),
        wrench=np.zeros(6),
    )


@njit(cache=True)
def feet_into(out: Array, feet: Array, T: Array) -> None:
    """Write where the feet (feet, 3) of the object's axes are, at the object's pose (4, 4), world [m]."""
    for i in range(feet.shape[0]):
        for k in range(3):
            out[i, k] = T[k, 3] + T[k, 0] * feet[i, 0] + T[k, 1] * feet[i, 1] + T[k, 2] * feet[i, 2]


@njit(cache=True)
def port_step(
    state: PortState,
    law: Law,
    planes: Array,
    before: Array,
    after: Array,
    p: Array,
    twist: Array,
    step: float,
) -> None:
    """Advance a port by a grid step.

    Args:
        state: of the port; written.
        law: of its contacts.
        planes: points and normals where it began, world, shape (planes, 6).
        before: the feet at the step's start, world [m], shape (feet, 3).
        after: the same at its end.
        p: the object's centre at the end, world [m], shape (3,).
        twist: its twist then, world axes [m/s, rad/s], shape (6,).
        step: [s].
    """
    count = _substeps(state, law, planes, before, after, step)
    part = step / count
    here, speed = np.empty_like(before), np.empty_like(before)
    x, rate, force = np.empty_like(state.x), np.empty_like(state.x), np.zeros(3)
    touching = np.zeros_like(state.latched)
    at = Instant(x, rate, touching, state.latched)
    for i in range(before.shape[0]):
        for k in range(3):
            speed[i, k] = (after[i, k] - before[i, k]) / step
    for m in range(count):
        _drift(state, 0.5 * part)
        for i in range(before.shape[0]):
            for k in range(3):
                here[i, k] = before[i, k] + (m + 0.5) * part * speed[i, k]
        _look(at, state, planes, here, speed)
        since = 0.5 * part if m == 0 else part  # the last look was at the end of a step, or in a middle
        normal_forces_into(
            state.f, state.normal, law, planes, at, state.bent, state.sprung, since, 0.5 * part
        )
        _bend(state, law, since)
        _drag(state, law, planes, speed, at, 0.5 * part)
        _rub(force, state, law)
        for k in range(3):
            force[k] += state.normal[k]
            state.v[k] -= part * law.inverse_mass * force[k]
        _drift(state, 0.5 * part)
        _drag(state, law, planes, speed, at, 0.5 * part)
    _end(state, law, planes, after, p, twist, at, 0.5 * part)


@njit(cache=True)
def _substeps(state: PortState, law: Law, planes: Array, before: Array, after: Array, step: float) -> int:
    """Return the number of substeps: one where nothing oscillates."""
    damped = law.device_damping > 0.0 or (law.compliance > 0.0 and law.damping > 0.0)
    least = SOFT_SUBSTEPS if damped else 1
    if law.inverse_mass == 0.0:
        return least
    stiffness = 0.0
    for i in range(before.shape[0]):
        for j in range(planes.shape[0]):
            x = _depth(state, planes, before, i, j, 0.0), _depth(state, planes, after, i, j, step)
            deepest = max(abs(x[0]), abs(x[1])) if state.latched[i, j] else max(x[0], x[1])
            if deepest > 0.0:
                stiffness += law.stiffness * law.exponent * (deepest / MEASURED_AT) ** (law.exponent - 1.0)
                stiffness += law.bump_stiffness if deepest > law.bump else 0.0
                stiffness += law.stiffness if law.friction > 0.0 else 0.0
    angle = step * math.sqrt(stiffness * law.inverse_mass)
    return max(least, min(MOST_SUBSTEPS, math.ceil(angle / FINENESS)))


@njit(cache=True)
def _depth(state: PortState, planes: Array, feet: Array, i: int, j: int, ahead: float) -> float:
    """Return how deep a foot is in a plane [m], if the port goes on for the time `ahead` [s]."""
    x = 0.0
    for k in range(3):
        x -= planes[j, 3 + k] * (feet[i, k] - planes[j, k] - state.way[k] - ahead * state.v[k])
    return x


@njit(cache=True)
def _drift(state: PortState, part: float) -> None:
    for k in range(3):
        state.way[k] += part * state.v[k]


@njit(cache=True)
def _look(at: Instant, state: PortState, planes: Array, here: Array, speed: Array) -> None:
    """Write the contacts of feet at `here` with the velocities `speed`, both (feet, 3)."""
    for i in range(here.shape[0]):
        for j in range(planes.shape[0]):
            at.x[i, j], at.rate[i, j] = _depth(state, planes, here, i, j, 0.0), 0.0
            for k in range(3):
                at.rate[i, j] -= planes[j, 3 + k] * (speed[i, k] - state.v[k])
            at.touching[i, j] = at.x[i, j] > 0.0 or at.latched[i, j]


@njit(cache=True)
def _bend(state: PortState, law: Law, step: float) -> None:
    """Let what carries the mock-up give way under the normal force for a time [s]."""
    compliance, left = softness(law, step)
    for k in range(3):
        state.bent[k] = compliance * state.normal[k] + left * state.sprung[k]
        state.sprung[k] = state.bent[k] - law.compliance * state.normal[k]


@njit(cache=True)
def _drag(state: PortState, law: Law, planes: Array, speed: Array, at: Instant, part: float) -> None:
    """Stretch the friction springs by the ways that the feet slide along the face in a time [s]."""
    if law.friction == 0.0:
        return
    for i in range(state.f.shape[0]):
        for j in range(planes.shape[0]):
            n, b = planes[j, 3:], state.bristles[i, j]
            into = 0.0
            for k in range(3):
                into += n[k] * (speed[i, k] - state.v[k])
            for k in range(3):
                slides = part * (speed[i, k] - state.v[k] - into * n[k])
                b[k] = b[k] + slides if at.touching[i, j] else 0.0


@njit(cache=True)
def _rub(force: Array, state: PortState, law: Law) -> None:
    """Let the friction springs slip at the cone, and write what all of them exert (3,)."""
    force[:] = 0.0
    if law.friction == 0.0:
        return
    for i in range(state.f.shape[0]):
        for j in range(state.f.shape[1]):
            b = state.bristles[i, j]
            size = law.stiffness * math.sqrt(b[0] ** 2 + b[1] ** 2 + b[2] ** 2)
            most = law.friction * abs(state.f[i, j])
            share = most / size if size > most else 1.0
            for k in range(3):
                b[k] *= share
                force[k] -= law.stiffness * b[k]


@njit(cache=True)
def _end(
    state: PortState, law: Law, planes: Array, after: Array, p: Array, twist: Array, at: Instant, since: float
) -> None:
    """Write what is exerted at the end of the step, by the true velocities there, and latch what touches."""
    speed = np.empty_like(after)
    for i in range(after.shape[0]):
        r0, r1, r2 = after[i, 0] - p[0], after[i, 1] - p[1], after[i, 2] - p[2]
        speed[i, 0] = twist[0] + twist[4] * r2 - twist[5] * r1
        speed[i, 1] = twist[1] + twist[5] * r0 - twist[3] * r2
        speed[i, 2] = twist[2] + twist[3] * r1 - twist[4] * r0
    _look(at, state, planes, after, speed)
    normal_forces_into(state.f, state.normal, law, planes, at, state.bent, state.sprung, since, 0.0)
    _bend(state, law, since)
    force = np.empty(3)
    _drag(state, law, planes, speed, at, 0.0)
    _rub(force, state, law)
    w = state.wrench
    w[:] = 0.0
    for i in range(after.shape[0]):
        r0, r1, r2 = after[i, 0] - p[0], after[i, 1] - p[1], after[i, 2] - p[2]
        for j in range(planes.shape[0]):
            state.x[i, j] = at.x[i, j]
            for k in range(3):
                state.x[i, j] -= planes[j, 3 + k] * state.bent[k]
            if law.latches and at.x[i, j] > 0.0:
                state.latched[i, j] = True
            for k in range(3):
                force[k] = state.f[i, j] * planes[j, 3 + k] - law.stiffness * state.bristles[i, j, k]
                w[k] += force[k]
            w[3] += r1 * force[2] - r2 * force[1]
            w[4] += r2 * force[0] - r0 * force[2]
            w[5] += r0 * force[1] - r1 * force[0]
