"""What the bridges of a run on two hosts add, over loopback: an impulse there, a plan back.

Two real bridge processes with keys. The same way without them (one bus) is measured beside it; the sum of the
two differences is what the bridges add round the ring, network itself apart.

    python -m bench.bridge_latency [--count 2000] [--json OUT.json]
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from socket import SOCK_STREAM

import numpy as np

from bench.report import machine
from bench.wake_up import quantiles
from hil.common.free_port import free_port
from hil.messaging.bus import Bus, Publisher, Subscriber
from hil.messaging.codec import Message
from hil.messaging.link_messages import LinkState
from hil.messaging.messages import ImpulseSlice, Plan
from hil.processes.bridge.keys import make_keys

ROOT = Path(__file__).resolve().parents[1]
PERIOD_S = 0.004
PATIENCE_MS = 1000
KNOTS = 101  # of a plan: 2 s in steps of 20 ms


def impulse(number: int) -> ImpulseSlice:
    """Return a slice that carries a number."""
    return ImpulseSlice(1, number, 0, 0, True, True, False, False, 0, 0, 0, np.zeros(6), np.zeros(6))


def plan(number: int) -> Plan:
    """Return a plan of the usual size that carries a number."""
    q = np.zeros((KNOTS, 7))
    slices = np.zeros((3, 3), np.int64)
    return Plan(
        1, 1, number, 0.0, 0.02, np.zeros(4), q, q, q, np.zeros(KNOTS), 1, slices, "RUN", "", 1.0, 1.0
    )


def one_way(publisher: Publisher, reader: Subscriber, make: type, count: int) -> np.ndarray:
    """Return how long messages take from the one to the other [us]."""
    late = []
    for number in range(count):
        time.sleep(PERIOD_S)
        reader.drain()
        msg: Message = make(number)
        begin = time.monotonic_ns()
        publisher.send(msg)
        if reader.socket.poll(PATIENCE_MS):
            reader.drain()
            late.append((time.monotonic_ns() - begin) * 1e-3)
    return np.array(late)


def configuration(folder: Path) -> Path:
    """Write the default run with a link over loopback and return its file."""
    make_keys(folder / "keys")
    ports = [free_port(SOCK_STREAM) for _ in range(2)]
    text = (ROOT / "configs/cube.toml").read_text(encoding="utf-8")
    text = text.replace('"robots/', f'"{ROOT}/configs/robots/')
    text += "\n[network]\n" + "".join(
        f'{site} = "tcp://127.0.0.1:{port}"\n' for site, port in zip(("robot", "compute"), ports, strict=True)
    )
    file = folder / "run.toml"
    file.write_text(text, encoding="utf-8")
    return file


def with_bridges(folder: Path, count: int) -> dict[str, np.ndarray]:
    """Return the times through two bridge processes [us]."""
    file = configuration(folder)
    robot, compute = Bus(folder / "robot"), Bus(folder / "compute")
    bridges = [
        subprocess.Popen(
            [sys.executable, "-m", "hil.processes.bridge.main", file, folder / site, "--site", site], cwd=ROOT
        )
        for site in ("robot", "compute")
    ]
    links = robot.subscriber("link", LinkState)
    pairs = {
        "impulse": (robot.publisher("impulse"), compute.subscriber("impulse", ImpulseSlice), impulse),
        "plan": (compute.publisher("plan"), robot.subscriber("plan", Plan), plan),
    }
    try:
        while not ((state := links.newest()) and state.live):
            time.sleep(0.1)
        return {name: one_way(*ends, count) for name, ends in pairs.items()}
    finally:
        for bridge in bridges:
            bridge.terminate()
            bridge.wait()
        robot.close()
        compute.close()


def without(folder: Path, count: int) -> dict[str, np.ndarray]:
    """Return the times over one bus [us]."""
    bus = Bus(folder / "one")
    pairs = {
        "impulse": (bus.publisher("impulse"), bus.subscriber("impulse", ImpulseSlice), impulse),
        "plan": (bus.publisher("plan"), bus.subscriber("plan", Plan), plan),
    }
    try:
        return {name: one_way(*ends, count) for name, ends in pairs.items()}
    finally:
        bus.close()


def main() -> None:
    """Print what the two bridges add to each message."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--count", type=int, default=2000, help="messages of each row")
    parser.add_argument("--json", type=Path, help="write the figures here")
    options = parser.parse_args()
    figures = {}
    with tempfile.TemporaryDirectory() as name:
        ways = {
            "one host": without(Path(name), options.count),
            "bridges": with_bridges(Path(name), options.count),
        }
    for way, topics in ways.items():
        for topic, late in topics.items():
            figures[f"{way}, {topic}"] = row = quantiles(late)
            print(
                f"{way:<9} {topic:<8}"
                + "".join(f"  {key} {value:7.0f}" for key, value in row.items())
                + " us"
            )
    added = sum(
        np.median(ways["bridges"][topic]) - np.median(ways["one host"][topic]) for topic in ways["bridges"]
    )
    print(f"bridges add {added:.0f} us round the ring (medians)")
    if options.json:
        options.json.write_text(json.dumps({"machine": machine(), "us": figures, "added_us": added}))


if __name__ == "__main__":
    main()
