"""How far an object goes on beyond the stops at the certified speed: their springs are soft.

theory: every spring has the rate `w = pi / contact_time`, and a body of the speed `v` goes on by `v / w`.
Of a spin its energy counts: about the axis of the largest inertia it holds most, and swing and twist take
it up with inertias of their own (docs/theory.md, equation 17).
"""

import math
from dataclasses import dataclass

import numpy as np

from hil.common.arrays import Array
from hil.configuration.schema import Stops


@dataclass(frozen=True)
class Penetration:
    """Beyond the stops, at most.

    Attributes:
        depth: of the centre, along each axis [m].
        swing: [rad].
        twist: [rad].
        spin_ratio: by which equal energy may spin faster about another axis, at least 1.
    """

    depth: float
    swing: float
    twist: float
    spin_ratio: float

    @classmethod
    def of(cls, stops: Stops, inertia: Array) -> "Penetration":
        """Return it for a body of principal `inertia` [kg m2], shape (3,)."""
        time = stops.contact_time / math.pi
        angle, largest = stops.max_spin * time, np.max(inertia)
        return cls(
            depth=stops.max_speed * time,
            swing=angle * math.sqrt(largest / (0.5 * (inertia[0] + inertia[1]))),
            twist=angle * math.sqrt(largest / inertia[2]),
            spin_ratio=math.sqrt(largest / np.min(inertia)),
        )
