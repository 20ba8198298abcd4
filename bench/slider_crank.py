"""A slider-crank whose slider has clearance in its guide: four contacts, impacts, friction (no command).

theory: Flores, Leine and Glocker (2010). The crank starts at 150 rad/s, free of any drive; the slider, a block
between two guides 1 mm away on either side, is pinned to the rod's end by its middle. Coordinates: angles of
crank, rod and slider. Contacts: the slider's corners, the upper ones first.

Two ways to step. "middle": mass, forces and directions in the middle of the step, second order between impacts.
"end": as the published reference trajectory was made, by the implicit trapezoidal rule, with mass and directions
of the step's end and only contacts that are closed as it begins; of first order, so that at 0.1 ms it counts
a first turn of 67.2 ms, where both come to 68.3 ms as steps become small.
"""

import numpy as np
from numba import njit

from hil.common.arrays import Array
from sim.complementarity.moreau_step import moreau_step
from sim.complementarity.step_work import step_work

CRANK, ROD = 0.153, 0.306  # [m]
MASSES = (0.038, 0.038, 0.076)  # [kg]
INERTIAS = (7.4e-5, 5.9e-4, 2.7e-6)  # [kg m2] about the middles
HALF_LENGTH, HALF_HEIGHT, CLEARANCE = 0.05, 0.025, 0.001  # [m]
GRAVITY, RESTITUTION, FRICTION = 9.81, 0.4, 0.01
START = (150.0, -75.0, 0.0)  # [rad/s]
TURNS = 8  # of the fixed point of a step by its end


@njit
def _mass_and_force(q: Array, v: Array, M: Array, force: Array) -> None:
    both = (0.5 * MASSES[1] + MASSES[2]) * CRANK * ROD
    M[0, 0] = INERTIAS[0] + (0.25 * MASSES[0] + MASSES[1] + MASSES[2]) * CRANK**2
    M[1, 1] = INERTIAS[1] + (0.25 * MASSES[1] + MASSES[2]) * ROD**2
    M[2, 2] = INERTIAS[2]
    M[0, 1] = M[1, 0] = both * np.cos(q[0] - q[1])
    turn = both * np.sin(q[0] - q[1])
    force[0] = -turn * v[1] ** 2 - (0.5 * MASSES[0] + MASSES[1] + MASSES[2]) * GRAVITY * CRANK * np.cos(q[0])
    force[1] = turn * v[0] ** 2 - (0.5 * MASSES[1] + MASSES[2]) * GRAVITY * ROD * np.cos(q[1])
    force[2] = 0.0


@njit
def _contacts(q: Array, W: Array, gaps: Array) -> None:
    """Write gaps and directions of the four corners."""
    y = CRANK * np.sin(q[0]) + ROD * np.sin(q[1])
    for i in range(4):
        up = 1.0 if i < 2 else -1.0
        a, b = HALF_LENGTH * (1.0 if i % 2 else -1.0), HALF_HEIGHT * up
        corner_y = y + a * np.sin(q[2]) + b * np.cos(q[2])
        gaps[i] = HALF_HEIGHT + CLEARANCE - up * corner_y
        W[0, 2 * i], W[1, 2 * i] = -up * CRANK * np.cos(q[0]), -up * ROD * np.cos(q[1])
        W[2, 2 * i] = -up * (a * np.cos(q[2]) - b * np.sin(q[2]))
        W[0, 2 * i + 1], W[1, 2 * i + 1] = -CRANK * np.sin(q[0]), -ROD * np.sin(q[1])
        W[2, 2 * i + 1] = -a * np.sin(q[2]) - b * np.cos(q[2])


@njit
def _approach(W: Array, v: Array) -> Array:
    """Return the contacts' normal velocities, shape (4,)."""
    u = np.zeros(4)
    for i in range(4):
        for j in range(3):
            u[i] += W[j, 2 * i] * v[j]
    return u


@njit
def run(h: float, count: int, friction: float, middle: bool) -> tuple[Array, Array]:
    """Return positions (count, 3) after each step, and normal impulses (count, 4); the way as above."""
    M, zero, force, W, gaps = np.zeros((3, 3)), np.zeros((3, 3)), np.empty(3), np.zeros((3, 8)), np.empty(4)
    q, v, there, fast, begun = np.zeros(3), np.array(START), np.empty(3), np.empty(3), np.empty(3)
    mu, e, work = np.full(4, friction), np.full(4, RESTITUTION), step_work(3, 4, 2)
    positions, impulses = np.empty((count, 3)), np.empty((count, 4))
    for k in range(count):
        _mass_and_force(q, v, M, begun)
        _contacts(q, W, gaps)
        if middle:
            for i in range(3):
                there[i] = q[i] + 0.5 * h * v[i]
            _mass_and_force(there, v, M, force)
            slope = np.linalg.solve(M, force)
            for i in range(3):
                fast[i] = v[i] + 0.5 * h * slope[i]
            _mass_and_force(there, fast, M, force)
            moreau_step(M, zero, zero, v, q, force, W, gaps, mu, e, h, 0.5, 0.0, work)
        else:
            begin = _approach(W, v)
            for i in range(4):
                gaps[i] = -1.0 if gaps[i] <= 0.0 else 1.0
            there[:], fast[:] = q, v
            for _ in range(TURNS):
                _mass_and_force(there, fast, M, force)
                _contacts(there, W, np.empty(4))
                end = _approach(W, v)
                for i in range(4):  # the rebound is from the speed by the directions of the step's beginning
                    e[i] = RESTITUTION * begin[i] / end[i] if end[i] * begin[i] > 0.0 else RESTITUTION
                for i in range(3):
                    force[i] = 0.5 * (force[i] + begun[i])
                moreau_step(M, zero, zero, v, q, force, W, gaps, mu, e, h, 0.5, 0.0, work)
                there[:], fast[:] = work.q, work.v
        for i in range(3):
            v[i], q[i] = work.v[i], work.q[i]
            positions[k, i] = q[i]
        for i in range(4):
            impulses[k, i] = work.p[2 * i]
    return positions, impulses


def first_impact(h: float, middle: bool) -> tuple[float, Array]:
    """Return the end of the step with the first impact [s], and its normal impulses [N s]."""
    impulses = run(h, round(0.01 / h), FRICTION, middle)[1]
    step = int(np.flatnonzero(impulses.max(axis=1))[0])
    return h * (step + 1), impulses[step]


def first_turn(h: float, middle: bool) -> float:
    """Return when the crank has turned once [s], between steps by a straight line."""
    angle = run(h, round(0.1 / h), FRICTION, middle)[0][:, 0]
    step = int(np.argmax(angle >= 2.0 * np.pi))
    return h * (step + (2.0 * np.pi - angle[step - 1]) / (angle[step] - angle[step - 1]))
