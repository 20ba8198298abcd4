"""Closed-form inverse kinematics: exact at every branch and arm angle, well-behaved where it is singular."""

from pathlib import Path

import numpy as np
import pytest

from planner.kinematics.arm_model import load_arm_model
from planner.kinematics.forward import flange_pose
from planner.kinematics.inverse import (
    BRANCHES,
    ELBOW,
    SHOULDER,
    WRIST,
    arm_angle_and_branch,
    solve_grid,
    solve_into,
)
from planner.kinematics.inverse_solution import inverse_solutions

MODEL = load_arm_model(Path(__file__).parents[3] / "configs" / "robots" / "lwr4.urdf")
LENGTHS, SIGNS = MODEL.lengths, MODEL.signs
EXACT = 1e-12  # [1 and m] of pose entries: rounding of some 50 operations on numbers of order 1


def solved(T, arm_angle, branch, q_near=None, lengths=LENGTHS, signs=SIGNS):
    q = np.empty(7)
    near = np.zeros(7) if q_near is None else q_near
    assert solve_into(q, lengths, signs, T, arm_angle, branch, near)
    return q


def test_every_branch_and_arm_angle_reaches_the_pose():
    """Forward kinematics of each of 8 branches at random arm angles gives the pose to 1e-12."""
    rng = np.random.default_rng(1)
    for _ in range(200):
        T = flange_pose(LENGTHS, SIGNS, rng.uniform(MODEL.lower, MODEL.upper))
        for branch in range(BRANCHES):
            q = solved(T, rng.uniform(-np.pi, np.pi), branch)
            assert np.abs(flange_pose(LENGTHS, SIGNS, q) - T).max() < EXACT
            assert np.all(np.abs(q) <= np.pi + 1e-15)


def test_other_lengths_and_signs_are_solved_as_well():
    """Nothing rests on this one arm: random arms with random axis directions, to 1e-12."""
    rng = np.random.default_rng(2)
    for _ in range(100):
        lengths, signs = rng.uniform(0.05, 0.6, 4), rng.choice([-1.0, 1.0], 7)
        q = rng.uniform(-2.0, 2.0, 7)
        T = flange_pose(lengths, signs, q)
        arm_angle, branch = arm_angle_and_branch(lengths, signs, q)
        again = solved(T, arm_angle, branch, q, lengths, signs)
        assert again == pytest.approx(q, abs=1e-7)
        assert np.abs(flange_pose(lengths, signs, again) - T).max() < EXACT


def test_arm_angle_and_branch_invert_the_solution():
    """Joints -> pose, arm angle, branch -> the same joints; and (angle, branch) -> joints -> the same."""
    rng = np.random.default_rng(3)
    for _ in range(300):
        q = rng.uniform(MODEL.lower, MODEL.upper)
        arm_angle, branch = arm_angle_and_branch(LENGTHS, SIGNS, q)
        again = solved(flange_pose(LENGTHS, SIGNS, q), arm_angle, branch, q)
        # conditioning: an error of rounding is divided by the sine of the nearest straight joint
        bend = np.min(np.abs(np.sin(q[1::2])))
        assert np.abs(again - q).max() < 1e-13 / bend + 1e-13
        wanted_angle, wanted_branch = rng.uniform(-np.pi, np.pi), int(rng.integers(8))
        other = solved(flange_pose(LENGTHS, SIGNS, q), wanted_angle, wanted_branch)
        found_angle, found_branch = arm_angle_and_branch(LENGTHS, SIGNS, other)
        assert found_branch == wanted_branch
        assert np.abs(np.exp(1j * found_angle) - np.exp(1j * wanted_angle)) < 1e-9


@pytest.mark.parametrize(("joint", "flip"), [(1, SHOULDER), (5, WRIST)])
def test_straight_shoulder_and_wrist_are_crossed_without_a_jump(joint, flip):
    """Bending a joint from -20 to 20 degrees through exactly 0: the nearest branch gives that path back."""
    q = np.deg2rad([20.0, -40.0, 30.0, 70.0, -50.0, 40.0, 10.0])
    arm_angle = None
    before = q.copy()
    before[joint] = np.deg2rad(-20.0)
    for degrees in np.linspace(-20.0, 20.0, 101):
        q[joint] = np.deg2rad(degrees)
        T = flange_pose(LENGTHS, SIGNS, q)
        arm_angle, branch = arm_angle_and_branch(LENGTHS, SIGNS, q)
        both = [solved(T, arm_angle, b, before) for b in (branch, branch ^ flip)]
        nearest = min(both, key=lambda solution: np.abs(solution - before).max())
        assert np.abs(nearest - q).max() < 1e-9
        for solution in both:
            assert np.abs(flange_pose(LENGTHS, SIGNS, solution) - T).max() < EXACT
        before = nearest


@pytest.mark.parametrize("joint", [1, 3, 5])
def test_exact_on_and_beside_singular_postures(joint):
    """At 0 and 1e-15 to 1e-3 rad beside it, alone and with a second straight joint, the pose is reached."""
    rng = np.random.default_rng(4)
    for second in (None, 1, 3, 5):
        for small in (0.0, 1e-15, 1e-12, 1e-9, 1e-6, 1e-3):
            q = rng.uniform(0.5 * MODEL.lower, 0.5 * MODEL.upper)
            q[joint] = small
            if second is not None:
                q[second] = -small
            T = flange_pose(LENGTHS, SIGNS, q)
            arm_angle, branch = arm_angle_and_branch(LENGTHS, SIGNS, q)
            again = solved(T, arm_angle, branch, q)
            assert np.abs(flange_pose(LENGTHS, SIGNS, again) - T).max() < EXACT


