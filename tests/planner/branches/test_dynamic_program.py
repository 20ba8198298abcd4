"""The branch program finds the optimum: against brute force over every sequence."""

from pathlib import Path

import numpy as np
import pytest

from planner.branches.bounds import bounds_within
from planner.branches.dynamic_program import (
    EVENNESS,
    INFINITE,
    LIMIT_WEIGHT,
    LIMIT_ZONE,
    Start,
    branch_program,
    path_cost,
    workspace,
)
from planner.kinematics.arm_model import load_arm_model
from planner.kinematics.forward import flange_pose
from planner.kinematics.inverse import SHOULDER, WRIST, arm_angle_and_branch, solve_into

MODEL = load_arm_model(Path(__file__).parents[3] / "configs" / "robots" / "lwr4.urdf")
BOUNDS = bounds_within(MODEL, MODEL.velocity, 0.02)
ARM_ANGLES, WINDOW = 12, 1
GRID = 2.0 * np.pi / ARM_ANGLES


def wandering(seed, knots, stride):
    """Poses of random but smooth joints, with those halfway, and joints to start from."""
    rng = np.random.default_rng(seed)
    q = rng.uniform(0.7 * BOUNDS.lower, 0.7 * BOUNDS.upper)
    if seed % 3 == 0:
        q[5] = rng.uniform(-0.1, 0.1)  # the wrist nearly straight: branches may change
    turn = rng.normal(size=7) * stride
    path = q + 0.5 * np.arange(2 * knots + 1)[:, None] * turn
    T = np.array([flange_pose(MODEL.lengths, MODEL.signs, row) for row in path])
    angle, branch = arm_angle_and_branch(MODEL.lengths, MODEL.signs, q)
    return T[2::2].copy(), T[1::2].copy(), Start(q, angle, branch)


def program(T, T_halfway, start, dt, bound=INFINITE, work=None, window=WINDOW):
    angles, branches = np.zeros(len(T)), np.zeros(len(T), dtype=np.int64)
    work = workspace(len(T), ARM_ANGLES) if work is None else work
    reached, cost = branch_program(angles, branches, work, BOUNDS, T, T_halfway, start, dt, window, bound)
    return reached, cost, angles[:reached], branches[:reached]


def solution(T, angle, branch, near):
    q = np.empty(7)
    return q if solve_into(q, BOUNDS.lengths, BOUNDS.signs, T, angle, branch, near) else None


def within(q):
    return q is not None and np.all(q >= BOUNDS.lower) and np.all(q <= BOUNDS.upper)


def charged(a, b, dt):
    """The cost of a step and of its target, as the theory says it; None if it is not allowed."""
    d = np.abs(b - a) / (BOUNDS.velocity * dt)
    if d.max() > 1.0:
        return None
    nearness = 1.0 - np.minimum(b - BOUNDS.lower, BOUNDS.upper - b) / LIMIT_ZONE
    return d.max() ** 2 + EVENNESS * d @ d, LIMIT_WEIGHT * np.sum(np.maximum(nearness, 0.0) ** 2)


def brute_force(T, T_halfway, start, dt):
    """All sequences that reach the last knot that any reaches, by trying every one: costs, last angles."""
    level = [(start.q, 0, start.branch, 0.0)]
    reached = 0
    for k in range(len(T)):
        following = []
        for q, j, branch, cost in level:
            for moved in range(-WINDOW, WINDOW + 1):
                for flip in (0, SHOULDER, WRIST, SHOULDER | WRIST):
                    if flip & SHOULDER and abs(q[1]) > BOUNDS.velocity[1] * dt:
                        continue
                    if flip & WRIST and abs(q[5]) > BOUNDS.velocity[5] * dt:
                        continue
                    angle = start.arm_angle + (j + moved) * GRID
                    target = solution(T[k], angle, branch ^ flip, start.q)
                    if not within(target):
                        continue
                    step = charged(q, target, dt)
                    if step is None:
                        continue
                    if step[0] > 0.25:
                        middle = solution(T_halfway[k], angle - 0.5 * moved * GRID, branch ^ flip, q)
                        if not within(middle):
                            continue
                        if charged(q, middle, 0.5 * dt) is None or charged(middle, target, 0.5 * dt) is None:
                            continue
                    following.append((target, j + moved, branch ^ flip, cost + sum(step)))
        if not following:
            break
        level, reached = following, k + 1
    return reached, [(entry[3], start.arm_angle + entry[1] * GRID) for entry in level] if reached else []


@pytest.mark.parametrize("stride", [0.05, 0.3])
def test_optimum_of_brute_force_is_found(stride):
    """Over every sequence of 4 knots: the same depth, the same least cost, the arm angle turned as far."""
    depths, sequences, turned = set(), 0, []
    for seed in range(25):
        T, T_halfway, start = wandering(seed, 4, stride)
        expected, ends = brute_force(T, T_halfway, start, 0.5)
        reached, cost, angles, _ = program(T, T_halfway, start, 0.5)
        assert reached == expected, seed
        depths.add(reached)
        sequences += len(ends)
        if reached:
            assert (cost, angles[-1]) == pytest.approx(min(ends), rel=1e-9), seed
            turned.append(angles[-1] - start.arm_angle)
    assert sequences > 200 and (stride < 0.1 or len(depths) > 1)  # the cases are no trivial ones
    assert min(turned) < 0.0  # the arm angle turns backwards in some


