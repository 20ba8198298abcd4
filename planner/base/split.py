"""Who of two arms does which part of a relative motion: where their observer is to be for that. Pure.

theory: of each arm's set are given the middle `c` and the orientation `R_n` of its body there. By what two
bodies have left the sets' middles against each other is, in the observer's axes,

    d = R_O^T (p_a - p_b) - (c_a - c_b),      delta = log(A^T B),   A = R_a R_na^T,   B = R_b R_nb^T.

With `R_O = A exp(w delta)` and `x_O = p_a - R_O (c_a + W d)` the first arm shows `p_a' - c_a = W d` and its
body turned by `exp(-w delta)`, the second one `-(1 - W) d` and `exp((1 - w) delta)`: together the whole, and
nothing of what the bodies do in common. Sets that reach `L_a, L_b` from their middles are kept as long as
`|d| <= min(L_a / W, L_b / (1 - W))`, axis by axis: most, `L_a + L_b`, with `W = L_a / (L_a + L_b)`. With
`W = m_b / (m_a + m_b)` what is left is the motion before the bodies' common centre of mass, which no touch of
theirs changes: either of them then bounces as from something that is fixed.
"""

from typing import Literal, NamedTuple

import numpy as np
from scipy.spatial.transform import Rotation

from hil.common.arrays import Array
from hil.configuration.schema import Configuration
from hil.configuration.stops_axis import nominal_quat
from planner.base.moving_observer import continuous, rotation_of

Sharing = Literal["reach", "mass", "first", "second"]


class Split(NamedTuple):
    """Middles of two sets and the first arm's part.

    Attributes:
        centres: of both sets, the observer's axes [m], shape (2, 3).
        nominal: orientations of the bodies in the middles, shape (2, 4).
        part: of the relative way along each axis that the first arm does, shape (3,).
        turned: of the relative turn.
    """

    centres: Array
    nominal: Array
    part: Array
    turned: float


def split_of(first: Configuration, second: Configuration, sharing: Sharing) -> Split:
    """Return how two arms share: by what they reach, by their bodies' masses, or one of them all of it.

    Turns are shared by what they reach unless one does it all.
    """
    a, b = first.stops, second.stops
    m_a, m_b = first.object.mass, second.object.mass
    part = {
        "reach": a.half_extent / (a.half_extent + b.half_extent),
        "mass": np.full(3, m_b / (m_a + m_b)),
        "first": np.ones(3),
        "second": np.zeros(3),
    }[sharing]
    turned = {"first": 1.0, "second": 0.0}.get(sharing, a.swing / (a.swing + b.swing))
    return Split(
        np.array([a.centre, b.centre]), np.array([nominal_quat(a), nominal_quat(b)]), np.array(part), turned
    )


def reach(split: Split, first: Array, second: Array) -> Array:
    """Return how far the bodies may leave the middles against each other, along each axis [m], shape (3,).

    `first`, `second`: how far either arm's set reaches from its middle [m], shape (3,).
    """
    with np.errstate(divide="ignore"):
        least: Array = np.minimum(first / split.part, second / (1.0 - split.part))
    return least


def wanted_turn(split: Split, first: Array, second: Array, near: Array) -> Array:
    """Return the observer's orientations for two bodies' orientations, each of shape (n, 4).

    `near`: the orientation (4,) that the first one is on the side of.
    """
    A = rotation_of(first) * rotation_of(split.nominal[:1]).inv()
    B = rotation_of(second) * rotation_of(split.nominal[1:]).inv()
    turn = A * Rotation.from_rotvec(split.turned * (A.inv() * B).as_rotvec())
    return continuous(turn.as_quat(scalar_first=True), near)


def wanted_place(split: Split, first: Array, second: Array, quat: Array) -> Array:
    """Return the observer's places [m] for two bodies' places, each of shape (n, 3).

    Args:
        split: of the two arms.
        first: of the first arm's body, inertial axes [m].
        second: of the second arm's.
        quat: the observer's orientations, shape (n, 4).
    """
    R = rotation_of(quat)
    apart = R.apply(first - second, inverse=True) - (split.centres[0] - split.centres[1])
    place: Array = first - R.apply(split.centres[0] + split.part * apart)
    return place
