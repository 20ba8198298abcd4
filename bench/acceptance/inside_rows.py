"""Rows of bodies that move inside the object (C): conservation, oracles, closed forms, rewind, times."""

from collections.abc import Iterator

from bench.acceptance import inside_trials as trials
from bench.acceptance.row import CORE, Part, Row, Trial

LONG = 600.0  # [s]
QUICK = 45.0  # beyond the end of the script
CONSERVED = {"gyrostat": ("servicer", 1e-12), "modes": ("panels", 1e-12), "tree": ("hinged", 1e-9)}


def conserved(seeds: int) -> Iterator[Row]:
    """Yield the drifts of P, L and energy over ten minutes, or a little where only one seed is asked for."""
    seconds = QUICK if seeds == 1 else LONG
    for kind, (name, most) in CONSERVED.items():
        trial = (Trial(trials.drift, (name, seconds)),)
        for of, what, bound in (
            ("linear", "momentum", most),
            ("angular", "angular momentum", most),
            ("energy", "energy, undamped, no motor at work", 1e-6),
        ):
            yield Row("C1", CORE, f"{kind}: {what} in {seconds:g} s", bound, trial, of)


def judged(seeds: int) -> Iterator[Row | Part]:
    """Yield what MuJoCo, the generalised Jacobian and closed forms say."""
    seconds = 4.0 if seeds == 1 else 20.0
    yield Part(("C2",), Trial(told_reaction, (seconds,)))
    for kind in ("modes", "tree"):
        bare = tuple(Trial(told_frequency, (kind, f, 0.0)) for f in (0.1, 0.5, 2.0))
        yield Row("C3", CORE, f"{kind}: free frequency against f / sqrt(Mr)", 1e-3, bare, "")
        damped = (Trial(told_damping, (kind, 0.5, 0.005)),)
        yield Row("C3", CORE, f"{kind}: free damping against z / sqrt(Mr)", 0.03, damped, "")


def told_reaction(seconds: float) -> list[tuple[str, str, float, float]]:
    """Return the figures of a base that answers a scripted arm."""
    twist, mobility, attitude = trials.reaction(seconds)
    return [
        ("C2", "gyrostat: base twist against the generalised Jacobian", twist, 1e-9),
        ("C2", "gyrostat: mobility against MuJoCo's mass matrix", mobility, 1e-9),
        ("C2", f"gyrostat: attitude against MuJoCo after {seconds:g} s [rad]", attitude, 1e-6),
    ]


def told_frequency(kind: str, frequency: float, damping: float) -> float:
    """Return by what share a free frequency misses the closed form's."""
    return trials.ringing(kind, frequency, damping)[0]


def told_damping(kind: str, frequency: float, damping: float) -> float:
    """Return by what share a free damping ratio misses the closed form's."""
    return trials.ringing(kind, frequency, damping)[1]


def rewound(seeds: int) -> Iterator[Row]:
    """Yield what a late push changes: nothing, to the bit."""
    late = tuple(Trial(trials.late_push, (name,)) for name, _ in CONSERVED.values())
    yield Row("C4", CORE, "a push told 0.8 s late against one in time", 0.0, late, "")


def timed(seeds: int) -> Iterator[Row]:
    """Yield times of a step and of a prediction; wanted on a machine that does nothing else."""
    for (kind, (name, _)), most in zip(CONSERVED.items(), (0.3, 5.0, 40.0), strict=True):
        row = (Trial(trials.step_time, (name,)),)
        yield Row("C5", CORE, f"{kind}: a step of the grid", most, row, "", unit="us")
    for kind, name, streamed, most in (
        ("gyrostat by a script", "servicer", False, 1.0),
        ("gyrostat by orders", "servicer", True, 8.0),
        ("modes", "panels", False, 2.0),
        ("tree", "hinged", False, 15.0),
    ):
        row = (Trial(trials.prediction_time, (name, streamed)),)
        yield Row("C6", CORE, f"{kind}: a prediction of 2 s", most, row, "", unit="ms")
