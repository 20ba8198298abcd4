"""How far an object goes beyond the stops, by its energy: springs of the rate pi / contact_time stop it."""

import math

import numpy as np
import pytest

from hil.configuration.penetration import Penetration
from hil.configuration.schema import Stops

STOPS = Stops(max_speed_mm_s=150.0, max_spin_deg_s=28.0, contact_time_ms=200.0)
INERTIA = np.array([1.5, 2.5, 6.0])  # kg m2


def test_the_springs_take_up_the_energy_that_the_caps_allow() -> None:
    """With the spin's energy about the heaviest axis: 0.5 k a^2, k = I rate^2, I of swing, I of twist."""
    rate = math.pi / STOPS.contact_time
    energy = 0.5 * INERTIA.max() * STOPS.max_spin**2
    beyond = Penetration.of(STOPS, INERTIA)
    assert beyond.depth == pytest.approx(STOPS.max_speed / rate)
    for angle, inertia in ((beyond.swing, 0.5 * (1.5 + 2.5)), (beyond.twist, 6.0)):
        assert 0.5 * inertia * rate**2 * angle**2 == pytest.approx(energy)
    light = Penetration.of(STOPS, INERTIA[[2, 1, 0]])  # the twist's axis is the lightest now
    assert 0.5 * 1.5 * rate**2 * light.twist**2 == pytest.approx(energy)


def test_equal_energy_spins_fastest_about_the_lightest_axis() -> None:
    """Of many spins of the energy that the cap has about the heaviest axis, the fastest is the ratio's."""
    rng = np.random.default_rng(3)
    directions = rng.normal(size=(20_000, 3))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    energy = 0.5 * INERTIA.max() * STOPS.max_spin**2
    fastest = np.sqrt(2.0 * energy / (directions**2 @ INERTIA)).max()
    assert Penetration.of(STOPS, INERTIA).spin_ratio == pytest.approx(fastest / STOPS.max_spin, rel=1e-3)
    assert Penetration.of(STOPS, np.full(3, 2.0)).spin_ratio == 1.0
