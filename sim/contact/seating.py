"""How deep and how straight a pattern of pins sits in a plate, compiled; and a latch that closes on it."""

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from hil.common.arrays import Array, BoolArray


class Seat(NamedTuple):
    """Pins of one body and the holes of another that they belong to."""

    module: int  # body with the plate
    effector: int  # body with the pins
    p_module_plate: Array  # (3,)
    R_module_plate: Array  # (3, 3)
    tips: Array  # (P, 3) centres of the half spheres, effector's frame [m]
    axis: Array  # (3,) of the pins, effector's frame
    holes: Array  # (P, 2) of the same pins, plate's frame [m]
    radius: float  # of the pins [m]
    hole_radius: float  # m
    full_depth: float  # of the very tips below the face [m]


class Latch(NamedTuple):
    """A weld that closes as soon as all pins are deep and straight."""

    weld: int  # equality constraint; -1: there is no latch
    seat: Seat
    depth: float  # share of the full depth that every pin must have
    tilt: float  # rad
    depths: Array  # (P,) room


def no_seat() -> Seat:
    """Return a seat without pins."""
    return Seat(0, 0, np.zeros(3), np.eye(3), np.zeros((0, 3)), np.zeros(3), np.zeros((0, 2)), 0.0, 0.0, 1.0)


def no_latch() -> Latch:
    """Return a latch that is not there."""
    return Latch(-1, no_seat(), 1.0, 0.0, np.zeros(0))


@njit(cache=True, nogil=True, error_model="numpy")
def depths_into(depths: Array, seat: Seat, xpos: Array, xmat: Array) -> tuple[float, float]:
    """Write each pin's depth in its own hole as a share of the full one; return insertion [m] and tilt [rad].

    Args:
        depths: of the pins, 0 outside of their holes, shape (P,).
        seat: pins and holes.
        xpos: places of the bodies [m], shape (nbody, 3).
        xmat: their axes, shape (nbody, 9).
    """
    R_module = xmat[seat.module].copy().reshape(3, 3)
    R_world_plate = R_module @ seat.R_module_plate
    p_world_plate = xpos[seat.module] + R_module @ seat.p_module_plate
    R_effector = xmat[seat.effector].copy().reshape(3, 3)
    normal, axis = R_world_plate[:, 2].copy(), R_effector @ seat.axis
    side = np.cross(normal, axis)
    insertion, count = 0.0, seat.tips.shape[0]
    for i in range(count):
        local = R_world_plate.T @ (xpos[seat.effector] + R_effector @ seat.tips[i] - p_world_plate)
        depth = seat.radius - local[2]
        insertion += depth / count
        aside = math.hypot(local[0] - seat.holes[i, 0], local[1] - seat.holes[i, 1])
        depths[i] = depth / seat.full_depth if aside < seat.hole_radius and depth > 0.0 else 0.0
    return insertion, math.atan2(math.sqrt(side @ side), -(normal @ axis))


@njit(cache=True, nogil=True, error_model="numpy")
def close_latch(latch: Latch, xpos: Array, xmat: Array, eq_active: BoolArray) -> None:
    """Close the weld, from the next step on, if all pins are deep and straight."""
    if latch.weld < 0 or eq_active[latch.weld]:
        return
    _, tilt = depths_into(latch.depths, latch.seat, xpos, xmat)
    if tilt < latch.tilt and latch.depths.min() >= latch.depth:
        eq_active[latch.weld] = True
