"""How fast an impulse makes a body: the mobility `W = J M^-1 J'` of a frame that is not its centre."""

import numpy as np

from hil.common.arrays import Array


def mobility_about(mass: float, inverse_inertia: Array, centre: Array) -> Array:
    """Return a frame's twist per impulse on it, in its axes, shape (6, 6).

    theory: an impulse (f, t) on the frame gives the centre f / m and the body `I_c^-1 (t - c x f)`; the
    frame's own velocity is the centre's less spin x c.

    Args:
        mass: [kg].
        inverse_inertia: inverse of the inertia about the centre of mass, the frame's axes, shape (3, 3).
        centre: of mass in the frame [m], shape (3,).
    """
    C = np.array([[0.0, -centre[2], centre[1]], [centre[2], 0.0, -centre[0]], [-centre[1], centre[0], 0.0]])
    W = np.empty((6, 6))
    W[3:, 3:] = inverse_inertia
    W[3:, :3] = -inverse_inertia @ C
    W[:3, 3:] = C @ inverse_inertia
    W[:3, :3] = np.eye(3) / mass - C @ inverse_inertia @ C
    return W
