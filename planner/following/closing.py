"""How fast a gap is closed: what that adds to the object's motion is a share of what is certified.

theory: a push that changes the object's speed by `D` and is found `T` late leaves a gap of `D T`, and
closing it at the rate `k` takes `k D T`. With `k T` at most the configured overshoot `o` (docs/theory.md,
equation 25) and `D` at most twice the certified speed (from that speed one way to the same the other),
closing the gap of any push takes no more than `2 o` of the certified speed. What asks for more is a jump,
and is closed as slowly as that.

A quick rate must leave time to slow down as well. From a speed v a joint comes to rest within its jerk J over
v^(3/2) / J^(1/2); closing a gap e at the rate k takes that way and no more as long as k <= (J / e)^(1/3).
Half of it is taken, so that whoever aims at speeds alone does not swing about the place.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from hil.common.arrays import Array
from hil.configuration.schema import Interpolation, Stops
from planner.kinematics.arm_geometry import Geometry
from planner.kinematics.arm_model import ArmModel
from planner.kinematics.forward import jacobian

SLOWED = 0.5  # of the rate at which a gap can just be closed within the jerk


class Closing(NamedTuple):
    """The held object, and how fast closing may move it, for the kernels."""

    geometry: Geometry  # of the arm
    T_flange_object: Array  # shape (4, 4)
    most: Array  # speed [m/s] and spin [rad/s] of the object; the spin bounds each joint as well, shape (2,)


def closing_share(configuration: Interpolation) -> float:
    """Return which share of the certified speed and spin closing may add."""
    return 2.0 * configuration.closing_overshoot


def closing_of(
    model: ArmModel, T_flange_object: Array, stops: Stops, configuration: Interpolation
) -> Closing:
    """Return how gaps are closed; where the stops are off, by the speeds that they name all the same."""
    most = closing_share(configuration) * np.array([stops.max_speed, stops.max_spin])
    return Closing(model.geometry, np.array(T_flange_object), most)


@njit(cache=True)
def rate_allowed(k: float, gap: float, jerk: float) -> float:
    """Return the rate [1/s], `k` at most, at which a joint's gap [rad] can be closed within its jerk."""
    cube = SLOWED**3 * jerk
    return k if k * k * k * abs(gap) <= cube else (cube / abs(gap)) ** (1.0 / 3.0)


@njit(cache=True)
def share_allowed(q: Array, dq: Array, closing: Closing) -> float:
    """Return the share of a closing velocity that may be taken, in (0, 1].

    Args:
        q: where the arm is commanded [rad], shape (7,).
        dq: joint velocity that would close the gap [rad/s], shape (7,).
        closing: see there.
    """
    J = jacobian(closing.geometry, q, closing.T_flange_object)
    share = 1.0
    for part in range(2):
        square = 0.0
        for i in range(3 * part, 3 * part + 3):
            along = 0.0
            for j in range(dq.shape[0]):
                along += J[i, j] * dq[j]
            square += along * along
        speed = math.sqrt(square)
        if speed * share > closing.most[part]:
            share = closing.most[part] / speed
    for j in range(dq.shape[0]):  # an elbow that moves alone turns no faster than the object may
        if abs(dq[j]) * share > closing.most[1]:
            share = closing.most[1] / abs(dq[j])
    return share
