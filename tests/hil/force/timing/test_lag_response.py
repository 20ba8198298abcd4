"""What a dead time and a lag make of commands, against the same plant stepped finely by its own matrix."""

import numpy as np
import pytest

from hil.force.timing.lag_response import lag_response, ramp_response
from tests.hil.force.timing.plant import FINE, STEP, followed, motion


@pytest.mark.parametrize("dead_time", [0.0, 0.002, 0.0137, 0.06])
@pytest.mark.parametrize(("lag", "damping"), [(0.01, 0.8), (0.02, 0.4), (0.015, 1.0), (0.03, 2.5)])
def test_it_is_the_plant_at_each_cycle(dead_time: float, lag: float, damping: float) -> None:
    """Straight lines between commands, a dead time of any length, damping below, at and above critical."""
    u = motion(1, 1.5)
    plant = followed(u, dead_time, lag, damping)
    whole_steps = (
        round(dead_time * FINE / STEP) * STEP / FINE
    )  # of the plant, whose dead time is of fine steps
    found = lag_response(u, STEP, whole_steps, lag, damping)
    np.testing.assert_allclose(found, plant, atol=1e-7 * np.ptp(u))


def test_a_ramp_is_followed_by_the_lag_behind() -> None:
    """Long after its beginning; before it nothing moves."""
    t = np.array([-0.01, 0.0, 0.5, 1.0])
    np.testing.assert_allclose(ramp_response(t, 0.01, 0.8), [0.0, 0.0, 0.49, 0.99], atol=1e-12)


def test_the_plant_of_these_tests_keeps_its_differential_equation() -> None:
    """`x'' = w^2 (u - x) - 2 z w x'`, by differences of its own path: no oracle of the code's own."""
    u, lag, damping = motion(2, 1.0), 0.02, 0.5
    x = followed(u, 0.0, lag, damping)
    w = 2.0 * damping / lag
    x2 = (x[2:] - 2.0 * x[1:-1] + x[:-2]) / STEP**2
    x1 = (x[2:] - x[:-2]) / (2.0 * STEP)
    np.testing.assert_allclose(x2, w * w * (u[1:-1] - x[1:-1]) - 2.0 * damping * w * x1, atol=0.05)