def test_sequence_is_worth_its_cost():
    """The arm angles that are written, charged step by step, cost what is said."""
    for seed in (1, 2, 4, 5, 7):
        T, T_halfway, start = wandering(seed, 6, 0.1)
        reached, cost, angles, _ = program(T, T_halfway, start, 0.5)
        assert path_cost(BOUNDS, T[:reached], angles, start, 0.5) == pytest.approx(cost)
        assert np.abs(np.diff(np.r_[start.arm_angle, angles])).max() < (WINDOW + 0.01) * GRID


def test_bound_only_rejects_what_costs_more():
    """A bound just above the optimum changes nothing; just below it nothing reaches the end."""
    found = 0
    for seed in range(12):
        T, T_halfway, start = wandering(seed, 5, 0.1)
        reached, cost, angles, _ = program(T, T_halfway, start, 0.5)
        if reached < len(T):
            continue
        found += 1
        again = program(T, T_halfway, start, 0.5, cost * (1 + 1e-6))
        assert again[0] == reached and np.array_equal(again[2], angles)
        assert program(T, T_halfway, start, 0.5, cost * (1 - 1e-6))[0] < len(T)
    assert found > 3


def test_memory_that_was_used_before_changes_nothing():
    """A program in the memory of another gives what it gives in memory of its own."""
    work = workspace(5, ARM_ANGLES)
    for seed in range(8):
        T, T_halfway, start = wandering(seed, 5, 0.1)
        fresh, used = program(T, T_halfway, start, 0.5), program(T, T_halfway, start, 0.5, work=work)
        assert used[:2] == fresh[:2] and np.array_equal(used[2], fresh[2])


@pytest.mark.parametrize("joint", [4, 6])
def test_no_step_passes_a_limit_halfway(joint):
    """A6 takes a long step; A5 or A7, within its limit before and behind, is within or beyond halfway."""
    q = np.deg2rad([20.0, -50.0, 30.0, 80.0, 40.0, 40.0, 10.0])
    q[joint] = BOUNDS.upper[joint] - 0.03
    angle, branch = arm_angle_and_branch(MODEL.lengths, MODEL.signs, q)
    to = q.copy()
    to[5] += 0.6 * BOUNDS.velocity[5] * 0.2
    for excess, reached in ((-0.01, 1), (0.01, 0)):
        halfway = 0.5 * (q + to)
        halfway[joint] = BOUNDS.upper[joint] + excess
        T, T_halfway = (flange_pose(MODEL.lengths, MODEL.signs, row)[None] for row in (to, halfway))
        assert program(T, T_halfway, Start(q, angle, branch), 0.2, window=0)[0] == reached


def test_depth_ends_before_a_pose_out_of_reach():
    """The third pose lies 3 m away: the program reaches two knots, whatever comes behind."""
    T, T_halfway, start = wandering(1, 5, 0.02)
    T[2, :3, 3] = [3.0, 0.0, 0.0]
    reached, cost, angles, _ = program(T, T_halfway, start, 0.5)
    assert reached == 2 and cost < INFINITE and len(angles) == 2
    T[0, :3, 3] = [3.0, 0.0, 0.0]
    assert program(T, T_halfway, start, 0.5)[0] == 0


def test_wrist_passing_beside_straight_is_prepared():
    """The wrist passes 1 degree beside straight within 1 s: greedy breaks the limit, the program does not."""
    knots, dt = 20, 0.1
    q = np.deg2rad(np.tile([0.0, -50.0, 20.0, 80.0, 30.0, 0.0, 10.0], (2 * knots + 1, 1)))
    bend = np.linspace(-0.6, 0.6, 2 * knots + 1)
    T = np.array([flange_pose(MODEL.lengths, MODEL.signs, row) for row in q])
    side = np.deg2rad(1.0)
    for i, angle in enumerate(bend):
        c, s, cs, ss = np.cos(angle), np.sin(angle), np.cos(side), np.sin(side)
        tilt = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]) @ np.array([[1, 0, 0], [0, cs, -ss], [0, ss, cs]])
        wrist = T[i, :3, 3] - MODEL.lengths[3] * T[i, :3, 2]
        T[i, :3, :3] = T[i, :3, :3] @ tilt
        T[i, :3, 3] = wrist + MODEL.lengths[3] * T[i, :3, 2]
    row = q[0].copy()
    angle, _ = arm_angle_and_branch(MODEL.lengths, MODEL.signs, row)
    start_q = solution(T[0], angle, WRIST, row)
    start = Start(start_q, angle, WRIST)
    angles, branches = np.zeros(knots), np.zeros(knots, dtype=np.int64)
    work = workspace(knots, 72)
    T_knots, T_halfway = T[2::2].copy(), T[1::2].copy()
    reached, _ = branch_program(angles, branches, work, BOUNDS, T_knots, T_halfway, start, dt, 3, INFINITE)
    assert reached == knots
    kept = path_cost(BOUNDS, T_knots, np.full(knots, angle), start, dt)
    assert kept == INFINITE  # with the arm angle as it is the wrist would have to turn too fast
    assert path_cost(BOUNDS, T_knots, angles, start, dt) < INFINITE
