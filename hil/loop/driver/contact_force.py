"""Does the arm touch somebody or something while it is brought to its start pose?

What the wrench estimate shows while the arm stands is its offset. It wanders with the pose and trembles in
motion; what it changes by beyond that, smoothed by the filter's time constant, is a contact. A slow contact
is found like a quick one: nothing is learnt anew under way.
"""

import math

import numpy as np

from hil.common.arrays import Array
from hil.configuration import Configuration

STANDING_TAU = 0.1  # [s] over which the offset is learnt at rest


class ContactForce:
    """Compares the wrench with the one at rest.

    Attributes:
        change: of the wrench from the one at rest, smoothed, torques divided by the filter's length [N].
    """

    def __init__(self, configuration: Configuration) -> None:
        c = configuration
        self._limit = c.approach.contact_force
        self._scale = np.array([1.0] * 3 + [1.0 / c.filter.length] * 3)
        dt = c.fri.sample_time
        self._smoothing, self._learning = (1.0 - math.exp(-dt / tau) for tau in (c.filter.tau, STANDING_TAU))
        self._rest: Array | None = None
        self._now: Array = np.zeros(6)
        self.change = 0.0

    def at_rest(self, wrench: Array) -> None:
        """Learn the offset from a sample while the arm stands; `wrench` as for `judge`."""
        now = self._scale * wrench
        if not np.isfinite(now).all():
            return
        self._rest = now if self._rest is None else self._rest + self._learning * (now - self._rest)
        self._now = self._rest

    def judge(self, wrench: Array) -> str:
        """Return in words that something is touched; empty if nothing is.

        Args:
            wrench: about the object's centre of mass, object axes [N, N m], shape (6,).
        """
        now = self._scale * wrench
        if self._rest is None or not np.isfinite(now).all():
            return "the wrench is not known"
        self._now = self._now + self._smoothing * (now - self._now)
        self.change = float(np.linalg.norm(self._now - self._rest))
        if self.change <= self._limit:
            return ""
        return (
            f"contact: the wrench has changed by {self.change:.1f} N "
            f"(approach.contact_force_n = {self._limit:g}); look what is touched"
        )
