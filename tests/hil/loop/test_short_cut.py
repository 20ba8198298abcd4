"""The short cut's speed cap, and what no hand can push."""

import numpy as np
import pytest

from hil.configuration.schema import Detector, Stops
from hil.loop.driver.short_cut import certified_caps, keep_certified
from hil.wrench.plausibility import PlausibleWrench

SPEED, SPIN = 0.15, 0.5


def allowed(stops: Stops, missing: np.ndarray, planned: np.ndarray) -> np.ndarray:
    """What is left of a missing twist."""
    left = np.array([missing, np.multiply(missing, 0.02)], dtype=float)
    keep_certified(left, np.array(planned, dtype=float), certified_caps(stops))
    for part in (slice(0, 3), slice(3, 6)):  # of the displacement the same share is left
        share = np.linalg.norm(left[0, part]) / max(np.linalg.norm(missing[part]), 1e-300)
        np.testing.assert_allclose(
            left[1, part], 0.02 * min(share, 1.0) * np.array(missing[part]), atol=1e-15
        )
    return left[0]


def test_the_object_is_never_carried_beyond_the_certified_speed() -> None:
    """Whatever is missing: the total is within the cap, or no faster than planned; a small push is whole."""
    stops = Stops(max_speed_mm_s=1e3 * SPEED, max_spin_deg_s=float(np.rad2deg(SPIN)))
    rng = np.random.default_rng(3)
    for _ in range(500):
        planned, missing = rng.normal(0.0, 0.1, 6), rng.normal(0.0, 10.0 ** rng.uniform(-3, 1), 6)
        total = planned + allowed(stops, missing, planned)
        for part, most in ((slice(0, 3), SPEED), (slice(3, 6), SPIN)):
            speed, before = np.linalg.norm(total[part]), np.linalg.norm(planned[part])
            assert speed <= max(most, before) + 1e-12
            wanted = planned[part] + missing[part]
            if np.linalg.norm(wanted) <= most:
                np.testing.assert_allclose(total[part], wanted, atol=1e-15)
            else:  # the direction asked for is kept
                np.testing.assert_allclose(total[part] / speed, wanted / np.linalg.norm(wanted), atol=1e-9)


def test_a_push_along_the_plan_ends_at_the_cap() -> None:
    """0.1 m/s planned, 0.2 m/s missing, cap 0.15 m/s: 0.05 m/s are left (by hand)."""
    missing = allowed(Stops(max_speed_mm_s=150.0), [0.2, 0, 0, 0, 0, 0], [0.1, 0, 0, 0, 0, 0])
    np.testing.assert_allclose(missing, [0.05, 0, 0, 0, 0, 0], atol=1e-12)


def test_a_push_that_brakes_a_body_faster_than_certified_is_whole() -> None:
    """0.25 m/s and 0.8 rad/s planned, caps 0.15 and 0.5: braking to 0.2 and 0.6 is not cut, nor turned."""
    stops = Stops(max_speed_mm_s=1e3 * SPEED, max_spin_deg_s=float(np.rad2deg(SPIN)))
    planned, total = [0.25, 0, 0, 0, 0, 0.8], [0.16, 0.12, 0, 0.36, 0, 0.48]
    missing = np.subtract(total, planned)
    np.testing.assert_allclose(allowed(stops, missing, planned), missing, atol=1e-15)
    rng = np.random.default_rng(5)
    for _ in range(200):
        before, after = rng.normal(size=6), rng.normal(size=6)
        for part, cap in ((slice(0, 3), SPEED), (slice(3, 6), SPIN)):
            fast = cap * rng.uniform(1.2, 3.0)
            before[part] *= fast / np.linalg.norm(before[part])
            after[part] *= rng.uniform(cap, fast) / np.linalg.norm(after[part])
        np.testing.assert_allclose(allowed(stops, after - before, before), after - before, atol=1e-14)


@pytest.mark.parametrize("axis", range(6))
def test_a_wrench_beyond_any_hand_is_noticed_after_its_time(axis: int) -> None:
    """Just below the bound never, just above after 20 ms and not before; a spike is forgiven."""
    detector = Detector()
    bound = detector.plausible_force if axis < 3 else detector.plausible_torque
    judge = PlausibleWrench(detector)
    below, above = np.zeros(6), np.zeros(6)
    below[axis], above[axis] = 0.999 * bound, -1.001 * bound
    assert not any(judge.judge(k * 2_000_000, below) for k in range(100))
    assert not any(judge.judge((100 + k) * 2_000_000, above) for k in range(10))
    assert not judge.judge(220_000_000, below)
    assert not any(judge.judge((200 + k) * 2_000_000, above) for k in range(10))
    assert "no hand" in judge.judge(420_000_000, above)
    judge = PlausibleWrench(detector)
    below[axis] = np.nan
    assert "nan" in [judge.judge(k * 2_000_000, below) for k in range(11)][-1]
