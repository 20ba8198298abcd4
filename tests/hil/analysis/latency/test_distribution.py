"""Percentiles and histograms of latencies, against counting."""

import numpy as np
import pytest

from hil.analysis.latency.distribution import distribution, histogram, histogram_text


def test_percentiles_of_the_numbers_from_0_to_1000_are_themselves():
    """Of 0, 1, ... 1000 the share p lies below 1000 p, in whatever order they come."""
    values = np.random.default_rng(1).permutation(1001).astype(float)
    found = distribution(values)
    wanted = {"min": 0, "p50": 500, "p90": 900, "p99": 990, "p999": 999, "max": 1000, "n": 1001}
    assert found == pytest.approx(wanted)


def test_nothing_measured_is_none_and_not_a_number_is_left_out():
    """No values give None everywhere but for the count; NaN counts as not measured."""
    empty = distribution(np.empty(0))
    assert empty["n"] == 0 and all(value is None for key, value in empty.items() if key != "n")
    assert distribution(np.array([np.nan, 2.0, np.inf]))["n"] == 1
    assert "nothing measured" in histogram_text("ring", "ms", np.array([np.nan]))


@pytest.mark.parametrize("name", ["narrow", "wide", "negative", "constant", "single"])
def test_a_histogram_holds_every_value_once(name):
    """Counts and overflow add up to all values, each between its edges; at most 0.1 % overflow."""
    rng = np.random.default_rng(7)
    values = {
        "narrow": rng.normal(5.0, 0.2, 20_000),
        "wide": np.exp(rng.normal(0.0, 1.5, 20_000)),
        "negative": rng.normal(0.0, 3.0, 20_000),
        "constant": np.full(500, 3.0),
        "single": np.array([0.4]),
    }[name]
    found = histogram(values)
    assert found.counts.sum() + found.overflow == len(values)
    assert found.overflow <= max(1, 1.001e-3 * len(values))
    assert np.all(np.diff(found.edges) > 0.0)
    for low, high, count in zip(found.edges[:-1], found.edges[1:], found.counts, strict=True):
        assert count == np.sum((values >= low) & (values < high))


def test_the_text_tells_every_count_and_the_overflow():
    """One outlier of 1000 in 2001 values is told as overflow, not drawn; counts stand in the lines."""
    values = np.concatenate([np.linspace(1.0, 2.0, 2000), [1000.0]])
    lines = histogram_text("compute", "us", values).splitlines()
    assert lines[0] == "# compute [us], 2001 values"
    counts = [int(line.split()[1]) for line in lines if not line.startswith("#")]
    overflow = int(lines[-1].rsplit(" ", 1)[1])
    assert overflow >= 1 and sum(counts) + overflow == 2001
    assert "max 1000" in lines[-2]
