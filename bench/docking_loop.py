"""A docking in the loop: what the world costs, and what foreseeing half a second of contact costs.

    python -m bench.docking_loop [--seconds 6] [--json OUT.json]

Of 4 and 20 pins, and of 4 with a seal and latches: the world's real-time factor, and the time of one
prediction before the first touch and with the pins pressed, median and p99, beside the same prediction in a
world without a servicer.
"""

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np

from hil.configuration import Configuration, load_configuration
from hil.configuration.stops_axis import nominal_quat
from sim.world.world import World

FILE = Path(__file__).parents[1] / "configs" / "docking.toml"
LATCHED = FILE.with_name("docking_snap.toml")
TWENTY = 'docking.interfaces="scenes/docking20.toml"'
EVERY_NS = 20_000_000
GOAL_MS = 25.0


def measured(c: Configuration, seconds: float) -> dict[str, Any]:
    """Return the figures of one world, flown for some seconds from the start of its approach."""
    world = World(c)
    world.restart(0, 1, c.stops.centre, nominal_quat(c.stops), np.zeros(6))
    flown, free, pressed = 0.0, list[float](), list[float]()
    for t_ns in range(EVERY_NS, round(1e9 * seconds), EVERY_NS):
        begin = time.perf_counter()
        world.advance(t_ns)
        between = time.perf_counter()
        world.predict(t_ns)
        end = time.perf_counter()
        flown += between - begin
        (pressed if world.state(t_ns).pressed else free).append(1e3 * (end - between))
    return {
        "real_time_factor": seconds / flown,
        "prediction_s": c.simulation.prediction,
        "free_ms": _quantiles(free),
        "pressed_ms": _quantiles(pressed),
        "outcome": world.state(round(1e9 * seconds)).outcome,
    }


def _quantiles(values: list[float]) -> list[float]:
    return [float(np.quantile(values[1:], q)) for q in (0.5, 0.99)] if len(values) > 1 else []


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=6.0, metavar="S", help="of each world")
    parser.add_argument("--json", type=Path, metavar="OUT.json", help="write the figures")
    options = parser.parse_args()
    four, twenty = load_configuration(FILE), load_configuration(FILE, [TWENTY])
    alone = four.model_copy(update={"docking": None})
    latched = load_configuration(LATCHED)
    worlds = (("no servicer", alone), ("4 pins", four), ("20 pins", twenty), ("seal, latches", latched))
    found = {}
    print(f"{'world':<16}{'real-time factor':>17}{'free ms':>16}{'pressed ms':>16}  outcome")
    for name, c in worlds:
        found[name] = row = measured(c, options.seconds)
        times = [
            f"{value[0]:.1f} ({value[1]:.1f})" if value else "-"
            for value in (row["free_ms"], row["pressed_ms"])
        ]
        print(f"{name:<16}{row['real_time_factor']:>17.1f}{times[0]:>16}{times[1]:>16}  {row['outcome']}")
    print(f"prediction of {four.simulation.prediction:g} s, median (p99); goal {GOAL_MS:g} ms in contact")
    if options.json is not None:
        options.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
