"""What a joint path has to keep, in the form that the compiled kernels take."""

from typing import NamedTuple

import numpy as np

from hil.common.arrays import Array
from planner.kinematics.arm_model import ArmModel


class Bounds(NamedTuple):
    """An arm with the limits that its planned path keeps.

    Attributes:
        lengths: of the arm model [m], shape (4,).
        signs: of the arm model, shape (7,).
        lower: lowest joint positions allowed [rad], shape (7,).
        upper: highest joint positions allowed [rad], shape (7,).
        velocity: largest joint speeds allowed [rad/s], shape (7,).
    """

    lengths: Array
    signs: Array
    lower: Array
    upper: Array
    velocity: Array


def bounds_within(model: ArmModel, velocity: Array, margin: float) -> Bounds:
    """Return the bounds of an arm whose position limits are kept by `margin` [rad].

    Args:
        model: the arm.
        velocity: largest joint speeds wanted [rad/s], shape (7,); the arm's own hold as well.
        margin: distance kept from the position limits [rad].
    """
    return Bounds(
        lengths=np.array(model.lengths),
        signs=np.array(model.signs),
        lower=model.lower + margin,
        upper=model.upper - margin,
        velocity=np.minimum(velocity, model.velocity),
    )
