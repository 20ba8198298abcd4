"""How an object with bodies inside answers a push where floating begins.

Nothing is loaded for a rigid one.
"""

import numpy as np

from hil.common.arrays import Array
from hil.configuration import Configuration


def start_mobility(configuration: Configuration) -> Array | None:
    """Return the object's twist per impulse on it, in its own frame, shape (6, 6); None if it is rigid.

    Raises:
        ConfigurationError: what is inside is refused.
    """
    if configuration.object.inside is None:
        return None
    from sim.world.flight.inside_setting import inside_flight  # most runs never need it

    flight = inside_flight(configuration)
    row = np.zeros(flight.row_size)
    flight.start_into(row, np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]), np.zeros(6))
    return flight.mobility(row)
