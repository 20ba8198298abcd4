"""The stand-in for a real arm: both shipped experiments within their bounds, whatever the threads."""

from functools import partial

import numpy as np
import pytest

from hil.trials.validation.result import Result, against_stand_ins
from hil.trials.validation.setup import Setup
from hil.trials.validation.simulation import simulate

FEW = "stand_in.draws=4"


@pytest.fixture(scope="module", params=["table-slide", "rim-contact"])
def result(request: pytest.FixtureRequest) -> Result:
    """Four draws of a shipped experiment, as it is shipped."""
    setup = Setup.load(request.param, [FEW])
    return against_stand_ins(setup, 2, partial(simulate, setup))


def test_the_shipped_experiments_keep_their_bounds(result: Result) -> None:
    """Positions and torques are near, but not the same: another arm is another arm."""
    assert result.within and "no real arm" in result.measured
    assert len(result.draws) == 4 and [draw.seed for draw in result.draws] == [1, 2, 3, 4]
    figures = result.figures
    assert 5e-4 < figures["max_deviation_rad"] < 0.025
    assert 0.95 < figures["torque_correlation"] < 0.9999


def test_the_worst_is_told(result: Result) -> None:
    """Joint by joint the largest of all draws, and the draw that is farthest off is the one that is shown."""
    of_draws = [[joint.max_deviation_rad for joint in draw.comparison.joints] for draw in result.draws]
    np.testing.assert_array_equal(
        [joint.max_deviation_rad for joint in result.worst.joints], np.max(of_draws, axis=0)
    )
    farthest = max(result.draws, key=lambda draw: draw.comparison.max_deviation_rad)
    np.testing.assert_array_equal(result.log.q, farthest.run.q)


def test_threads_change_nothing() -> None:
    """One after the other or side by side: the same bits."""
    setup = Setup.load("table-slide", ["stand_in.draws=2", "sequence.repetitions=1", "sequence.wait_s=0.2"])
    one, two = (against_stand_ins(setup, jobs, partial(simulate, setup)) for jobs in (1, 2))
    for a, b in zip(one.draws, two.draws, strict=True):
        np.testing.assert_array_equal(a.run.q, b.run.q)
        np.testing.assert_array_equal(a.run.torque, b.run.torque)
