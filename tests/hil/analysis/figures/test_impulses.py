"""Matching of impulses with pushes, and their errors, on lists made by hand."""

import numpy as np
import pytest

from hil.analysis.figures.impulses import impulse_figures, match_impulses
from hil.loop.trace.fields import trace_from
from tests.hil.loop.synthetic_trace import quiet_arrays

PUSH = np.array([3.0, 0.0, 0.0, 0.0, 0.4, 0.0])  # norm with 0.2 m: hypot(3, 2)
NORM = np.hypot(3.0, 2.0)


def judged(pushes, impulses, **more):
    """Trace with pushes (start, end, value) and impulses (onset, value), and `more` arrays instead."""
    arrays = quiet_arrays(0.1)
    arrays["push_t_start"] = np.array([p[0] for p in pushes], float)
    arrays["push_t_end"] = np.array([p[1] for p in pushes], float)
    arrays["push_value"] = np.array([p[2] for p in pushes], float).reshape(-1, 6)
    arrays["impulse_id"] = np.arange(len(impulses))
    arrays["impulse_t_start"] = np.array([i[0] for i in impulses], float)
    arrays["impulse_t_end"] = arrays["impulse_t_centroid"] = arrays["impulse_t_start"] + 0.1
    arrays["impulse_value"] = np.array([i[1] for i in impulses], float).reshape(-1, 6)
    arrays["impulse_deviation"] = np.zeros(len(impulses))
    arrays["impulse_sustained"] = np.zeros(len(impulses), bool)
    arrays["impulse_ended"] = np.ones(len(impulses), bool)
    return trace_from(arrays | more)


def test_torques_count_over_the_length():
    """0.1 N s and 0.04 N m s amiss: the error is hypot(0.1, 0.2) over the norm."""
    trace = judged([(1.0, 1.1, PUSH)], [(1.0, PUSH + np.array([0.1, 0, 0, 0, 0, 0.04]))])
    matches = match_impulses(trace)
    assert matches.error == pytest.approx(np.hypot(0.1, 0.2))
    figures = impulse_figures(trace)
    assert figures["error_median"] == pytest.approx(np.hypot(0.1, 0.2) / NORM)
    assert (figures["true"], figures["detected"], figures["missed"], figures["false"]) == (1, 1, 0, 0)


@pytest.mark.parametrize(("onset", "found"), [(0.981, True), (0.979, False), (1.129, True), (1.131, False)])
def test_the_window_reaches_from_20_ms_before_to_30_ms_after(onset, found):
    """An onset outside [-20 ms, end + 30 ms] leaves the push missed and the impulse false."""
    figures = impulse_figures(judged([(1.0, 1.1, PUSH)], [(onset, PUSH)]))
    assert figures["detected"] == int(found)
    assert figures["missed"] == figures["false"] == int(not found)


def test_a_second_impulse_for_one_push_is_false():
    """The first by onset is taken, whatever the order of the rows; the other is false."""
    figures = impulse_figures(judged([(1.0, 1.1, PUSH)], [(1.08, 0.5 * PUSH), (1.0, PUSH)]))
    assert (figures["detected"], figures["missed"], figures["false"]) == (1, 0, 1)
    assert figures["error_median"] == pytest.approx(0.0, abs=1e-15)


def test_overlapping_pushes_get_an_impulse_each():
    """Two pushes 50 ms apart whose windows overlap: each finds its own impulse."""
    pushes = [(1.0, 1.1, PUSH), (1.05, 1.15, 2.0 * PUSH)]
    matches = match_impulses(judged(pushes, [(1.002, PUSH), (1.053, 2.0 * PUSH)]))
    assert matches.impulse.tolist() == [0, 1]
    assert matches.error == pytest.approx(0.0, abs=1e-12)


def test_false_impulses_far_from_any_push_are_counted():
    """Three impulses without a push: three false ones, and nothing else changes."""
    figures = impulse_figures(
        judged([(1.0, 1.1, PUSH)], [(0.5, PUSH), (1.0, 1.02 * PUSH), (2.0, PUSH), (3.0, PUSH)])
    )
    assert figures["false"] == 3
    assert figures["error_median"] == pytest.approx(0.02)


def test_median_and_p95_over_many_pushes():
    """Errors of 0, 1, ... 100 per mille: the median is 50, the 95th percentile 95 per mille."""
    pushes = [(2.0 * k, 2.0 * k + 0.1, PUSH) for k in range(101)]
    impulses = [(2.0 * k, (1.0 + 1e-3 * k) * PUSH) for k in range(101)]
    figures = impulse_figures(judged(pushes, impulses))
    assert figures["error_median"] == pytest.approx(0.050)
    assert figures["error_p95"] == pytest.approx(0.095)


def test_without_pushes_there_is_no_error_to_state():
    """No push: counts are zero, errors are None."""
    figures = impulse_figures(judged([], []))
    assert figures == {
        "true": 0, "detected": 0, "missed": 0, "false": 0, "error_median": None, "error_p95": None
    }  # fmt: skip


TWO = [(1.0, 1.1, PUSH), (3.0, 3.1, PUSH)]
FEW = ("true", "detected", "missed", "false")


def told(trace):
    """Pushes that are judged, found and missed, and false impulses."""
    figures = impulse_figures(trace)
    return tuple(figures[name] for name in FEW)


def test_a_push_that_the_end_cuts_off_is_neither_missed_nor_is_its_impulse_false():
    """From `cut_from` on nothing is judged; up to 20 ms before it an onset belongs to what begins there."""
    assert told(judged(TWO, [(1.0, PUSH)], cut_from=3.0)) == (1, 1, 0, 0)
    assert told(judged(TWO, [(1.0, PUSH)], cut_from=3.001)) == (2, 1, 1, 0)
    for onset, false in ((4.9805, 0), (4.9795, 1)):
        assert told(judged(TWO[:1], [(1.0, PUSH), (onset, PUSH)], cut_from=5.0)) == (1, 1, 0, false)


def test_an_impulse_that_still_grows_is_not_judged_and_neither_is_its_push():
    """Its value is not the last word; its push was found all the same. A long one is not excused."""
    pushes, impulses = TWO, [(1.0, PUSH), (3.0, 0.5 * PUSH)]
    growing = judged(pushes, impulses, impulse_ended=[True, False], cut_from=3.2)
    assert told(growing) == (1, 1, 0, 0)
    assert np.isnan(match_impulses(growing).error[1]) and match_impulses(growing).error[0] == 0.0
    alone = {"impulse_ended": [True, False], "cut_from": 9.0}
    assert told(judged(TWO[:1], [(1.0, PUSH), (5.0, PUSH)], **alone)) == (1, 1, 0, 0)
    lasting = alone | {"impulse_sustained": [False, True]}
    assert told(judged(TWO[:1], [(1.0, PUSH), (5.0, PUSH)], **lasting)) == (1, 1, 0, 1)
