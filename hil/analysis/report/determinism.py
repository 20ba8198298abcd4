"""Whether a run is the one that its configuration and seed give, to the bit."""

from collections import defaultdict
from collections.abc import Sequence

from hil.analysis.report.run_evidence import RunEvidence
from hil.analysis.report.verdict import Verdict


def determinism(runs: Sequence[RunEvidence], expected: str | None) -> tuple[Verdict, str | None, str]:
    """Return verdict, value and remark: a digest has to be compared with something.

    Args:
        runs: compared with one another where their configurations are the same, seed included.
        expected: the digest that a single run must have, or None.
    """
    if any(run.live for run in runs):
        return Verdict.NOT_MEASURED, None, "a live run's timing is never twice the same"
    if expected is not None and len(runs) == 1:
        same = runs[0].digest == expected
        return (Verdict.PASS if same else Verdict.FAIL), runs[0].digest, f"expected {expected}"
    groups = defaultdict[str, list[str]](list)
    for run in runs:
        groups[run.identity].append(run.digest)
    repeated = [group for group in groups.values() if len(group) > 1]
    if not repeated:
        value = runs[0].digest if len(runs) == 1 else None
        return Verdict.NOT_MEASURED, value, "there is no second run of the same configuration and seed"
    different = sum(len(set(group)) > 1 for group in repeated)
    verdict = Verdict.FAIL if different else Verdict.PASS
    return verdict, f"{different} of {len(repeated)} differ", "runs of the same configuration and seed"
