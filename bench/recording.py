"""What a recording costs the loop, and whether it keeps up: live, at 1 ms FRI.

    python -m bench.recording [--pairs 5] [--seconds 20] [--minutes 10] [--json OUT.json]

Pairs of runs with and without a recorder, one after the other, give the ratio of the driver's p99; then
one long run is recorded: what is lost, bytes an hour, memory.
"""

import argparse
import re
import signal
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from bench.live_run import LiveRun
from bench.report import Row, print_rows, write_rows
from hil.analysis.latency.recording import ARRIVAL, SAMPLE, SENT
from hil.messaging.messages import CycleBlock
from hil.recording.reading import summary_of

ONE_MS = ("--set", "fri.sample_time_ms=1")
END_S = 30.0


def p99_us(folder: Path, seconds: float, recorded: bool, beside: Sequence[str]) -> tuple[float, float]:
    """Return the p99 of the driver's lateness and of sample to command in a run of its own [us]."""
    more = ("--record", str(folder / "run.mcap"), *beside) if recorded else ()
    run = LiveRun(folder, *ONE_MS, *more)
    try:
        run.wait_floating()
        cycles = run.bus.subscriber("cycles", CycleBlock)
        time.sleep(seconds)
        stamps = np.concatenate([block.stamps for block in cycles.drain()])
    finally:
        run.close()
    late, own = stamps[:, ARRIVAL] - stamps[:, SAMPLE], stamps[:, SENT] - stamps[:, SAMPLE]
    return 1e-3 * float(np.quantile(late, 0.99)), 1e-3 * float(np.quantile(own, 0.99))


def pairs(
    folder: Path, count: int, seconds: float, what: str = "recorder", beside: Sequence[str] = ()
) -> list[Row]:
    """Return rows of the medians over interleaved pairs, and of their ratios.

    Args:
        folder: of the runs.
        count: of pairs.
        seconds: of each run.
        what: one of each pair has and the other has not.
        beside: arguments of the run that has, but for the recorder's.
    """
    found: dict[bool, list[tuple[float, float]]] = {True: [], False: []}
    for n in range(count):
        for recorded in (False, True):
            found[recorded].append(p99_us(folder / f"{n}{recorded}", seconds, recorded, beside))
            print(f"pair {n + 1} of {count}, {'with' if recorded else 'without'} {what}", flush=True)
    rows = []
    for k, name in enumerate(("packet to driver awake", "sample to command")):
        plain, with_it = (statistics.median(values[k] for values in found[key]) for key in (False, True))
        rows += [
            Row(f"{name}, p99, without {what}", plain, None, "us"),
            Row(f"{name}, p99, with {what}", with_it, None, "us"),
            Row(f"{name}, p99, ratio", with_it / plain, 1.25, ""),
        ]
    return rows


def proportional_memory(pid: int) -> float:
    """Return the proportional set size of a process [MiB]."""
    text = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
    return int(re.findall(r"^Pss:\s+(\d+)", text, re.MULTILINE)[0]) / 1024.0


def long_run(folder: Path, minutes: float) -> list[Row]:
    """Return rows of one recording: messages lost, size, memory of the recorder."""
    path = folder / "long.mcap"
    run = LiveRun(folder / "long", *ONE_MS, "--record", str(path))
    try:
        run.wait_floating()
        time.sleep(60.0 * minutes)
        memory = proportional_memory(run.pid("recorder"))
        run.popen.send_signal(signal.SIGINT)
        run.popen.wait(END_S)
    finally:
        run.close()
    summary = summary_of(path)
    size = path.stat().st_size / summary.duration * 3600.0 / 1e9
    return [
        Row(f"messages lost in {minutes:g} min at 1 ms", sum(map(int, summary.lost.values())), 0.0, ""),
        Row("messages recorded", summary.counts.total(), None, ""),
        Row("size", size, 1.5, "GB an hour"),
        Row("memory of the recorder (proportional)", memory, 250.0, "MiB"),
    ]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pairs", type=int, default=5, metavar="N", help="of runs")
    parser.add_argument("--seconds", type=float, default=20.0, metavar="S", help="of each")
    parser.add_argument("--minutes", type=float, default=10.0, metavar="M", help="of the long recording")
    parser.add_argument("--json", type=Path, metavar="OUT.json")
    options = parser.parse_args()
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        if options.pairs:
            rows += pairs(Path(folder), options.pairs, options.seconds)
        if options.minutes > 0.0:
            rows += long_run(Path(folder), options.minutes)
    print_rows(rows)
    if options.json is not None:
        write_rows(options.json, rows)


if __name__ == "__main__":
    main()
