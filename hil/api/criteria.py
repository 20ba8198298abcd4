"""The rows of the certificate as plain values."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hil.analysis.recorded.run import RecordedRun


@dataclass(frozen=True)
class Criterion:
    """One row of the fidelity certificate (docs/use/report.md).

    Attributes:
        name: as the report has it.
        title: in words.
        value: None where it was not measured.
        tolerance: that it must not exceed; None where there is none.
        unit: of both.
        verdict: `pass`, `fail` or `not measured`.
        remark: what must be known of it, or why it was not measured.
    """

    name: str
    title: str
    value: float | str | None
    tolerance: float | None
    unit: str
    verdict: str
    remark: str


def criteria_of(run: "RecordedRun") -> tuple[Criterion, ...]:
    """Return the rows of a run's certificate with the default tolerances."""
    from hil.analysis.report.certificate import certificate
    from hil.analysis.report.run_evidence import evidence_of

    return tuple(
        Criterion(
            line.name, line.title, line.value, line.tolerance, line.unit, line.verdict.value, line.remark
        )
        for line in certificate([evidence_of(run)], {}).lines
    )
