"""A slider-crank whose slider has clearance in its guide: four contacts, impacts, friction (no command).

theory: Flores, Leine and Glocker (2010). The crank starts at 150 rad/s, free of any drive; the slider, a
block between two guides 1 mm away on either side, is pinned to the rod's end by its middle. Coordinates:
angles of crank, rod and slider. Contacts: the slider's corners, the upper ones first.

Two ways to step. In the middle: mass, forces and directions in the middle of the step, second order between
impacts. By the end, as the published reference trajectory was made: the implicit trapezoidal rule, with mass
and directions of the step's end, and only contacts that are closed as it begins; that is of first order, so
at 0.1 ms it counts a first turn of 67.2 ms, where both come to 68.3 ms as steps become small.
"""

import numpy as np

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
CORNERS = ((-1.0, 1.0), (1.0, 1.0), (-1.0, -1.0), (1.0, -1.0))  # along, up


def mass_and_force(q: Array, v: Array) -> tuple[Array, Array]:
    """Return the mass matrix, shape (3, 3), and the other forces, shape (3,)."""
    carried, both = MASSES[1] + MASSES[2], (0.5 * MASSES[1] + MASSES[2]) * CRANK * ROD
    M = np.diag(INERTIAS) + np.diag(
        [(0.25 * MASSES[0] + carried) * CRANK**2, (0.25 * MASSES[1] + MASSES[2]) * ROD**2, 0.0]
    )
    M[0, 1] = M[1, 0] = both * np.cos(q[0] - q[1])
    turn = both * np.sin(q[0] - q[1])
    weights = GRAVITY * np.array([(0.5 * MASSES[0] + carried) * CRANK, (0.5 * MASSES[1] + MASSES[2]) * ROD])
    down = weights * np.cos(q[:2])
    return M, np.array([-turn * v[1] ** 2 - down[0], turn * v[0] ** 2 - down[1], 0.0])


def contacts(q: Array) -> tuple[Array, Array]:
    """Return the gaps of the four corners, shape (4,), and their directions, shape (3, 8)."""
    W, gaps = np.empty((3, 8)), np.empty(4)
    (s0, s1, s2), (c0, c1, c2) = np.sin(q), np.cos(q)
    for i, (along, up) in enumerate(CORNERS):
        a, b = HALF_LENGTH * along, HALF_HEIGHT * up
        gaps[i] = HALF_HEIGHT + CLEARANCE - up * (CRANK * s0 + ROD * s1 + a * s2 + b * c2)
        W[:, 2 * i] = -up * CRANK * c0, -up * ROD * c1, -up * (a * c2 - b * s2)
        W[:, 2 * i + 1] = -CRANK * s0, -ROD * s1, -a * s2 - b * c2
    return gaps, W


def run(h: float, count: int, middle: bool) -> tuple[Array, Array]:
    """Return positions (count, 3) after each step, and normal impulses (count, 4); the way as above."""
    q, v, work, zero, mu = (
        np.zeros(3),
        np.array(START),
        step_work(3, 4, 2),
        np.zeros((3, 3)),
        np.full(4, FRICTION),
    )
    positions, impulses = np.empty((count, 3)), np.empty((count, 4))
    for k in range(count):
        gaps, W = contacts(q)
        e = np.full(4, RESTITUTION)
        if middle:
            there = q + 0.5 * h * v
            M, force = mass_and_force(there, v)
            M, force = mass_and_force(there, v + 0.5 * h * np.linalg.solve(M, force))
            moreau_step(M, zero, zero, v, q, force, W, gaps, mu, e, h, 0.5, 0.0, work)
        else:
            begun, begin = mass_and_force(q, v)[1], W[:, ::2].T @ v
            closed, there, fast = np.where(gaps <= 0.0, -1.0, 1.0), q, v
            for _ in range(TURNS):
                M, force = mass_and_force(there, fast)
                W = contacts(there)[1]
                end = W[:, ::2].T @ v
                # the rebound is from the speed by the directions of the step's beginning
                e = RESTITUTION * np.where(end * begin > 0.0, begin / np.where(end == 0.0, 1.0, end), 1.0)
                moreau_step(M, zero, zero, v, q, 0.5 * (force + begun), W, closed, mu, e, h, 0.5, 0.0, work)
                there, fast = work.q.copy(), work.v.copy()
        q, v = work.q.copy(), work.v.copy()
        positions[k], impulses[k] = q, work.p[::2]
    return positions, impulses


def first_impact(h: float, middle: bool) -> tuple[float, Array]:
    """Return the end of the step with the first impact [s], and its normal impulses [N s]."""
    impulses = run(h, round(0.01 / h), middle)[1]
    step = int(np.flatnonzero(impulses.max(axis=1))[0])
    return h * (step + 1), impulses[step]


def first_turn(h: float, middle: bool) -> float:
    """Return when the crank has turned once [s], between steps by a straight line."""
    angle = run(h, round(0.1 / h), middle)[0][:, 0]
    step = int(np.argmax(angle >= 2.0 * np.pi))
    return h * (step + (2.0 * np.pi - angle[step - 1]) / (angle[step] - angle[step - 1]))
