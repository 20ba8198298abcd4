"""A wrench estimate that is late, or drifts: against closed forms."""

import math

import numpy as np
import pytest

from drivers.emulation.arm.lateness import Lateness
from tests.drivers.emulation.test_wrench_estimate import ZERO, T, estimate_with

STEP = 1e-3
PULL = np.array([5.0, -2.0, 1.0, 0.3, 0.1, -0.2])


def followed(late: Lateness, value, until: float) -> np.ndarray:
    """Return what follows `value(t)` in steps of a millisecond, from the start on, shape (n, 6)."""
    found = []
    for k in range(round(until / STEP) + 1):
        late.take(value(k * STEP) * PULL)
        found.append(late.value)
    return np.array(found)


@pytest.mark.parametrize(("lag", "delay"), [(0.005, 0.0), (0.0, 0.003), (0.002, 0.0015), (0.0004, 0.0123)])
def test_a_ramp_comes_later_by_lag_and_delay(lag, delay):
    """Once the start is forgotten exactly so; while it is not, as `tau (1 - exp(-t / tau))` has it."""
    found = followed(Lateness(lag, delay, STEP), lambda t: t, 0.1)
    t = np.arange(len(found)) * STEP
    after = t - delay
    expected = np.where(after > 0.0, after - (lag * (1.0 - np.exp(-after / lag)) if lag else 0.0), 0.0)
    grid = (np.abs(delay / STEP - round(delay / STEP)) < 1e-9) | (after > STEP)
    curved = STEP**2 / (8.0 * lag) if lag and delay % STEP else 1e-12  # of the line between two steps
    assert found[grid] == pytest.approx(expected[grid, None] * PULL, abs=5.0 * curved + 1e-12)
    assert found[-1] == pytest.approx((0.1 - lag - delay) * PULL, rel=1e-9)


def test_what_has_always_been_so_is_not_late():
    """A first value that is not nothing makes no jump."""
    found = followed(Lateness(0.005, 0.004, STEP), lambda t: 1.0, 0.05)
    assert found == pytest.approx(np.tile(PULL, (len(found), 1)), rel=1e-12)


def test_the_estimate_is_late_and_its_noise_is_not():
    """A step of the wrench: `1 - exp(-t / tau)` after the skew; the noise is that of an estimate in time."""
    lag, skew = 0.004, 0.006
    late = estimate_with(noise_force_n=0.06, lag_ms=1e3 * lag, skew_ms=1e3 * skew)
    in_time = estimate_with(noise_force_n=0.06)
    unit = estimate_with()
    full = unit[2].sample(0.0, PULL)
    for k in range(40):
        wrench = PULL if k else ZERO
        t = k * T
        noise = in_time[2].sample(t, ZERO)
        late[2].follow(t, wrench)
        if k:  # the second half of the cycle
            late[2].follow(t + STEP, wrench)
        measured = late[2].sample(t, wrench) - noise
        age = 2 * k - round(skew / STEP)  # steps since the wrench began
        if age >= 1:
            # from nothing to all within one step: the mean of the two begins
            begun = lag / STEP * (math.exp(STEP / lag) - 1.0)
            expected = 1.0 - begun * math.exp(-age * STEP / lag)
            assert measured == pytest.approx(expected * full, abs=1e-9)


def test_drift_grows_with_time_in_its_own_directions():
    """0.1 N and 0.02 N m a second; the seed's other draws are as they were."""
    drifting, steady = (
        estimate_with(seed=3, drift_n_per_s=0.1, noise_force_n=0.06),
        estimate_with(seed=3, noise_force_n=0.06),
    )
    off = np.array([drifting[2].sample(t, ZERO) - steady[2].sample(t, ZERO) for t in (0.0, 1.0, 2.0)])
    assert off[0] == pytest.approx(0.0, abs=1e-15)
    assert off[2] == pytest.approx(2.0 * off[1], rel=1e-9)
    assert np.linalg.norm(off[1, :3]) == pytest.approx(0.1) and np.linalg.norm(off[1, 3:]) == pytest.approx(
        0.02
    )
