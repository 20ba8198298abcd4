"""The body's way over the grid of object time, with nothing in it but its stops."""

import numpy as np

from hil.common.arrays import Array, SingleArray
from hil.configuration import Configuration
from hil.configuration.base_rules import object_caps
from hil.messaging.inside_messages import InsideState
from sim.docking.standing import Standing
from sim.world.body import body_state, body_twist, pack_body, stored_energy
from sim.world.motion import (
    LAST_CAPPED,
    LAST_IMPULSE,
    ROW_SIZE,
    fly_backwards_into,
    fly_cell_into,
    fly_grid_into,
    predict_into,
)
from sim.world.slice_book import Acting
from sim.world.stops import world_stops

NO_IMPULSE = -1.0
NO_DOCKING = Standing("", np.zeros(4, np.int64), 0.0, np.zeros(4))
NOBODY, NOWHERE = np.zeros((0, 7), np.float32), np.zeros((0, 3), np.float32)


class Flight:
    """Carries rows of states over the grid; what more a scene knows stands behind a row's first `ROW_SIZE`.

    Attributes:
        row_size: numbers of a row.
        has_inside: the object is not rigid.
    """

    row_size, has_inside = ROW_SIZE, False

    def __init__(self, configuration: Configuration) -> None:
        """Take body, stops and certified speed from the configuration."""
        self.step = configuration.simulation.step
        self.body = pack_body(configuration.object)
        self.stops = world_stops(configuration)
        self._caps = object_caps(configuration)

    def begin(self) -> None:
        """Forget what was ordered of bodies inside: a flight begins anew."""

    def order(self, s: float, q: Array, dq: Array) -> float | None:
        """Take an order to joints inside at an object time `s` [s]; return from where on states change.

        Args:
            s: not before the oldest row that is kept.
            q: where they shall be [rad], shape (n,).
            dq: how fast [rad/s], shape (n,).
        """
        return None

    def inside(self, t_ns: int, epoch: int, s: float, row: Array) -> InsideState | None:
        """Return how bodies inside are at a row, of an instant, a floating and an object time [s]."""
        return None

    def start_into(self, row: Array, p: Array, quat: Array, twist: Array) -> None:
        """Write the row at which a flight begins, nothing having acted yet.

        Args:
            row: where it goes, shape (row_size,).
            p: centre of mass in world [m], shape (3,).
            quat: orientation in world, w x y z, shape (4,).
            twist: linear and angular velocity, world axes [m/s, rad/s], shape (6,).
        """
        row[:13] = body_state(np.array(p), np.array(quat), np.array(twist), self.body)
        row[LAST_IMPULSE], row[LAST_CAPPED] = NO_IMPULSE, NO_IMPULSE - 1.0

    def grid_into(self, ring: Array, first: int, last: int, acting: Acting) -> list[int]:
        """Fill the rows `first + 1` to `last` of a ring; return the grid points where contacts acted."""
        self._fly(ring, first, last, acting)
        return []

    def cell_into(self, row: Array, index: int, until: float, acting: Acting) -> bool:
        """Carry a row on by `until` [s] within a cell, contacts first; return whether there were any."""
        fly_cell_into(
            row, index, until, self.step, acting.slices, acting.cells, self.body, self.stops, self._caps
        )
        return False

    def backwards_into(self, row: Array, duration: float, earlier: Array) -> None:
        """Carry a row's body back by `duration` [s] as if neither impulse nor contact had acted.

        `earlier` is the row that was there: other bodies are where it has them.
        """
        row[ROW_SIZE:] = earlier[ROW_SIZE:]
        fly_backwards_into(row, duration, self.step, self.body, self.stops)

    def motion(self, row: Array) -> tuple[Array, Array, Array]:
        """Return place (3,), attitude (4,) and twist (6,) of the object's frame, world axes."""
        return row[:3].copy(), row[3:7].copy(), body_twist(row, self.body)

    def stored_energy(self, row: Array) -> float:
        """Return what the stops' springs hold [J]."""
        return stored_energy(row, self.body, self.stops)

    def contact_work(self, row: Array) -> float:
        """Return what bodies that move by themselves have done on this one so far [J]."""
        return 0.0

    def contact_points(self) -> SingleArray:
        """Return where pins and plates pressed on the object in the cell flown last, world [m], (n, 3)."""
        return NOWHERE

    def pressed(self, row: Array, s: float) -> bool:
        """Return whether pins and plates pressed on the object shortly before object time `s` [s]."""
        return False

    def docking(self) -> Standing:
        """Return how a docking stands in the cell that was flown last."""
        return NO_DOCKING

    def other_poses(self, row: Array) -> SingleArray:
        """Return position and attitude of the scene's other moving bodies, (n, 7)."""
        return NOBODY

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
        predict_into(
            p, quat, twist, start, first, ratio, self.step, acting.slices, acting.cells,
            self.body, self.stops, self._caps,
        )  # fmt: skip
        return p, quat, twist, np.empty(0)

    def warm(self) -> None:
        """Compile, or load from the cache, what only contacts need."""

    def _fly(self, ring: Array, first: int, last: int, acting: Acting) -> None:
        fly_grid_into(
            ring, first, last, self.step, acting.slices, acting.cells, self.body, self.stops, self._caps
        )
