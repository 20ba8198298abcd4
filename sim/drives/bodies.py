"""Two bodies that move as one."""

import numpy as np

from hil.common.arrays import Array


def joined(
    mass: float, centre: Array, inertia: Array, other: float, other_centre: Array, other_inertia: Array
) -> tuple[float, Array, Array]:
    """Return mass [kg], centre (3,) [m] and inertia about it (3, 3) [kg m2] of two bodies, in common axes."""
    whole = mass + other
    middle = (mass * centre + other * other_centre) / whole if whole > 0.0 else np.zeros(3)
    total = inertia + other_inertia
    for part, place in ((mass, centre - middle), (other, other_centre - middle)):
        total = total + part * (np.eye(3) * (place @ place) - np.outer(place, place))
    return whole, middle, total
