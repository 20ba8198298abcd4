"""An arm on a platform live: all processes, FRI over UDP on loopback, the emulated vehicle behind its topics.

    python -m bench.live_base [--minutes 2] [--pushes] [--json OUT.json]

The error of the object is how far the held mock-up really is from where the simulation has it.
A starved machine shows in itself: for so long emulated time stood (it is patient).
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from bench.live_run import LiveRun
from bench.live_trial import START_PATIENCE_S, Ended, configuration, followed, parser_of, told, usual_rows
from bench.report import Row
from hil.common.arrays import Array
from hil.messaging.base_messages import BaseReport
from hil.messaging.messages import SimState, TruthBlock

SETTLED_S = 2.0  # after which an error counts
RMS_MM, MOST_MM = 0.7, 2.5
PUSHES = "\n[operator]\nrandom = {count=100,first_s=4.0,gap_s=4.0,gap_spread_s=1.0,impulse_max_n_s=3.0}\n"


@dataclass
class Outcome:
    """What a run came to: true and simulated places by time, the base's errors, and how it ended."""

    truth: list[Array] = field(default_factory=list)  # rows: instant [s], place [m]
    simulated: list[Array] = field(default_factory=list)
    base: list[Array] = field(default_factory=list)  # of each report: off its path [m, rad]
    travelled: list[Array] = field(default_factory=list)
    violations: int = 0
    ended: Ended = field(default_factory=lambda: Ended({}, ""))


def carried(folder: Path, pushes: bool) -> Path:
    """Write `configs/platform.toml` for a run of its own in a folder."""
    return configuration(folder, "platform", lambda text: text + (PUSHES if pushes else ""))


def live(folder: Path, seconds: float, pushes: bool) -> Outcome:
    """Let it float for so long [s], or until it faults or holds."""
    run, out = LiveRun(folder, configuration=carried(folder, pushes)), Outcome()
    try:
        run.wait(lambda: "FLOATING" in run.text, START_PATIENCE_S)
        truths = run.bus.subscriber("truth", TruthBlock)
        states = run.bus.subscriber("sim_state", SimState, every=True)
        reports = run.bus.subscriber("base_report", BaseReport)

        def listen() -> None:
            for block in truths.drain():
                out.truth += list(np.column_stack((1e-9 * block.stamps[:, 0], block.p_world_object)))
                out.violations = max(out.violations, block.violations)
            out.simulated += [
                np.array([1e-9 * state.t_ns, *state.p_world_object])
                for state in states.drain()
                if state.object_time > SETTLED_S
            ]
            for report in reports.drain():
                out.base.append(report.error)
                out.travelled.append(report.pose)

        out.ended = followed(run, seconds, listen)
        return out
    finally:
        run.close()


def errors_mm(outcome: Outcome) -> Array:
    """Return how far the held object was from the simulated one at each packet [mm]."""
    truth, simulated = np.array(outcome.truth), np.array(outcome.simulated)
    t = truth[:, 0]
    within = (t >= simulated[0, 0]) & (t <= simulated[-1, 0])
    apart = [truth[within, i] - np.interp(t[within], simulated[:, 0], simulated[:, i]) for i in range(1, 4)]
    errors: Array = 1e3 * np.linalg.norm(apart, axis=0)
    return errors


def rows_of(outcome: Outcome, seconds: float) -> list[Row]:
    """Return the table."""
    errors = errors_mm(outcome)
    off, way = np.array(outcome.base), np.array(outcome.travelled)
    first, last = usual_rows(outcome.ended, seconds, outcome.violations)
    return [
        *first,
        Row("error of the object, rms", float(np.sqrt(np.mean(errors**2))), RMS_MM, "mm"),
        Row("error of the object, largest", float(errors.max()), MOST_MM, "mm"),
        Row("base off its path, rms", 1e3 * float(np.sqrt(np.mean(off[:, :2] ** 2) * 2.0)), None, "mm"),
        Row("base off its path, largest", 1e3 * float(np.hypot(off[:, 0], off[:, 1]).max()), 30.0, "mm"),
        Row("room that the base used", 1e3 * float(np.ptp(way[:, :2], axis=0).max()), None, "mm"),
        Row("turned by", float(np.degrees(np.ptp(way[:, 2]))), None, "deg"),
        Row("pushes", outcome.ended.status.get("pushes"), None, ""),
        *last,
    ]


def main() -> int:
    """Measure and print."""
    parser = parser_of(__doc__, 2.0)
    parser.add_argument("--pushes", action="store_true", help="a push of up to 3 N s every 4 s")
    options = parser.parse_args()
    seconds = 60.0 * options.minutes

    def measured(folder: Path) -> tuple[list[Row], str, Any]:
        outcome = live(folder / "r", seconds, options.pushes)
        return rows_of(outcome, seconds), outcome.ended.fault, None

    return told(measured, options.json)


if __name__ == "__main__":
    raise SystemExit(main())
