"""Repeated docking bounces live: all processes, FRI over UDP on loopback, an emulated port in the arm's way.

    python -m bench.live_contact [--minutes 10] [--json OUT.json]

The object swings between an undamped port and the energy-neutral stops behind it, so that every touch should
give its speed back: restitution 1. Tolerances are twice those of the loop in lock-step. A starved machine
shows in itself: for so long emulated time stood (it is patient), so many answers were missed.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.live_run import LiveRun
from bench.live_trial import START_PATIENCE_S, Ended, configuration, followed, parser_of, told, usual_rows
from bench.report import Row
from hil.messaging.messages import Contact

MASS, DELAY, WT = 60.0, 0.013, 0.5
STIFFNESS = MASS * (WT / DELAY) ** 2
RESTITUTION = 2.0 * 0.02  # tolerance of a touch
GAIN = 0.01  # of energy in a contact
PORT = f"""
stiffness_n_per_m = {STIFFNESS:.1f}
damping_n_s_per_m = 0.0
point_mm = [945.0, 0.0, 150.0]
normal = [-1.0, 0.0, 0.0]

[force]
mode = "contact"
"""


@dataclass
class Outcome:
    """What a run came to: its contacts, the limits that commands broke, and how it ended."""

    contacts: list[Contact] = field(default_factory=list)
    violations: int = 0
    ended: Ended = field(default_factory=lambda: Ended({}, ""))


def with_port(text: str) -> str:
    """Return a configuration with the port of this trial."""
    head, rest = text.split("[port]", 1)
    return f"{head}[port]{PORT}\n{rest[rest.index('[detector]') :]}"


def live(folder: Path, seconds: float) -> Outcome:
    """Let it swing for so long [s] of floating, or until it faults."""
    run, out = LiveRun(folder, configuration=configuration(folder, "port", with_port)), Outcome()
    try:
        run.wait(lambda: "FLOATING" in run.text, START_PATIENCE_S)
        contacts = run.bus.subscriber("contact", Contact)

        def listen() -> None:
            out.contacts += [contact for contact in contacts.drain() if contact.ended]
            out.violations += run.take_violations()[0]

        out.ended = followed(run, seconds, listen)
        return out
    finally:
        run.close()


def rows_of(outcome: Outcome, seconds: float) -> list[Row]:
    """Return the table."""
    touches = outcome.contacts
    errors = [abs(touch.departure / touch.approach - 1.0) for touch in touches]
    peaks = [abs(t.peak_force / (t.approach * (STIFFNESS * MASS) ** 0.5) - 1.0) for t in touches]
    stiffnesses = [abs(touch.stiffness / STIFFNESS - 1.0) for touch in touches]
    gains = [touch.energy_after / touch.energy_before - 1.0 for touch in touches]
    first, last = usual_rows(outcome.ended, seconds, outcome.violations)
    worst = max(errors, default=float("nan"))
    return [
        *first,
        Row("touches", len(touches), max(1.0, seconds / 20.0), "", least=True),
        Row("restitution, worst error", worst, RESTITUTION, ""),
        Row("restitution, mean error", sum(errors) / max(1, len(errors)), None, ""),
        Row("peak force, worst error", max(peaks, default=float("nan")), None, ""),
        Row("stiffness, worst error", max(stiffnesses, default=float("nan")), None, ""),
        Row("energy given, most in a touch", max(gains, default=float("nan")), GAIN, ""),
        *last,
    ]


def main() -> int:
    """Measure and print."""
    options = parser_of(__doc__, 10.0).parse_args()
    seconds = 60.0 * options.minutes

    def measured(folder: Path) -> tuple[list[Row], str, Any]:
        outcome = live(folder / "r", seconds)
        restitutions = [touch.departure / touch.approach for touch in outcome.contacts]
        return rows_of(outcome, seconds), outcome.ended.fault, {"restitutions": restitutions}

    return told(measured, options.json)


if __name__ == "__main__":
    raise SystemExit(main())
