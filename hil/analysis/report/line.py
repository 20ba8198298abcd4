"""One row of the certificate."""

from dataclasses import dataclass

from hil.analysis.report.verdict import Verdict


@dataclass(frozen=True)
class Line:
    """A metric with its verdict.

    Attributes:
        name: of the metric.
        title: for people.
        unit: of value and tolerance.
        value: None where it was not measured.
        tolerance: None where there is none.
        default: what the tolerance is unless another one is given; None where there is none.
        verdict: of value against tolerance.
        remark: why it was not measured, or what must be known of the value.
        how: it is computed.
        function: that computes it.
        count: of the values that it is made of.
    """

    name: str
    title: str
    unit: str
    value: float | str | None
    tolerance: float | None
    default: float | None
    verdict: Verdict
    remark: str
    how: str
    function: str
    count: int

    @property
    def looser(self) -> bool:
        """Whether the tolerance is wider than the default one."""
        return self.tolerance is not None and self.default is not None and self.tolerance > self.default
