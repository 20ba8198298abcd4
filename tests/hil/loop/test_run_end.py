"""What the end of a run cuts off."""

import math

import numpy as np
import pytest

from bench.fidelity import changed
from hil.analysis.figures.impulses import impulse_figures
from hil.configuration import Configuration
from hil.configuration.schema import Detector, ScriptedPush
from hil.loop.lockstep import START_NS, LockStep
from hil.loop.trace.run_end import NONE_UNDER_WAY, cut_from, told_after
from hil.messaging.messages import CycleBlock, TruthBlock

PUSHES = [(1.0, 1.2), (5.0, 5.2)]


def test_a_run_in_peace_is_judged_to_its_last_row() -> None:
    assert cut_from(10.0, NONE_UNDER_WAY, PUSHES, 0.04) == 10.0


def test_what_goes_on_or_ended_too_late_is_cut_off() -> None:
    """A push under way; one that ended 71 ms before the last row is judged, one 69 ms before is not."""
    assert cut_from(10.0, 9.5, PUSHES, 0.04) == 9.5
    assert cut_from(5.271, NONE_UNDER_WAY, PUSHES, 0.04) == 5.271
    assert cut_from(5.269, NONE_UNDER_WAY, PUSHES, 0.04) == 5.0
    assert cut_from(5.269, 4.9, PUSHES, 0.04) == 4.9


def test_who_tells_of_a_push_when_it_is_over_needs_longer() -> None:
    """The paper's way: one impulse, when the baseline behind it is known."""
    growing = Detector()
    assert told_after(growing) == growing.confirm_time
    ended = growing.model_copy(update={"report": "ended"})
    assert told_after(ended) == pytest.approx(growing.confirm_time + growing.settle_time)


@pytest.mark.parametrize(("after_s", "judged"), [(0.03, 1), (0.12, 1), (0.6, 2)])
def test_a_run_that_ends_in_a_push_has_nothing_false(
    cube: Configuration, after_s: float, judged: int
) -> None:
    """Within the second push (100 ms), just behind it, and long after: both or one of two count."""
    first, second = (
        ScriptedPush(time_s=time, force_n=[30.0, 0.0, 0.0], duration_ms=100.0) for time in (0.6, 1.6)
    )
    c = changed(cube, "operator", random=None, push=(first, second))
    told: dict[str, list] = {"cycles": [], "truth": []}
    loop = LockStep(c, None, lambda topic, msg: told[topic].append(msg) if topic in told else None)
    trace = loop.run(1.6 + after_s)
    assert len(trace.impulse_id) == 2 and trace.cut_from < math.inf
    found = impulse_figures(trace)
    assert (found["true"], found["missed"], found["false"]) == (judged, 0, 0)
    newest_ns = round(1e9 * trace.t[-1])
    cycles: list[CycleBlock] = told["cycles"]
    truth: list[TruthBlock] = told["truth"]
    assert cycles[-1].stamps[-1, 0] == truth[-1].stamps[-1, 0] == newest_ns
    assert np.all(trace.push_t_start > 1e-9 * START_NS)