def test_choice_at_a_straight_joint_is_the_callers():
    """With q2 = q6 = 0 only q1 + q3 and q5 + q7 are fixed: q1 and q5 come from the joints handed in."""
    q = np.array([0.4, 0.0, 0.3, 1.2, -0.6, 0.0, 0.5])
    T = flange_pose(LENGTHS, SIGNS, q)
    arm_angle, branch = arm_angle_and_branch(LENGTHS, SIGNS, q)
    near = q + np.array([0.2, 0.0, 0.0, 0.0, -0.1, 0.0, 0.0])
    for flip in (0, SHOULDER, WRIST, SHOULDER | WRIST):  # which leaves straight joints as they are
        again = solved(T, arm_angle, branch ^ flip, near)
        assert again[[0, 4]] == pytest.approx(near[[0, 4]], abs=1e-12)
        assert again[0] + again[2] == pytest.approx(q[0] + q[2], abs=1e-12)
        assert again[4] + again[6] == pytest.approx(q[4] + q[6], abs=1e-12)
        assert np.abs(flange_pose(LENGTHS, SIGNS, again) - T).max() < EXACT


def test_arm_angle_does_not_jump_above_the_base():
    """The wrist passes 1 mm beside the base's axis: at constant arm angle the joints move continuously."""
    down = np.diag([1.0, -1.0, -1.0])
    elbows = []
    for x in np.linspace(-0.02, 0.02, 81):
        T = np.eye(4)
        T[:3, :3] = down
        T[:3, 3] = [x, 0.001, 0.85]
        q = solved(T, 0.7, 0)
        # the same arm cut off behind its elbow
        elbows.append(flange_pose(np.array([*LENGTHS[:2], 0.0, 0.0]), SIGNS, q)[:3, 3])
    steps = np.linalg.norm(np.diff(elbows, axis=0), axis=1)
    assert steps.max() < 0.001  # for 0.5 mm of wrist motion; the base's vertical as reference gives 150 mm


def test_grid_filters_by_the_limits():
    """The grid holds what single solutions give, valid exactly where each joint is within its limits."""
    rng = np.random.default_rng(5)
    T = np.array([flange_pose(LENGTHS, SIGNS, rng.uniform(MODEL.lower, MODEL.upper)) for _ in range(5)])
    T[3, :3, 3] = [3.0, 0.0, 0.0]  # out of reach
    angles = np.linspace(-3.0, 3.0, 7)
    q, valid = np.empty((5, 7, 8, 7)), np.empty((5, 7, 8), dtype=np.bool_)
    lower, upper = MODEL.lower + 0.1, MODEL.upper - 0.2
    near = rng.uniform(-1.0, 1.0, 7)
    count = solve_grid(q, valid, LENGTHS, SIGNS, lower, upper, T, angles, near)
    assert count == valid.sum() > 0
    assert not valid[3].any()
    for i in (0, 1, 2, 4):
        for j in range(7):
            for branch in range(8):
                assert q[i, j, branch] == pytest.approx(solved(T[i], angles[j], branch, near), abs=1e-14)
        assert np.array_equal(valid[i], np.all((q[i] >= lower) & (q[i] <= upper), axis=-1))


def test_reach_ends_where_the_arm_is_stretched_or_folded():
    """0.79 m from the shoulder is the last wrist place; |0.40 - 0.39| m the first."""
    q = np.empty(7)
    T = np.eye(4)
    for distance, reached in ((0.79, True), (0.7901, False), (0.011, True), (0.0099, False)):
        T[2, 3] = LENGTHS[0] + distance + LENGTHS[3]
        assert solve_into(q, LENGTHS, SIGNS, T, 0.3, 0, np.zeros(7)) == reached
        if reached:
            assert np.abs(flange_pose(LENGTHS, SIGNS, q) - T).max() < 1e-9


def test_elbow_flip_mirrors_the_elbow_joint():
    """The branch bits name the signs of a2, a4 and a6."""
    T = flange_pose(LENGTHS, SIGNS, np.array([0.1, -0.7, 0.2, 1.1, 0.3, 0.8, -0.4]))
    for branch in range(8):
        a = SIGNS * solved(T, 0.2, branch)
        for bit, joint in ((SHOULDER, 1), (ELBOW, 3), (WRIST, 5)):
            assert (a[joint] < 0.0) == bool(branch & bit)


def test_solutions_carry_their_proof():
    """Residuals are those of forward kinematics, all within the limits, best margin first."""
    q = np.deg2rad([10.0, -60.0, 5.0, 90.0, 0.0, 60.0, 20.0])
    T = flange_pose(LENGTHS, SIGNS, q)
    solutions = inverse_solutions(MODEL, T, np.linspace(-np.pi, np.pi, 36), q)
    margins = [solution.limit_margin for solution in solutions]
    assert len(solutions) > 20 and margins == sorted(margins, reverse=True) and margins[-1] >= 0.0
    for solution in solutions:
        assert solution.position_error < EXACT and solution.orientation_error < 1e-7
        margin = np.min(np.minimum(solution.q - MODEL.lower, MODEL.upper - solution.q))
        assert solution.limit_margin == pytest.approx(margin)
    T[0, 3] = 5.0
    assert inverse_solutions(MODEL, T, np.zeros(1), q) == []
