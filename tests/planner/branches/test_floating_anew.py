"""What is kept from plan to plan is kept within one floating only: joints, pace, bounces just passed."""

import numpy as np
import pytest

from hil.configuration.frames import Frames
from planner.branches.path_planner import PathPlanner
from planner.kinematics.arm_model import load_arm_model
from tests.planner.branches.object_paths import folding_path, prediction_of, resting_path

START = np.deg2rad([0.0, -60.0, 0.0, 90.0, 0.0, 60.0, 0.0])
OTHER = START * [1, 1, 1, 1, 1, -1, 1] + [0, 0, 0, 0, np.pi - 0.4, 0, -2.7]  # the wrist bent the other way


@pytest.fixture(scope="module")
def model(cube):
    return load_arm_model(cube.robot.model)


@pytest.fixture
def planner(model, cube):
    return PathPlanner(model, cube)


@pytest.fixture
def resting(model, cube):
    """Predictions of an object that rests where given joints hold it."""
    frames = Frames.from_configuration(cube)
    return lambda q, s, **fields: prediction_of(resting_path(model, frames, q), s, **fields)


def test_behind_a_gap_in_object_time_the_commanded_joints_hold(planner, resting):
    """Within the last plan's 2 s a plan goes on from it; behind its end, or before it, from the command."""
    assert planner.step(resting(START, 0.0), START).q[0] == pytest.approx(START, abs=1e-9)
    assert planner.step(resting(START, 1.9), OTHER).q[0] == pytest.approx(START, abs=1e-9)
    assert planner.step(resting(OTHER, 3.92), OTHER).q[0] == pytest.approx(OTHER, abs=1e-9)
    assert planner.step(resting(START, 3.9), START).q[0] == pytest.approx(START, abs=1e-9)


def test_a_hold_ends_with_its_floating(planner, model, cube, resting):
    """0.2 s before the exit a floating that was held stays held; a new one goes at a third of the pace."""
    frames = Frames.from_configuration(cube)
    path, q = folding_path(model, frames, cube.planner.limit_margin, 0.21)
    for epoch, expected in ((1, ("HOLD", 0.0)), (2, ("SLOW", 1.0 / 3.0))):
        away = resting(START, 0.0, epoch=1)
        away.p_world_object[:] += 3.0
        assert planner.step(away, q).policy == "HOLD"
        plan = planner.step(prediction_of(path, 0.0, epoch=epoch), q)
        assert plan.depth == pytest.approx(0.2)
        assert (plan.policy, plan.time_rate) == (expected[0], pytest.approx(expected[1]))


def test_a_bounce_of_the_last_floating_is_forgotten(planner, resting):
    """One ends 50 ms behind a bounce; where the next rests, nothing moves."""
    bouncing = resting(START, 0.0, epoch=1, bounces=(1.95,))
    bouncing.twist_world_object[98:, 1] = 0.1  # at the bounce, and only there, speeds jump
    assert planner.step(bouncing, START).ddq[95:].any()
    plan = planner.step(resting(START, 2.0, epoch=2), START)
    assert plan.q[0] == pytest.approx(START, abs=1e-12)
    assert np.abs(plan.dq).max() < 1e-9 and np.abs(plan.ddq).max() < 1e-6
