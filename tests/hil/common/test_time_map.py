"""Object time is the integral of its rate, and the rate moves at the stated slew."""

import numpy as np
import pytest

from hil.common.time_map import TIME_RATE_SLEW, object_time_at, retargeted


@pytest.mark.parametrize(("rate", "target"), [(1.0, 0.0), (0.0, 1.0), (0.3, 0.8), (1.0, 1.0)])
def test_integral_of_the_rate(rate: float, target: float) -> None:
    """s(t) equals the fine trapezoidal sum of the rate that it reports."""
    time_map = np.array([0.5, 2.0, rate, target])
    t = np.linspace(0.5, 1.5, 20001)
    values = np.array([object_time_at(time_map, x) for x in t])
    integral = 2.0 + np.concatenate([[0], np.cumsum((values[1:, 1] + values[:-1, 1]) / 2 * np.diff(t))])
    np.testing.assert_allclose(values[:, 0], integral, atol=1e-9)
    assert np.abs(np.gradient(values[:, 1], t)).max() <= TIME_RATE_SLEW * 1.0001
    assert values[-1, 1] == pytest.approx(target)


def test_a_full_stop_takes_a_fifth_of_a_second() -> None:
    """From full pace, and back to it: 0.2 s, in which half as much object time passes; not at rest before."""
    for rate in (1.0, 0.0):
        time_map = np.array([0.0, 0.0, rate, 1.0 - rate])
        assert object_time_at(time_map, 0.2) == pytest.approx((0.1, 1.0 - rate, 0.0))
        assert object_time_at(time_map, 0.1)[1] == pytest.approx(0.5)


def test_retargeting_is_continuous() -> None:
    """A new target in the middle of a slew changes neither object time nor rate at that instant."""
    first = np.array([0.0, 0.0, 1.0, 0.0])
    second = retargeted(first, 0.1, 1.0)
    assert object_time_at(first, 0.1)[:2] == pytest.approx(object_time_at(second, 0.1)[:2])
    assert object_time_at(second, 0.1 + 1e-9)[2] > 0
