"""The short cut keeps the certified speed: what the plan lacks is cut as the simulation cuts a push."""

import numpy as np

from hil.arrays import Array
from hil.configuration.schema import Stops


class SpeedCap:
    """The certified speed and spin of the object; without stops there is none."""

    def __init__(self, stops: Stops) -> None:
        self._caps = (stops.max_speed, stops.max_spin) if stops.enabled else (np.inf, np.inf)

    def allowed(self, missing: Array, planned: Array) -> Array:
        """Return the part of a missing twist that carries the object no faster than certified.

        A push that carries the speed above the cap ends at the cap, in the direction of the velocity it
        asked for; one that only slows a body that is faster already is left alone (`sim/motion.py`).

        Args:
            missing: twist that the plan lacks [m/s, rad/s], shape (6,).
            planned: twist of the plan now, same axes, shape (6,).
        """
        total = planned + missing
        for part, cap in zip((slice(0, 3), slice(3, 6)), self._caps, strict=True):
            most = max(cap, float(np.linalg.norm(planned[part])))
            speed = float(np.linalg.norm(total[part]))
            if speed > most:
                total[part] *= most / speed
        cut: Array = total - planned
        return cut
