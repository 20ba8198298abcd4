"""Repeated docking bounces live: all processes, FRI over UDP on loopback, an emulated port in the arm's way.

    python -m bench.live_contact [--minutes 10] [--json OUT.json]

The object swings between an undamped port and the energy-neutral stops behind it, so that every touch should
give its speed back: restitution 1. Tolerances are twice those of the loop in lock-step. A starved machine
shows in itself: for so long emulated time stood (it is patient), so many answers were missed.
"""

import argparse
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from socket import SOCK_DGRAM
from typing import Any

from bench.live_run import PATIENCE_S, ROOT, LiveRun
from bench.report import Row, print_rows, write_rows
from hil.common.free_port import free_port
from hil.messaging.messages import Contact

SPEED = 0.02  # [m/s] of the object
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
    """What a run came to: its contacts, its newest status, and the limits that commands broke."""

    contacts: list[Contact]
    status: dict[str, Any]
    violations: int
    floated_s: float
    fault: str


def configuration(folder: Path) -> Path:
    """Write `configs/port.toml` for a run of its own in a folder, with the port of this trial."""
    folder.mkdir(parents=True, exist_ok=True)
    text = (ROOT / "configs" / "port.toml").read_text(encoding="utf-8")
    head, rest = text.split("[port]", 1)
    tail = rest[rest.index("[detector]") :]
    head = head.replace('"robots/', f'"{ROOT}/configs/robots/')
    where = f'[run]\nruntime_directory = "{folder}/bus"\nstate_directory = "{folder}/state"'
    head = head.replace("[run]", where, 1)
    file = folder / "port.toml"
    file.write_text(f"{head}[port]{PORT}\n{tail}\n[fri]\nport = {free_port(SOCK_DGRAM)}\n", encoding="utf-8")
    return file


def live(folder: Path, seconds: float) -> Outcome:
    """Let it swing for so long [s] of floating, or until it faults."""
    run = LiveRun(folder, configuration=configuration(folder))
    contacts: list[Contact] = []
    violations, fault = 0, ""
    try:
        run.wait(lambda: "FLOATING" in run.text, PATIENCE_S)
        told = run.bus.subscriber("contact", Contact)
        begin, status = time.monotonic(), run.status()
        while status.get("floated_s") is not None and status["floated_s"] < seconds and not fault:
            time.sleep(0.2)
            contacts += [contact for contact in told.drain() if contact.ended]
            violations += run.take_violations()[0]
            status = run.status()
            if status["state"] != "FLOATING":
                fault = f"{status['state']}: {status['reason']}"
        return Outcome(contacts, status, violations, time.monotonic() - begin, fault)
    finally:
        run.close()


def rows_of(outcome: Outcome, seconds: float) -> list[Row]:
    """Return the table."""
    touches = outcome.contacts
    errors = [abs(touch.departure / touch.approach - 1.0) for touch in touches]
    peaks = [abs(t.peak_force / (t.approach * (STIFFNESS * MASS) ** 0.5) - 1.0) for t in touches]
    stiffnesses = [abs(touch.stiffness / STIFFNESS - 1.0) for touch in touches]
    gains = [touch.energy_after / touch.energy_before - 1.0 for touch in touches]
    status = outcome.status
    worst = max(errors, default=float("nan"))
    return [
        Row("floated without a fault", status.get("floated_s"), seconds - 0.5, "s", least=True),
        Row("touches", len(touches), max(1.0, seconds / 20.0), "", least=True),
        Row("restitution, worst error", worst, RESTITUTION, ""),
        Row("restitution, mean error", sum(errors) / max(1, len(errors)), None, ""),
        Row("peak force, worst error", max(peaks, default=float("nan")), None, ""),
        Row("stiffness, worst error", max(stiffnesses, default=float("nan")), None, ""),
        Row("energy given, most in a touch", max(gains, default=float("nan")), GAIN, ""),
        Row("commands that broke a limit", outcome.violations, 0.0, ""),
        Row("answers missed", status.get("missed"), None, f"of {status.get('cycles')}"),
        Row("emulated time stood for", status.get("waited_s"), None, "s"),
    ]


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    seconds = 60.0 * options.minutes
    with tempfile.TemporaryDirectory() as folder:
        outcome = live(Path(folder) / "r", seconds)
    rows = rows_of(outcome, seconds)
    print_rows(rows)
    if outcome.fault:
        print(outcome.fault)
    if options.json is not None:
        write_rows(options.json, rows, {"restitutions": [t.departure / t.approach for t in outcome.contacts]})
    return 1 if outcome.fault else 0


if __name__ == "__main__":
    raise SystemExit(main())
