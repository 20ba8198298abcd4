"""The low-pass against its closed forms."""

import math

import numpy as np
import pytest

from hil.wrench.filter import centroid_lag, derivative_gain, filter_series, level_gain, smooth_into

CASES = [(0.002, 0.007), (0.001, 0.015), (0.010, 0.007), (0.014, 0.007)]


@pytest.mark.parametrize(("dt", "tau"), CASES)
def test_step_response(dt: float, tau: float) -> None:
    """A unit step comes out as 1 - a^n, also where the samples are slower than tau."""
    t = np.arange(40) * dt
    wrench = np.ones((40, 6))
    wrench[0] = 0.0
    filtered, derivative = filter_series(t, wrench, tau)
    a = math.exp(-dt / tau)
    expected = 1.0 - a ** np.arange(40)
    np.testing.assert_allclose(filtered, np.repeat(expected[:, None], 6, axis=1), atol=1e-13)
    np.testing.assert_allclose(derivative[1:, 0] * dt, np.diff(expected), atol=1e-13)


@pytest.mark.parametrize(("dt", "tau"), CASES)
def test_centroid_lag(dt: float, tau: float) -> None:
    """The centroid of any pulse is delayed by dt a / (1 - a), and its integral is kept."""
    t = np.arange(4000) * dt
    pulse = np.zeros((4000, 6))
    pulse[100:130, 2] = np.random.default_rng(1).uniform(0.0, 5.0, 30)
    filtered, _ = filter_series(t, pulse, tau)
    before, after = pulse[:, 2], filtered[:, 2]
    assert after.sum() == pytest.approx(before.sum(), rel=1e-12)
    lag = (t @ after) / after.sum() - (t @ before) / before.sum()
    assert lag == pytest.approx(centroid_lag(dt, tau), rel=1e-9)


@pytest.mark.parametrize(("dt", "tau"), CASES)
def test_noise_gains(dt: float, tau: float) -> None:
    """White noise comes out with the analytic deviations: of 600000 numbers within 1 %."""
    t = np.arange(100_000) * dt
    noise = np.random.default_rng(2).normal(size=(100_000, 6))
    filtered, derivative = filter_series(t, noise, tau)
    assert filtered[200:].std() == pytest.approx(level_gain(dt, tau), rel=0.01)
    assert derivative[200:].std() == pytest.approx(derivative_gain(dt, tau), rel=0.01)


def test_derivative_ignores_a_constant_offset() -> None:
    """What the paper calls e_const drops out of the derivative (equation 3)."""
    t = np.arange(300) * 0.002
    wrench = np.random.default_rng(3).normal(size=(300, 6))
    _, plain = filter_series(t, wrench, 0.007)
    _, offset = filter_series(t, wrench + 1234.5, 0.007)
    np.testing.assert_allclose(offset, plain, atol=1e-8)


def test_smoothing_in_steps_equals_the_series() -> None:
    """The detector's own step is the recording's filter."""
    t = np.cumsum(np.random.default_rng(4).uniform(0.001, 0.004, 50))
    wrench = np.random.default_rng(5).normal(size=(50, 6))
    filtered, _ = filter_series(t, wrench, 0.007)
    state = wrench[0].copy()
    for k in range(1, 50):
        smooth_into(state, wrench[k], math.exp(-(t[k] - t[k - 1]) / 0.007))
        np.testing.assert_allclose(state, filtered[k], atol=1e-15)
