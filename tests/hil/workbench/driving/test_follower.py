"""Commands within limits: of the tip, of the joints; what is lost comes to rest."""

import numpy as np
import pytest

from hil.common.errors import SourceLost
from hil.workbench.driving.follower import Follower, TwistLimits, towards
from hil.workbench.driving.joint_follower import JointFollower
from hil.workbench.driving.rigid import halves, moved, way
from hil.workbench.driving.smoothing import Smoothing

DT = 0.004
LIMITS = TwistLimits(0.2, 0.8, 0.5, 2.0)


class Poses:
    """A path by a function of time."""

    def __init__(self, pose):
        self.pose = pose


class Twists:
    """A hand by a function of time."""

    def __init__(self, twist):
        self.twist = twist


def shifted(*six):
    return moved(np.eye(4), np.array(six, float))


def run(follower, source, seconds):
    """The commanded twists, a row a step."""
    rows = []
    for k in range(round(seconds / DT)):
        follower.step(source, k * DT, DT)
        rows.append(follower.twist)
    return np.array(rows)


def assert_within(rows):
    """Speeds and accelerations of both halves keep to the limits."""
    for half, speed, rate in ((slice(0, 3), 0.2, 0.5), (slice(3, 6), 0.8, 2.0)):
        assert np.linalg.norm(rows[:, half], axis=1).max() <= speed * (1 + 1e-9)
        changes = np.linalg.norm(np.diff(rows[:, half], axis=0, prepend=0), axis=1)
        assert changes.max() <= rate * DT * (1 + 1e-9)


def test_ways_and_moves_are_inverse():
    """moved(A, way(A, B)) is B, for any two poses, half a turn apart too."""
    rng = np.random.default_rng(1)
    for _ in range(200):
        A, B = (shifted(*rng.normal(size=6) * 2.0) for _ in range(2))
        np.testing.assert_allclose(moved(A, way(A, B)), B, atol=1e-12)
    A, B = np.eye(4), shifted(1, 2, 3, np.pi, 0, 0)
    np.testing.assert_allclose(moved(A, way(A, B)), B, atol=1e-12)


def test_a_jump_is_reached_without_passing_it_by():
    """A pose that jumps: the way there never turns, and ends; the time is that of a trapezium of speed."""
    follower, target = Follower(np.eye(4), LIMITS), shifted(0.3, -0.1, 0.2, 0.5, 0.0, -0.3)
    source, left = Poses(lambda t: target), []
    rows = []
    for k in range(1000):
        follower.step(source, k * DT, DT)
        rows.append(follower.twist)
        left.append(halves(way(follower.T, target)))
    assert_within(np.array(rows))
    left = np.array(left)
    assert np.diff(left, axis=0).max() <= 1e-12, "it only comes nearer"
    assert left[-1].max() < 1e-9
    length = np.sqrt(0.14)
    trapezium = length / 0.2 + 0.2 / 0.5
    there = DT * np.argmax(left[:, 0] < 1e-4)
    assert trapezium - 0.1 <= there <= trapezium + 0.15


