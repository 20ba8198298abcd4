"""The least damping of a second arm: roots of the delayed loop beside closed forms and the emulated cell."""

import math

import pytest

from bench.acceptance.partner_bound import border, found


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
