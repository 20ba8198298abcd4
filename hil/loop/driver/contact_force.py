"""Does the arm touch somebody or something while it is brought to its start pose?

What the wrench estimate shows while the arm stands is its offset. It wanders with the pose and trembles in
motion; what it changes by beyond that, smoothed by the filter's time constant, is a contact. A slow contact
is found like a quick one: nothing is learnt anew under way.

What was touched may press still when the arm stands again. That is no offset: the one of before is kept until
it has been let go. Until then the arm may be led off it, and not into it.
"""

import math

import numpy as np

from hil.common.arrays import Array
from hil.configuration import Configuration

STANDING_TAU = 0.1  # [s] over which the offset is learnt at rest
LET_GO = 0.5  # share of the limit that the offset itself may have changed by, elsewhere
FURTHER = 0.25  # share of the limit by which what presses may grow on the way off it


class ContactForce:
    """Compares the wrench with the one at rest.

    Attributes:
        change: of the wrench from the one at rest, smoothed, torques divided by the filter's length [N].
    """

    def __init__(self, configuration: Configuration) -> None:
        c = configuration
        self._limit = self._bound = c.approach.contact_force
        self._scale = np.array([1.0] * 3 + [1.0 / c.filter.length] * 3)
        dt = c.fri.sample_time
        self._smoothing, self._learning = (1.0 - math.exp(-dt / tau) for tau in (c.filter.tau, STANDING_TAU))
        self._rest: Array | None = None
        self._now: Array = np.zeros(6)
        self._touched = False  # a motion has met something, which has not let go since
        self.change = 0.0

    @property
    def refusal(self) -> str:
        """Why no floating may begin, in words; empty if one may."""
        if not (self._touched and self.change > self._limit):
            return ""
        return (
            f"the mock-up has been pressed with {self.change:.0f} N ever since a motion by hand met "
            "something: bring it away first (`zerog approach`), or let it go; if nothing touches it, "
            "`zerog stop` and `zerog reset`"
        )

    def forget(self) -> None:
        """Take what is felt for the offset: an operator has looked."""
        self._touched = False

    def at_rest(self, wrench: Array) -> None:
        """Learn the offset from a sample while the arm stands; `wrench` as for `judge`."""
        now = self._scale * wrench
        if not np.isfinite(now).all():
            return
        if self._touched and self._rest is not None:
            self._now = self._now + self._learning * (now - self._now)
            self.change = float(np.linalg.norm(self._now - self._rest))
            self._touched = self.change > LET_GO * self._limit
        if not self._touched:
            self._rest = now if self._rest is None else self._rest + self._learning * (now - self._rest)
            self._now, self.change = self._rest, 0.0
        self._bound = max(self._limit, self.change + FURTHER * self._limit)

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
        if self.change <= self._bound:
            self._bound = max(self._limit, min(self._bound, self.change + FURTHER * self._limit))
            return ""
        self._touched = True
        return (
            f"contact: the wrench has changed by {self.change:.1f} N "
            f"(approach.contact_force_n = {self._limit:g}); look what is touched"
        )
