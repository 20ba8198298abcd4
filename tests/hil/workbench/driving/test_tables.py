"""The library of trajectories: rest to rest, within limits, sized by the arm."""

import itertools

import numpy as np
import pytest

from hil.common.errors import DrivingError
from hil.workbench.driving.follower import TwistLimits
from hil.workbench.driving.rigid import moved, way
from hil.workbench.driving.tables.legs import Legs, Stop, least_jerk
from hil.workbench.driving.tables.library import TABLES, Frame, table_of

ISSUE = {
    "step",
    "sine_sweep",
    "circle",
    "figure_eight",
    "pick_and_place",
    "singular_stretch",
    "thermal_duty_cycle",
}
DT = 0.004


def frame(reach=0.8, limits=None):
    T = moved(np.eye(4), np.array([0.4 * reach, 0.1 * reach, 0.5 * reach, 0.3, -0.2, 0.5]))
    return Frame(T, reach, np.array([0.0, 0.0, 0.1 * reach]), limits or TwistLimits())


def sampled(table):
    poses = [table.pose(k * DT) for k in range(round(table.duration / DT) + 2)]
    return np.array([way(a, b) / DT for a, b in itertools.pairwise(poses)]), poses


def test_the_library_has_them_all():
    """And an unknown one is refused with all names."""
    assert set(TABLES) == ISSUE
    with pytest.raises(DrivingError, match="figure_eight"):
        table_of("spiral", frame())


@pytest.mark.parametrize("reach", [0.3, 1.3])
@pytest.mark.parametrize("limits", [TwistLimits(), TwistLimits(0.05, 0.3, 0.2, 1.0)], ids=["quick", "slow"])
@pytest.mark.parametrize("name", sorted(ISSUE - {"step"}))
def test_tables_keep_to_the_limits(name, limits, reach):
    """Speed and acceleration of every instant, by differences; the ends are where the tip began, at rest."""
    made = frame(reach, limits)
    table = table_of(name, made)
    twists, poses = sampled(table)
    rates = np.diff(twists, axis=0) / DT
    for half, speed, rate in ((slice(0, 3), limits.linear, limits.linear_rate),
                              (slice(3, 6), limits.angular, limits.angular_rate)):  # fmt: skip
        assert np.linalg.norm(twists[:, half], axis=1).max() <= speed
        assert np.linalg.norm(rates[:, half], axis=1).max() <= rate
    np.testing.assert_allclose(poses[0], made.T_start, atol=1e-12)
    np.testing.assert_allclose(table.pose(table.duration + 1.0), made.T_start, atol=1e-9)
    for edge in (0, -2):
        assert np.abs(twists[edge]).max() < 0.01 * limits.linear


def test_sizes_follow_the_reach():
    """A circle of a tenth of the reach, an eight as wide as two, a stretch beyond the reach, a step."""
    for reach in (0.5, 2.0):
        made = frame(reach)
        places = {name: np.array([T[:3, 3] for T in sampled(table_of(name, made))[1]]) for name in TABLES}
        circle = places["circle"] - made.T_start[:3, 3] - [0, 0, 0.1 * reach]
        np.testing.assert_allclose(np.linalg.norm(circle, axis=1), 0.1 * reach, rtol=1e-9)
        assert np.ptp(places["figure_eight"][:, 1]) == pytest.approx(0.2 * reach, rel=1e-3)
        far = np.linalg.norm(places["singular_stretch"] - made.shoulder, axis=1).max()
        assert far == pytest.approx(1.1 * reach, rel=1e-6)
        assert np.ptp(places["step"][:, 2]) == pytest.approx(0.05 * reach)
        assert np.ptp(places["pick_and_place"][:, 2]) == pytest.approx(0.08 * reach)


def test_the_sweep_rises_in_frequency():
    """Zero crossings by the closed form of the phase: between two of them lies half a turn."""
    table = table_of("sine_sweep", frame())
    t = np.arange(0.0, table.duration, 1e-3)
    y = np.array([table.pose(s)[1, 3] for s in t]) - frame().T_start[1, 3]
    crossings = t[1:][np.sign(y[1:]) != np.sign(y[:-1])]
    crossings = crossings[(crossings > 1.5) & (crossings < 28.0)]
    rate = np.log(5.0 / 0.1) / 30.0
    phases = 0.1 * (np.exp(rate * crossings) - 1.0) / rate  # in turns
    np.testing.assert_allclose(np.diff(phases), 0.5, atol=0.012)
    assert 1.0 / (2 * np.diff(crossings)[-1]) > 3.5


def test_least_jerk_is_its_polynomial():
    """Rest and no acceleration at both ends; a leg's peak of speed and acceleration as its times assume."""
    s = np.linspace(0.0, 1.0, 20001)
    x = np.array([least_jerk(v) for v in s])
    speed, rate = np.gradient(x, s), np.gradient(np.gradient(x, s), s)
    assert (x[0], x[-1], least_jerk(-1.0), least_jerk(2.0)) == (0.0, 1.0, 0.0, 1.0)
    assert speed.max() == pytest.approx(15 / 8, rel=1e-4)
    assert np.abs(rate[5:-5]).max() == pytest.approx(10 / np.sqrt(3), rel=1e-3)


def test_legs_stop_where_they_should():
    """Each stop is reached and held for its rest; a leg without a way takes no time worth speaking of."""
    T = np.eye(4)
    there = moved(T, np.array([0.1, 0, 0, 0, 0, 1.0]))
    legs = Legs(T, [Stop(there, 1.0), Stop(there, 0.5), Stop(T)], TwistLimits(), rest=0.2)
    leg = (legs.duration - 1.7) / 2
    for t in (0.2 + leg + 1e-3, 1.2 + leg - 1e-3, 1.5 + leg):
        np.testing.assert_allclose(legs.pose(t), there, atol=1e-12)
