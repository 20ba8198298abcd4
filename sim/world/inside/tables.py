"""Composite rows of an arm over object time, kept as far as they are used."""

import numpy as np

from hil.common.arrays import Array
from sim.world.inside.arm_tree import ArmTree
from sim.world.inside.composite import COMPOSITE_SIZE, tabulate_into
from sim.world.inside.joint_path import JointPath


class Tables:
    """A ring of rows at multiples of a spacing; those that nobody has asked for yet are made when asked for.

    Attributes:
        ring: row `k` at `k % len(ring)`, shape (size, 22).
    """

    def __init__(self, arm: ArmTree, spacing: float, span: float) -> None:
        """Keep rows over `span` [s] at multiples of `spacing` [s]."""
        self._arm, self._spacing = arm, spacing
        self.ring = np.zeros((int(np.ceil(span / spacing)) + 4, COMPOSITE_SIZE))
        self._low, self._high = 0, -1  # numbers of the first and the last row that are known

    def spoil(self, s: float) -> None:
        """Forget what is behind an object time [s]: the joints' path changes from there on."""
        self._high = min(self._high, int(np.floor(s / self._spacing)))

    def over(self, path: JointPath, first: int, last: int) -> Array:
        """Return the ring, with the rows `first` to `last` known; the joints go along `path`."""
        if first < self._low or first > self._high + 1:
            self._low, self._high = first, first - 1
        if last > self._high:
            tabulate_into(
                self.ring, self._high + 1, last, self._spacing, path.breaks, path.powers, *self._arm.arrays
            )
            self._high = last
            self._low = max(self._low, last + 1 - len(self.ring))
        return self.ring
