"""Motions with friction that are known in closed form: block, oscillator, belt (no command)."""

import numpy as np

from hil.common.arrays import Array
from sim.complementarity.moreau_step import moreau_step
from sim.complementarity.step_work import step_work

GRAVITY = 9.81
DIRECTIONS = np.array([[0.0, 1.0], [1.0, 0.0]])  # x along the ground, y up: normal, tangential
STUCK = 1e-12  # [m/s]


def slide(
    v: float, x: float, stiffness: float, weight: float, speed: float, mus: tuple[float, float], h: float,
    theta: float, duration: float,
) -> Array:  # fmt: skip
    """Return x, its speed and the tangential impulse after every step of 1 kg on a belt, shape (steps, 3).

    What stuck in the last step has the first coefficient of friction. Motion is counted from the belt, and
    the spring's end goes the other way.
    """
    work, M, Q, zero = step_work(2, 1, 2), np.eye(2), np.diag([stiffness, 0.0]), np.zeros((2, 2))
    velocity, place, force = np.array([v - speed, 0.0]), np.array([x, 0.0]), np.array([0.0, -weight])
    none, mu, rows = np.zeros(1), np.array([mus[1]]), np.empty((round(duration / h), 3))
    for k in range(len(rows)):
        force[0] = -stiffness * speed * h * (k + theta)
        moreau_step(M, zero, Q, velocity, place, force, DIRECTIONS, none, mu, none, h, theta, 0.0, work)
        velocity[:], place[:] = work.v, work.q
        rows[k] = place[0] + speed * h * (k + 1), velocity[0] + speed, work.p[1]
        mu[0] = mus[0] if abs(velocity[0]) < STUCK else mus[1]
    return rows


def block(v: float, mu: float, h: float) -> Array:
    """Return a block's slide until it rests; rows as of `slide`."""
    return slide(v, 0.0, 0.0, GRAVITY, 0.0, (mu, mu), h, 1.0, 2.0 * v / (mu * GRAVITY))


def oscillator(h: float) -> Array:
    """Return the oscillator with m = k = 1 and friction bound 1, from x = 12, v = 6."""
    return slide(6.0, 12.0, 1.0, 1.0, 0.0, (1.0, 1.0), h, 0.5, 30.0)


def belt(h: float, duration: float) -> Array:
    """Return a mass of 1 kg on a belt of 0.1 m/s, held by 100 N/m, friction 0.4 sticking and 0.2 slipping."""
    return slide(0.1, 0.0, 100.0, GRAVITY, 0.1, (0.4, 0.2), h, 0.5, duration)
