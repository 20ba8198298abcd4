"""The live loop on this machine, against a bare answering loop in the same run.

    python -m bench.live [--duration 60] [--json OUT.json]

The peer is the least that can be done: the same client, on the same emulated controller, that answers
every packet with the mirror at once and computes nothing. Both are real-time scheduled if permitted.
"""

import argparse
import json
import multiprocessing
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from socket import SOCK_DGRAM
from typing import Any

from bench.report import Row, print_rows, write_rows
from drivers.emulation.controller.controller import EmulatedController
from drivers.emulation.process import run as emulate
from drivers.emulation.surroundings import Surroundings
from drivers.fri.client import FriClient
from hil.common.free_port import free_port
from hil.configuration import Configuration, load_configuration
from hil.messaging.bus import Bus
from hil.messaging.messages import Request
from hil.processes.real_time.set_up import enter_real_time

ROOT = Path(__file__).resolve().parents[1]
START_PATIENCE_S = 600.0


class Ending(Surroundings):
    """Ends an emulation after so long [s]."""

    def __init__(self, c: Configuration, seconds: float) -> None:
        self._c, self._seconds, self._end = c, seconds, float("inf")

    def ready(self, controller: EmulatedController) -> None:
        """Begin to count."""
        enter_real_time("emulator", self._c)
        self._end = time.monotonic() + self._seconds

    def over(self) -> bool:
        """When the time is over."""
        return time.monotonic() > self._end


def emulator(c: Configuration, seconds: float, missed: Any) -> None:
    """Emulate a controller for so long and report the answers it missed."""
    report = emulate(c, Ending(c, seconds))
    missed.put((report.missed, report.cycles))


def bare_missed(c: Configuration, seconds: float) -> tuple[int, int]:
    """Return how many answers a bare answering loop misses, and of how many."""
    queue: Any = multiprocessing.Queue()
    with FriClient(c.fri) as client:
        process = multiprocessing.Process(target=emulator, args=(c, seconds, queue))
        process.start()
        enter_real_time("driver", c)
        while process.is_alive():
            samples = client.receive(0.2)
            if samples:
                client.reply(samples[-1], None)
        missed: tuple[int, int] = queue.get()
        process.join()
    return missed


def live(configuration: Path, directory: Path, seconds: float) -> dict[str, Any]:
    """Run the product live and return its last status, with start-up time and memory."""
    begin = time.monotonic()
    log = directory / "log"
    with log.open("wb") as out:
        run = subprocess.Popen(
            [sys.executable, "-m", "hil", "run", str(configuration), "--duration", str(seconds)],
            stdout=out,
            stderr=subprocess.STDOUT,
            cwd=ROOT,
        )
    status: dict[str, Any] = {}
    floating_s = None
    bus = Bus(directory / "bus")
    while run.poll() is None and time.monotonic() - begin < START_PATIENCE_S + seconds:
        text = log.read_text(encoding="utf-8", errors="replace")
        if floating_s is None and "-> FLOATING" in text:
            floating_s = time.monotonic() - begin
        if floating_s is not None and "over" not in text:
            try:
                status = json.loads(bus.ask(Request(0, "status", "{}"), 1.0).status)
            except Exception:  # it is just ending
                break
        time.sleep(0.2)
    run.wait()
    bus.close()
    text = log.read_text(encoding="utf-8", errors="replace")
    memory = re.search(r"memory of all processes: (\d+) MiB", text)
    return status | {
        "to_floating_s": floating_s,
        "memory_mib": float(memory.group(1)) if memory else None,
        "exit_status": run.returncode,
        "log": text,
    }


def milliseconds(result: dict[str, Any], key: str) -> float:
    """Return a value given in microseconds."""
    return 1e-3 * float(result.get(key, "nan"))


def main() -> None:
    """Measure both and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--duration", type=float, default=60.0, help="of each loop [s]")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        directory = Path(folder)
        text = (ROOT / "configs" / "cube.toml").read_text(encoding="utf-8")
        text = text.replace('"robots/', f'"{ROOT}/configs/robots/')
        text = text.replace(
            "[run]", f'[run]\nruntime_directory = "{directory}/bus"\nstate_directory = "{directory}/state"', 1
        )
        configuration = directory / "run.toml"
        configuration.write_text(text + f"\n[fri]\nport = {free_port(SOCK_DGRAM)}\n", encoding="utf-8")
        result = live(configuration, directory, options.duration)
        bare, sent = bare_missed(load_configuration(configuration), options.duration)
    product = result.get("missed", 0)
    rows = [
        Row("floated in command mode", result.get("floated_s"), options.duration - 0.5, "s", least=True),
        Row("answers missed, the product", product, None, f"of {result.get('cycles')}"),
        Row("answers missed, bare loop", bare, None, f"of {sent}"),
        Row("missed answers over the bare loop's", product / max(bare, 1), 1.5, ""),
        Row("driver cycle, median", milliseconds(result, "cycle_p50_us"), 0.5, "ms"),
        Row(
            "sample to command, median",
            1e-3 * result.get("sample_to_command_p50_us", float("nan")),
            2.0,
            "ms",
        ),
        Row("round the ring, median", milliseconds(result, "ring_p50_us"), 8.0, "ms"),
        Row("memory of all processes", result["memory_mib"], 900.0, "MiB"),
        Row("from start to FLOATING, warm cache", result["to_floating_s"], 15.0, "s"),
        Row("faults", result.get("faults"), 0.0, ""),
    ]
    print_rows(rows)
    if result["exit_status"] != 0:
        print(result["log"])
    if options.json is not None:
        write_rows(options.json, rows, result)


if __name__ == "__main__":
    main()
