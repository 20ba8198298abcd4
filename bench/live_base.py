"""An arm on a platform live: all processes, FRI over UDP on loopback, the emulated vehicle behind its topics.

    python -m bench.live_base [--minutes 2] [--pushes] [--late-ms 130] [--json OUT.json]

The error of the object is how far the held mock-up really is from where the simulation has it.
A starved machine shows in itself: for so long emulated time stood (it is patient).
"""

import os
import signal
import time
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

LATE_EVERY = 8  # looks at the run, a fifth of a second each
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
    pushed: int = 0  # true pushes that have begun
    late: int = 0  # how often the vehicle's process stood
    violations: int = 0
    ended: Ended = field(default_factory=lambda: Ended({}, ""))


def carried(folder: Path, pushes: bool) -> Path:
    """Write `configs/platform.toml` for a run of its own in a folder."""
    return configuration(folder, "platform", lambda text: text + (PUSHES if pushes else ""))


def live(folder: Path, seconds: float, pushes: bool, late: float = 0.0) -> Outcome:
    """Let it float for so long [s], or until it faults or holds; now and then the vehicle is `late` [s]."""
    run, out = LiveRun(folder, configuration=carried(folder, pushes)), Outcome()
    try:
        run.wait(lambda: "FLOATING" in run.text, START_PATIENCE_S)
        truths = run.bus.subscriber("truth", TruthBlock)
        states = run.bus.subscriber("sim_state", SimState, every=True)
        reports = run.bus.subscriber("base_report", BaseReport)
        polls, pushing = [0], np.zeros(1, bool)

        def listen() -> None:
            polls[0] += 1
            if late and polls[0] % LATE_EVERY == 0:
                out.late += 1
                stop(run.pid("vehicle"), late)
            for block in truths.drain():
                acts = np.concatenate((pushing, (block.wrench_world != 0.0).any(axis=1)))
                out.pushed += int((np.diff(acts.astype(int)) > 0).sum())
                pushing[:] = acts[-1:]
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


def stop(pid: int, seconds: float) -> None:
    """Let a process stand for so long [s], as on a machine that starves it."""
    os.kill(pid, signal.SIGSTOP)
    time.sleep(seconds)
    os.kill(pid, signal.SIGCONT)


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
        Row("pushes", outcome.pushed, None, ""),
        Row("false pushes", outcome.ended.status.get("pushes", 0) - outcome.pushed, 0.0, ""),
        Row("times that the vehicle's process stood", outcome.late, None, ""),
        *last,
    ]


def main() -> int:
    """Measure and print."""
    parser = parser_of(__doc__, 2.0)
    parser.add_argument("--pushes", action="store_true", help="a push of up to 3 N s every 4 s")
    parser.add_argument(
        "--late-ms", type=float, default=0.0, help="the vehicle's process stands, again and again"
    )
    options = parser.parse_args()
    seconds = 60.0 * options.minutes

    def measured(folder: Path) -> tuple[list[Row], str, Any]:
        outcome = live(folder / "r", seconds, options.pushes, 1e-3 * options.late_ms)
        return rows_of(outcome, seconds), outcome.ended.fault, None

    return told(measured, options.json)


if __name__ == "__main__":
    raise SystemExit(main())
