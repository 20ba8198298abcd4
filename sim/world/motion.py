"""The body's motion over the grid of object time, split where impulse slices act; compiled.

A row of the history is a body's state (13,), then the number of the last impulse that acted and of the
last one that was cut to the certified speed. Grid point `i` is at object time `i * step`; its row holds
the state before the slices of its own cell `[i, i + 1)`, which are sorted by object time.
"""

import math

import numpy as np
from numba import njit

from hil.common.arrays import Array, IntArray
from hil.common.geometry import matrix_from_quat
from sim.world.body import body_twist, step_body_into
from sim.world.stops import (
    SWING,
    TURNS,
    TWIST,
    spin_potential,
    stored_speed_squared,
    swing_twist,
)

ROW_SIZE = 15
LAST_IMPULSE, LAST_CAPPED = 13, 14
# a slice: object time [s] 0, impulse in object axes [N s, N m s] 1:7, number of the impulse 7
SLICE_SIZE = 8
TURN_AT_ONCE = 0.02  # [rad] the rotation's error over such a step is below 1e-11 rad
NEAR_UPSIDE_DOWN = 3.0  # [rad] of swing, beyond which the twist may turn arbitrarily fast
NEAR_VERTICAL = 1.5  # [rad] of elevation, where it does so likewise
NO_WRENCH = np.zeros(6)


@njit(cache=True, error_model="numpy")
def apply_slice_into(row: Array, item: Array, body: Array, stops: Array, caps: Array) -> None:
    """Change a row's velocity by an impulse, but carry it no further than the certified speed.

    The speed that counts includes what the stops' springs will give back. A push that would end above
    the cap ends at the cap, in the direction of the velocity it asked for; one that only slows a body
    that was already faster is let through.

    Args:
        row: the state, changed in place, shape (15,).
        item: the slice, shape (8,).
        body: mass and principal inertia, shape (4,).
        stops: packed stops, shape (19,).
        caps: largest speed [m/s] and spin [rad/s], shape (2,).
    """
    stored = stored_speed_squared(row[0:3], stops)
    mean_inertia = (body[1] + body[2] + body[3]) / 3.0
    stored_spin = 2.0 * spin_potential(row[3:7], stops) / mean_inertia
    before = body_twist(row, body)
    R = matrix_from_quat(row[3:7])
    for i in range(3):
        for j in range(3):
            row[7 + i] += R[i, j] * item[1 + j] / body[0]
            row[10 + i] += R[i, j] * item[4 + j]
    after = body_twist(row, body)
    linear = _cut(before[:3], after[:3], caps[0], stored)
    angular = _cut(before[3:], after[3:], caps[1], stored_spin)
    for i in range(3):
        row[7 + i] *= linear
        row[10 + i] *= angular
    row[LAST_IMPULSE] = item[7]
    if linear < 1.0 or angular < 1.0:
        row[LAST_CAPPED] = item[7]


@njit(cache=True, error_model="numpy")
def _cut(before: Array, after: Array, cap: float, stored: float) -> float:
    """Return the factor that keeps a push from carrying the speed above its cap."""
    speed_before, speed = np.sum(before * before), np.sum(after * after)
    most = max(cap * cap - stored, speed_before)
    return 1.0 if speed <= most else math.sqrt(most / speed)


@njit(cache=True, error_model="numpy")
def fly_cell_into(
    row: Array,
    index: int,
    until: float,
    step: float,
    slices: Array,
    cells: IntArray,
    body: Array,
    stops: Array,
    caps: Array,
) -> None:
    """Carry a row from grid point `index` on by `until` <= `step` [s], through the slices on the way.

    Args:
        row: the state, changed in place, shape (15,).
        index: grid point where the row stands.
        until: time to pass [s]; a slice exactly there acts.
        step: the grid's step [s].
        slices: all slices, in order of object time, shape (K, 8).
        cells: grid cell of each, shape (K,).
        body: mass and principal inertia, shape (4,).
        stops: packed stops, shape (19,).
        caps: largest speed and spin, shape (2,).
    """
    wrench = NO_WRENCH
    passed = 0.0
    k = np.searchsorted(cells, index)
    while k < cells.shape[0] and cells[k] == index:
        offset = min(max(slices[k, 0] - index * step, passed), step)
        if offset > until:
            break
        if offset > passed:
            step_body_into(row, row, body, stops, wrench, offset - passed)
            passed = offset
        apply_slice_into(row, slices[k], body, stops, caps)
        k += 1
    if until > passed:
        step_body_into(row, row, body, stops, wrench, until - passed)


