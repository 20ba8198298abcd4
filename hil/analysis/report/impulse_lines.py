"""The certificate's rows on impulses: value, what the noise of the runs allows, and the verdict in words."""

from collections.abc import Mapping, Sequence

from hil.analysis.figures.rest import LEAST_REST
from hil.analysis.report.impulse_metrics import IMPULSE_METRICS, ImpulseMetric
from hil.analysis.report.line import Line
from hil.analysis.report.page import value_in
from hil.analysis.report.push_evidence import JudgedPushes, judged_pushes
from hil.analysis.report.run_evidence import RunEvidence
from hil.analysis.report.verdict import Verdict, judge

LEAST_PUSHES = 8
MOST_EXCESS = 1.3  # of what the configuration explains: noisier runs excuse nothing
NOISE = "wrench_noise"
TOO_FEW = f"{{}} pushes that can be judged: {LEAST_PUSHES} tell how good the impulses are"
TOO_SHORT = f"less than {LEAST_REST:g} s without a push: the noise is not known"


def impulse_lines(runs: Sequence[RunEvidence], tolerances: Mapping[str, float]) -> list[Line]:
    """Return the rows of one run, or of several together.

    Args:
        runs: what they have to say; at least one.
        tolerances: that stand in for what the noise allows, by the metric's name.
    """
    found, excess = judged_pushes([(run.configuration, run.pushes) for run in runs])
    own = [pushes for pushes in found if pushes is not None]
    reason = next((run.pushes.reason for run in runs if run.pushes.reason), TOO_SHORT)
    lines = []
    for metric in IMPULSE_METRICS.values():
        lines.append(_line(metric, runs, own, reason, tolerances))
    return [*lines, _noise_line(excess, reason, tolerances)]


def _line(
    metric: ImpulseMetric,
    runs: Sequence[RunEvidence],
    own: list[JudgedPushes],
    reason: str,
    tolerances: Mapping[str, float],
) -> Line:
    """Return the row of a metric; of several runs the widest goal holds."""
    goal = None if metric.goal is None else max(metric.goal(run.configuration) for run in runs)
    value, default, remark, count = None, goal, reason, 0
    if own:
        pushes, remark = _of(metric, own)
        count = 0 if pushes is None else len(pushes.error)
        if pushes is not None:
            value, default = metric.value(pushes), _allowed(metric, pushes, goal)
            tolerance = tolerances.get(metric.name, default)
            remark = _in_words(metric, pushes, value, goal, tolerance)
            told = remark, _of_several(metric, own, tolerances, goal), _silent(runs, own, reason)
            remark = "; ".join(words for words in told if words)
    given = tolerances.get(metric.name, default)
    verdict = Verdict.NOT_MEASURED if value is None or given is None else judge(value, given)
    return Line(
        metric.name, metric.title, metric.unit, value, given, default, verdict, remark,
        metric.how, metric.function, count,
    )  # fmt: skip


def _of(metric: ImpulseMetric, parts: list[JudgedPushes]) -> tuple[JudgedPushes | None, str]:
    """Return the pushes that count for a metric, or why there are none."""
    every = JudgedPushes.together(parts)
    if not len(every.error):
        return None, metric.otherwise
    if len(every.error) < LEAST_PUSHES:
        return None, TOO_FEW.format(len(every.error))
    chosen = metric.of(every)
    return (chosen, "") if len(chosen.error) else (None, metric.otherwise)


def _allowed(metric: ImpulseMetric, pushes: JudgedPushes, goal: float | None) -> float:
    """Return what the noise allows, and never less than the goal."""
    limit = metric.limit(pushes)
    return limit if goal is None else max(goal, limit)


def _in_words(
    metric: ImpulseMetric, pushes: JudgedPushes, value: float, goal: float | None, tolerance: float
) -> str:
    """Return what the value comes to beside the goal and beside the best estimator."""
    words = []
    met = goal is not None and value <= goal
    if metric.unit:
        words.append("meets the goal" if met else "at this sensor's limit" if value <= tolerance else "fails")
    if goal is not None:
        words[-1] += f" ({value_in(goal, metric.unit)})" if met else f" (goal {value_in(goal, metric.unit)})"
    if metric.best is not None:
        best = value_in(metric.best(pushes), metric.unit)
        words.append(f"the best estimator comes to {best} in this noise")
    return "; ".join(words)


def _of_several(
    metric: ImpulseMetric, own: list[JudgedPushes], tolerances: Mapping[str, float], goal: float | None
) -> str:
    """Return how many of several runs fail a metric on their own."""
    failed = 0
    for part in own if len(own) > 1 else []:
        pushes, _ = _of(metric, [part])
        if pushes is not None:
            bound = tolerances.get(metric.name, _allowed(metric, pushes, goal))
            failed += judge(metric.value(pushes), bound) is Verdict.FAIL
    return f"{failed} of {len(own)} fail on their own" if failed else ""


def _silent(runs: Sequence[RunEvidence], own: list[JudgedPushes], reason: str) -> str:
    silent = len(runs) - len(own)
    return f"not measured in {silent} of {len(runs)}: {reason}" if silent else ""


def _noise_line(excess: float | None, reason: str, tolerances: Mapping[str, float]) -> Line:
    """Return the row that keeps a noisy sensor from excusing itself."""
    given = tolerances.get(NOISE, MOST_EXCESS)
    return Line(
        NOISE, "Noise of the wrench over what is configured", "", excess, given, MOST_EXCESS,
        judge(excess, given), reason if excess is None else "",
        "What a push of 50, 100 or 200 ms is worth in the noise at rest, over what it is worth in the noise, "
        "offset and missed inertia that the configuration explains; the largest of these.",
        "hil/analysis/report/rest_noise.py: RestNoise", 0 if excess is None else 1,
    )  # fmt: skip
