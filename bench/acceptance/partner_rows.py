"""The rows of a second arm (B): beside a free body, the bound of its damping, failures, a soak."""

from collections.abc import Iterator

from bench.acceptance.partner_bound import formula_missed, missed
from bench.acceptance.partner_trials import FAILURES, failed, grasped
from bench.acceptance.row import CORE, JOINTS, Row, Trial

BESIDE = {  # from force to motion [ms]: place [mm], velocity [mm/s], peak, momentum
    12.0: (0.5, 0.3, 0.05, 0.01),
    50.0: (2.0, 1.5, 0.25, None),
}


def partner_rows(seeds: int) -> Iterator[Row]:
    """B1 to B3."""
    for delay, bounds in BESIDE.items():
        name, trial = f"grasp at {delay:g} ms beside a free body", (Trial(grasped, (delay,)),)
        for of, what, most, unit in zip(
            ("place", "velocity", "peak", "momentum"),
            (
                "off its place before the release",
                "off its velocity after it",
                "peak force",
                "momentum, of the net",
            ),
            bounds,
            ("mm", "mm/s", "", ""),
            strict=True,
        ):
            yield Row("B1", JOINTS, f"{name}: {what}", most, trial, of, unit=unit)
    cases = [(M, K2, T) for M in (20.0, 60.0) for K2 in (500.0, 1000.0) for T in (0.012, 0.05)]
    for law in ("none", "closing"):
        trials = tuple(Trial(missed, (*case, law)) for case in cases)
        yield Row("B2", CORE, f"least D/K, {law}: cell beside roots of the delayed loop", 0.2, trials, "")
    told = tuple(Trial(formula_missed, case) for case in cases)
    yield Row("B2", CORE, "least D/K by T M / (M + m) beside the roots", 0.2, told, "")
    for failure in FAILURES:
        trials = tuple(Trial(failed, (failure, stiffness)) for stiffness in (500.0, 5000.0))
        yield Row("B3", JOINTS, f"greatest force, {failure}", 40.0, trials, "", unit="N")
