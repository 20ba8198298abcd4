"""The flight of an admittance law's body: free, but for a viscous damping of velocity and spin.

theory: m v' = -d v and I omega' + omega x I omega = -b omega, split from the free motion after each step of
the grid, each part exact: v decays by exp(-d h / m), the angular momentum about the principal axis i by
exp(-b h / I_i). The kinetic energy never grows, whatever the step.
"""

import math

import numpy as np
from numba import njit

from hil.common.arrays import Array, IntArray
from hil.common.geometry import matrix_from_quat
from hil.configuration import Configuration
from hil.configuration.admittance import Admittance
from sim.world.body import step_body_into
from sim.world.flight.free import Flight
from sim.world.motion import NO_WRENCH, TURN_AT_ONCE, fly_cell_into, motion_into, turns_freely
from sim.world.slice_book import Acting


class DampedFlight(Flight):
    """A flight that loses velocity and spin on its way."""

    def __init__(self, configuration: Configuration, setting: Admittance) -> None:
        """Take body, stops and certified speed from the configuration, damping from its admittance."""
        super().__init__(configuration)
        self._drag = np.array([setting.damping, setting.spin_damping])

    def cell_into(self, row: Array, index: int, until: float, acting: Acting) -> bool:
        """Carry a row on by `until` [s] within a cell."""
        super().cell_into(row, index, until, acting)
        damp_into(row, until, self.body, self._drag)
        return False

    def backwards_into(self, row: Array, duration: float, earlier: Array) -> None:
        """Carry a row's body back by `duration` [s] as if no impulse had acted."""
        super().backwards_into(row, duration, earlier)
        damp_into(row, -duration, self.body, self._drag)

    def nodes(
        self, start: Array, first: int, ratio: int, count: int, acting: Acting
    ) -> tuple[Array, Array, Array, Array]:
        """Return positions, quaternions, twists at every `ratio`-th grid point, and no sudden contacts."""
        p, quat, twist = np.empty((count, 3)), np.empty((count, 4)), np.empty((count, 6))
        damped_nodes_into(
            p, quat, twist, start, first, ratio, self.step, acting.slices, acting.cells,
            self.body, self.stops, self._caps, self._drag,
        )  # fmt: skip
        return p, quat, twist, np.empty(0)

    def _fly(self, ring: Array, first: int, last: int, acting: Acting) -> None:
        damped_grid_into(
            ring, first, last, self.step, acting.slices, acting.cells, self.body, self.stops, self._caps,
            self._drag,
        )  # fmt: skip


@njit(cache=True, error_model="numpy")
def damp_into(row: Array, duration: float, body: Array, drag: Array) -> None:
    """Let a row's velocity and angular momentum decay for `duration` [s].

    Args:
        row: changed in place, shape (15,).
        duration: negative to take a decay back.
        body: mass and principal inertia, shape (4,).
        drag: damping of velocity [N s/m] and spin [N m s/rad], shape (2,).
    """
    linear = math.exp(-drag[0] / body[0] * duration)
    R = matrix_from_quat(row[3:7])
    momentum = np.zeros(3)
    for i in range(3):
        row[7 + i] *= linear
        for j in range(3):
            momentum[i] += R[j, i] * row[10 + j]
        momentum[i] *= math.exp(-drag[1] / body[1 + i] * duration)
    for i in range(3):
        row[10 + i] = R[i, 0] * momentum[0] + R[i, 1] * momentum[1] + R[i, 2] * momentum[2]


@njit(cache=True, error_model="numpy")
def damped_grid_into(
    ring: Array,
    first: int,
    last: int,
    step: float,
    slices: Array,
    cells: IntArray,
    body: Array,
    stops: Array,
    caps: Array,
    drag: Array,
) -> None:
    """Fill the rows `first + 1` to `last` of a ring; arguments as `sim.world.motion.fly_grid_into`."""
    size = ring.shape[0]
    for i in range(first, last):
        row = ring[(i + 1) % size]
        for j in range(row.shape[0]):
            row[j] = ring[i % size, j]
        fly_cell_into(row, i, step, step, slices, cells, body, stops, caps)
        damp_into(row, step, body, drag)


@njit(cache=True, error_model="numpy")
def damped_nodes_into(
    p: Array,
    quat: Array,
    twist: Array,
    start: Array,
    first: int,
    ratio: int,
    step: float,
    slices: Array,
    cells: IntArray,
    body: Array,
    stops: Array,
    caps: Array,
    drag: Array,
) -> None:
    """Write the motion at every `ratio`-th grid point; arguments as `sim.world.motion.predict_into`."""
    row, node = start.copy(), start.copy()
    for n in range(p.shape[0]):
        index = first + n * ratio
        k = np.searchsorted(cells, index)
        free = k == cells.shape[0] or cells[k] >= index + ratio
        for j in range(row.shape[0]):
            node[j] = row[j]
        if not free:
            fly_cell_into(node, index, 0.0, step, slices, cells, body, stops, caps)
        motion_into(p[n], quat[n], twist[n], node, body)
        turned = turns_freely(row, ratio * step, body, stops) if free else -1.0
        if turned >= 0.0:  # at once: half of the damping before, half behind
            count = max(1, math.ceil(turned / TURN_AT_ONCE))
            damp_into(row, 0.5 * ratio * step, body, drag)
            for _ in range(count):
                step_body_into(row, row, body, stops, NO_WRENCH, ratio * step / count)
            damp_into(row, 0.5 * ratio * step, body, drag)
            continue
        for i in range(index, index + ratio):
            fly_cell_into(row, i, step, step, slices, cells, body, stops, caps)
            damp_into(row, step, body, drag)
