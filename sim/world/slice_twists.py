"""How fast the body moved when each impulse slice acted: what the work of a push is made of.

theory: an impulse J that takes a body from twist V to V' does the work J . (V + V') / 2, whatever its
inertia; docs/theory.md, section 15.
"""

import numpy as np

from hil.common.arrays import Array, IntArray
from hil.common.geometry import matrix_from_quat
from sim.world.flight.free import Flight
from sim.world.slice_book import Acting

Name = tuple[int, int, int]  # impulse, slice, revision


class SliceTwists:
    """Remembers the mean of the twists before and after each slice, as long as they stay what they were."""

    def __init__(self, flight: Flight) -> None:
        self._flight = flight
        self._known: dict[Name, tuple[float, Array]] = {}  # object time at which it acts, mean twist
        self._answered: tuple[Acting, int, int] | None = None  # what the last answer was of
        self._answer = np.empty((0, 3), np.int64), np.empty((0, 6))

    def spoil(self, s: float, s_oldest: float) -> None:
        """Forget what lies from object time `s` on, where states have changed, or before the history."""
        self._known = {name: known for name, known in self._known.items() if s_oldest <= known[0] < s}

    def of(self, ring: Array, oldest: int, s: float, acting: Acting) -> tuple[IntArray, Array]:
        """Return names (K, 3) and mean twists (K, 6), object axes, of the slices that act up to `s`.

        Args:
            ring: the rows of the grid points, up to date.
            oldest: oldest grid point that the ring holds; slices before it are left out.
            s: object time of the state [s].
            acting: all slices that act; anew whenever one of them has changed, as the book has them.
        """
        first, last = 0, len(acting.slices)
        if last:
            first = int(np.searchsorted(acting.cells, oldest))
            last = int(np.searchsorted(acting.slices[:, 0], s, side="right"))
        if self._answered != (acting, first, last):
            self._answered, self._answer = (acting, first, last), self._of(ring, acting, first, last)
        return self._answer

    def _of(self, ring: Array, acting: Acting, first: int, last: int) -> tuple[IntArray, Array]:
        names, twists = [], []
        for k in range(first, last):
            a, b, revision = acting.names[k]
            name = (int(a), int(b), int(revision))
            if name not in self._known:
                self._known[name] = float(acting.slices[k, 0]), self._mean_twist(ring, k, acting)
            names.append(name)
            twists.append(self._known[name][1])
        return np.array(names, np.int64).reshape(-1, 3), np.array(twists, float).reshape(-1, 6)

    def _mean_twist(self, ring: Array, k: int, acting: Acting) -> Array:
        flight, index = self._flight, int(acting.cells[k])
        until = max(float(acting.slices[k, 0]) - index * flight.step, 0.0)
        total = np.zeros(6)
        for taken in (k, k + 1):
            row = ring[index % len(ring)].copy()
            flight.cell_into(row, index, until, acting.until(taken))
            _, quat, twist = flight.motion(row)
            total += twist
        R = matrix_from_quat(quat)
        return np.concatenate([R.T @ total[:3], R.T @ total[3:]]) / 2.0
