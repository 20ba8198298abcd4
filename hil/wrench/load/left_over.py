"""What a wrench shows that nobody exerts, before and after the load is taken out: the finding's proof."""

from dataclasses import dataclass

import numpy as np

from hil.common.arrays import Array
from hil.wrench.load.held_motion import raw_motion
from hil.wrench.load.identification import FoundLoad, smoothed
from hil.wrench.load.inertial import regressor
from hil.wrench.load.weighing import Rests, Sensed


@dataclass(frozen=True, eq=False)
class LeftOver:
    """Root mean squares of force and torque [N, N m], each (before, after), shape (2, 2); None: no rests.

    Constant offsets are no matter, and left out of both; in motion both are smoothed over 20 ms.
    """

    in_motion: Array
    at_rest: Array | None


def left_over(
    found: FoundLoad, sensed: Sensed, motion: tuple[Array, Array, Array, float], rests: Rests
) -> LeftOver:
    """Return what was left over in the motion and at the rests from which a load was found.

    Args:
        found: the load.
        sensed: where the wrench was measured.
        motion: attitudes (n, 3, 3), places (n, 3), wrenches (n, 6) about the object's centre in its axes,
            and the time between two of them [s].
        rests: of the same.
    """
    R, p, wrench, step = motion
    moves = regressor(raw_motion(R, p, step)) @ found.value
    after = wrench[1:-1] + moves - read_at_rest(found, sensed, R[1:-1], p[1:-1])
    in_motion = _both(smoothed(wrench[1:-1], step), smoothed(after, step))
    if not len(rests.t):
        return LeftOver(in_motion, None)
    after = rests.wrench - read_at_rest(found, sensed, rests.R, rests.p)
    return LeftOver(in_motion, _both(rests.wrench, after))


def read_at_rest(found: FoundLoad, sensed: Sensed, R: Array, p: Array) -> Array:
    """Return offset and missed weight at poses, about the object's centre, object axes [N, N m], (n, 6)."""
    out = np.zeros((len(R), 6))
    if found.offset is None:
        return out
    weight = sensed.weights(R) @ found.value if found.weighs else out
    if not sensed.placed:
        return weight + sensed.back(R, p, np.repeat(found.offset.bias[None], len(R), axis=0))
    measured = sensed.moved(R, p, weight)
    measured[:, :3] = 0.0  # the weight's force is part of the bias
    measured += found.offset.bias + sensed.displaced(R, p) @ found.offset.slope.T
    return sensed.back(R, p, measured)


def _both(before: Array, after: Array) -> Array:
    return np.array([[_rms(x[:, part]) for x in (before, after)] for part in (slice(0, 3), slice(3, 6))])


def _rms(x: Array) -> float:
    return float(np.sqrt(np.sum((x - x.mean(axis=0)) ** 2) / len(x)))
