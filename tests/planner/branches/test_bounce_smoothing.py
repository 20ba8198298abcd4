"""Preview smoothing is two moving averages of the kink, and touches nothing else."""

import numpy as np
import pytest

from planner.branches.bounce_smoothing import (
    LONG,
    REACH,
    SHORT,
    intervals_with,
    kink_smoothing,
    one_an_interval,
    smooth_bounces,
)


def test_is_two_moving_averages():
    """A ramp averaged over 150 ms and then over 50 ms, numerically, less the ramp."""
    h = 1e-4
    u = np.arange(-0.3, 0.3, h)
    ramp = np.maximum(u, 0.0)
    for length in (LONG, SHORT):
        box = np.ones(round(length / h) + 1)
        box[[0, -1]] = 0.5
        ramp = np.convolve(ramp, box / box.sum(), mode="same")
    inner = np.abs(u) < 0.15  # the convolution's ends are spoiled
    expected = ramp - np.maximum(u, 0.0)
    added = np.array([kink_smoothing(x)[0] for x in u])
    assert added[inner] == pytest.approx(expected[inner], abs=1e-6)


def test_derivatives_belong_together():
    """Central differences of the value and of the slope; beyond the window all vanish."""
    h = 1e-6
    for u in (-0.09, -0.06, -0.02, 0.013, 0.051, 0.08):
        ahead, behind = kink_smoothing(u + h), kink_smoothing(u - h)
        g, slope, curve = kink_smoothing(u)
        assert (ahead[0] - behind[0]) / (2 * h) == pytest.approx(slope, abs=1e-7)
        assert (ahead[1] - behind[1]) / (2 * h) == pytest.approx(curve, abs=1e-4)
        assert g > 0.0 and curve <= 1.0 / LONG + 1e-12
    assert kink_smoothing(REACH) == (0.0, 0.0, 0.0) == kink_smoothing(-REACH - 0.1)


def test_smoothed_path_of_a_bounce_is_smooth_and_otherwise_untouched():
    """A kink between two nodes: speeds without a step, acceleration D / LONG, the ends as they were."""
    step, s_bounce = 0.02, 0.507
    s = step * np.arange(51)
    jump = np.array([0.5, -1.0, 0.0, 0.2, 0.0, 0.0, 0.3])
    q = np.maximum(s - s_bounce, 0.0)[:, None] * jump + 0.1 * s[:, None]
    dq = np.where(s > s_bounce, 1.0, 0.0)[:, None] * jump + 0.1
    ddq = np.zeros((51, 7))
    raw_q, raw_dq = q.copy(), dq.copy()
    smooth_bounces(q, dq, ddq, 0.0, step, np.array([s_bounce]), jump[None])
    far = np.abs(s - s_bounce) >= REACH
    assert np.array_equal(q[far], raw_q[far]) and np.array_equal(dq[far], raw_dq[far])
    assert np.abs(np.diff(dq, axis=0)).max() <= step * np.abs(jump).max() / LONG + 1e-12
    assert np.abs(ddq).max() == pytest.approx(np.abs(jump).max() / LONG)
    assert np.abs(np.diff(ddq, axis=0)).max() / step <= np.abs(jump).max() / (LONG * SHORT) * (1 + 1e-9)
    # the trapezoid rule over the speeds gives the path: they belong together
    travelled = np.sum(0.5 * (dq[1:] + dq[:-1]) * step, axis=0)
    assert travelled == pytest.approx(q[-1] - q[0], abs=2e-4)


def test_bounces_of_one_interval_are_one():
    """Two bounces between the same nodes are seen as one at their mean; one at a node lies behind it."""
    merged = one_an_interval(np.array([0.101, 0.109, 0.121, 0.14]), 0.1, 0.02)
    assert merged == pytest.approx([0.105, 0.121, 0.14])
    assert intervals_with(merged, 0.1, 0.02, 4).tolist() == [True, True, True, False]
    assert intervals_with(np.array([0.02, 0.9]), 0.1, 0.02, 3).tolist() == [False, False, False]