def test_a_path_within_the_limits_is_followed_exactly():
    """From its first pose on; and a path that is elsewhere is met and then followed."""

    def pose(t):
        s = max(0.0, t - 0.1)
        return shifted(0.05 * (1 - np.cos(s)), 0.05 * (s - np.sin(s)), 0, 0, 0.1 * (1 - np.cos(s)), 0)

    follower = Follower(pose(0.0), LIMITS)
    for k in range(500):
        follower.step(Poses(pose), k * DT, DT)
        np.testing.assert_allclose(follower.T, pose((k + 1) * DT), atol=1e-12)
        assert not follower.limited
    far = Follower(shifted(0.2, 0, 0.1, 0, 0, 1.0), LIMITS)
    assert_within(run(far, Poses(pose), 6.0))
    np.testing.assert_allclose(far.T, pose(6.0), atol=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_no_wish_breaks_a_limit(seed):
    """Hands that jump about, far beyond what is allowed."""
    rng = np.random.default_rng(seed)
    wishes = rng.normal(size=(40, 6)) * 3.0
    assert_within(run(Follower(np.eye(4), LIMITS), Twists(lambda t: wishes[int(t / 0.05) % 40]), 2.0))


def test_a_lost_source_is_a_wish_for_rest():
    """Its error comes through before anything moves; then the speed falls at the limit's rate to 0."""

    def gone(t):
        raise SourceLost("gone")

    follower = Follower(np.eye(4), LIMITS)
    run(follower, Twists(lambda t: np.array([1.0, 0, 0, 0, 0, 1.0])), 1.0)
    T, before = follower.T.copy(), follower.twist.copy()
    with pytest.raises(SourceLost):
        follower.step(Twists(gone), 1.0, DT)
    assert np.array_equal(follower.T, T) and np.array_equal(follower.twist, before)
    rows = run(follower, None, 1.0)
    assert_within(np.diff(rows, axis=0, prepend=[before]).cumsum(axis=0))
    standing = DT * np.argmax(~rows.any(axis=1))
    assert standing == pytest.approx(0.2 / 0.5, abs=2 * DT)
    assert not rows[-1].any()


def test_a_new_path_is_met_as_it_is():
    """After one path and a hand, a path that begins where the tip is moves nothing: the old is forgotten."""
    follower = Follower(np.eye(4), LIMITS)
    run(follower, Poses(lambda t: np.eye(4)), 0.1)
    run(follower, Twists(lambda t: np.array([0.1, 0, 0, 0, 0, 0]) * (t < 0.5)), 1.0)
    assert follower.T[0, 3] == pytest.approx(0.05) and not follower.twist.any()
    there = follower.T.copy()
    follower.forget()
    assert not run(follower, Poses(lambda t: there), 0.1).any() and not follower.limited


def test_towards_stops_in_time():
    """Losing speed at the limit's rate from each such speed on, the end is reached exactly."""
    for length in np.geomspace(1e-9, 0.03, 60):
        s, way_left = towards(np.array([length, 0, 0, 0, 0, 0]), LIMITS, DT)[0], length
        assert 0.0 < s <= 0.2
        while s > 1e-12:
            way_left -= s * DT
            s = max(0.0, s - 0.5 * DT)
        assert way_left == pytest.approx(0.0, abs=1e-9 * length + 1e-15)


def test_joints_follow_exactly_until_they_would_be_too_fast():
    """A slow sine exactly; a jump with bounded speed and acceleration, without passing by."""
    speeds = np.array([1.0, 2.0])
    joints = JointFollower(np.zeros(2), speeds, ramp=0.2)
    for k in range(1, 300):
        wanted = 0.1 * (1 - np.cos(k * DT)) * np.ones(2)
        np.testing.assert_allclose(joints.step(wanted, DT), wanted, atol=1e-12)
        assert not joints.late
    target, begun = np.array([2.0, -1.0]), joints.q.copy()
    rows = [np.concatenate([joints.q, joints.dq])]
    for _ in range(1000):
        joints.step(target, DT)
        rows.append(np.concatenate([joints.q, joints.dq]))
    rows = np.array(rows)
    assert (np.abs(rows[:, 2:]) <= speeds * (1 + 1e-9)).all()
    assert (np.abs(np.diff(rows[:, 2:], axis=0)) <= speeds / 0.2 * DT * (1 + 1e-9)).all()
    np.testing.assert_allclose(joints.q, target, atol=1e-9)
    away = (target - rows[:, :2]) * np.sign(target - begun)
    assert away.min() > -1e-9, "not beyond"


def test_joints_that_are_wanted_too_fast_fall_behind():
    """Wanted at three times their speeds: never faster than they may, told, there at the end."""
    speeds = np.array([1.0, 2.0])
    joints = JointFollower(np.zeros(2), speeds, ramp=0.2)
    for k in range(1, 126):
        joints.step(3.0 * speeds * k * DT, DT)
        assert (np.abs(joints.dq) <= speeds * (1 + 1e-9)).all() and joints.late
    np.testing.assert_allclose(joints.dq, speeds)
    for _ in range(600):
        joints.step(1.5 * speeds, DT)
    np.testing.assert_allclose(joints.q, 1.5 * speeds, atol=1e-9)
    assert not joints.late


def test_smoothing_is_a_line_for_a_line_and_has_no_jump():
    """Steady commands give steady references half a command late; any commands give continuous velocity."""
    shares = np.array([0.0, 0.3, 0.4, 0.4 + 1e-6, 1.0])
    smoothing = Smoothing(np.zeros(1), DT, shares)
    for k in range(1, 6):
        smoothing.push(np.array([k * DT]))
    q, dq = smoothing.references()
    np.testing.assert_allclose(q[:, 0], (4 + shares - 0.5) * DT, rtol=1e-12)
    np.testing.assert_allclose(dq[:, 0], 1.0, rtol=1e-12)
    rng = np.random.default_rng(2)
    before = [q[-1], dq[-1]]
    for _ in range(50):
        smoothing.push(rng.normal(size=1))
        q, dq = smoothing.references()
        np.testing.assert_allclose((q[0], dq[0]), before, rtol=1e-9, atol=1e-12)
        before = [q[-1], dq[-1]]
        assert dq[2, 0] == pytest.approx((q[3] - q[2])[0] / (1e-6 * DT), abs=1e-3)
