"""What happens when something dies, freezes, slows down or lies: the table of docs/safety.md, measured live.

    python -m bench.faults [--json OUT.json] [--only WORDS] [--memory-minutes M]

Prints ready Markdown. The object is pushed before each fault, so that the arm moves.
"""

import argparse
import json
import math
import os
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from bench.fault_trial import FaultTrial, Outcome, Undo
from bench.live_run import LiveRun
from hil.common.machine import machine_in_words

WATCH_S = 1.6  # after a fault is over
SLOW_S = 0.03  # stopped and running in turn
MEMORY_PERIOD_S = 5.0
WARM_UP_S = 20.0
Fault = Callable[[LiveRun], Undo]


def frozen(name: str) -> Fault:
    """Freeze a process."""

    def fault(run: LiveRun) -> Undo:
        pid = run.pid(name)
        os.kill(pid, signal.SIGSTOP)
        return lambda: os.kill(pid, signal.SIGCONT)

    return fault


def slowed(name: str) -> Fault:
    """Let a process run half of the time, by turns of 30 ms."""

    def fault(run: LiveRun) -> Undo:
        pid, over = run.pid(name), threading.Event()

        def hamper() -> None:
            while not over.is_set():
                os.kill(pid, signal.SIGSTOP)
                time.sleep(SLOW_S)
                os.kill(pid, signal.SIGCONT)
                over.wait(SLOW_S)

        threading.Thread(target=hamper, daemon=True).start()
        return over.set

    return fault


def killed(name: str, number: signal.Signals = signal.SIGKILL) -> Fault:
    """Kill a process, or tell it to end."""

    def fault(run: LiveRun) -> Undo:
        os.kill(run.pid(name), number)
        return lambda: None

    return fault


def disturbed(seconds: float, **what: Any) -> Fault:
    """Disturb the emulation; it ends by itself."""

    def fault(run: LiveRun) -> Undo:
        reply = run.ask("disturb", seconds=seconds, **what)
        assert reply.accepted, reply.text
        return lambda: None

    return fault


def hazards() -> Iterator[tuple[str, Fault, float]]:
    """Yield each hazard with what brings it about and how long it lasts [s]."""
    for name in ("planner", "sim", "driver", "emulator", "daemon"):
        yield f"{name} frozen for 1.5 s", frozen(name), 1.5
    yield "planner frozen for 0.5 s", frozen("planner"), 0.5
    for name in ("planner", "sim", "driver", "emulator", "daemon"):
        yield f"{name} runs half of the time, by turns of 30 ms", slowed(name), 1.0
    for share in (0.01, 0.05, 0.2):
        yield f"{100 * share:g} % of the packets lost each way", disturbed(1.0, loss=share), 1.0
    yield "half of the packets doubled", disturbed(1.0, duplicate=0.5), 1.0
    for delay in (1.5, 5.0):
        yield f"packets out of order by up to {delay:g} ms", disturbed(1.0, reorder_ms=delay), 1.0
    for delay in (1.0, 5.0, 20.0, 50.0):
        yield f"bursts of delay of {delay:g} ms each way", disturbed(1.0, delay_ms=delay), 1.0
    for silence in (0.03, 0.5):
        yield f"controller silent for {1e3 * silence:g} ms", disturbed(silence, silence=True), silence
    for quality in ("bad", "unacceptable"):
        yield f"quality {quality}", disturbed(0.5, quality=quality), 0.5
    yield "drives off", disturbed(0.5, drives_off=True), 0.5
    for kind in ("nan", "stuck", "reversed", "saturated"):
        yield f"wrench {kind} for 1 s", disturbed(1.0, wrench=kind), 1.0
    yield "arm stuck for 2 s", disturbed(2.0, arm="stuck"), 2.0
    yield "arm moves the other way for 2 s", disturbed(2.0, arm="reversed"), 2.0
    yield "controller commands 0.5 mrad beside for 0.5 s", disturbed(0.5, astray_mrad=0.5), 0.5
    yield "drive A3 in error for 0.5 s", disturbed(0.5, drive_error=3), 0.5
    yield "drive A3 warns for 0.5 s", disturbed(0.5, drive_warning=3), 0.5
    yield "strategy is Cartesian impedance for 0.5 s", disturbed(0.5, strategy="cartesian_impedance"), 0.5
    for name in ("planner", "sim", "driver", "emulator"):
        yield f"{name} killed", killed(name), 0.5
    yield "driver told to end", killed("driver", signal.SIGTERM), 0.5
    yield "daemon killed", killed("daemon"), 1.0


