"""The rest of a run: which rows, how much the wrench changes there, and near by each push."""

import numpy as np
import pytest

from hil.analysis.figures.rest import (
    near_noise,
    pushed_times,
    rest_noise,
    rest_stretches,
    worth_of_impulses,
)
from hil.loop.trace.fields import trace_from
from hil.wrench.worth.words import DURATIONS
from tests.hil.analysis.report.synthetic_run import quiet_configuration
from tests.hil.loop.synthetic_trace import DT, quiet_arrays

START, END = 4.0, 4.1


def pushed(seconds=10.0, **more) -> dict:
    """Arrays with one push, noise of 0.1 N in all axes (torques over 0.2 m)."""
    arrays = quiet_arrays(seconds) | {
        "push_t_start": np.array([START]),
        "push_t_end": np.array([END]),
        "push_value": np.ones((1, 6)),
    }
    noise = 0.1 * np.random.default_rng(2).standard_normal(arrays["wrench_measured"].shape)
    arrays["wrench_measured"] = noise * np.repeat([1.0, 0.2], 3)
    return arrays | more


def resting(arrays) -> np.ndarray:
    """Times of rest."""
    trace = trace_from(arrays)
    return trace.t[rest_stretches(trace) >= 0]


def test_a_push_and_its_swing_are_no_rest():
    """From 50 ms before it to 500 ms after it."""
    t = resting(pushed())
    assert not np.any((t > START - 0.05) & (t < END + 0.5))
    assert np.any(np.isclose(t, START - 0.052)) and np.any(np.isclose(t, END + 0.502))


def test_who_does_not_float_does_not_rest_and_what_is_no_number_neither():
    """Nor what lies behind the cut of a push that the end took."""
    arrays = pushed(cut_from=8.0)
    arrays["state"] = np.where(arrays["t"] < 1.0, "READY", "FLOATING")
    arrays["wrench_measured"][1000, 2] = np.nan
    t = resting(arrays)
    assert t[0] == pytest.approx(1.0) and t[-1] < 8.0 - 0.05
    assert not np.any(np.isclose(t, 1000 * DT))
    assert np.isfinite(rest_noise(trace_from(arrays)).mean).all()


def test_detected_impulses_stand_in_where_no_push_is_known():
    """A real arm: nobody knows the true pushes, but where they were."""
    one = {
        "impulse_id": [1],
        "impulse_deviation": [0.0],
        "impulse_sustained": [False],
        "impulse_ended": [True],
    }
    one |= {"impulse_t_start": [6.0], "impulse_t_end": [6.2], "impulse_t_centroid": [6.1]}
    arrays = quiet_arrays(10.0) | one | {"impulse_value": np.ones((1, 6))}
    starts, ends = pushed_times(trace_from(arrays))
    assert (starts.tolist(), ends.tolist()) == ([6.0], [6.2])
    t = resting(arrays)
    assert not np.any((t > 5.95) & (t < 6.7)) and np.any(np.isclose(t, 4.0))


def test_white_noise_shows_its_variance_at_every_lag():
    """0.1 N: 0.01 N2 at all lags, over all axes with torques over 0.2 m."""
    noise = rest_noise(trace_from(pushed(60.0)))
    assert noise.values == pytest.approx(0.01, rel=0.06)
    assert noise.seconds == pytest.approx(60.0 - 0.65, abs=0.01)


def test_the_noise_near_by_a_push_is_that_before_and_behind_it():
    """Twice as loud before as in the run, four times behind: the mean of the two, not the run's."""
    arrays = pushed(60.0)
    t = arrays["t"]
    arrays["wrench_measured"][(t > START - 0.7) & (t < START)] *= 2.0
    arrays["wrench_measured"][(t > END) & (t < END + 0.9)] *= 4.0
    found = near_noise(trace_from(arrays))
    assert found.shape == (1, 8)
    assert found[0, :5].mean() == pytest.approx(0.01 * (4.0 + 16.0) / 2.0, rel=0.15)


def test_without_rest_near_by_nothing_is_known_of_its_noise():
    """Pushes all around: the one in the middle has none."""
    starts = np.array([START - 0.6, START, START + 0.45])
    arrays = pushed(push_t_start=starts, push_t_end=starts + 0.1, push_value=np.ones((3, 6)))
    assert np.isnan(near_noise(trace_from(arrays))[1]).all()


def test_what_an_impulse_is_worth_is_said_in_words():
    """White noise of 0.1 N: its closed form for 50, 100 and 200 ms; too little rest is said as well."""
    words = worth_of_impulses(trace_from(pushed(60.0)), quiet_configuration())
    values = [float(word.rstrip(",")) for word in words.split("known to ")[1].split(" mN s")[0].split()]
    plain = [1e3 * np.sqrt(0.01 * DT * d * (1.0 + d / 0.5)) for d in DURATIONS]
    assert values == pytest.approx(plain, rel=0.15)
    assert worth_of_impulses(trace_from(pushed(5.0)), quiet_configuration()).startswith("not known")
    assert worth_of_impulses(trace_from(quiet_arrays(0.0)), quiet_configuration()).startswith("not known")
