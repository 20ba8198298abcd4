"""Commands against limits: motions just within and just beyond each bound."""

import numpy as np
import pytest

from hil.analysis.figures.limits import largest_ratios, limit_figures, violations
from hil.loop.trace.fields import trace_from
from tests.hil.loop.synthetic_trace import quiet_arrays


def rest_to_speed(t: np.ndarray, speed: float, acceleration: float, jerk: float) -> np.ndarray:
    """Position [rad] of a jerk-limited start from rest, by exact integration of its pieces."""
    ramp = acceleration / jerk
    hold = speed / acceleration - ramp
    pieces = [(0.0, 0.0), (ramp, jerk), (hold, 0.0), (ramp, -jerk), (np.inf, 0.0)]
    q, start, x, v, a = np.zeros_like(t), 0.1, 0.0, 0.0, 0.0
    for duration, j in pieces:
        u = np.clip(t - start, 0.0, duration)
        inside = t >= start
        q[inside] = (x + v * u + a * u**2 / 2 + j * u**3 / 6)[inside]
        if np.isinf(duration):
            break
        x += v * duration + a * duration**2 / 2 + j * duration**3 / 6
        v, a = v + a * duration + j * duration**2 / 2, a + j * duration
        start += duration
    return q


def moved(joint: int, q: np.ndarray, t: np.ndarray | None = None):
    arrays = quiet_arrays(0.8)
    if t is not None:
        arrays["t"] = t
    arrays["q_command"][:, joint] += q
    return trace_from(arrays)


def test_a_motion_at_all_its_limits_breaks_none():
    """Speed, acceleration and jerk at their limits, pieces off the grid: ratios 1, no violation."""
    t = quiet_arrays(0.8)["t"]
    trace = moved(0, rest_to_speed(t, 2.0, 10.0, 200.0))
    assert largest_ratios(trace) == pytest.approx([1.0, 1.0, 1.0], abs=1e-6)
    assert limit_figures(trace) == {"violations": 0}


@pytest.mark.parametrize(
    ("speed", "acceleration", "jerk"), [(2.001, 10.0, 200.0), (2.0, 10.005, 200.0), (2.0, 10.0, 200.1)]
)
def test_each_bound_is_watched(speed, acceleration, jerk):
    """One of the three a twentieth of a percent too large is found."""
    t = quiet_arrays(0.8)["t"]
    assert violations(moved(2, rest_to_speed(t, speed, acceleration, jerk))).any()


def test_lost_packets_are_no_violation():
    """Rows missing from the stream: differences are over the time that really passed."""
    rng = np.random.default_rng(3)
    t = quiet_arrays(0.8)["t"]
    kept = np.sort(rng.permutation(len(t))[:300])
    arrays = quiet_arrays(0.6)
    arrays["t"] = t[kept]
    arrays["q_command"][:, 4] += rest_to_speed(t[kept], 2.0, 10.0, 200.0)
    assert not violations(trace_from(arrays)).any()


@pytest.mark.parametrize(("position", "broken"), [(2.0, False), (-2.0, False), (2.00001, True), (-2.1, True)])
def test_positions_are_watched(position, broken):
    """A joint at its bound is allowed, beyond it not: every such command counts."""
    arrays = quiet_arrays(0.2)
    arrays["q_command"][:, 6] = position
    assert limit_figures(trace_from(arrays))["violations"] == (100 if broken else 0)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_a_command_that_is_no_number_is_a_violation(value):
    """One bad value spoils its own row and the three differences that reach back to it."""
    arrays = quiet_arrays(0.2)
    arrays["q_command"][50, 3] = value
    assert np.flatnonzero(violations(trace_from(arrays))).tolist() == [50, 51, 52, 53]


def test_mirrored_commands_are_not_the_driver_s():
    """A jump among mirrored commands, or a mirrored motion that ends at once, is none of its commands."""
    arrays = quiet_arrays(0.2)
    arrays["q_command"][30, 1] += 0.5
    arrays["q_command"][:60, 1] += 0.7 * (arrays["t"][:60] - 0.12)
    arrays["commanded"][:60] = False
    assert not violations(trace_from(arrays)).any()
    arrays["commanded"][:] = True
    assert np.flatnonzero(violations(trace_from(arrays))).tolist() == [30, 31, 32, 33, 61, 62]


def test_the_first_own_command_must_not_jump_from_the_mirrored_one():
    """0.01 rad from one cycle to the next is 5 rad/s: beyond the velocity limit."""
    arrays = quiet_arrays(0.2)
    arrays["q_command"][60:, 1] += 0.01
    arrays["commanded"][:60] = False
    assert np.flatnonzero(violations(trace_from(arrays))).tolist() == [60]
