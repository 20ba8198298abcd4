"""Energy that a grasp creates: none by a free body, half m v2 by a mock-up that moves alone."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from hil.loop.grasp.port_observer import PortObserver

MASS, INERTIA, DT = 60.0, np.array([3.0, 4.0, 5.0]), 1e-3


def poses_of(v, turn, seconds):
    """Poses of a body with velocity v(t) and, about one axis of its own, turned by turn(t)."""
    T, out, p = np.eye(4), [], np.zeros(3)
    for n in range(round(seconds / DT)):
        p = p + DT * v(n * DT)
        T = np.eye(4)
        T[:3, :3] = Rotation.from_rotvec([turn(n * DT), 0.0, 0.0]).as_matrix()
        T[:3, 3] = p
        out.append(T)
    return out


def test_a_free_body_creates_nothing():
    """Under a force that goes to and fro its energy is the work, to the first order of the step."""
    observer = PortObserver(MASS, INERTIA, 0.05, 1.0)
    gains = []
    for n, T in enumerate(
        poses_of(lambda t: np.array([0.05 * np.sin(4 * t), 0, 0]), lambda t: 0.01 * t**2, 3.0)
    ):
        force = MASS * 0.05 * 4 * np.cos(4 * n * DT)
        gains.append(observer.take(T, np.array([force, 0, 0, INERTIA[0] * 0.02, 0, 0]), DT))
    assert max(gains) < 1e-3
    assert 0.5 * MASS * 0.05**2 > 0.05


def test_a_mock_up_that_speeds_up_by_itself_is_seen_whole():
    """Nobody pushes, and 0.1 m/s and 0.2 rad/s are there: m v2 / 2 + I w2 / 2, since the lowest point."""
    observer = PortObserver(MASS, INERTIA, 0.05, 0.0)
    for T in poses_of(lambda t: np.array([0.1 * abs(t - 1.0), 0, 0]), lambda t: 0.1 * (t - 1.0) ** 2, 2.0):
        gain = observer.take(T, np.zeros(6), DT)
    assert gain == pytest.approx(0.5 * MASS * 0.1**2 + 0.5 * INERTIA[0] * 0.2**2, rel=0.01)


def test_what_the_force_may_be_wrong_by_is_no_gain():
    """The bound grows with the way since the lowest point."""
    observer = PortObserver(MASS, INERTIA, 0.05, 2.0)
    for T in poses_of(lambda t: np.array([0.1 * t, 0, 0]), lambda t: 0.0, 1.0):
        observer.take(T, np.zeros(6), DT)
    assert observer.bound == pytest.approx(0.05 + 2.0 * 0.05, rel=0.01)
    observer.begin()
    assert (observer.gain, observer.bound) == (0.0, 0.05)


def test_a_slower_object_time_is_no_other_energy():
    """Shown at half its speed, and at its own again, by an arm that is 15 ms late, a body that nobody pushes
    has what it had; what it then gains at a slow pace counts as the object's."""
    speed, late = 0.1, 0.015
    observer = PortObserver(MASS, INERTIA, 0.05, 0.0)

    def pace(t):
        return float(np.clip(abs(t - 1.0) * 5.0 - 0.5, 0.5, 1.0))  # 1, 0.5 from 0.8 to 1.2 s, 1

    gains = [
        observer.take(T, np.zeros(6), DT, pace(n * DT))
        for n, T in enumerate(
            poses_of(lambda t: np.array([speed * pace(t - late), 0, 0]), lambda t: 0.0, 2.0)
        )
    ]
    assert max(gains) < 1e-9
    observer.begin()
    for n, T in enumerate(poses_of(lambda t: np.array([0.5 * 0.1 * t, 0, 0]), lambda t: 0.0, 1.0)):
        gain = observer.take(T, np.zeros(6), DT, 0.5 if n else 1.0)
    assert gain == pytest.approx(0.5 * MASS * 0.1**2 * (1.0 - 0.1**2), rel=0.02)
