"""What is said of a metric."""

from enum import StrEnum


class Verdict(StrEnum):
    """The three verdicts; what is not measured is no pass."""

    PASS = "pass"
    FAIL = "fail"
    NOT_MEASURED = "not measured"


def judge(value: float | None, tolerance: float) -> Verdict:
    """Return the verdict: what is not measured never passes, and what is no number fails."""
    if value is None:
        return Verdict.NOT_MEASURED
    return Verdict.PASS if value <= tolerance else Verdict.FAIL
