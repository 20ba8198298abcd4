"""The arm angle's spline is the uniform cubic B-spline, and new plans continue it smoothly."""

import numpy as np
import pytest
from scipy.interpolate import BSpline

from planner.branches.arm_angle_path import STIFFNESS, arm_angle_at, smoothed

KNOT = 0.1


def test_is_the_uniform_cubic_b_spline():
    """SciPy's B-spline with the same control points has the same values."""
    control = np.random.default_rng(1).normal(size=12)
    first = 7
    knots = (first + np.arange(-2, 14)) * KNOT
    spline = BSpline(knots, control, 3)
    for s in np.linspace((first + 1) * KNOT, (first + 10) * KNOT, 57)[:-1]:
        assert arm_angle_at(control, first, KNOT, s) == pytest.approx(spline(s), abs=1e-12)


def test_later_control_points_leave_the_present_interval_alone():
    """Changing points from k + 3 on changes nothing up to the end of interval k, nor its two derivatives."""
    rng = np.random.default_rng(2)
    control = rng.normal(size=12)
    changed = control.copy()
    k = 5
    changed[k + 3 :] += rng.normal(size=12 - k - 3)
    inside = np.linspace(0.0, (k + 1) * KNOT, 40)
    for s in inside:
        assert arm_angle_at(control, 0, KNOT, s) == arm_angle_at(changed, 0, KNOT, s)
    end, h = (k + 1) * KNOT, 1e-4
    for order in (1, 2):
        derivatives = []
        for points in (control, changed):
            values = [arm_angle_at(points, 0, KNOT, end + i * h) for i in range(3)]
            derivatives.append(np.diff(values, order)[0] / h**order)
        # the third derivative may jump: by no more than that over h
        assert derivatives[0] == pytest.approx(derivatives[1], abs=2 * h * 20.0 / KNOT**3)


def test_is_constant_beyond_its_points():
    control = np.array([0.2, 0.4, 0.9])
    assert arm_angle_at(control, 3, KNOT, -5.0) == pytest.approx(0.2)
    assert arm_angle_at(control, 3, KNOT, 50.0) == pytest.approx(0.9)


def test_smoothing_keeps_fixed_points_and_straight_lines():
    """The fixed points stay to the bit; a straight line has nothing to smooth."""
    control = np.random.default_rng(3).normal(size=15)
    result = smoothed(control, 4)
    assert np.array_equal(result[:4], control[:4])
    line = 0.3 + 0.05 * np.arange(15)
    assert smoothed(line, 2) == pytest.approx(line, abs=1e-12)
    assert np.array_equal(smoothed(line, 15), line)


def test_smoothing_minimises_what_it_says():
    """No random change of the free points lowers distance plus bending."""
    rng = np.random.default_rng(4)
    control = np.cumsum(rng.normal(size=15))
    result = smoothed(control, 3)

    def charge(points):
        return (
            np.sum((points - control) ** 2)
            + STIFFNESS * np.sum(np.diff(points[1:], 2) ** 2)
            + (STIFFNESS * (points[2] - 2 * points[1] + points[0]) ** 2)
        )

    for _ in range(200):
        change = np.zeros(15)
        change[3:] = 1e-3 * rng.normal(size=12)
        assert charge(result + change) > charge(result)
