"""How the object moves when floating begins."""

import numpy as np

from hil.common.arrays import Array
from hil.configuration import Configuration


def initial_twist(configuration: Configuration, epoch: int, p: Array) -> Array:
    """Return the twist with which floating begins: configured, or drawn for one of many experiments.

    An experiment's velocity points roughly at the stops' centre, so that a long series stays inside.

    Args:
        configuration: seed, object and experiments.
        epoch: number of the floating; with the seed it decides what is drawn.
        p: where the object's centre of mass is, world [m], shape (3,).

    Returns:
        Linear and angular velocity, world axes [m/s, rad/s], shape (6,).
    """
    body, experiments = configuration.object, configuration.experiments
    if experiments is None:
        return np.concatenate([body.initial_velocity, body.initial_spin])
    rng = np.random.default_rng([configuration.run.seed, epoch])
    inwards = configuration.stops.centre - p + 0.02 * rng.normal(size=3)
    spin = rng.normal(size=3)
    return np.concatenate(
        [
            experiments.max_speed * rng.uniform() * inwards / np.linalg.norm(inwards),
            experiments.max_spin * rng.uniform() * spin / np.linalg.norm(spin),
        ]
    )
