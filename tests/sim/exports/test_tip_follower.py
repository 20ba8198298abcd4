"""The command at the tip: references go there, stay within limits, and near to what is out of reach."""

import numpy as np
import pytest

from sim.assembly.manipulator import Manipulator, manipulator_of
from sim.chain.kinematics import jacobian, tip_pose
from sim.exports.swing import home_of
from sim.exports.tip_follower import RATE, follow_tip, pose_of_vector, pose_vector
from tests.sim.chain.chains import random_pose
from tests.sim.exports.arms import arm_named

H = 0.001


@pytest.fixture(scope="module")
def made() -> Manipulator:
    """An arm of seven joints, one of them linear."""
    return manipulator_of(arm_named("drawn-7"))


def followed(made: Manipulator, q: np.ndarray, command: np.ndarray, steps: int) -> list[np.ndarray]:
    """References after each step."""
    path = []
    for _ in range(steps):
        q, _ = follow_tip(made.chain, q, command, made.lower, made.upper, made.speeds, H)
        path.append(q)
    return path


def test_the_error_falls_with_its_rate(made: Manipulator) -> None:
    """From 1 cm away: after t it is exp(-w t) of what it was, and it comes to nothing."""
    start = home_of(made) + 0.1 * np.cos(np.arange(len(made.axes)))
    command = tip_pose(made.chain, start + 0.01 * np.sin(np.arange(len(made.axes))))
    assert np.linalg.svd(jacobian(made.chain, start))[1][-1] > 0.1  # far from singular
    path = followed(made, start, command, 1000)
    errors = [
        np.linalg.norm(tip_pose(made.chain, q)[:3, 3] - command[:3, 3]) for q in (start, path[99], path[-1])
    ]
    assert errors[1] == pytest.approx(errors[0] * np.exp(-RATE * 0.1), rel=0.15)
    assert errors[2] < 1e-8


def test_limits_hold_and_what_is_out_of_reach_is_neared(made: Manipulator) -> None:
    """A command 5 m away: no limit of position or speed is passed, and in the end nothing trembles."""
    start = home_of(made)
    command = tip_pose(made.chain, start)
    command[:3, 3] += 5.0
    path = np.array([start, *followed(made, start, command, 6000)])
    assert (path >= made.lower).all() and (path <= made.upper).all()
    assert (np.abs(np.diff(path, axis=0)) <= made.speeds * H * (1 + 1e-9)).all()
    distances = [np.linalg.norm(tip_pose(made.chain, q)[:3, 3] - command[:3, 3]) for q in path]
    assert distances[-1] < distances[0] - 0.3
    assert np.isfinite(path).all() and np.ptp(distances[-500:]) < 0.02


def test_poses_and_their_six_numbers_are_one(made: Manipulator) -> None:
    """There and back."""
    rng = np.random.default_rng(2)
    for _ in range(20):
        T = random_pose(rng)
        np.testing.assert_allclose(pose_of_vector(pose_vector(T)), T, atol=1e-14)