def cell(value: float | None, factor: float) -> str:
    """Return a figure for the table, with three digits."""
    return "–" if value is None or math.isnan(value) else f"{factor * value:.3g}"


def row(o: Outcome) -> str:
    """Return an outcome as a line of Markdown."""
    decision = o.state + (f": {o.reason}" if o.reason else "")
    values = (cell(o.decided, 1e3), cell(o.stopped, 1e3), cell(o.joint, 180.0 / math.pi), cell(o.centre, 1e3))
    return f"| {o.hazard} | {decision} | {' | '.join(values)} | {o.violations} |"


HEAD = (
    "| fault | in the end | decided after ms | stands after ms | joint deg | centre mm | limits broken |\n"
    "|---|---|---|---|---|---|---|"
)


def measured(folder: Path, only: str) -> list[Outcome]:
    """Bring all hazards about, one after the other, and print the table."""
    run = LiveRun(folder / "run")
    outcomes = []
    try:
        run.wait_floating()
        trial = FaultTrial(run)
        print(HEAD, flush=True)
        for name, fault, lasts in hazards():
            if only not in name:
                continue
            outcome = trial.outcome(name, fault, lasts, WATCH_S)
            outcomes.append(outcome)
            print(row(outcome), flush=True)
        trial.close()
    finally:
        run.close()
    return outcomes


def memory_slope(folder: Path, minutes: float) -> dict[str, float]:
    """Let a run float and return how its memory went: first, last [MiB], slopes [KiB/s]."""
    run = LiveRun(folder / "memory")
    try:
        run.wait_floating()
        time.sleep(WARM_UP_S)
        begin = time.monotonic()
        at, size = [], []
        while time.monotonic() - begin < 60.0 * minutes:
            at.append(time.monotonic() - begin)
            size.append(run.memory_kib())
            time.sleep(MEMORY_PERIOD_S)
    finally:
        run.close()
    half = len(at) // 2
    return {
        "minutes": minutes,
        "first_mib": size[0] / 1024.0,
        "last_mib": size[-1] / 1024.0,
        "slope_kib_s": float(np.polyfit(at, size, 1)[0]),
        "slope_later_kib_s": float(np.polyfit(at[half:], size[half:], 1)[0]),
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", type=Path)
    parser.add_argument("--only", default="", metavar="WORDS", help="faults whose name contains the words")
    parser.add_argument(
        "--memory-minutes", type=float, default=0.0, metavar="M", help="memory instead, so long"
    )
    options = parser.parse_args()
    outcomes: list[Outcome] = []
    memory: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        if options.memory_minutes > 0.0:
            memory = memory_slope(Path(folder), options.memory_minutes)
            print(
                f"memory of all processes over {memory['minutes']:g} min: {memory['first_mib']:.1f} MiB to "
                f"{memory['last_mib']:.1f} MiB, slope {memory['slope_kib_s']:.2f} KiB/s, over the later half "
                f"{memory['slope_later_kib_s']:.2f} KiB/s"
            )
        else:
            outcomes = measured(Path(folder), options.only)
            for outcome in outcomes:
                if outcome.violation:
                    print(f"\n{outcome.hazard}: {outcome.violation}")
    print(f"\n{machine_in_words()}")
    if options.json is not None:
        content = {"machine": machine_in_words(), "faults": [asdict(o) for o in outcomes], "memory": memory}
        options.json.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
