"""Real contact through the whole loop in lock-step: joints, plan, guard and limits of jerk, emulated port.

The same figures as of the core alone (`bench.contact_loop`), with the numbers of the list that the loop is
accepted by. Each value is the worst over its cells and seeds; a seed moves the port by part of a cycle's way
and draws another noise.

python -m bench.real_contact [--only N …] [--seeds 2] [--quick] [--json FILE]
"""

import argparse
import json
import math
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from bench.contact_loop import Figure
from bench.contact_trials import ideal_peak, ideal_restitution
from hil.configuration import load_configuration
from hil.loop.lockstep import LockStep
from hil.messaging.codec import Message
from hil.messaging.messages import Contact

PORT = Path(__file__).parents[1] / "configs/port.toml"
MASS, SPEED, DELAY = 60.0, 0.02, 0.013
START, FACE = 0.02, 0.94  # [m] from the face, and where that is
OFF = "1000"  # [N] a limit that is not to act


@dataclass(frozen=True)
class Flight:
    """What a flight against the port came to.

    Attributes:
        error: of the restitution.
        peak: greatest force over that of the ideal contact, less 1.
        fault: why it ended, if it did.
    """

    error: float
    peak: float
    fault: str


def fly(
    wT: float, z: float, seed: int, interface: float = 0.0, speed: float = SPEED, *settings: str
) -> Flight:
    """Fly against a port with `w T` and damping `z` at an interface delay [s] beyond the one cycle."""
    delay = DELAY + interface
    w = wT / delay
    stiffness = MASS * w * w
    gap = START + 0.002 * speed * float(np.random.default_rng(seed).random())
    c = load_configuration(
        PORT,
        [
            'force.mode="contact"',
            f"port.stiffness_n_per_m={stiffness}",
            f"port.damping_n_s_per_m={2.0 * z * math.sqrt(stiffness * MASS)}",
            f"port.point_mm=[{1e3 * (FACE + gap)}, 0, 150]",
            "port.friction=0",
            f"object.initial_velocity_mm_s=[{1e3 * speed}, 0, 0]",
            f"run.seed={seed}",
            f"force.stop_force_n={OFF}",
            f"detector.plausible_force_n={OFF}",
            f"emulator.delay_ms={1e3 * interface}",
            f"interpolation.lead_time_ms={12.0 + 1e3 * interface}",
            *settings,
        ],
    )
    told: list[Contact] = []

    def hear(topic: str, msg: Message) -> None:
        if topic == "contact" and isinstance(msg, Contact) and msg.ended:
            told.append(msg)

    loop = LockStep(c, None, hear)
    trace = loop.run(1.0 + gap / speed + 4.0 * delay + 6.0 / w)
    after = -float(trace.twist_world_object_sim[-1, 0]) / speed
    top = ideal_peak(z) * speed * math.sqrt(stiffness * MASS)
    peak = told[0].peak_force / top - 1.0 if told else math.nan
    return Flight(after - ideal_restitution(z), peak, loop.fault)


def worst(
    wTs: tuple[float, ...], zs: tuple[float, ...], seeds: int, interface: float = 0.0, speed: float = SPEED,
    *settings: str,
) -> tuple[float, float]:  # fmt: skip
    """Return the greatest errors of restitution and of peak force; nan where a flight ended in a fault."""
    flights = [
        fly(wT, z, seed, interface, speed, *settings)
        for wT in wTs
        for z in zs
        for seed in range(1, seeds + 1)
    ]
    if any(flight.fault for flight in flights):
        return math.nan, math.nan
    return max(abs(flight.error) for flight in flights), max(abs(flight.peak) for flight in flights)


def figures(seeds: int) -> dict[str, Callable[[], Iterator[Figure]]]:
    """Return what measures each number."""
    damped = (0.0, 0.1, 0.3, 0.5)

    def near() -> Iterator[Figure]:
        error, peak = worst((0.3, 0.5), damped, seeds)
        yield Figure("3", "error of restitution, wT <= 0.5, z to 0.5", error, 0.02)
        yield Figure("15", "error of the peak force, wT <= 0.5", peak, 0.10)

    def far() -> Iterator[Figure]:
        error, peak = worst((1.0,), damped, seeds)
        yield Figure("4", "error of restitution, wT 1, z to 0.5", error, 0.03)
        yield Figure("15", "error of the peak force, wT 1", peak, 0.20)

    def slow() -> Iterator[Figure]:
        yield Figure("4", "the same at 5 mm/s", worst((1.0,), (0.0, 0.1), seeds, 0.0, 0.005)[0], 0.03)

    def late() -> Iterator[Figure]:
        for delay in (0.02, 0.05, 0.1):
            error = worst((0.5, 1.0), (0.0, 0.1), seeds, delay)[0]
            yield Figure("6", f"error of restitution, interface {1e3 * delay:.0f} ms, wT to 1", error, 0.03)

    def schemes() -> Iterator[Figure]:
        for name in ("none", "phase-lead", "lead", "model", "passivity"):
            setting = f'force.compensation="{name}"'
            error = worst((0.5,), (0.1,), seeds, 0.0, SPEED, setting, "force.energy_cap=false")[0]
            yield Figure("2", f"to compare: {name}, wT 0.5, z 0.1, no cap", error, None)

    return {"3": near, "4": far, "slow": slow, "6": late, "schemes": schemes}


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--only", nargs="+", metavar="N", help="of 3 4 slow 6 schemes")
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--quick", action="store_true", help="one seed a cell")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    seeds = 1 if options.quick else options.seeds
    rows: list[Figure] = []
    for number, measure in figures(seeds).items():
        if options.only and number not in options.only:
            continue
        for row in measure():
            rows.append(row)
            goal = "" if row.tolerance is None else f"<= {row.tolerance:g}"
            mark = "ok" if row.holds else "NOT REACHED"
            print(f"{row.number:<4} {row.figure:<52} {row.value:8.4f}  {goal:<8} {mark}", flush=True)
    if options.json is not None:
        content = [{**asdict(row), "holds": row.holds} for row in rows]
        options.json.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
