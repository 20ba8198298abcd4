"""Noise scales: as configured and as learned from an idle stretch."""

import numpy as np
import pytest

from hil.configuration.schema import Detector, Filter
from hil.wrench.detector.impulse_detector import ImpulseDetector
from hil.wrench.detector.state import thresholds
from hil.wrench.noise_learning import noise_from_configuration, noise_from_idle
from tests.hil.wrench.pushed_wrench import NOISE, half_sine, noise, time_axis


def test_learned_scales_are_the_configured_ones() -> None:
    """White noise of the configured size, learned from 40 s, gives the analytic scales within 6 %."""
    t = time_axis(40.0)
    learned = noise_from_idle(t, noise(t, 1), Detector(), Filter())
    expected = noise_from_configuration(Detector(), Filter(), 0.002)
    assert NOISE[0] == Detector().noise_force and NOISE[3] / Filter().length == pytest.approx(0.06)
    assert learned.derivative == pytest.approx(expected.derivative, rel=0.02)
    assert learned.slow_level == pytest.approx(expected.slow_level, rel=0.06)
    assert learned.sample == pytest.approx(expected.sample, rel=0.02)


def test_thresholds_are_the_larger_of_noise_and_floor() -> None:
    """A quiet sensor gets the floors, a loud one seven sigma."""
    detector, filter_ = Detector(), Filter()
    t = time_axis(5.0)
    for size in (0.1, 30.0):
        scales = noise_from_idle(t, noise(t, 2, size), detector, filter_)
        row = thresholds(detector, filter_, scales, 0.002)[0]
        assert row["derivative"] == max(detector.floor, detector.start_sigma * scales.derivative)
        assert row["level"] == max(detector.level_floor, detector.start_sigma * scales.slow_level)
    assert row["derivative"] > detector.floor and row["level"] > detector.level_floor


def test_learned_noise_keeps_a_loud_sensor_quiet() -> None:
    """Noise ten times the configured triggers a detector that was not told, and not one that learned."""
    t = time_axis(20.0)
    loud = noise(t, 3, 10.0)
    learned = noise_from_idle(t[:2000], loud[:2000], Detector(), Filter())
    told = ImpulseDetector(Detector(), Filter(), noise=learned)
    naive = ImpulseDetector(Detector(), Filter())
    stamps = [round(x * 1e9) for x in t]
    assert not [s for t_ns, w in zip(stamps, loud, strict=True) for s in told.step(t_ns, w)]
    assert [s for t_ns, w in zip(stamps, loud, strict=True) for s in naive.step(t_ns, w)]
    push = loud + half_sine(t, 10.0, 0.1, np.array([4.0, 0, 0, 0, 0, 0]))
    told.restart()
    assert [s for t_ns, w in zip(stamps, push, strict=True) for s in told.step(t_ns, w)]
