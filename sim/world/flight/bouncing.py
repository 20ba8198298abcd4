"""The body's way through a room: it bounces off what stands around."""

import numpy as np

from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.configuration.schema import Scene as SceneSection
from sim.world.flight.free import Flight
from sim.world.scene.nodes import nodes_over
from sim.world.scene.scene import Scene
from sim.world.slice_book import Acting


class BounceFlight(Flight):
    """Contacts act at grid points only, at the start of a cell: a row there holds the velocity before them.

    What lies between two contacts is flown by the kernels in one go.
    """

    def __init__(self, configuration: Configuration, section: SceneSection) -> None:
        """Take the scene too.

        Raises:
            SceneError: the scene is refused.
        """
        super().__init__(configuration)
        self._scene = Scene(section, self.body, self.stops)

    def grid_into(self, ring: Array, first: int, last: int, acting: Acting) -> list[int]:
        """Fill the rows `first + 1` to `last` of a ring; return the grid points where contacts acted."""
        hits: list[int] = []
        clearance = self._scene.clearance(self.step)
        elapsed, pushed = 0, False
        while first < last:
            row = ring[first % len(ring)]
            # a slice changes the velocity on which the free way rests: fly up to the end of its cell
            k = int(np.searchsorted(acting.cells, first))
            slice_cell = int(acting.cells[k]) if k < len(acting.cells) else last
            until = min(last, first + clearance.free_steps(row, elapsed, pushed), slice_cell + 1)
            if until > first:
                self._fly(ring, first, until, acting)
            else:
                until = first + 1
                following = ring[until % len(ring)]
                following[:] = row
                if self.cell_into(following, first, self.step, acting):
                    hits.append(first)
            elapsed, pushed = until - first, slice_cell < until
            first = until
        return hits

    def cell_into(self, row: Array, index: int, until: float, acting: Acting) -> bool:
        """Carry a row on by `until` [s] within a cell, contacts first; return whether there were any."""
        hit = self._scene.hit(row)
        super().cell_into(row, index, until, acting)
        return hit

    def nodes(
        self, start: Array, first: int, ratio: int, count: int, acting: Acting
    ) -> tuple[Array, Array, Array, Array]:
        """Return positions, quaternions, twists at every `ratio`-th grid point, and when contacts act."""
        return nodes_over(
            lambda ring, a, b: self.grid_into(ring, a, b, acting),
            start, first, ratio, count, self.step, self.body,
        )  # fmt: skip

    def warm(self) -> None:
        """Compile, or load from the cache, what contacts need."""
        self._scene.warm()
