"""The semivariance of stretches of rest, and the noise that is read from it."""

import numpy as np
import pytest

from hil.wrench.correlation_times import CORRELATION_TIMES
from hil.wrench.worth.noise_model import NoiseModel, fitted
from hil.wrench.worth.semivariance import lags_of, semivariance, stretches, together

STEP = 0.002


def drawn(noise: NoiseModel, count: int, seed: int) -> np.ndarray:
    """Six axes of white noise and first-order processes, sample by sample."""
    rng = np.random.default_rng(seed)
    wrench = np.sqrt(noise.white) * rng.standard_normal((count, 6))
    for variance, time in zip(noise.variances, noise.times, strict=True):
        keep = np.exp(-STEP / time)
        state = np.sqrt(variance) * rng.standard_normal(6)
        for k in range(count):
            wrench[k] += state
            state = keep * state + np.sqrt(variance * (1.0 - keep**2)) * rng.standard_normal(6)
    return wrench


def test_lags_are_powers_of_two_up_to_a_quarter_of_a_second() -> None:
    assert lags_of(0.002).tolist() == [1, 2, 4, 8, 16, 32, 64, 128]
    assert lags_of(0.01).tolist() == [1, 2, 4, 8, 16]
    assert lags_of(0.5).tolist() == [1]


def test_it_is_half_the_mean_square_of_differences() -> None:
    """A ramp of one unit a sample: half the square of the lag, whatever the offset."""
    ramp = np.tile(np.arange(1000.0)[:, None] + 7.0, (1, 6))
    found = semivariance(ramp, np.zeros(1000, int), STEP)
    assert found.mean == pytest.approx(0.5 * found.lags.astype(float) ** 2)
    assert found.counts.tolist() == [1000 - lag for lag in found.lags]
    assert found.apart == pytest.approx(STEP * found.lags)
    assert found.seconds == pytest.approx(2.0)


def test_pairs_never_reach_over_what_is_no_rest() -> None:
    """A step of the wrench between two stretches, where a push was, shows at no lag."""
    t = STEP * np.arange(1000)
    wrench = np.where(t[:, None] > 1.0, 100.0, 0.0) * np.ones(6)
    rest = (t < 0.9) | (t > 1.1)
    found = semivariance(wrench, stretches(t, rest, STEP), STEP)
    assert np.all(found.sums == 0.0)
    whole = semivariance(wrench, stretches(t, np.ones(1000, bool), STEP), STEP)
    assert np.all(whole.mean > 0.0)


def test_holes_and_new_epochs_end_a_stretch() -> None:
    t = STEP * np.concatenate([np.arange(10), np.arange(13, 20)])
    rest = np.ones(17, bool)
    assert np.unique(stretches(t, rest, STEP)).size == 2
    epoch = np.repeat([1, 2], [5, 12])
    assert stretches(t, rest, STEP, epoch).tolist() == [1] * 5 + [2] * 5 + [3] * 7
    rest[2] = False
    assert stretches(t, rest, STEP).tolist()[:4] == [1, 1, -1, stretches(t, rest, STEP)[3]]


def test_parts_add_up_to_the_whole() -> None:
    """Two runs together are as one with a break."""
    wrench, stretch = np.random.default_rng(1).standard_normal((600, 6)), np.repeat([0, 1], [200, 400])
    parts = [semivariance(wrench[stretch == k], np.zeros((stretch == k).sum(), int), STEP) for k in (0, 1)]
    whole, both = semivariance(wrench, stretch, STEP), together(parts)
    assert both.mean == pytest.approx(whole.mean) and both.seconds == pytest.approx(whole.seconds)


def test_noise_that_was_drawn_is_found_again() -> None:
    """From its exact semivariance to rounding; from 100 s of draws to 5 %."""
    true = NoiseModel(0.06**2, np.array([0.345**2, 0.062**2]), np.array([0.02, 0.3]))
    found = semivariance(drawn(true, 50_000, 3), np.zeros(50_000, int), STEP)
    assert found.mean == pytest.approx(true.semivariance(found.apart), rel=0.05)
    exact = fitted(found.apart, true.semivariance(found.apart))
    assert exact.white == pytest.approx(true.white, rel=1e-6)
    assert exact.variances == pytest.approx([0.0, 0.345**2, 0.0, 0.062**2], abs=1e-9)
    assert exact.times is CORRELATION_TIMES
    model = fitted(found.apart, found.mean)
    assert np.sqrt(model.white) == pytest.approx(0.06, rel=0.05)
    assert np.sqrt(model.variances.sum()) == pytest.approx(np.hypot(0.345, 0.062), rel=0.05)


def test_the_covariance_belongs_to_the_semivariance() -> None:
    """V(l) = C(0) - C(l), at every lag above zero."""
    model = NoiseModel(0.01, np.array([0.1, 0.02]), np.array([0.02, 0.3]))
    lags = STEP * np.arange(1, 100)
    at_zero = model.covariance(np.zeros(1))
    assert model.semivariance(lags) == pytest.approx(at_zero - model.covariance(lags))


def test_a_fit_is_never_negative_and_silence_is_no_noise() -> None:
    """A dip that no process makes; lags without pairs are left out; zeros are zeros."""
    lags = STEP * 2.0 ** np.arange(8)
    dip = np.array([1.0, 0.5, 0.4, 0.3, 0.3, 0.3, np.nan, np.nan])
    model = fitted(lags, dip)
    assert model.white >= 0.0 and np.all(model.variances >= 0.0) and np.isfinite(model.white)
    silent = fitted(lags, np.zeros(8))
    assert silent.white == 0.0 and not silent.variances.any()
