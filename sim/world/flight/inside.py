"""What the flights of objects with bodies inside share.

Pushes, the certified speed, work, the way of a grid.
"""

import math
from abc import abstractmethod

import numpy as np

from hil.common.arrays import Array, IntArray
from hil.common.geometry import matrix_from_quat
from hil.configuration import Configuration
from hil.messaging.inside_messages import InsideState
from sim.world.flight.free import NO_IMPULSE, Flight
from sim.world.motion import LAST_CAPPED, LAST_IMPULSE
from sim.world.slice_book import Acting
from sim.world.stops import pack_stops, spin_potential, stored_speed_squared

LONGEST = 0.005  # [s] step of predictions


class InsideFlight(Flight):
    """A flight whose rows are of the whole, but whose frame is the base's, by which the object is shown.

    Grid cells in which no slice acts are flown by kernels; a cell with slices is flown piece by piece.
    """

    has_inside = True

    def __init__(self, configuration: Configuration, mass: float, moments: Array) -> None:
        """Take the whole's mass [kg] and the moments (3,) [kg m2] for which the stops are stiff."""
        super().__init__(configuration)
        self.mass = mass
        self.stops = pack_stops(configuration.stops, moments)
        self._moments = moments
        simulation = configuration.simulation
        ratio = round(simulation.prediction_step / simulation.step)
        most = max(1, int(LONGEST / simulation.step + 1e-9))
        self.stride = max(k for k in range(1, most + 1) if ratio % k == 0)

    @abstractmethod
    def motion(self, row: Array) -> tuple[Array, Array, Array]:
        """Return place (3,), attitude (4,) and twist (6,) of the base, world axes."""

    @abstractmethod
    def mobility(self, row: Array) -> Array:
        """Return the base's twist per impulse on it, about its frame and in its axes, shape (6, 6)."""

    @abstractmethod
    def momentum(self, row: Array) -> tuple[Array, Array]:
        """Return the whole's centre [m], shape (3,), and its momenta P, L about it, world axes, (6,)."""

    @abstractmethod
    def energy(self, row: Array) -> float:
        """Return the energy of all bodies and of all springs, the stops' as well [J]."""

    @abstractmethod
    def push_into(self, row: Array, impulse: Array) -> None:
        """Let an impulse (6,) act on the base, about its frame and in its axes."""

    @abstractmethod
    def carry_into(self, row: Array, duration: float) -> None:
        """Carry a row on by a duration [s], at most a step; negative: back."""

    @abstractmethod
    def fly_into(self, ring: Array, first: int, last: int, step: float) -> None:
        """Fill the rows `first + 1` to `last` of a ring on a grid of a step; no slice acts."""

    @abstractmethod
    def nodes_into(self, p: Array, quat: Array, twist: Array, ring: Array, first: int, ratio: int) -> None:
        """Write the base's motion at every `ratio`-th row of a ring of the predictions' grid."""

    def nodes(
        self, start: Array, first: int, ratio: int, count: int, acting: Acting
    ) -> tuple[Array, Array, Array, Array]:
        """Return positions, quaternions, twists at every `ratio`-th grid point, and no sudden contacts."""
        stride, step = self.stride, self.stride * self.step
        first, ratio = first // stride, ratio // stride
        last = first + (count - 1) * ratio
        ring = np.empty((last - first + 1, len(start)))
        ring[first % len(ring)] = start
        self._grid(ring, first, last, step, acting.on_grid(step))
        p, quat, twist = np.empty((count, 3)), np.empty((count, 4)), np.empty((count, 6))
        self.nodes_into(p, quat, twist, ring, first, ratio)
        return p, quat, twist, np.empty(0)

    def inside(self, t_ns: int, epoch: int, s: float, row: Array) -> InsideState:
        """Return how bodies inside are at a row, of an instant, a floating and an object time [s]."""
        centre, momentum = self.momentum(row)
        return InsideState(
            t_ns, epoch, s, self.mobility(row), centre, momentum, self.energy(row), self.contact_work(row),
            self.joints(row), *self.refusals(),
        )  # fmt: skip

    def vibrations(self) -> tuple[Array, Array]:
        """Return how the free object vibrates about its start: angular frequencies and the base's part.

        theory: after an impulse J on the base its twist is `W_0 J + sum b_k (b_k . J) cos(w_k t)`.

        Returns:
            w [rad/s], rising, shape (k,), and b, about the base's frame and in its axes, shape (6, k).
        """
        return np.zeros(0), np.zeros((6, 0))

    def refusals(self) -> tuple[int, str]:
        """Return how many orders were refused, and why the last of them was."""
        return 0, ""

    def joints(self, row: Array) -> Array:
        """Return what says how the inner bodies stand: joints [rad], or modal deflections."""
        return np.zeros(0)

    def grid_into(self, ring: Array, first: int, last: int, acting: Acting) -> list[int]:
        """Fill the rows `first + 1` to `last` of a ring; nothing of it is a contact."""
        self._grid(ring, first, last, self.step, acting)
        return []

    def _grid(self, ring: Array, first: int, last: int, step: float, acting: Acting) -> None:
        """Do it on a grid of another step [s]; `acting` has the cells of that grid."""
        size = len(ring)
        k = int(np.searchsorted(acting.cells, first))
        while first < last:
            until = int(acting.cells[k]) if k < len(acting.cells) else last
            if until > first:
                until = min(until, last)
                self.fly_into(ring, first, until, step)
            else:
                until = first + 1
                row = ring[until % size]
                row[:] = ring[first % size]
                self._cell(row, first, step, step, acting)
                k = int(np.searchsorted(acting.cells, until))
            first = until

    def cell_into(self, row: Array, index: int, until: float, acting: Acting) -> bool:
        """Carry a row on by `until` [s] within a cell; there are no contacts."""
        self._cell(row, index, until, self.step, acting)
        return False

    def _cell(self, row: Array, index: int, until: float, step: float, acting: Acting) -> None:
        passed, k = 0.0, int(np.searchsorted(acting.cells, index))
        while k < len(acting.cells) and acting.cells[k] == index:
            offset = min(max(float(acting.slices[k, 0]) - index * step, passed), step)
            if offset > until:
                break
            if offset > passed:
                self.carry_into(row, offset - passed)
                passed = offset
            self._slice(row, acting.slices[k])
            k += 1
        if until > passed:
            self.carry_into(row, until - passed)

    def _slice(self, row: Array, item: Array) -> None:
        """Let a slice act, but carry the base no further than to the certified speed.

        As `sim.world.motion.apply_slice_into`: what ends above the cap ends at it, in the direction of the
        velocity that it asked for. The impulse for that follows from the mobility.
        """
        p, quat, before = self.motion(row)
        R, W = matrix_from_quat(quat), self.mobility(row)
        own = np.concatenate((R.T @ before[:3], R.T @ before[3:]))
        after = own + W @ item[1:7]
        linear = _cut(own[:3], after[:3], self._caps[0], stored_speed_squared(p, self.stops))
        spun = 2.0 * spin_potential(quat, self.stops) / float(np.mean(self._moments))
        angular = _cut(own[3:], after[3:], self._caps[1], spun)
        impulse: Array = np.array(item[1:7])
        if linear < 1.0 or angular < 1.0:
            after[:3] *= linear
            after[3:] *= angular
            impulse = np.asarray(np.linalg.solve(W, after - own), np.float64)
            row[LAST_CAPPED] = item[7]
        self.push_into(row, impulse)
        row[LAST_IMPULSE] = item[7]

    def _nothing_acted(self, row: Array) -> None:
        row[LAST_IMPULSE], row[LAST_CAPPED] = NO_IMPULSE, NO_IMPULSE - 1.0

    def backwards_into(self, row: Array, duration: float, earlier: Array) -> None:
        """Carry a row back by `duration` [s] as if no impulse had acted."""
        count = max(1, math.ceil(duration / self.step))
        for _ in range(count):
            self.carry_into(row, -duration / count)

    def stored_energy(self, row: Array) -> float:
        """Return what stops and inner bodies hold: all energy less that of a rigid body with this twist [J].

        So the judge of the energy, who reckons with the configured mass and inertia, comes to the whole's.
        """
        _, quat, twist = self.motion(row)
        spin = matrix_from_quat(quat).T @ twist[3:]
        rigid = 0.5 * self.body[0] * float(twist[:3] @ twist[:3]) + 0.5 * float(self.body[1:] @ spin**2)
        return self.energy(row) - rigid

    def warm(self) -> None:
        """Compile, or load from the cache, what a push needs besides."""
        row = np.zeros(self.row_size)
        self.start_into(row, np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]), np.zeros(6))
        self.momentum(row)
        self.other_poses(row)
        names: IntArray = np.zeros((1, 3), np.int64)
        self._cell(row, 0, self.step, self.step, Acting(np.full((1, 8), 1e-3), names[:, 0], names))


def _cut(before: Array, after: Array, cap: float, stored: float) -> float:
    """Return the factor that keeps a push from carrying the speed above its cap."""
    speed_before, speed = float(before @ before), float(after @ after)
    most = max(cap * cap - stored, speed_before)
    return 1.0 if speed <= most else math.sqrt(most / speed)
