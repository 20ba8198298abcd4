"""How fast arms are driven, and how punctual: `zerog drive` as it is, inverse kinematics and drives and all.

    python -m bench.drive_real_time [--seconds 20] [--arms lwr4,fr3] [--json OUT.json]

`--fast` on one core, each of the seven assemblies along the circle: by the time that the core gave to it,
which others on a busy machine do not take away, and by the clock. The time of a short drive, which is that
of the start, is taken off. Then the light-weight arm with `--real-time`, and by how much its commands began
late. Kernels are compiled before.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from bench.report import Row, print_rows, write_rows

ROOT = Path(__file__).resolve().parents[1]
ARMS = ROOT / "configs" / "assemblies"
PACED = "lwr4"  # the arm that is driven in real time
SHORT = 0.1  # [s] of a drive that is all start
LEAST = 20.0  # times real time, for an arm of seven joints
SEVEN = ("lwr4", "iiwa7", "iiwa14", "fr3")


def driven(arm: str, seconds: float, *options: str) -> dict[str, Any]:
    """Return the figures of a drive along the circle, for so long [s, simulated], and the time of a core."""
    core = min(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out.json"
        command = ["taskset", "-c", str(core), sys.executable, "-m", "hil", "drive"]
        command += [str(ARMS / f"{arm}.toml"), "--input", "circle", "--duration", str(seconds)]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [*command, "--json", str(out), *options],
            check=True,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.DEVNULL,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return {**json.loads(out.read_text(encoding="utf-8")), "core_s": spent}


def measured(arms: list[str], seconds: float) -> list[Row]:
    """Return the rows."""
    rows = []
    for arm in arms:
        driven(arm, SHORT, "--fast")  # compiles what is not compiled yet
        start, whole = (driven(arm, s, "--fast") for s in (SHORT, seconds))
        own = (seconds - SHORT) / (whole["core_s"] - start["core_s"])
        least = LEAST if arm in SEVEN else None
        rows.append(Row(f"{arm}, --fast, by the core's time", own, least, "x real", True))
        rows.append(Row(f"{arm}, --fast, by the clock", whole["real_time_factor"], None, "x real"))
    if PACED in arms:
        paced = driven(PACED, seconds, "--real-time")
        rows += [
            Row(f"{PACED}, --real-time: factor", paced["real_time_factor"], None, "x real"),
            Row("commands begin late, p50", paced["late_p50_ms"], None, "ms"),
            Row("commands begin late, p99", paced["late_p99_ms"], None, "ms"),
            Row("commands begin late, worst", paced["late_most_ms"], None, "ms"),
            Row("late by more than a whole command", float(paced["late_commands"]), None, "commands"),
        ]
    return rows


def main() -> int:
    """Measure and print; 1 if a goal is missed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    every = sorted(path.stem for path in ARMS.glob("*.toml"))
    parser.add_argument("--seconds", type=float, default=20.0, metavar="S", help="simulated, of each drive")
    parser.add_argument("--arms", default=",".join(every), metavar="LIST", help="of configs/assemblies")
    parser.add_argument("--json", type=Path, metavar="OUT.json")
    options = parser.parse_args()
    arms = options.arms.split(",")
    if unknown := set(arms) - set(every):
        parser.error(f"unknown: {', '.join(sorted(unknown))}; known: {', '.join(every)}")
    rows = measured(arms, options.seconds)
    print_rows(rows)
    if options.json is not None:
        write_rows(options.json, rows)
    return 1 if any(row.reached is False for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
