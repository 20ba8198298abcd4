"""Ways of an arm through the poses of a task: joint positions at each, found by the inverse kinematics.

theory: at each pose several postures are found that the joints can hold, from starts all over their ranges
and from the postures of the pose before. To each posture of the last pose leads one way of least travel, by
dynamic programming (Bellman): the sum over legs and joints of (q' - q)^2 / speed^2.
"""

import functools
import itertools
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from scipy.stats import qmc

from hil.common.arrays import Array
from hil.workbench.design.loaded_chain import turning
from hil.workbench.design.task_file import Pose
from planner.inverse.passive_chain import PassiveChain
from sim.chain.serial_chain import SerialChain

STARTS = 64  # from which a pose is tried before it counts as not reached,
ENOUGH = 24  # and from so many where some of them have reached it
MOST = 6  # postures at a pose
DIFFERENT = 0.1  # [rad, m] between joints of different postures
HALF_TURN = np.pi  # of a joint whose limits are wider, starts spread over a turn only


class Missed(NamedTuple):
    """A pose for which an arm has no posture: its number, and whether it is reached and only not held."""

    pose: int
    reached: bool


class Postures:
    """An arm's inverse kinematics, as far as the poses of a task ask for it."""

    def __init__(
        self,
        chain: SerialChain,
        lower: Array,
        upper: Array,
        speeds: Array,
        length: float,
        held: Callable[[Array], bool],
    ) -> None:
        """Prepare for a chain of n joints.

        Args:
            chain: see there.
            lower: least joint positions [rad, m], shape (n,).
            upper: greatest, likewise.
            speeds: greatest joint speeds [rad/s, m/s], shape (n,).
            length: by which angles count [m].
            held: says of joint positions (n,) whether the joints can hold them.
        """
        self._chain, self._lower, self._upper = chain, lower, upper
        self._speeds, self._length, self._held = speeds, length, held
        self._solvers = dict[str, PassiveChain]()
        self._starts = _starts(lower, upper)

    def ways(self, poses: Sequence[Pose], targets: Array) -> tuple[list[Array], Missed | None]:
        """Return ways through the poses, one to each posture at the last.

        Args:
            poses: what counts at each.
            targets: the same in base, shape (m, 4, 4).

        Returns:
            the ways, shape (m, n) each; and the pose that is in the way of all, None if there are ways.
        """
        layers = list[list[Array]]()
        for number, (pose, target) in enumerate(zip(poses, targets, strict=True)):
            found, reached = self._postures(pose, target, layers[-1] if layers else [])
            if not found:
                return [], Missed(number, reached)
            layers.append(found)
        return shortest_ways(layers, self._speeds), None

    def _postures(self, pose: Pose, target: Array, before: list[Array]) -> tuple[list[Array], bool]:
        """Return different postures at a pose, near those before first; and whether it is reached at all."""
        found, reached = list[Array](), False
        for tried, start in enumerate((*before, *self._starts)):
            if found and tried >= ENOUGH:
                break
            q = self._solved(pose, target, start)
            if q is None:
                continue
            reached = True
            if self._held(q) and all(np.abs(q - other).max() > DIFFERENT for other in found):
                found.append(q)
                if len(found) == MOST:
                    break
        return found, reached

    def _solved(self, pose: Pose, target: Array, start: Array) -> Array | None:
        """Return joints at a pose from a start; None if the pose is not reached within its tolerance."""
        step = self._solver(pose.free).solve(target, _with_turn(start) if pose.free == "turn" else start)
        if step.position_error > pose.position_tolerance:
            return None
        if pose.free != "all" and step.orientation_error > pose.orientation_tolerance:
            return None
        return step.q[: len(self._lower)].copy()

    def _solver(self, free: str) -> PassiveChain:
        if free not in self._solvers:
            chain, lower, upper = self._chain, self._lower, self._upper
            if free == "turn":
                chain, lower, upper = turning(chain), np.append(lower, -np.inf), np.append(upper, np.inf)
            length = 0.0 if free == "all" else self._length
            self._solvers[free] = PassiveChain(chain, lower, upper, length=length)
        return self._solvers[free]


def shortest_ways(layers: Sequence[Sequence[Array]], speeds: Array) -> list[Array]:
    """Return the way of least travel to each posture of the last layer, shape (m, n) each.

    Args:
        layers: postures at each pose, (n,) each.
        speeds: by which the joints' ways count, shape (n,).
    """
    ways, costs = [[q] for q in layers[0]], np.zeros(len(layers[0]))
    for before, layer in itertools.pairwise(layers):
        legs = (np.array(before)[:, None] - np.array(layer)[None]) / speeds
        total = costs[:, None] + np.square(legs).sum(axis=2)
        least = total.argmin(axis=0)
        ways = [[*ways[k], q] for k, q in zip(least, layer, strict=True)]
        costs = total.min(axis=0)
    return [np.array(way) for way in ways]


def _with_turn(q: Array) -> Array:
    return np.append(q, 0.0)


def _starts(lower: Array, upper: Array) -> list[Array]:
    """Return joints to start from: the middle, then points spread evenly, the same for every arm."""
    middle = 0.5 * (lower + upper)
    half = np.minimum(0.5 * (upper - lower), HALF_TURN)
    return [middle, *(middle + half * (2.0 * u - 1.0) for u in _spread(len(lower)))]


@functools.cache
def _spread(joints: int) -> Array:
    return np.array(qmc.LatinHypercube(joints, rng=0).random(STARTS - 1), np.float64)
