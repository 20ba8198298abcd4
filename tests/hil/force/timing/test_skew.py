"""The wrench's skew by a load in motion, on the path of a calibration; the wrench is made of exact poses."""

import pytest

from bench.contact_plant import EXTERNAL, Noise
from bench.timing_trials import skew_by_motion


@pytest.mark.parametrize(("skew", "seed"), [(0.0, 1), (0.0013, 2), (0.008, 3), (-0.002, 4)])
def test_a_sensor_that_feels_the_load_shows_it(skew: float, seed: int) -> None:
    """To a tenth of a millisecond, within twice the interval; also a wrench that comes early."""
    found = skew_by_motion(skew, 5.0, EXTERNAL, 0.0, seed)
    assert found.shown and abs(found.skew - skew) < 1e-4, found
    assert abs(found.skew - skew) < 2.0 * found.interval, found


@pytest.mark.parametrize("seed", [1, 2])
def test_noise_of_motion_widens_the_interval_and_it_covers(seed: int) -> None:
    """The estimate of an arm: the less load it shows, the wider."""
    whole = skew_by_motion(0.003, 5.0, Noise(), 0.35, seed)
    little = skew_by_motion(0.003, 0.5, Noise(), 0.35, seed)
    assert whole.interval < 1e-3 < little.interval and not little.shown
    for found in (whole, little):
        assert abs(found.skew - 0.003) < 1.5 * found.interval, found


def test_a_load_that_shows_nothing_leaves_it_open() -> None:
    """No mass: any skew suits, and that is said."""
    found = skew_by_motion(0.003, 0.0, Noise(), 0.35, 1)
    assert not found.bounded and not found.shown
