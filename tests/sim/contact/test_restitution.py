"""Restitution of a spring and damper that push, continuous and in steps."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from sim.contact.restitution import (
    GRID_RATIO,
    GRID_SIZE,
    GRID_START,
    continuous_restitution,
    damping_ratio,
    damping_ratios,
    replayed,
    scaled_contact_time,
    spring_rate,
)


def flown(zeta: float) -> tuple[float, float]:
    """Return speed at the end and length of a contact by integration: it ends when the force would pull."""

    def rates(t: float, y: np.ndarray) -> list[float]:
        return [y[1], -y[0] - 2.0 * zeta * y[1]]

    def force(t: float, y: np.ndarray) -> float:
        return -y[0] - 2.0 * zeta * y[1] + (1.0 if t == 0.0 else 0.0)

    force.terminal = True  # type: ignore[attr-defined]
    force.direction = -1.0  # type: ignore[attr-defined]
    y = solve_ivp(rates, (0.0, 40.0), [0.0, -1.0], events=force, rtol=1e-11, atol=1e-13)
    return float(y.y_events[0][0][1]), float(y.t_events[0][0])


@pytest.mark.parametrize("zeta", [0.0, 0.01, 0.1, 0.5, 0.9, 1.0, 1.3, 2.5])
def test_restitution_and_contact_time_against_integration(zeta: float) -> None:
    """Both closed forms, below, at and beyond critical damping."""
    speed, length = flown(zeta)
    assert continuous_restitution(zeta) == pytest.approx(speed, abs=1e-8)
    assert scaled_contact_time(zeta) == pytest.approx(length, abs=1e-7)


@pytest.mark.parametrize("restitution", [0.1, 0.3, 0.5, 0.7, 0.9, 1.0])
def test_steps_give_the_restitution_at_every_phase(restitution: float) -> None:
    """The mean over phases is what was asked, and from 20 steps a contact no phase is off by 0.004."""
    duration = scaled_contact_time(damping_ratio(restitution))
    for i, zeta in enumerate(damping_ratios(restitution)):
        x = GRID_START * GRID_RATIO**i
        speeds = replayed(x, zeta, 101)
        if duration / x >= 4.0:
            assert speeds.mean() == pytest.approx(restitution, abs=2e-3), (restitution, x)
        if duration / x >= 20.0:
            assert abs(speeds - restitution).max() < 0.004, (restitution, x)
    assert i == GRID_SIZE - 1


@pytest.mark.parametrize("x", [0.05, 0.15, 0.3])
def test_no_damping_loses_nothing(x: float) -> None:
    """Entry and exit within a step neither give nor take energy."""
    assert abs(replayed(x, 0.0, 101) - 1.0).max() < 0.01 * x**3 + 1e-6


def test_stiffer_than_the_step_is_softened_to_it() -> None:
    """A spring of any stiffness reverses the speed within four steps and stays bounded."""
    for x in (2.0, 20.0, 2000.0):
        speeds = replayed(x, x * damping_ratios(0.5)[-1] / (GRID_START * GRID_RATIO ** (GRID_SIZE - 1)), 101)
        assert speeds.mean() == pytest.approx(0.5, abs=0.01)
        assert speeds.max() < 1.0


def test_spring_rate_is_that_of_a_half_period() -> None:
    """Without damping a contact is half a period."""
    assert spring_rate(1.0, 0.02) == pytest.approx((math.pi / 0.02) ** 2)
