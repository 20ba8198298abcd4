"""How long a message takes over the bus and back, with our codec and sockets: an impulse out, one back.

The near end waits as the driver would, the far end as the simulation. Rows: the
class of the threads that carry the messages at the near end. With `--busy N` as many other processes
compute without a pause.

    python -m bench.bus_round_trip [--count 2000] [--busy N] [--json OUT.json]
"""

import argparse
import json
import multiprocessing
import os
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from bench.report import machine
from bench.wake_up import PRIORITY, compute, quantiles
from hil.messaging.bus import Bus
from hil.messaging.messages import ImpulseSlice, Push
from hil.processes.real_time.set_up import bus_threads

PERIOD_S = 0.002
PATIENCE_MS = 1000


def far_end(directory: Path) -> None:
    """Answer every impulse with a push."""
    bus = Bus(directory)
    impulses, pushes = bus.subscriber("impulse", ImpulseSlice), bus.publisher("push")
    while True:
        if impulses.socket.poll(PATIENCE_MS):
            for item in impulses.drain():
                pushes.send(Push(item.t_ns, np.zeros(3), 0.1, np.zeros(3)))


def near_end(directory: Path, loop: bool, threads: bool, count: int, result: Any) -> None:
    """Send impulses and measure until the answer is there [us]."""
    bus = Bus(directory)
    impulses, pushes = bus.publisher("impulse"), bus.subscriber("push", Push)
    if loop:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(PRIORITY))
    for thread in bus_threads(os.getpid()) if threads else ():
        os.sched_setscheduler(thread, os.SCHED_FIFO, os.sched_param(PRIORITY - 1))
    time.sleep(0.5)  # until both ends have found each other
    late = []
    for n in range(count):
        begin = time.monotonic_ns()
        impulses.send(
            ImpulseSlice(begin, n, 0, 0, True, True, False, False, 0, 0, 0, np.zeros(6), np.zeros(6))
        )
        if pushes.socket.poll(PATIENCE_MS) and pushes.newest() is not None:
            late.append((time.monotonic_ns() - begin) * 1e-3)
        time.sleep(PERIOD_S)
    result.put(late)


def measured(loop: bool, threads: bool, count: int) -> dict[str, float]:
    """Return the quantiles of the round trip [us]."""
    with tempfile.TemporaryDirectory() as folder:
        result: Any = multiprocessing.Queue()
        far = multiprocessing.Process(target=far_end, args=(Path(folder),), daemon=True)
        near = multiprocessing.Process(target=near_end, args=(Path(folder), loop, threads, count, result))
        far.start()
        near.start()
        late = np.array(result.get())
        near.join()
        far.terminate()
        far.join()
    return quantiles(late)


def main() -> None:
    """Print a row for every class of loop and bus threads."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--count", type=int, default=2000, help="messages of each row")
    parser.add_argument("--busy", type=int, default=0, help="processes that compute meanwhile")
    parser.add_argument("--json", type=Path, help="write the figures here")
    options = parser.parse_args()
    others = [multiprocessing.Process(target=compute, daemon=True) for _ in range(options.busy)]
    for other in others:
        other.start()
    kinds = {
        "all ordinary": (False, False),
        "loop SCHED_FIFO, threads ordinary": (True, False),
        "loop and threads SCHED_FIFO": (True, True),
    }
    rows: dict[str, dict[str, float]] = {}
    print(f"{'round trip [us]':<36} {'p50':>8} {'p99':>8} {'p99.9':>8} {'max':>8}")
    for name, (loop, threads) in kinds.items():
        if loop and os.geteuid() != 0:
            print(f"{name:<36} left out: not permitted")
            continue
        row = rows[name] = measured(loop, threads, options.count)
        print(f"{name:<36} " + " ".join(f"{row[key]:8.1f}" for key in ("p50", "p99", "p999", "max")))
    for other in others:
        other.terminate()
    print(", ".join(f"{key} {value}" for key, value in machine().items()), f"busy {options.busy}")
    if options.json:
        options.json.write_text(json.dumps({"machine": machine(), "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
