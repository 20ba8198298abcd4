"""Repeated docking bounces live: all processes, FRI over UDP on loopback, an emulated port in the arm's way.

    python -m bench.live_contact [--minutes 10] [--wT 0.5] [--zeta 0] [--json OUT.json]

The object swings between a port and the energy-neutral stops behind it, so that every touch should give back
what such a contact does: all of its speed without damping. Tolerances are twice those of the loop in
lock-step. A starved machine shows in itself: for so long emulated time stood (it is patient), so many answers
were missed.
"""

import math
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from bench.contact_trials import ideal_peak, ideal_restitution
from bench.live_run import LiveRun
from bench.live_trial import START_PATIENCE_S, Ended, configuration, followed, parser_of, told, usual_rows
from bench.report import Row
from hil.messaging.messages import Contact

MASS, DELAY = 60.0, 0.013
GAIN = 0.01  # of energy in a contact


class Meets(NamedTuple):
    """The contact that is met again and again: natural frequency times the loop's delay, damping ratio."""

    wT: float = 0.5  # noqa: N815
    zeta: float = 0.0

    @property
    def stiffness(self) -> float:
        """Of the port [N/m]."""
        return MASS * (self.wT / DELAY) ** 2

    @property
    def tolerance(self) -> float:
        """Of the restitution of a touch."""
        return 2.0 * (0.02 if self.wT <= 0.5 else 0.03)

    @property
    def port(self) -> str:
        """The tables of port and force; the arm goes deep into a hard port."""
        return f"""
stiffness_n_per_m = {self.stiffness:.1f}
damping_n_s_per_m = {2.0 * self.zeta * math.sqrt(self.stiffness * MASS):.1f}
point_mm = [945.0, 0.0, 150.0]
normal = [-1.0, 0.0, 0.0]

[force]
mode = "contact"
stop_force_n = {150.0 if self.wT <= 0.5 else 1000.0}
"""


@dataclass
class Outcome:
    """What a run came to: its contacts, the limits that commands broke, and how it ended."""

    contacts: list[Contact] = field(default_factory=list)
    violations: int = 0
    ended: Ended = field(default_factory=lambda: Ended({}, ""))


def with_port(meets: Meets, text: str) -> str:
    """Return a configuration with the port of this trial."""
    head, rest = text.split("[port]", 1)
    return f"{head}[port]{meets.port}\n{rest[rest.index('[detector]') :]}"


def live(folder: Path, meets: Meets, seconds: float) -> Outcome:
    """Let it swing for so long [s] of floating, or until it faults."""
    written = configuration(folder, "port", partial(with_port, meets))
    run, out = LiveRun(folder, configuration=written), Outcome()
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


def rows_of(outcome: Outcome, meets: Meets, seconds: float) -> list[Row]:
    """Return the table."""
    touches, ideal = outcome.contacts, ideal_restitution(meets.zeta)
    errors = [abs(touch.departure / touch.approach - ideal) for touch in touches]
    top = ideal_peak(meets.zeta) * math.sqrt(meets.stiffness * MASS)
    peaks = [abs(touch.peak_force / (touch.approach * top) - 1.0) for touch in touches]
    stiffnesses = [abs(touch.stiffness / meets.stiffness - 1.0) for touch in touches]
    gains = [touch.energy_after / touch.energy_before - 1.0 for touch in touches]
    first, last = usual_rows(outcome.ended, seconds, outcome.violations)
    worst = max(errors, default=float("nan"))
    return [
        *first,
        Row("touches", len(touches), max(1.0, seconds / 20.0), "", least=True),
        Row("restitution, worst error", worst, meets.tolerance, ""),
        Row("restitution, mean error", sum(errors) / max(1, len(errors)), None, ""),
        Row("peak force, worst error", max(peaks, default=float("nan")), None, ""),
        Row("stiffness, worst error", max(stiffnesses, default=float("nan")), None, ""),
        Row("energy given, most in a touch", max(gains, default=float("nan")), GAIN, ""),
        *last,
    ]


def main() -> int:
    """Measure and print."""
    parser = parser_of(__doc__, 10.0)
    parser.add_argument("--wT", type=float, default=0.5)
    parser.add_argument("--zeta", type=float, default=0.0)
    options = parser.parse_args()
    seconds, meets = 60.0 * options.minutes, Meets(options.wT, options.zeta)

    def measured(folder: Path) -> tuple[list[Row], str, Any]:
        outcome = live(folder / "r", meets, seconds)
        restitutions = [touch.departure / touch.approach for touch in outcome.contacts]
        return rows_of(outcome, meets, seconds), outcome.ended.fault, {"restitutions": restitutions}

    return told(measured, options.json)


if __name__ == "__main__":
    raise SystemExit(main())
