"""All that a run has to say about the metrics; small, so that the evidence of many runs can be kept."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from hil.analysis.recorded.run import RecordedRun
from hil.analysis.report.contact_lines import ContactEvidence, contact_evidence
from hil.analysis.report.evidence import Evidence
from hil.analysis.report.metric import Metric
from hil.analysis.report.metrics import METRICS
from hil.analysis.report.momentum_lines import momentum_evidence
from hil.analysis.report.push_evidence import PushEvidence, nothing, push_evidence
from hil.analysis.report.trace_digest import digest
from hil.configuration import Configuration
from hil.configuration.resolved import resolved

TOPICS = {  # whose loss leaves a part of a recording incomplete, by the part's key
    "force": "truth", "motion": "truth", "cycles": "cycles", "simulation": "sim_state", "plans": "plan",
    "impulses": "impulse", "mode": "mode",
}  # fmt: skip
PUSHES_NEED = ("force", "impulses", "cycles")
TOLD = ("motion",)  # what is missing of these is a remark: the metric is measured all the same
STANDS = "the arm stands (run.follow = false): only the simulation runs"


@dataclass(frozen=True, eq=False)
class RunEvidence:
    """What a run has to say.

    Attributes:
        configuration: that was in force.
        evidence: by the metric's name.
        pushes: what is judged by the run's own noise.
        live: it had a clock.
        digest: of its trace.
        identity: equal for runs of the same configuration and seed.
        contacts: what its contacts say, by metric; None where force acts as pushes.
        momenta: what both bodies' momentum changed by in each touch [%]; None: the port has no sensor.
    """

    configuration: Configuration
    evidence: dict[str, Evidence]
    pushes: PushEvidence
    live: bool
    digest: str
    identity: str
    contacts: ContactEvidence | None = None
    momenta: tuple[Evidence, Evidence] | None = None


def evidence_of(run: RecordedRun) -> RunEvidence:
    """Return what a run has to say about all metrics."""
    c = run.configuration
    found = {name: _measured(run, metric) for name, metric in METRICS.items()}
    identity = str(list(resolved(c)))
    reason = _lacking(run, PUSHES_NEED)
    pushes = nothing(reason) if reason else push_evidence(run.trace, c)
    beside = contact_evidence(run), momentum_evidence(run)
    return RunEvidence(c, found, pushes, run.live, digest(run.trace), identity, *beside)


def pooled(parts: Iterable[Evidence]) -> Evidence:
    """Return the values of all runs together, with the reason of the first that has none."""
    found = list(parts)
    reason = next((part.reason for part in found if not len(part.values)), "")
    remark = next((part.remark for part in found if part.remark), "")
    return Evidence(np.concatenate([np.empty(0), *(part.values for part in found)]), reason, remark)


def _measured(run: RecordedRun, metric: Metric) -> Evidence:
    if reason := _lacking(run, metric.needs):
        return Evidence(np.empty(0), reason)
    values = metric.measure(run.trace, run.configuration)
    remarks = [run.missing[need] for need in metric.needs if need in TOLD and need in run.missing]
    return Evidence(values[~np.isnan(values)], metric.otherwise, "; ".join(remarks))


def _lacking(run: RecordedRun, needs: tuple[str, ...]) -> str:
    """Return why what needs these parts of a recording cannot be measured in a run, or nothing."""
    if not len(run.trace.t):
        keys = ("cycles", "simulation", "rows")
        return next(run.missing[key] for key in keys if key in run.missing)
    for need in needs:
        if need == "arm" and not run.configuration.run.follow:
            return STANDS
        if need in run.missing and need not in TOLD:
            return run.missing[need]
        if (lost := run.summary.lost.get(TOPICS.get(need, ""))) is not None:
            return f"{lost} messages of {TOPICS[need]} were lost"
    return ""
