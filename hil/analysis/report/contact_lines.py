"""The certificate's rows on contacts under continuous force, of runs that have it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from hil.analysis.judged_contact import ContactJudge, JudgedContact
from hil.analysis.recorded.run import RecordedRun
from hil.analysis.report.evidence import Evidence
from hil.analysis.report.line import Line
from hil.analysis.report.verdict import Verdict, judge

CREATED, RESTITUTION = "contact_energy", "contact_restitution"


@dataclass(frozen=True)
class ContactMetric:
    """One row.

    Attributes:
        title: for people.
        unit: of value and tolerance.
        tolerance: by default.
        value: of a contact; None where it has none.
        reason: why no contact has one.
        how: it is computed.
        function: that computes it.
    """

    title: str
    unit: str
    tolerance: float
    value: Callable[[JudgedContact], float | None]
    reason: str
    how: str
    function: str


def _error(one: JudgedContact) -> float | None:
    return None if one.error is None else abs(one.error)


CONTACT_METRICS = {
    CREATED: ContactMetric(
        "Energy that the loop created in a contact, largest",
        "%",
        1.0,
        lambda one: one.created,
        "no contact that began faster than 1 mm/s ended and was identified",
        "Energy by the part of the force that the identified contact does not explain, over the object's "
        "kinetic energy at the onset; of contacts that began faster than 1 mm/s, and whose stiffness is more "
        "than five of its standard deviations: no one spring explains the others.",
        "hil/loop/told_contact.py: created_percent",
    ),
    RESTITUTION: ContactMetric(
        "Restitution of a contact against the ideal one, largest error",
        "",
        0.05,
        _error,
        "no contact that began faster than 1 mm/s ended and has an ideal to be held against",
        "Speed after over speed before along the line of the force, less that of the contact as it should "
        "have been: the target of mode hybrid, else the emulated port, else the contact that was identified.",
        "hil/analysis/judged_contact.py: JudgedContact.error",
    ),
}
ContactEvidence = Mapping[str, Evidence]


def contact_evidence(run: RecordedRun) -> ContactEvidence | None:
    """Return what the contacts of a run have to say, by metric; None where force is pushes."""
    if run.configuration.force.mode == "pushes":
        return None
    lost = run.summary.lost.get("contact")
    reason = "" if lost is None else f"{lost} messages of contact were lost"
    found = [] if reason else [ContactJudge(run.configuration).judged(one) for one in run.contacts]
    return {name: _evidence(metric, found, reason) for name, metric in CONTACT_METRICS.items()}


def _evidence(metric: ContactMetric, found: Sequence[JudgedContact], reason: str) -> Evidence:
    values = [value for one in found if (value := metric.value(one)) is not None]
    return Evidence(np.array(values), "" if values else reason or metric.reason)


def contact_lines(parts: Sequence[ContactEvidence | None], tolerances: Mapping[str, float]) -> list[Line]:
    """Return the rows of one run, or of several together; none where no force acts continuously.

    Args:
        parts: what each run has to say; None: its force acts as pushes.
        tolerances: that stand in for the default ones, by the metric's name.
    """
    told = [part for part in parts if part is not None]
    if not told:
        return []
    return [
        _line(name, metric, [part[name] for part in told], tolerances.get(name, metric.tolerance))
        for name, metric in CONTACT_METRICS.items()
    ]


def _line(name: str, metric: ContactMetric, told: Sequence[Evidence], tolerance: float) -> Line:
    values = np.concatenate([part.values for part in told])
    value = float(values.max()) if len(values) else None
    words = []
    if len(told) > 1:
        failed = sum(
            len(part.values) > 0 and judge(float(part.values.max()), tolerance) is Verdict.FAIL
            for part in told
        )
        words += [f"{failed} of {len(told)} fail on their own"] if failed else []
    if silent := [part for part in told if not len(part.values)]:
        several = f"not measured in {len(silent)} of {len(told)}: " if len(told) > 1 else ""
        words.append(several + silent[0].reason)
    return Line(
        name, metric.title, metric.unit, value, tolerance, metric.tolerance, judge(value, tolerance),
        "; ".join(words), metric.how, metric.function, len(values),
    )  # fmt: skip
