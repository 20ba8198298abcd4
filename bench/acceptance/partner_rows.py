"""The rows of a second arm (B): beside a free body, the bound of its damping, failures, a shared motion."""

from collections.abc import Iterator

from bench.acceptance.partner_bound import borne, formula_missed, missed
from bench.acceptance.partner_trials import FAILURES, GENTLE, SWIFT, failed, grasped, late_at_best
from bench.acceptance.row import CORE, JOINTS, Row, Trial
from bench.acceptance.shared_trials import common, gained, touched, unlike_inertial

BESIDE = {  # from force to motion [ms]: place [mm], velocity [mm/s], peak, momentum
    12.0: (0.5, 0.3, 0.05, 0.01),
    50.0: (2.0, 1.5, 0.25, None),
}


def partner_rows(seeds: int) -> Iterator[Row]:
    """B1 to B4."""
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
    gentle = (Trial(grasped, (12.0, (GENTLE,))),)
    yield Row(
        "B1", JOINTS, "grasp at 12 ms, joints with a tenth of the jerk: peak force", None, gentle, "peak"
    )
    best = (Trial(late_at_best, (12.0,)),)
    yield Row(
        "B1", CORE, "peak force on a body that answers 12 ms late and then at once by all", None, best, ""
    )
    cases = [(M, K2, T) for M in (20.0, 60.0) for K2 in (500.0, 1000.0) for T in (0.012, 0.05)]
    for law in ("none", "closing"):
        trials = tuple(Trial(missed, (*case, law)) for case in cases)
        yield Row("B2", CORE, f"least D/K, {law}: cell beside roots of the delayed loop", 0.2, trials, "")
    stiffer = tuple(Trial(borne, (M, T)) for M in (20.0, 32.0, 60.0) for T in (0.006, 0.012, 0.02))
    yield Row("B2", CORE, "full: one over how much stiffer the pads may be", 0.67, stiffer, "")
    told = tuple(Trial(formula_missed, case) for case in cases)
    yield Row("B2", CORE, "least D/K by T M / (M + m) beside the roots", 0.2, told, "")
    for failure in FAILURES:
        trials = tuple(Trial(failed, (failure, stiffness)) for stiffness in (500.0, 5000.0))
        yield Row("B3", JOINTS, f"greatest force, {failure}", 40.0, trials, "", unit="N")
    unlike = tuple(Trial(unlike_inertial, (seed,)) for seed in range(seeds))
    yield Row("B4", CORE, "relative pose and twist before any observer, off the inertial", 1e-9, unlike, "")
    touches = tuple(Trial(touched, (speed, "mass")) for speed in (20.0, 30.0, 40.0))
    for of, what, most, unit in (
        ("place", "relative place of the mock-ups off the bodies'", 0.5, "mm"),
        ("restitution", "restitution off that of two free bodies", 0.03, ""),
        ("lost", "common momentum lost, of the impulse", 0.05, ""),
        ("peak", "peak force over that of two free bodies", 0.1, ""),
    ):
        yield Row("B4", JOINTS, f"60 and 40 kg touch, shared by mass: {what}", most, touches, of, unit=unit)
    for words, more in (("", ()), (", joints with ten times the jerk", (SWIFT,))):
        fast = (Trial(touched, (60.0, "mass", more)),)
        yield Row("B4", JOINTS, f"60 mm/s{words}: common momentum lost", None, fast, "lost")
    reach = (Trial(gained, ("reach",)),)
    yield Row(
        "B4", JOINTS, "relative travel short of twice one arm's, shared by reach", 0.1, reach, "", "most"
    )
    drift = (Trial(common, (70.0, 30.0)),)
    yield Row("B4", JOINTS, "common drift of 3 m in 30 s: lost", 0.1, drift, "", "most", unit="s")
