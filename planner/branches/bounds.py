"""What a joint path has to keep, in the form that the compiled kernels take."""

from typing import NamedTuple

import numpy as np

from hil.common.arrays import Array
from planner.kinematics.arm_model import ArmModel
from planner.kinematics.inverse import arm_angle_and_branch


class Bounds(NamedTuple):
    """An arm with the limits that its planned path keeps.

    Attributes:
        lengths: of an arm of ours [m], shape (4,); of any other they are no numbers.
        signs: of an arm of ours, shape (7,); likewise.
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
        lengths=np.array(model.geometry[0]["lengths"]),
        signs=np.array(model.geometry[0]["signs"]),
        lower=model.lower + margin,
        upper=model.upper - margin,
        velocity=np.minimum(velocity, model.velocity),
    )


def posture_of(bounds: Bounds, q: Array) -> tuple[float, int]:
    """Return arm angle [rad] and branch of joints `q` (7,); 0 and 0 of an arm that has none."""
    if not np.isfinite(bounds.lengths[0]):
        return 0.0, 0
    angle, branch = arm_angle_and_branch(bounds.lengths, bounds.signs, q)
    return angle, branch
