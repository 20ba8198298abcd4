"""The model of the vehicle's speed against the emulated vehicle, which is code of its own."""

from pathlib import Path

import numpy as np

from drivers.base.emulated_base import GRID
from hil.configuration import load_configuration
from hil.loop.carried.stand_in import GRID_NS, StandIn
from hil.loop.carried.vehicle_speed import VehicleSpeed
from hil.messaging.base_messages import BaseCommand

CONFIG = Path(__file__).parents[4] / "configs" / "platform.toml"
EXACT = ["base.emulated={slip=0.0,noise_mm_s=0.0,pose_noise_mm=0.0,heading_noise_deg=0.0}"]
PERIOD_NS = 8 * GRID_NS


def test_it_drives_as_the_vehicle_does_also_when_commands_end() -> None:
    """Commands that change, then none for a second, then others: speed and acceleration are the vehicle's.

    The vehicle's grid is of the first order: of a lag of 80 ms a step of 1 ms misses 1/160 of a change. Where
    commands end or begin again, a step of the grid may lie between the two.
    """
    c = load_configuration(CONFIG, EXACT)
    model, real = VehicleSpeed(c.base), StandIn(c, 0)
    wrong, moved = [], []
    for t_ns in range(0, 4 * 10**9, GRID_NS):
        if t_ns % PERIOD_NS == 0 and not 10**9 < t_ns < 2 * 10**9:
            told = np.cos(1e-9 * t_ns * np.array([2.0, 3.0, 1.0])) * [0.3, 0.2, 0.3]
            model.commanded(t_ns, told)
            real.obey(BaseCommand(t_ns, told))
        real.advance(t_ns + GRID_NS)
        model.step(t_ns + GRID_NS)
        wrong.append(np.abs([model.rate, model.acceleration] - real.vehicle.motion[1:]))
        moved.append(np.abs(real.vehicle.motion[2]))
    assert np.max(moved) > 0.999 * c.base.max_acceleration  # as hard as it can
    most = 3.0 * GRID * c.base.max_acceleration  # a step of the grid, and one at each such place
    assert np.max(wrong, axis=(0, 2))[0] < most
    acceleration = np.sort(np.max(wrong, axis=2)[:, 1])
    assert acceleration[-3] < most / c.base.lag


def test_it_goes_on_over_a_time_without_samples() -> None:
    """Steps of any length come to the same speed; an instant that is not later changes nothing."""
    c = load_configuration(CONFIG, EXACT)
    often, seldom = VehicleSpeed(c.base), VehicleSpeed(c.base)
    for t_ns in range(0, 96_000_001, 8_000_000):
        for model in (often, seldom):
            model.step(0)
            model.commanded(t_ns, np.array([0.02, 0.01, -0.02]))
    for t_ns in range(0, 160_000_001, 2_000_000):
        often.step(t_ns)
    seldom.step(160_000_000)
    np.testing.assert_allclose(often.rate, seldom.rate, atol=1e-12)
    assert often.rate[0] > 0.01
    rate, acceleration = seldom.rate.copy(), seldom.acceleration.copy()
    seldom.step(150_000_000)
    np.testing.assert_array_equal(seldom.rate, rate)
    np.testing.assert_array_equal(seldom.acceleration, acceleration)
