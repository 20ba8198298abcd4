"""How long the report of a recording takes: ten minutes at 2 ms, recorded in lock-step.

    python -m bench.report_speed [--minutes 10] [--recording RUN.mcap] [--json OUT.json]

The recording is made once, unless one is given; the report is then made by a process of its own, from
start to end.
"""

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.report import Row, print_rows, write_rows
from hil.recording.reading import summary_of

CUBE = Path(__file__).resolve().parents[1] / "configs" / "cube.toml"
GOAL_S = 60.0  # for ten minutes


def recorded(folder: Path, minutes: float) -> Path:
    """Return a new recording of a lock-step run with pushes and bounces."""
    path = folder / "run.mcap"
    words = ["simulate", str(CUBE), "--duration", str(60.0 * minutes), "--record", str(path)]
    subprocess.run([sys.executable, "-m", "hil", *words], check=True, stdout=subprocess.DEVNULL)
    return path


def reported(path: Path, folder: Path) -> list[Row]:
    """Return the rows of one report."""
    minutes = summary_of(path).duration / 60.0
    begin = time.perf_counter()
    words = ["report", str(path), "-o", str(folder / "report.html")]
    status = subprocess.run([sys.executable, "-m", "hil", *words], stdout=subprocess.DEVNULL).returncode
    took = time.perf_counter() - begin
    if status not in (0, 1):
        raise SystemExit(f"the report failed with status {status}")
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024.0
    return [
        Row("length of the recording", minutes, None, "min"),
        Row("size of the recording", path.stat().st_size / 1e6, None, "MB"),
        Row("report", took, GOAL_S * max(1.0, minutes / 10.0), "s"),
        Row("size of the page", (folder / "report.html").stat().st_size / 1e6, None, "MB"),
        Row("largest memory of a process", memory, None, "MiB"),
    ]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=10.0, metavar="M", help="of the recording")
    parser.add_argument("--recording", type=Path, metavar="RUN.mcap", help="that is there already")
    parser.add_argument("--json", type=Path, metavar="OUT.json")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        path = options.recording or recorded(Path(name), options.minutes)
        rows = reported(path, Path(name))
    print_rows(rows)
    if options.json is not None:
        write_rows(options.json, rows)


if __name__ == "__main__":
    main()
