"""Motion along a line of the joints, against finite differences of what it gives."""

import numpy as np
import pytest

from hil.configuration import Configuration
from planner.following.limits import MotionLimits
from planner.following.line_motion import GENTLE, LineMotion
from planner.kinematics.arm_model import load_arm_model

H = 0.002
SPEED = 0.05


@pytest.fixture
def limits(cube: Configuration) -> MotionLimits:
    return MotionLimits.from_configuration(load_arm_model(cube.robot.model), cube.limits)


def driven(motion: LineMotion, until: float = np.inf) -> np.ndarray:
    """All states until it is over, or until a time [s], shape (n, 3, 7)."""
    states = []
    while not motion.over and len(states) * H < until:
        states.append(motion.step(H))
    return np.array(states)


def test_it_ends_exactly_at_rest_at_its_end_within_speed_and_gentle_limits(limits: MotionLimits) -> None:
    """Of the joint that turns farthest; acceleration and jerk by finite differences of the positions."""
    begin, end = np.zeros(7), np.array([0.2, -0.1, 0.0, 0.05, 0.0, -0.3, 0.01])
    states = driven(LineMotion(begin, end, SPEED, limits))
    assert (states[-1, 0] == end).all() and not states[-1, 1:].any()
    q = np.concatenate((begin[None], states[:, 0]))
    v = np.diff(q, axis=0) / H
    assert np.abs(v).max() <= SPEED * (1.0 + 1e-9) and np.abs(v).max() > 0.99 * SPEED
    a, j = np.diff(v, axis=0) / H, np.diff(v, 2, axis=0) / H**2
    assert (np.abs(a) <= GENTLE * limits.acceleration * (1.0 + 1e-6)).all()
    assert (np.abs(j) <= GENTLE * limits.jerk * (1.0 + 1e-4)).all()
    assert np.allclose(states[1:, 1], np.gradient(states[:, 0], H, axis=0)[1:], atol=GENTLE * 30.0 * H)


def test_it_never_leaves_the_line_also_while_it_brakes(limits: MotionLimits) -> None:
    """Braked at any moment: it stays on the line, stands in a bounded time, and never turns back."""
    begin, end = np.zeros(7), np.array([0.2, -0.1, 0.0, 0.05, 0.0, -0.3, 0.01])
    for after in (0.004, 0.05, 0.2, 1.0, 3.0, 5.9):
        motion = LineMotion(begin, end, SPEED, limits)
        states = driven(motion, after)
        motion.brake()
        states = np.concatenate((states, driven(motion)))
        s = states[:, 0, 5] / end[5]
        assert np.abs(states[:, 0] - s[:, None] * end).max() < 1e-15
        assert not states[-1, 1:].any() and (np.diff(s) >= -1e-15).all()
        rates = np.diff(np.concatenate((begin[None], states[:, 0])), axis=0) / H
        a = np.diff(rates, axis=0) / H
        assert (np.abs(a) <= limits.acceleration * (1.0 + 1e-6)).all()
        assert (len(states) * H - after) < 0.1 + 2.0 * SPEED / limits.acceleration.min()


def test_a_brake_that_is_over_stays_where_it_is(limits: MotionLimits) -> None:
    """And does not jump to the end of the line."""
    motion = LineMotion(np.zeros(7), np.full(7, 0.5), SPEED, limits)
    driven(motion, 1.0)
    motion.brake()
    rest = driven(motion)[-1, 0]
    motion.brake()
    assert (motion.step(H)[0] == rest).all() and rest[0] < 0.1


def test_the_joints_own_speeds_bound_it_too(limits: MotionLimits) -> None:
    """Asked for more than a joint can."""
    motion = LineMotion(np.zeros(7), np.full(7, 20.0), 1e3, limits)
    v = driven(motion)[:, 1]
    assert (np.abs(v) <= limits.velocity * (1.0 + 1e-9)).all()
