"""Ways of an arm through the poses of a task: joint positions at each, found by the inverse kinematics."""

import functools
from collections.abc import Sequence

import numpy as np
from scipy.stats import qmc

from hil.common.arrays import Array
from hil.workbench.design.loaded_chain import turning
from hil.workbench.design.task_file import Pose
from planner.inverse.passive_chain import PassiveChain
from sim.chain.serial_chain import SerialChain

STARTS = 12  # from which a pose is tried
WAYS = 3  # different ones through the poses, at most
DIFFERENT = 0.1  # [rad, m] between joints of different ways
HALF_TURN = np.pi  # of a joint whose limits are wider, starts spread over a turn only


class Postures:
    """An arm's inverse kinematics, as far as the poses of a task ask for it."""

    def __init__(self, chain: SerialChain, lower: Array, upper: Array, length: float) -> None:
        """Prepare for a chain of n joints, its limits (n,), and the length by which angles count [m]."""
        self._chain, self._lower, self._upper, self._length = chain, lower, upper, length
        self._solvers = dict[str, PassiveChain]()
        self._starts = _starts(lower, upper)

    def ways(self, poses: Sequence[Pose], targets: Array) -> tuple[list[Array], int]:
        """Return ways through the poses.

        Each begins with another posture at the first pose, and goes on with the one that is nearest to it.

        Args:
            poses: what counts at each.
            targets: the same in base, shape (m, 4, 4).

        Returns:
            the ways, shape (m, n) each; and the number of a pose that was not reached, -1 if there are ways.
        """
        ways, missed = list[Array](), 0
        for first in self._first_postures(poses[0], targets[0]):
            way = [first]
            for pose, target in zip(poses[1:], targets[1:], strict=True):
                q = self._reached(pose, target, way[-1])
                if q is None:
                    missed = max(missed, len(way))
                    break
                way.append(q)
            else:
                ways.append(np.array(way))
        return ways, -1 if ways else missed

    def _first_postures(self, pose: Pose, target: Array) -> list[Array]:
        found = list[Array]()
        for start in self._starts:
            q = self._solved(pose, target, start)
            if q is not None and all(np.abs(q - other).max() > DIFFERENT for other in found):
                found.append(q)
                if len(found) == WAYS:
                    break
        return found

    def _reached(self, pose: Pose, target: Array, near: Array) -> Array | None:
        """Return joints at a pose, from those before or, where that fails, from elsewhere."""
        for start in (near, *self._starts):
            q = self._solved(pose, target, start)
            if q is not None:
                return q
        return None

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


def _with_turn(q: Array) -> Array:
    return np.append(q, 0.0)


def _starts(lower: Array, upper: Array) -> list[Array]:
    """Return joints to start from: the middle, then points spread evenly (Halton), the same for every arm."""
    middle = 0.5 * (lower + upper)
    half = np.minimum(0.5 * (upper - lower), HALF_TURN)
    return [middle, *(middle + half * (2.0 * u - 1.0) for u in _spread(len(lower)))]


@functools.cache
def _spread(joints: int) -> Array:
    return np.array(qmc.Halton(joints, scramble=False).random(STARTS)[1:], np.float64)
