"""The fidelity certificate: every metric judged against its tolerance; what was not measured is no pass."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hil.analysis.report.contact_lines import contact_lines
from hil.analysis.report.determinism import determinism
from hil.analysis.report.evidence import Evidence
from hil.analysis.report.impulse_lines import impulse_lines
from hil.analysis.report.line import Line
from hil.analysis.report.metric import Metric
from hil.analysis.report.metrics import METRICS
from hil.analysis.report.momentum_lines import momentum_lines
from hil.analysis.report.push_evidence import JudgedPushes, judged_pushes
from hil.analysis.report.run_evidence import RunEvidence, pooled
from hil.analysis.report.velocity_allowance import velocity_allowance
from hil.analysis.report.verdict import Verdict, judge


@dataclass(frozen=True)
class Certificate:
    """All rows."""

    lines: tuple[Line, ...]

    @property
    def counts(self) -> Counter[Verdict]:
        """How many rows have each verdict."""
        return Counter(line.verdict for line in self.lines)

    @property
    def failed(self) -> bool:
        """Whether any metric failed."""
        return self.counts[Verdict.FAIL] > 0

    @property
    def verdict(self) -> Verdict:
        """Of the whole: fail if anything failed; a pass where something passed and nothing failed."""
        if self.failed:
            return Verdict.FAIL
        return Verdict.PASS if self.counts[Verdict.PASS] else Verdict.NOT_MEASURED

    @property
    def headline(self) -> str:
        """The verdict of the whole in a few words."""
        return _HEADLINES[self.verdict]

    @property
    def in_words(self) -> str:
        """What is to be said of the whole."""
        counts = self.counts
        words = [f"{counts[verdict]} {word}" for verdict, word in _WORDS.items()]
        looser = sum(line.looser for line in self.lines)
        return ", ".join(words) + (f"; {looser} tolerances are looser than the default" if looser else "")


_HEADLINES = {
    Verdict.PASS: "Nothing failed",
    Verdict.FAIL: "Failed",
    Verdict.NOT_MEASURED: "Nothing was measured",
}
_WORDS = {Verdict.PASS: "passed", Verdict.FAIL: "failed", Verdict.NOT_MEASURED: "not measured"}


def certificate(
    runs: Sequence[RunEvidence], tolerances: Mapping[str, float], expected: str | None = None
) -> Certificate:
    """Return the certificate of one run, or of several together.

    Args:
        runs: what they have to say; at least one.
        tolerances: that stand in for the default ones, by the metric's name.
        expected: the digest that the run's trace must have, or None.
    """
    found, _ = judged_pushes([(run.configuration, run.pushes) for run in runs])
    noisy = [
        p if run.configuration.emulator.wrench.motion_noise else None
        for run, p in zip(runs, found, strict=True)
    ]
    lines = [_judged(metric, runs, noisy, tolerances) for metric in METRICS.values()]
    lines += contact_lines([run.contacts for run in runs], tolerances)
    lines += momentum_lines([run.momenta for run in runs], tolerances)
    return Certificate((*impulse_lines(runs, tolerances), *lines, _determinism(runs, expected)))


def _judged(
    metric: Metric,
    runs: Sequence[RunEvidence],
    noisy: Sequence[JudgedPushes | None],
    tolerances: Mapping[str, float],
) -> Line:
    """Return the row of a metric; of several runs the widest default tolerance holds.

    Args:
        metric: of the row.
        runs: what they have to say.
        noisy: pushes of each run with motion noise, as its noise allows; None for the others.
        tolerances: that stand in for the default ones.
    """
    found: Evidence = pooled(run.evidence[metric.name] for run in runs)
    allowed = velocity_allowance(metric.name, [pushes for pushes in noisy if pushes is not None])
    default = max(allowed, *(metric.tolerance(run.configuration) for run in runs))
    tolerance = tolerances.get(metric.name, default)
    value = metric.reduce(found.values) if len(found.values) else None
    silent = sum(not len(run.evidence[metric.name].values) for run in runs)
    remark = found.reason if value is None else found.remark
    if value is not None and len(runs) > 1:
        remark = _of_several(metric, runs, noisy, tolerances, silent, found.reason)
    return Line(
        metric.name, metric.title, metric.unit, value, tolerance, default, judge(value, tolerance), remark,
        metric.how, metric.function, len(found.values),
    )  # fmt: skip


def _of_several(
    metric: Metric,
    runs: Sequence[RunEvidence],
    noisy: Sequence[JudgedPushes | None],
    tolerances: Mapping[str, float],
    silent: int,
    reason: str,
) -> str:
    """Return how many runs fail a metric on their own, and how many have nothing to measure it by."""
    words = [f"not measured in {silent} of {len(runs)}: {reason}"] if silent else []
    failed = 0
    for run, pushes in zip(runs, noisy, strict=True):
        values = run.evidence[metric.name].values
        allowed = velocity_allowance(metric.name, [] if pushes is None else [pushes])
        bound = tolerances.get(metric.name, max(allowed, metric.tolerance(run.configuration)))
        failed += len(values) > 0 and judge(metric.reduce(values), bound) is Verdict.FAIL
    if failed:
        words.insert(0, f"{failed} of {len(runs)} fail on their own")
    return "; ".join(words)


def _determinism(runs: Sequence[RunEvidence], expected: str | None) -> Line:
    verdict, value, remark = determinism(runs, expected)
    return Line(
        "determinism", "Determinism: digest of the trace", "", value, None, None, verdict, remark,
        "SHA-256 of all arrays of the trace; the same configuration and seed give the same in lock-step.",
        "hil/analysis/report/trace_digest.py: digest", len(runs),
    )  # fmt: skip
