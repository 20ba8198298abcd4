"""How late this machine wakes a process, by the way it waits and by its class.

Ways: `select` with a timeout (as driver and emulator wait), `time.sleep` (an absolute `clock_nanosleep`),
and sleep with a spin over the last 150 us. Classes: as started, with a timer slack of 1 us, and
SCHED_FIFO. With `--busy N` as many other processes compute without a pause, with `--awake` no core sleeps.

    python -m bench.wake_up [--duration 10] [--busy N] [--awake] [--json OUT.json]
"""

import argparse
import json
import multiprocessing
import select
import time
from pathlib import Path
from typing import Any

import numpy as np

from bench.report import machine
from hil.processes.real_time.idle_states import keep_cores_awake
from hil.processes.real_time.set_up import LIBC, PR_SET_TIMERSLACK
from hil.processes.real_time.wake_up import lateness, real_time

SPIN_NS = 150_000
PRIORITY = 60
DEFAULT_SLACK_NS = 50_000


def by_select(seconds: float) -> None:
    """Sleep in `select`."""
    select.select((), (), (), seconds)


WAYS = {
    "select": {"sleep": by_select},
    "time.sleep": {"sleep": time.sleep},
    "sleep + spin": {"sleep": time.sleep, "spin_ns": SPIN_NS},
}


def compute() -> None:
    """Use up a core."""
    while True:
        sum(range(1000))


def quantiles(late: Any) -> dict[str, float]:
    """Return p50, p99, p99.9 and the largest [us], and the count."""
    p50, p99, p999 = np.percentile(late, [50.0, 99.0, 99.9])
    return {"p50": p50, "p99": p99, "p999": p999, "max": float(late.max()), "n": len(late)}


def main() -> None:
    """Print a row for every class and way of waiting."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--duration", type=float, default=10.0, help="of each row [s]")
    parser.add_argument("--busy", type=int, default=0, help="processes that compute meanwhile")
    parser.add_argument("--awake", action="store_true", help="no core sleeps meanwhile, where permitted")
    parser.add_argument("--json", type=Path, help="write the figures here")
    options = parser.parse_args()
    if options.awake and (refused := keep_cores_awake()):
        parser.error(f"--awake: {refused}")
    others = [multiprocessing.Process(target=compute, daemon=True) for _ in range(options.busy)]
    for other in others:
        other.start()
    rows: dict[str, dict[str, float]] = {}
    print(f"{'lateness of 1 ms deadlines [us]':<36} {'p50':>8} {'p99':>8} {'p99.9':>8} {'max':>8}")
    for scheduler in ("ordinary", "timer slack 1 us", f"SCHED_FIFO {PRIORITY}"):
        LIBC.prctl(PR_SET_TIMERSLACK, DEFAULT_SLACK_NS if scheduler == "ordinary" else 1000, 0, 0, 0)
        for way, arguments in WAYS.items():
            name = f"{scheduler}, {way}"
            if scheduler.startswith("SCHED"):
                with real_time(PRIORITY) as refused:
                    row = {} if refused else quantiles(lateness(options.duration, **arguments))
            else:
                refused, row = "", quantiles(lateness(options.duration, **arguments))
            if refused:
                print(f"{name:<36} refused: {refused}")
                continue
            rows[name] = row
            print(f"{name:<36} " + " ".join(f"{row[key]:8.1f}" for key in ("p50", "p99", "p999", "max")))
    for other in others:
        other.terminate()
    print(
        ", ".join(f"{key} {value}" for key, value in machine().items()),
        f"busy {options.busy}, awake {options.awake}",
    )
    if options.json:
        options.json.write_text(json.dumps({"machine": machine(), "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
