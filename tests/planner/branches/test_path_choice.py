"""Which arm angle path is followed: the one at hand, unless another is clearly cheaper or reaches further.

The flange stands still, or turns about its own axis: then A7 alone comes near its limit, at a known time.
"""

import numpy as np
import pytest

from planner.branches.bounds import bounds_within
from planner.branches.dynamic_program import INFINITE, Start, branch_program, path_cost, workspace
from planner.branches.joint_path import FEASIBLE, LIMIT, REACH
from planner.branches.path_choice import PathChoice, Task
from planner.kinematics.arm_model import load_arm_model
from planner.kinematics.forward import flange_pose
from planner.kinematics.inverse import arm_angle_and_branch
from tests.planner.branches.object_paths import STEP

KNOT, HORIZON, COMMITTED, ARM_ANGLES, WINDOW = 0.1, 2.0, 0.5, 72, 3
POSES = 101
FIRST, LAST = 8, 20  # knots that may be planned anew: behind the interval that COMMITTED ends in, to the end
POSTURES = np.deg2rad(
    [[20.0, -50.0, 30.0, 80.0, -40.0, 60.0, 0.0], [10.0, -40.0, 40.0, 90.0, 20.0, 50.0, 0.0]]
)


@pytest.fixture(scope="module")
def bounds(cube):
    return bounds_within(load_arm_model(cube.robot.model), np.asarray(cube.limits.velocity), 0.05)


@pytest.fixture
def choice(bounds):
    return PathChoice(bounds, bounds, KNOT, HORIZON, ARM_ANGLES, COMMITTED)


def turning(bounds, posture, distance, spin=0.0, at_rest=False):
    """The flange turns about its axis; A7 is `distance` [rad] below its limit and goes there with `spin`."""
    rows = np.tile(posture, (POSES, 1))
    rows[:, 6] = bounds.upper[6] - distance + spin * STEP * np.arange(POSES)
    T = np.array([flange_pose(bounds.lengths, bounds.signs, row) for row in rows])
    twist = np.zeros((POSES, 6))
    twist[:, 3:] = bounds.signs[6] * spin * T[0, :3, 2]
    return Task(T, twist, 0.0, STEP, rows[0], at_rest)


def cheapest(bounds, task):
    """Costs of the arm angle as it is and of the best ones, and these, from the knot before FIRST on."""
    angle, branch = arm_angle_and_branch(bounds.lengths, bounds.signs, task.q_0)
    start, knots = Start(task.q_0, angle, branch), LAST - FIRST + 1
    T = task.T[:knots].copy()  # which are all the same
    angles, branches = np.empty(knots), np.empty(knots, dtype=np.int64)
    work = workspace(knots, ARM_ANGLES)
    _, cost = branch_program(angles, branches, work, bounds, T, T, start, KNOT, WINDOW, INFINITE)
    return path_cost(bounds, T, np.full(knots, angle), start, KNOT), cost, angles


def test_another_path_must_cost_a_fifth_less(choice, bounds):
    """The nearer A7 is to its limit, the more it costs to stay: beyond 1.25 of the optimum it is left."""
    ratios = []
    for posture in POSTURES:
        for distance in (0.19, 0.175, 0.17, 0.165, 0.16, 0.14):
            task = turning(bounds, posture, distance)
            at_hand = choice.anchored(task)
            staying, best, _ = cheapest(bounds, task)
            chosen = choice.chosen(task, at_hand)
            assert chosen.fault == FEASIBLE
            assert np.array_equal(chosen.control, at_hand.control) == (best >= 0.8 * staying)
            ratios.append(best / staying)
    assert min(ratios) < 0.7 and max(ratios) <= 1.0 + 1e-9 and any(0.82 < ratio < 0.98 for ratio in ratios)


def test_what_is_committed_stays(choice, bounds):
    """A path that is cheaper from the first knot on leaves the one at hand only behind COMMITTED."""
    task = turning(bounds, POSTURES[0], 0.04)
    at_hand = choice.anchored(task)
    chosen = choice.chosen(task, at_hand)
    kept = round(COMMITTED / STEP) + 1
    assert chosen.arm_angles[:kept] == pytest.approx(at_hand.arm_angles[:kept], abs=1e-12)
    assert abs(chosen.arm_angles[-1] - at_hand.arm_angles[-1]) > np.deg2rad(5.0)


def test_the_steps_of_the_grid_are_smoothed(choice, bounds):
    """Free control points are the least squares of distance and four times the second difference."""
    task = turning(bounds, POSTURES[0], 0.04)
    at_hand = choice.anchored(task)
    control = choice.chosen(task, at_hand).control[: LAST + 2]  # the first stands a knot before the task
    raw = np.concatenate((at_hand.control[: FIRST + 1], cheapest(bounds, task)[2]))
    assert len(raw) == len(control)
    bending = 2.0 * np.diff(np.eye(len(raw)), 2, axis=0)
    rows, wanted = np.vstack((np.eye(len(raw)), bending)), np.r_[raw, np.zeros(len(bending))]
    fixed = rows[:, : FIRST + 1] @ raw[: FIRST + 1]
    free = np.linalg.lstsq(rows[:, FIRST + 1 :], wanted - fixed)[0]
    assert control == pytest.approx(np.r_[raw[: FIRST + 1], free], abs=1e-9)
    assert np.abs(control - raw).max() > np.deg2rad(0.5)


def test_a_path_that_reaches_no_further_is_not_taken(choice, bounds):
    """From the pose 75 on the flange is 3 m away: whatever is cheaper until then, nothing is gained."""
    task = turning(bounds, POSTURES[0], 0.04)
    task.T[75:, 0, 3] += 3.0
    at_hand = choice.anchored(task)
    chosen = choice.chosen(task, at_hand)
    assert (chosen.count, chosen.fault) == (75, REACH)
    assert np.array_equal(chosen.control, at_hand.control)


def test_from_rest_the_arm_angle_leaves_at_once(choice, bounds):
    """A7 meets its limit after 67 ms: too early for an arm angle under way, in time for one at rest."""
    moving = turning(bounds, POSTURES[0], 0.02, spin=0.3)
    under_way = choice.chosen(moving, choice.anchored(moving))
    assert (under_way.count, under_way.fault) == (4, LIMIT)
    task = turning(bounds, POSTURES[0], 0.02, spin=0.3, at_rest=True)
    chosen = choice.chosen(task, choice.anchored(task))
    assert (chosen.count, chosen.fault) == (POSES, FEASIBLE)
    assert chosen.q[0] == pytest.approx(task.q_0, abs=1e-9)  # the arm angle begins where it is
    assert np.all((chosen.q >= bounds.lower) & (chosen.q <= bounds.upper))
    assert np.all(np.abs(np.diff(chosen.q, axis=0)) <= bounds.velocity * STEP)
    for q, T in zip(chosen.q, task.T, strict=True):
        assert flange_pose(bounds.lengths, bounds.signs, q) == pytest.approx(T, abs=1e-10)
