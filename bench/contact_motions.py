"""Systems whose motion with friction and impacts is known in closed form; compiled loops over the steps."""

import numpy as np
from numba import njit

from hil.common.arrays import Array
from sim.complementarity.moreau_step import moreau_step
from sim.complementarity.step_work import StepWork, step_work

GRAVITY = 9.81
DIAGONAL = np.eye(2)


def mass_on_ground() -> tuple[Array, StepWork]:
    """Return the directions of a mass (x along the ground, y up) on the ground, and room for its steps."""
    return np.array([[0.0, 1.0], [1.0, 0.0]]), step_work(2, 1, 2)


@njit
def slide(
    M: Array,
    Q: Array,
    v: Array,
    q: Array,
    force: Array,
    belt: float,
    W: Array,
    mu_stick: float,
    mu_slip: float,
    h: float,
    theta: float,
    count: int,
    work: StepWork,
) -> Array:
    """Return x, its speed and the tangential impulse after every step of a mass on a belt, shape (count, 3).

    What stuck in the last step has `mu_stick`. The belt runs at the speed `belt`: motion is counted from it,
    and the spring's end goes the other way.
    """
    rows, P, gaps, none = np.empty((count, 3)), np.zeros((2, 2)), np.zeros(1), np.zeros(1)
    mu, velocity, position, pull = np.full(1, mu_slip), v.copy(), q.copy(), force.copy()
    velocity[0] -= belt
    for k in range(count):
        # q is counted on the belt; the spring sees the place in the world at the end of the step
        shift = belt * h * (k + theta)
        pull[0] = force[0] - Q[0, 0] * shift
        moreau_step(M, P, Q, velocity, position, pull, W, gaps, mu, none, h, theta, 0.0, work)
        for i in range(2):
            velocity[i], position[i] = work.v[i], work.q[i]
        rows[k, 0], rows[k, 1] = position[0] + belt * h * (k + 1), velocity[0] + belt
        rows[k, 2] = work.p[1]
        mu[0] = mu_stick if abs(velocity[0]) < 1e-12 else mu_slip
    return rows
