"""The least damping of a second arm: roots of the delayed loop beside closed forms and the emulated cell."""

import math
from pathlib import Path

import numpy as np
import pytest

from bench.acceptance import partner_bound
from bench.acceptance.partner_bound import border, cell_law, found, grows, margin
from hil.configuration.grasp_rules import MOST_FULL
from hil.loop.driver.carried_force import shares


def test_the_roots_give_the_formula_where_the_oscillation_is_slow():
    """T M / (M + m) to 5 % for w T below 0.3, nothing being done about the delay."""
    for M, K2, T in ((60.0, 200.0, 0.012), (60.0, 500.0, 0.05), (20.0, 200.0, 0.05)):
        D = border(M, K2, T, "none", 3.0, 4e4, 240.0)
        assert D / K2 == pytest.approx(T * M / (M + 3.0), rel=0.05)


def test_closing_needs_less_and_full_next_to_nothing():
    """By w^2 / (w^2 + k^2); and below a tenth of it."""
    M, K2, T = 60.0, 500.0, 0.05
    w2, k = K2 / (M + 3.0), min(5.0, 0.15 / T)
    late = T * M / (M + 3.0) * K2
    assert border(M, K2, T, "closing", 3.0, 4e4, 240.0) == pytest.approx(late * w2 / (w2 + k * k), rel=0.25)
    full = border(M, K2, T, "full", 3.0, 4e4, 240.0)
    assert math.isnan(full) or full < 0.1 * late


def test_the_emulated_cell_shows_the_same_border():
    """Pads and tip as they are stepped, to two hundredths."""
    shown, told = found(60.0, 1000.0, 0.05, "none")
    assert shown == pytest.approx(told, rel=0.02)


@pytest.mark.parametrize("T", [0.006, 0.012, 0.016, 0.02, 0.028])
@pytest.mark.parametrize("M", [20.0, 32.0, 60.0])
def test_what_is_carried_on_bears_stiffer_pads_than_are_configured(M, T):
    """Half as stiff again at least, were all of the delay dead time; where `full` is taken at all."""
    if 2e4 * T * T / M < MOST_FULL:
        assert margin(M, T, "full", 3.0, 4e4, 240.0, 500.0, 54.0) > 1.5


def test_the_emulated_cell_bears_what_the_roots_say(monkeypatch):
    """Pads and tip as they are stepped: quiet at 0.9 of the border, growing at twice it."""
    M, T, nominal = 60.0, 0.012, shares(4e4 * 0.012**2 / 60.0)
    monkeypatch.setattr(partner_bound, "shares", lambda _: nominal)  # as configured, whatever pads there are
    law = cell_law(Path("configs/two_arms.toml"))._replace(
        K=np.array([500.0, 500.0]), D=np.array([54.0, 20.0])
    )
    most = margin(M, T, "full", 3.0, 4e4, 240.0, 500.0, 54.0)
    for times, expected in ((0.9 * most, False), (2.0 * most, True)):
        pads = law._replace(stiffness=times * law.stiffness, damping=times * law.damping)
        assert grows(pads, M, T, "full") is expected
