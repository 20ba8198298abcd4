"""What the certificate costs in a driver's cycle: the command path with it, and without it as the peer.

    python -m bench.certificate [--seconds 20] [--rounds 3]

`configs/cube.toml` in lock-step. Each cycle that follows a plan is timed: interpolator, certificate, guard.
The peer is the same run of the same driver with the certificate switched off. The two take turns; what is
printed are the median and the 99th percentile of each, their ratio, and those of the certificate alone.
"""

import argparse
import time
from pathlib import Path

import numpy as np

from drivers.fri.session import FriSample
from hil.common.arrays import Array
from hil.configuration import load_configuration
from hil.loop.lockstep import LockStep
from hil.messaging.messages import Mode

CONFIG = Path(__file__).resolve().parents[1] / "configs" / "cube.toml"


def timed_run(seconds: float, enforced: bool) -> tuple[list[int], list[int]]:
    """Return how long each following cycle's command took, and the certificate in it [ns]."""
    loop = LockStep(load_configuration(CONFIG))
    driver = loop._driver
    driver.warm()
    driver._certificate.enforced = enforced
    command, objection = driver._command, driver._certificate.objection
    commands: list[int] = []
    certificates: list[int] = []

    def timed_command(sample: FriSample, moving: bool, mode: Mode | None) -> Array:
        begin = time.perf_counter_ns()
        q = command(sample, moving, mode)
        if driver.following:
            commands.append(time.perf_counter_ns() - begin)
        return q

    def timed_objection(*given: object) -> str:
        begin = time.perf_counter_ns()
        said = objection(*given)
        certificates.append(time.perf_counter_ns() - begin)
        return said

    driver._command = timed_command  # type: ignore[method-assign]
    if enforced:
        driver._certificate.objection = timed_objection  # type: ignore[method-assign]
    loop.run(seconds)
    return commands, certificates


def main() -> None:
    """Take turns and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=20.0, help="of virtual time, each run")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    times: dict[str, list[int]] = {"without": [], "with": [], "certificate alone": []}
    for _ in range(options.rounds):
        times["without"] += timed_run(options.seconds, False)[0]
        commands, certificates = timed_run(options.seconds, True)
        times["with"] += commands
        times["certificate alone"] += certificates
    figures = {name: np.percentile(values, [50.0, 99.0]) / 1e3 for name, values in times.items()}
    print(f"{'command path':18} {'median us':>10} {'p99 us':>8}")
    for name, (median, late) in figures.items():
        print(f"{name:18} {median:10.1f} {late:8.1f}")
    ratio = figures["with"] / figures["without"]
    print(f"with over without: {ratio[0]:.3f} in the median, {ratio[1]:.3f} at the 99th percentile")


if __name__ == "__main__":
    main()
