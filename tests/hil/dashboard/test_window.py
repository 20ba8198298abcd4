"""Curves thinned out against plain loops over all samples."""

import numpy as np
import pytest

from hil.dashboard.window import POINTS, SPAN, Window

CURVES = 3
LENGTH = SPAN / (POINTS // 2)


def blocks(generator: np.random.Generator) -> list[tuple[np.ndarray, np.ndarray]]:
    """Samples of some 40 s at uneven times, in blocks of uneven sizes, with a hole of 3 s."""
    t = 1e5 + np.cumsum(generator.exponential(0.004, 10_000))
    t = t[(t < t[0] + 33.0) | (t > t[0] + 36.0)]
    values = np.cumsum(generator.normal(size=(len(t), CURVES)), axis=0)
    cuts = np.sort(generator.integers(0, len(t), 300))
    pieces = zip(np.split(t, cuts), np.split(values, cuts), strict=True)
    return [(a, b) for a, b in pieces if len(a)]


@pytest.mark.parametrize("seed", range(5))
def test_each_interval_shows_its_least_and_greatest_value_in_their_order(seed: int) -> None:
    """Of every interval of the last 10 s; at most 500 points; times and values belong together."""
    window = Window(CURVES)
    pieces = blocks(np.random.default_rng(seed))
    for t, values in pieces:
        window.add(t, values)
    t = np.concatenate([piece[0] for piece in pieces])
    values = np.concatenate([piece[1] for piece in pieces])
    now = t[-1] + 0.01
    shown = window.curves(now)
    assert shown.shape[0] == 1 + CURVES and shown.shape[1] <= POINTS
    expected: dict[int, list[int]] = {}
    for k, at in enumerate(t):
        if int(np.floor(at / LENGTH)) > int(np.floor(now / LENGTH)) - POINTS // 2:
            expected.setdefault(int(np.floor(at / LENGTH)), []).append(k)
    assert shown.shape[1] == 2 * len(expected)
    for column, (number, members) in enumerate(sorted(expected.items())):
        assert shown[0, 2 * column] == pytest.approx(number * LENGTH - now, abs=1e-6)
        for curve in range(CURVES):
            own = [values[k, curve] for k in members]
            pair = sorted((own.index(min(own)), own.index(max(own))))
            drawn = shown[1 + curve, 2 * column : 2 * column + 2].tolist()
            assert drawn == [own[pair[0]], own[pair[1]]], f"seed {seed}, interval {number}"


def test_a_single_peak_is_never_lost() -> None:
    """One sample of 20 000 that is higher than all others is in the curve, wherever it lies."""
    for k in (0, 1, 7777, 19_999):
        t, values = np.linspace(100.0, 109.9, 20_000), np.zeros((20_000, 1))
        values[k] = 5.0
        window = Window(1)
        window.add(t, values)
        assert window.curves(109.9)[1].max() == 5.0


def test_what_is_old_is_gone() -> None:
    """A window of which nothing was heard for longer than its span is empty."""
    window = Window(1)
    window.add(np.array([5.0]), np.array([[1.0]]))
    assert window.curves(5.0).shape == (2, 2)
    assert window.curves(5.0 + SPAN + 1.0).shape == (2, 0)
