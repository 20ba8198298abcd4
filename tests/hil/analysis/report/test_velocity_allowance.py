"""A velocity is judged by the noise that hides its impulse, where there is motion noise."""

import numpy as np
import pytest

from hil.analysis.report.certificate import certificate
from hil.analysis.report.impulse_metrics import IMPULSE_METRICS
from hil.analysis.report.velocity_allowance import BEYOND, velocity_allowance
from hil.analysis.report.verdict import Verdict
from tests.hil.analysis.report.test_impulse_lines import evidence, line, white_only
from tests.hil.analysis.report.test_impulse_rules import pushes

NAME = "velocity_error_arm_p95"


def test_it_is_the_impulses_limit_and_a_margin() -> None:
    """Of the pushes whose velocity is judged: with all of them the row of the impulses itself."""
    judged = pushes(20, bound=0.2)
    for name, (quantile, margin) in BEYOND.items():
        row = IMPULSE_METRICS["impulse_error_median" if quantile == 0.5 else "impulse_error_p95"]
        assert velocity_allowance(name, [judged]) == pytest.approx(row.limit(judged) + margin)
    assert velocity_allowance(NAME, [pushes(20, bound=0.1)]) < velocity_allowance(NAME, [judged])


def test_pushes_whose_velocity_is_not_judged_do_not_count() -> None:
    """Half of them ten times as loud, but not free: they excuse nothing."""
    judged = pushes(40, bound=0.1)
    judged.bound[:20] *= 10.0
    judged.free[:20] = False
    alone = judged.only(np.arange(40) >= 20)
    assert velocity_allowance(NAME, [judged]) == pytest.approx(velocity_allowance(NAME, [alone]))


def test_other_metrics_and_few_pushes_are_excused_nothing() -> None:
    assert velocity_allowance("reaction", [pushes(20)]) == 0.0
    assert velocity_allowance(NAME, [pushes(7)]) == 0.0
    assert velocity_allowance(NAME, []) == 0.0


def test_the_certificate_takes_it_with_motion_noise_only() -> None:
    """An arm 4.5 % off, in the middle, in loud noise: a failure without motion noise only."""
    for noise, verdict in ((True, Verdict.PASS), (False, Verdict.FAIL)):
        run = evidence(count=8, arm=1.01, white=3.0, c=white_only(motion_noise=noise))
        found = line(certificate([run], {}).lines, "velocity_error_arm_median")
        assert found.verdict is verdict, found
