"""The body's way over the grid, with the scene's contacts where geometry is near."""

import numpy as np

from hil.arrays import Array
from hil.configuration import Configuration
from sim.body import pack_body
from sim.motion import ROW_SIZE, fly_cell_into, fly_grid_into, predict_into, sample_into
from sim.scene import Scene
from sim.slice_book import Acting
from sim.stops import pack_stops, spin_potential, stored_speed_squared


class Flight:
    """Carries rows of states over the grid of object time.

    Contacts act at grid points only, at the start of a cell, so that a row at a grid point holds the
    velocity before them. What lies between two contacts is flown by the kernels in one go.
    """

    def __init__(self, configuration: Configuration) -> None:
        """Take body, stops, certified speed and scene from the configuration.

        Raises:
            SceneError: the scene is refused.
        """
        stops = configuration.stops
        self.step = configuration.simulation.step
        self.body = pack_body(configuration.object)
        self.stops = pack_stops(stops, configuration.object.inertia)
        self._caps = np.array([stops.max_speed, stops.max_spin] if stops.enabled else [np.inf, np.inf])
        section = configuration.scene
        self._scene = Scene(section, self.body, self.stops) if section is not None else None

    def grid_into(self, ring: Array, first: int, last: int, acting: Acting) -> list[int]:
        """Fill the rows `first + 1` to `last` of a ring; return the grid points where contacts acted."""
        if self._scene is None:
            self._fly(ring, first, last, acting)
            return []
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
        hit = self._scene is not None and self._scene.hit(row)
        fly_cell_into(
            row, index, until, self.step, acting.slices, acting.cells, self.body, self.stops, self._caps
        )
        return hit

    def stored_energy(self, row: Array) -> float:
        """Return what the stops' springs hold [J]."""
        mass = float(self.body[0])
        return 0.5 * mass * stored_speed_squared(row[:3], self.stops) + spin_potential(row[3:7], self.stops)

    def nodes(
        self, start: Array, first: int, ratio: int, count: int, acting: Acting
    ) -> tuple[Array, Array, Array, Array]:
        """Return positions, quaternions, twists at every `ratio`-th grid point, and when contacts act.

        Args:
            start: the row at grid point `first`.
            first: grid point of the first node.
            ratio: grid steps from node to node.
            count: number of nodes.
            acting: the slices that `start` does not contain yet.
        """
        p, quat, twist = np.empty((count, 3)), np.empty((count, 4)), np.empty((count, 6))
        if self._scene is None:
            predict_into(
                p, quat, twist, start, first, ratio, self.step, acting.slices, acting.cells,
                self.body, self.stops, self._caps,
            )  # fmt: skip
            return p, quat, twist, np.empty(0)
        # rows `first` to `last` fill this ring once
        last = first + (count - 1) * ratio
        ring = np.empty((last - first + 1, ROW_SIZE))
        ring[first % len(ring)] = start
        hits = self.grid_into(ring, first, last, acting)
        sample_into(p, quat, twist, ring, first, ratio, self.body)
        apart = [i for k, i in enumerate(hits) if k == 0 or i - hits[k - 1] > ratio]
        return p, quat, twist, np.array(apart, float) * self.step

    def warm(self) -> None:
        """Compile, or load from the cache, what only contacts need."""
        if self._scene is not None:
            self._scene.warm()

    def _fly(self, ring: Array, first: int, last: int, acting: Acting) -> None:
        fly_grid_into(
            ring, first, last, self.step, acting.slices, acting.cells, self.body, self.stops, self._caps
        )
