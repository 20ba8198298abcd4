"""The rows of an arm that a base carries: drifts, plan, error, latency, false impulses."""

from collections.abc import Iterator

from bench.acceptance.base_trials import carried, drifted, felt_of_nothing, planned_in, pushed_late
from bench.acceptance.row import CORE, JOINTS, Row, Trial

DRIFTS = 3  # for each seed: 60 of the default
LONG = 18.0  # [s] of a run


def base_rows(seeds: int) -> Iterator[Row]:
    """A1 to A6 of a platform."""
    for kind, most in (("platform", 1.0), ("none", None)):
        trials = tuple(Trial(drifted, (kind, seed)) for seed in range(DRIFTS * seeds))
        name = f"planar drifts of 60 s lost, of {len(trials)}, {kind}"
        yield Row("A1", CORE, name, most, trials, "lost", "sum")
    turn = (Trial(drifted, ("platform", 0)),)
    yield Row("A2", CORE, "sectors of 10 deg of 36 not served", 0.0, turn, "unseen", "most")
    yield Row(
        "A3", CORE, "plan of the base, three axes, p99", 2.0, (Trial(planned_in, (4000, 1)),), "", unit="ms"
    )
    for known, bounds in ((1.05, (0.7, 2.5)), (0.95, (0.7, 2.5)), (1.2, (1.5, 4.0)), (0.8, (1.5, 4.0))):
        for reaction in (0.05, 0.1, 0.2, 0.25):
            trials = tuple(Trial(carried, (reaction, known, seed, LONG)) for seed in range(-(-seeds // 6)))
            name = f"error of the object, delay {1e3 * reaction:.0f} ms, taken for {known:g} of it"
            rms, most = bounds if reaction <= 0.2 else (None, None)
            number = "A4" if abs(known - 1.0) < 0.1 else "A4a"
            yield Row(number, JOINTS, f"{name}, rms", rms, trials, "rms", unit="mm")
            yield Row(number, JOINTS, f"{name}, largest", most, trials, "most", unit="mm")
    late = tuple(Trial(pushed_late, (seed,)) for seed in range(-(-seeds // 6)))
    yield Row("A5", JOINTS, "push answered later than by an arm that stands", 1.0, late, "", unit="ms")
    quiet = tuple(Trial(felt_of_nothing, (seed, 30.0)) for seed in range(seeds))
    name = f"false impulses in {0.5 * seeds:g} min, links 5 % heavier"
    yield Row("A6", JOINTS, name, 0.0, quiet, "", "sum")
