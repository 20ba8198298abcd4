"""How smooth the samples' stamps are, how true, and what one costs, on the same arrivals as a plain envelope.

    python -m bench.stamps [--seconds 60] [--json OUT.json]

The peer is the lower envelope of the arrivals that knows no rate: it shrinks by at most 1 % of the time
passed and grows by 100 ppm. Arrivals are made: a schedule, the drift, the delays of a quiet and of a busy
host.
"""

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from bench.report import machine
from drivers.fri.clock import FriClock
from hil.common.arrays import Array

T_NS = 2_000_000
SETTLED = 5000  # packets
BEGIN_NS = 1_000_000_000


class Envelope:
    """The peer: stamps without a rate."""

    def __init__(self) -> None:
        self._count, self._offset_ns = -1, 0

    def receive(self, sequence: int, arrival_ns: int) -> None:
        """Take a packet; none is lost here."""
        self._count += 1
        late_ns = arrival_ns - self._count * T_NS - self._offset_ns
        first = self._count == 0
        self._offset_ns += late_ns if first else max(-T_NS // 100, min(late_ns, T_NS // 10_000))

    def stamp_ns(self) -> int:
        """Return the newest packet's stamp."""
        return self._count * T_NS + self._offset_ns


def quiet(rng: np.random.Generator, n: int) -> Array:
    """Return delays of 50 us in the mean [ns]."""
    return rng.exponential(50e3, n)


def busy(rng: np.random.Generator, n: int) -> Array:
    """Return the same with one packet in fifty held for 4 ms in the mean [ns]."""
    return quiet(rng, n) + (rng.random(n) < 0.02) * rng.exponential(4e6, n)


HOSTS: dict[str, Callable[[np.random.Generator, int], Array]] = {"quiet": quiet, "busy": busy}


def stamped(make: Callable[[], Envelope | FriClock], arrivals_ns: list[int]) -> tuple[Array, float]:
    """Return the stamps of packets that arrive so [ns], and what one took [us]."""
    clock, stamps = make(), np.empty(len(arrivals_ns))
    begin = time.process_time()
    for k, arrival_ns in enumerate(arrivals_ns):
        clock.receive(k % 65536, arrival_ns)
        stamps[k] = clock.stamp_ns()
    return stamps, 1e6 * (time.process_time() - begin) / len(arrivals_ns)


def main() -> None:
    """Print a row for every host, drift and way of stamping."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0, help="of packets in a row")
    parser.add_argument("--json", type=Path, help="write the figures here")
    options = parser.parse_args()
    n = SETTLED + round(options.seconds * 1e9 / T_NS)
    ways: dict[str, Callable[[], Envelope | FriClock]] = {
        "envelope": Envelope,
        "ours": lambda: FriClock(1e-9 * T_NS),
    }
    rows = []
    print(f"{'host':<6} {'drift ppm':>9} {'stamps':<9} {'step rms us':>11} {'worst us':>9} ", end="")
    print(f"{'error us':>9} {'cost us':>8}")
    for host, delays in HOSTS.items():
        for ppm in (0.0, 50.0, -50.0, 500.0, -500.0):
            taken_ns = BEGIN_NS + np.arange(n) * T_NS * (1.0 + 1e-6 * ppm)
            arrivals_ns = np.maximum.accumulate(taken_ns + delays(np.random.default_rng(1), n)).astype(
                np.int64
            )
            for way, make in ways.items():
                stamps, cost = stamped(make, arrivals_ns.tolist())
                beyond = 1e-3 * (np.diff(stamps) - np.diff(taken_ns))[SETTLED:]
                error = 1e-3 * float(np.abs(stamps - taken_ns)[SETTLED:].max())
                rms, worst = float(np.sqrt(np.mean(beyond**2))), float(np.abs(beyond).max())
                row = {"host": host, "ppm": ppm, "stamps": way, "rms": rms, "worst": worst, "error": error}
                rows.append(row | {"cost": cost})
                print(f"{host:<6} {ppm:>9.0f} {way:<9} {rms:>11.2f} {worst:>9.1f} {error:>9.1f} {cost:>8.2f}")
    print(", ".join(f"{key} {value}" for key, value in machine().items()))
    if options.json:
        options.json.write_text(json.dumps({"machine": machine(), "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
