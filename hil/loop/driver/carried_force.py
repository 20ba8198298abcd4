"""What a grasp's force will have done to the body when the arm gets there: place and speed carried on.

With the force f, its slope f' and the horizon T the body will have, beyond what it has been given,

    a = (f + f' T) / M,  u = (f T + f' T^2 / 2) / M,  d = (f T^2 / 2 + f' T^3 / 6) / M,

M being mass and inertia. Where pads of stiffness K answer that place, a force makes `K T^2 / 2 M` of itself a
delay later, and its slope `K T^3 / 6 M` of its rate: beyond some stiffness both swing up. So what they add to
the place grows no further than at `K T^2 / M = PLACE`, and `SLOPE` for the slope (`margin` in
bench/acceptance/partner_bound.py: half as stiff again is still borne, were all of T dead time).
"""

import numpy as np

from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.configuration.grasp_rules import mass_at_bar

PLACE, SLOPE = 0.4, 0.08  # K T^2 / M up to which force and slope count whole in what they add to the place
PADS = 2.0  # that press at once
ADVANCE = 1.0  # cycles for which a force is held until a command has it
CLOSING_RATE = 200.0  # [1/s] at which the place that a force adds is caught up with


def shares(stiffness_share: float) -> tuple[float, float]:
    """Return how much of a force, and of its slope, counts in the place at a `K T^2 / M`."""
    place = PLACE / max(PLACE, stiffness_share)
    slope = (SLOPE / max(SLOPE, stiffness_share)) ** 1.5
    return place, slope


class CarriedForce:
    """A force on the object's centre, carried on."""

    def __init__(self, c: Configuration) -> None:
        """Prepare for a configuration with a grasp."""
        assert c.grasp is not None
        self._masses = np.array([c.object.mass] * 3 + [*c.object.inertia])
        self._advance = ADVANCE * c.fri.sample_time
        self._stiffness = PADS * c.grasp.pad_stiffness / mass_at_bar(c, c.grasp)

    def now(self, force: Array) -> Array:
        """Return speed, place and acceleration that a force adds at once, (3, 6): the last alone.

        Args:
            force: on the object, object axes [N, N m], (6,).
        """
        more = np.zeros((3, 6))
        more[2] = force / self._masses
        return more

    def until(self, force: Array, slope: Array, ahead: float) -> Array:
        """Return speed, place and acceleration that a force adds until then, (3, 6).

        Args:
            force: see `now`.
            slope: by which it grows [N/s, N m/s], (6,).
            ahead: from when the force acted to the instant at which the command is reached [s].
        """
        T = max(0.0, ahead + self._advance)
        whole, part = shares(self._stiffness * T * T)
        slope = part * slope
        more = self.now(force + slope * T)
        more[0] = (force + slope * T / 2.0) * T / self._masses
        more[1] = (whole * force / 2.0 + slope * T / 6.0) * T * T / self._masses
        return more