@njit(cache=True, error_model="numpy")
def fly_grid_into(
    ring: Array,
    first: int,
    last: int,
    step: float,
    slices: Array,
    cells: IntArray,
    body: Array,
    stops: Array,
    caps: Array,
) -> None:
    """Fill the rows `first + 1` to `last` of a ring from row `first`; row `i` is at `i % len(ring)`."""
    size = ring.shape[0]
    k = np.searchsorted(cells, first)
    for i in range(first, last):
        row = ring[(i + 1) % size]
        if k < cells.shape[0] and cells[k] == i:
            for j in range(ROW_SIZE):
                row[j] = ring[i % size, j]
            fly_cell_into(row, i, step, step, slices, cells, body, stops, caps)
            while k < cells.shape[0] and cells[k] == i:
                k += 1
        else:
            step_body_into(row, ring[i % size], body, stops, NO_WRENCH, step)
            for j in range(LAST_IMPULSE, ROW_SIZE):
                row[j] = ring[i % size, j]


@njit(cache=True, error_model="numpy")
def fly_backwards_into(row: Array, duration: float, step: float, body: Array, stops: Array) -> None:
    """Carry a row back in time by `duration` [s] as if no impulse had acted."""
    for i in range(7, 13):
        row[i] *= -1.0
    count = max(1, math.ceil(duration / step))
    for _ in range(count):
        step_body_into(row, row, body, stops, NO_WRENCH, duration / count)
    for i in range(7, 13):
        row[i] *= -1.0


@njit(cache=True, error_model="numpy")
def turns_freely(row: Array, duration: float, body: Array, stops: Array) -> float:
    """Return the largest angle turned in `duration` if no rotational stop can be met, else -1."""
    momentum = math.sqrt(row[10] ** 2 + row[11] ** 2 + row[12] ** 2)
    turned = momentum / min(body[1], body[2], body[3]) * duration
    if stops[SWING] >= math.pi and stops[TWIST] >= math.pi:
        return turned
    swing, twist = swing_twist(row[3:7], stops)
    swing += turned
    if swing > min(stops[SWING], NEAR_UPSIDE_DOWN):
        return -1.0
    steep = 0.5 * swing
    if stops[TURNS] != 0.0:  # elevation itself turns the twist
        level = 1.0 - 2.0 * (row[4] ** 2 + row[5] ** 2)
        steep = min(math.asin(min(1.0, abs(level))) + turned, NEAR_VERTICAL)
    if abs(twist) + turned / math.cos(steep) > stops[TWIST]:
        return -1.0
    return turned


@njit(cache=True, error_model="numpy")
def motion_into(p: Array, quat: Array, twist: Array, row: Array, body: Array) -> None:
    """Write position (3,), orientation (4,) and twist (6,) of a row."""
    moving = body_twist(row, body)
    for i in range(3):
        p[i] = row[i]
    for i in range(4):
        quat[i] = row[3 + i]
    for i in range(6):
        twist[i] = moving[i]


@njit(cache=True, error_model="numpy")
def predict_into(
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
) -> None:
    """Write positions, quaternions and twists at every `ratio`-th grid point from `first` on.

    Where neither a slice nor a rotational stop is near, a whole interval is flown at once.

    Args:
        p: out: positions [m], shape (N, 3).
        quat: out: orientations, shape (N, 4).
        twist: out: twists [m/s, rad/s], shape (N, 6).
        start: the row at grid point `first`, shape (15,).
        first: grid point of the first node.
        ratio: grid steps from node to node.
        step: the grid's step [s].
        slices: all slices, in order of object time, shape (K, 8).
        cells: grid cell of each, shape (K,).
        body: mass and principal inertia, shape (4,).
        stops: packed stops, shape (19,).
        caps: largest speed and spin, shape (2,).
    """
    row = start.copy()
    node = row.copy()
    for n in range(p.shape[0]):
        index = first + n * ratio
        k = np.searchsorted(cells, index)
        free = k == cells.shape[0] or cells[k] >= index + ratio
        for j in range(ROW_SIZE):
            node[j] = row[j]
        if not free:
            fly_cell_into(node, index, 0.0, step, slices, cells, body, stops, caps)
        motion_into(p[n], quat[n], twist[n], node, body)
        turned = turns_freely(row, ratio * step, body, stops) if free else -1.0
        if turned >= 0.0:
            count = max(1, math.ceil(turned / TURN_AT_ONCE))
            for _ in range(count):
                step_body_into(row, row, body, stops, NO_WRENCH, ratio * step / count)
        else:
            for i in range(index, index + ratio):
                fly_cell_into(row, i, step, step, slices, cells, body, stops, caps)


@njit(cache=True, error_model="numpy")
def sample_into(
    p: Array, quat: Array, twist: Array, ring: Array, first: int, ratio: int, body: Array
) -> None:
    """Write positions, quaternions and twists of every `ratio`-th row of a ring from `first` on."""
    for n in range(p.shape[0]):
        row = ring[(first + n * ratio) % ring.shape[0]]
        motion_into(p[n], quat[n], twist[n], row, body)
