"""The pair of stiff parts in a robot's hand, for kernels: which it is, where it is, how it touches."""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from hil.common.arrays import Array
from sim.mating.rectangular_peg import RectangularNumbers, rectangular_candidates
from sim.mating.round_peg import Candidates, RoundNumbers, round_candidates

NONE, ROUND, RECTANGULAR = range(3)
ROWS = (0, 3, 40)  # places where a pair can touch
NO_ROUND = RoundNumbers(1.0, 0.1, 2.0, 0.1, 0.0)
NO_RECTANGLE = RectangularNumbers(np.ones(2), np.ones(2), 1.0, 2.0 * np.ones(2), np.zeros(4, np.bool_), 0.0)


class Pair(NamedTuple):
    """A peg on a robot's tip and its hole in the robot's base.

    Attributes:
        kind: `ROUND`, `RECTANGULAR`, or `NONE`.
        round_numbers: of a round pair.
        rectangular_numbers: of a rectangular one.
        mu: friction.
        T_tip_peg: shape (4, 4).
        T_base_hole: shape (4, 4).
        stiffness: of contacts that give way [N/m]; 0: they are rigid.
        damping: of those [N s/m].
        slip: speed below which their friction fades [m/s].
        across: the hole's axis across the only plane that is looked at; -1: all of space is.
    """

    kind: int
    round_numbers: RoundNumbers
    rectangular_numbers: RectangularNumbers
    mu: float
    T_tip_peg: Array
    T_base_hole: Array
    stiffness: float
    damping: float
    slip: float
    across: int


def pair_of(
    numbers: Any, T_tip_peg: Array, T_base_hole: Array, give: tuple[float, float, float], across: int = -1
) -> Pair:
    """Return the pair of these numbers; `give`: stiffness, damping and slip of contacts, see `Pair`."""
    stiffness, damping, slip = give
    kind, round_, rectangular = NONE, NO_ROUND, NO_RECTANGLE
    if isinstance(numbers, RoundNumbers):
        kind, round_ = ROUND, numbers
    elif isinstance(numbers, RectangularNumbers):
        kind, rectangular = RECTANGULAR, numbers
    mu = float(numbers.mu) if kind else 0.0
    return Pair(kind, round_, rectangular, mu, T_tip_peg, T_base_hole, stiffness, damping, slip, across)


@njit(cache=True)
def candidates_of(pair: Pair, T: Array) -> Candidates:
    """Return where a peg at a pose (4, 4) in its hole can touch."""
    if pair.kind == ROUND:
        return round_candidates(pair.round_numbers, T)
    if pair.kind == RECTANGULAR:
        return rectangular_candidates(pair.rectangular_numbers, T)
    return Candidates(np.zeros(0), np.zeros((0, 3)), np.zeros((0, 3)))


@njit(cache=True)
def in_hole(pair: Pair, T_tip: Array) -> Array:
    """Return the peg's pose in its hole for a pose of the tip in the base, shape (4, 4)."""
    T, out = T_tip @ pair.T_tip_peg, np.zeros((4, 4))
    hole = pair.T_base_hole
    for i in range(3):
        for k in range(3):
            out[i, 3] += hole[k, i] * (T[k, 3] - hole[k, 3])
            for j in range(3):
                out[i, j] += hole[k, i] * T[k, j]
    out[3, 3] = 1.0
    return out
