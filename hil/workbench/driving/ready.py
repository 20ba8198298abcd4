"""Where an arm begins, whatever arm it is: away from singular poses, from its limits and from the ground."""

import math

import numpy as np

from hil.common.arrays import Array
from hil.common.errors import DrivingError
from hil.workbench.driving.rigid import moved
from planner.inverse.passive_chain import PassiveChain
from sim.assembly.manipulator import Manipulator
from sim.chain.kinematics import body_poses, jacobian, tip_pose

SAMPLES = 3000
LEAST = 1e-6  # [m] of reach
MOST = math.radians(120.0)  # of a joint that turns: farther round are arms only that are wound up
WOUND = 0.6  # of its worth that an arm loses with all joints as far round
MARGIN = 0.1  # of a joint's range, kept to both sides
FEW = 40
WHOLE = 6  # joints that can take a whole pose
_YAW = math.pi / 4
AROUND = np.array([  # shift by shares of the reach, and turn [rad]: what the tables ask for, and a bit more
    [0, 0.06, 0.06, 0, 0, 0], [0, 0.11, 0.11, 0, 0, 0], [0, 0, 0.22, 0, 0, 0], [0, -0.11, 0.11, 0, 0, 0],
    [0, -0.11, -0.09, 0, 0, 0], [0, -0.11, 0.02, 0, 0, _YAW], [0, -0.11, -0.09, 0, 0, _YAW],
    [0, 0.11, -0.09, 0, 0, 0],
])  # fmt: skip


def reach_of(manipulator: Manipulator) -> tuple[float, Array]:
    """Return the greatest distance of the tip from the first joint [m], and where that is, shape (3,).

    It is the largest of many samples, and of the stretched chain at zero.
    """
    poses = [
        body_poses(manipulator.chain, q) for q in (np.zeros(len(manipulator.axes)), *_samples(manipulator))
    ]
    shoulder = poses[0][1, :3, 3]
    return float(max(np.linalg.norm(pose[-1, :3, 3] - pose[1, :3, 3]) for pose in poses)), shoulder.copy()


def ready(manipulator: Manipulator) -> Array:
    """Return joint positions [rad, m] to begin at, shape (n,); always the same ones for an arm.

    The best of many samples by the least singular value of the Jacobian, lengths by the reach. It counts less
    where joints are far from zero, and nothing at 85 % of the reach, or where the tip is lower than the
    shoulder by a fifth of it, or behind the base. Of the best few the first has it from which the arm gets
    everywhere around, as the tables want it; or the one that gets about most.

    Raises:
        DrivingError: the arm has no joint, or none that moves the tip's place.
    """
    if not manipulator.axes:
        raise DrivingError(f"{manipulator.name}: has no joint to drive: join one")
    reach, shoulder = reach_of(manipulator)
    if reach <= LEAST:
        raise DrivingError(f"{manipulator.name}: its tip stays at the first joint: join a part behind it")
    samples = _samples(manipulator)
    worth = np.array([_worth(manipulator, q, reach, shoulder) for q in samples])
    best = [samples[k] for k in np.argsort(-worth, kind="stable")[:FEW]]
    if len(manipulator.axes) < WHOLE:
        return best[0]
    inverse = PassiveChain(manipulator.chain, manipulator.lower, manipulator.upper)
    reached = 0, best[0]
    for q in best:
        there = _places_around(inverse, manipulator, q, reach)
        if there == len(AROUND):
            return q
        reached = max(reached, (there, q), key=lambda pair: pair[0])
    return reached[1]


def _places_around(inverse: PassiveChain, manipulator: Manipulator, q: Array, reach: float) -> int:
    """Return how many places around the tip can be reached, one after the other."""
    T = tip_pose(manipulator.chain, q)
    inverse.reset(q)
    ways = AROUND * ([reach] * 3 + [1.0] * 3)
    return sum(inverse.step(moved(T, way), 0.1).reachable for way in ways)


def _worth(manipulator: Manipulator, q: Array, reach: float, shoulder: Array) -> float:
    tip = body_poses(manipulator.chain, q)[-1, :3, 3] - shoulder
    distance = float(np.linalg.norm(tip)) / reach
    J = jacobian(manipulator.chain, q)
    J[:3] /= reach
    least = float(np.linalg.svd(J, compute_uv=False)[min(6, len(q)) - 1])
    room = min(1.0, max(0.0, (0.85 - distance) / 0.15)) * min(1.0, distance / 0.4)
    up = -manipulator.gravity / max(float(np.linalg.norm(manipulator.gravity)), 1e-9)
    high = min(1.0, max(0.0, 1.0 + 5.0 * float(up @ tip) / reach))
    ahead = min(1.0, max(0.0, 0.5 + 2.0 * float(tip[0]) / reach))
    turning = np.array([not axis.linear for axis in manipulator.axes])
    wound = float(np.mean(np.abs(q[turning]))) / MOST if turning.any() else 0.0
    return least * room * high * ahead * (1.0 - WOUND * wound)


def _samples(manipulator: Manipulator) -> Array:
    lower, upper = manipulator.lower, manipulator.upper
    turning = np.array([not axis.linear for axis in manipulator.axes])
    low = np.where(turning, np.maximum(lower, -MOST), lower)
    high = np.where(turning, np.minimum(upper, MOST), upper)
    low, high = np.minimum(low, upper), np.maximum(high, lower)
    share = np.random.default_rng(0).uniform(MARGIN, 1.0 - MARGIN, (SAMPLES, len(lower)))
    return np.asarray(low + share * (high - low))
