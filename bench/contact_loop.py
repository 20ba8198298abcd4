"""Acceptance figures of continuous contact force, on the simple plant: a dead time and a lag per coordinate.

No joints, no guard, no limit of jerk: what is shown is the contact loop's core. Numbers are those of the list
of figures that the loop is accepted by; each value is the worst over its cells and seeds.

python -m bench.contact_loop [--only N …] [--quick] [--seeds N] [--json FILE]
"""

import argparse
import json
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np

from bench.contact_beyond import BEYOND, Row
from bench.contact_plant import BUMP, EXTERNAL, HERTZ
from bench.contact_trials import (
    LAG,
    LANDINGS,
    SPEED,
    STEP,
    Rig,
    bounce,
    fly_trial,
    land,
    latched_energy,
    on_its_way,
    pressed,
    straight_port,
)
from bench.timing_trials import drive_by_motion, skew_by_bounces, skew_by_motion, with_drive
from hil.common.arrays import Array

UNCAPPED = {"energy_cap": False}
BOTH = (0.5, 1.0)


@dataclass(frozen=True)
class Figure:
    """One figure; it holds when its value is at most the tolerance."""

    number: str
    figure: str
    value: float
    tolerance: float | None

    @property
    def holds(self) -> bool:
        """Whether it does; what is only reported always holds."""
        return self.tolerance is None or bool(self.value <= self.tolerance)


def worst(rig: Rig, wTs: tuple[float, ...], zs: tuple[float, ...], seeds: int, **more: object) -> float:
    """Return the greatest error of restitution over cells and seeds."""
    return max(abs(bounce(rig, wT, z, seed, **more).error) for wT in wTs for z in zs for seed in range(seeds))  # type: ignore[arg-type]


def exact(rig: Rig, seeds: int) -> Iterator[Figure]:
    """3, 4, 5: restitution with the noise of an arm's estimate and of a sensor."""
    zs = (0.0, 0.1, 0.3, 0.6)
    yield Figure("3", "error of e, wT <= 0.5", worst(rig, (0.3, 0.5), zs, seeds), 0.02)
    yield Figure("4", "error of e, wT 1", worst(rig, (1.0,), zs, seeds), 0.03)
    yield Figure("4", "the same at 5 mm/s", worst(rig, BOTH, (0.0, 0.1), seeds, speed=0.005), 0.03)
    sensor = replace(rig, noise=EXTERNAL)
    yield Figure("5", "error of e with an external sensor", worst(sensor, BOTH, zs, seeds), 0.01)


def delays(rig: Rig, seeds: int) -> Iterator[Figure]:
    """6, 7, 7a: long interfaces, and delays that are not known."""
    for interface in (0.02, 0.05, 0.1, 0.25):
        value = worst(replace(rig, interface=interface), BOTH, (0.0, 0.1), seeds)
        yield Figure("6", f"error of e, interface {1e3 * interface:.0f} ms", value, 0.03)
    for factor in (0.7, 1.3):
        value = worst(replace(rig, lead_error=factor), BOTH, (0.0, 0.1), seeds)
        yield Figure("7", f"error of e, lead times {factor}", value, 0.03)
    for wrong in (-0.002, 0.002):
        late = replace(rig, delay_error=wrong)
        name = f"error of e, delay wrong by {1e3 * wrong:+.0f} ms"
        yield Figure("7a", f"{name}, z <= 0.1", worst(late, BOTH, (0.0, 0.1), seeds), 0.03)
        yield Figure("7a", f"{name}, z 0.3", worst(late, BOTH, (0.3,), seeds), 0.06)


def ports(rig: Rig, seeds: int) -> Iterator[Figure]:
    """8, 9, 10: hybrid, free, curved and stopped ports."""
    value = worst(rig, (2.0,), (0.0, 0.1, 0.3), seeds, share=0.1)
    yield Figure("8", "error of e, hybrid, target wT 2, a tenth real", value, 0.02)
    for mass in (30.0, 100.0, 500.0, 2000.0):
        value = worst(rig, BOTH, (0.0, 0.1), seeds, mass=mass)
        yield Figure("9", f"error of velocity, port of {mass:.0f} kg", value, 0.03)
    for wT in BOTH:
        w = wT / rig.delay
        deep = SPEED / w
        # a Hertz contact as stiff on the way to the same depth; a bump stop half way
        curved = [abs(curve(rig, wT, seed, "hertz", deep)) for seed in range(seeds)]
        yield Figure("10", f"error of e, Hertz contact, wT {wT}", max(curved), 0.03)
        bumped = [abs(curve(rig, wT, seed, "bump", deep)) for seed in range(seeds)]
        yield Figure("10", f"error of e, bump stop, wT {wT}", max(bumped), 0.03)


def curve(rig: Rig, wT: float, seed: int, law: str, deep: float) -> float:
    """Return the error of restitution on a port whose force is no line: undamped, so e = 1."""
    k = rig.mass * (wT / rig.delay) ** 2
    if law == "hertz":
        port = straight_port(k / math.sqrt(deep), 0.0, rig.mass, law=HERTZ)
    else:
        port = straight_port(k, 0.0, rig.mass, law=BUMP, bump=0.5 * deep)
    gap = SPEED * (0.08 + STEP * np.random.default_rng(1000 + seed).random())
    plant, p, quat, twist = on_its_way(rig, port, SPEED, gap, seed)
    flown = fly_trial(rig.loop(), plant, p, quat, twist, 0.2 + 4.0 * rig.delay + 6.0 * rig.delay / wT)
    return float(flown.twist[2]) / SPEED - 1.0


def faults(rig: Rig, seeds: int) -> Iterator[Figure]:
    """10a, 10b: packets lost, bias wrong."""
    for lost in (0.01, 0.05):
        value = worst(replace(rig, lost=lost), BOTH, (0.0, 0.1), seeds)
        yield Figure("10a", f"error of e, {lost:.0%} of packets and answers lost", value, 0.03)
    for bias in (-0.1, -1.0, 0.3):
        value = worst(replace(rig, bias=bias), BOTH, (0.0, 0.1), seeds)
        yield Figure("10b", f"error of e, bias wrong by {bias:+.1f} N", value, 0.03)


def energy(rig: Rig, seeds: int) -> Iterator[Figure]:
    """11, 12, 13, 14: nothing is created, nothing explodes."""
    for cap, most in ((True, 0.01), (False, None)):
        mine = replace(rig, settings={**rig.settings, "energy_cap": cap})
        gains = [
            bounce(mine, wT, 0.0, s).flown.twist[2] ** 2 / SPEED**2 - 1.0 for wT in BOTH for s in range(seeds)
        ]
        yield Figure("11", f"energy created in a contact, cap {'on' if cap else 'off'}", max(gains), most)
    for wT in BOTH:
        off = max(abs(latched_energy(rig, wT, seed) - 1.0) for seed in range(seeds))
        yield Figure("12", f"energy of a contact that holds, 6 s, wT {wT}", off, 0.05)
    for z in (0.0, 0.1):
        found = [pressed(rig, wT, z, seed) for wT in BOTH for seed in range(seeds)]
        yield Figure("13", f"highest speed, pressed by 20 N, z {z}", max(f[0] for f in found) - 1.0, 0.05)
    yield Figure("13", "rms speed at rest, pressed, z 0.1 [mm/s]", 1e3 * max(f[1] for f in found), 0.3)
    gains = []
    for mass in (20.0, 60.0, 500.0):
        for interface in (0.0, 0.05, 0.25):
            hard = replace(rig, mass=mass, interface=interface)
            wT = math.sqrt(1e6 / mass) * hard.delay
            for z in (0.0, 0.1):
                track = bounce(hard, wT, z, 1).flown.track
                gains.append(float(np.abs(track[:, 3]).max()) / SPEED)
    yield Figure("14", "speed after over before, 1e6 N/m, T to 263 ms", max(gains), 1.01)


def forces(rig: Rig, seeds: int) -> Iterator[Figure]:
    """15, 17: greatest real force, time of contact."""
    for wT, most in ((0.5, 0.1), (1.0, 0.2)):
        trials = [bounce(rig, wT, z, s) for z in (0.0, 0.1, 0.3, 0.5) for s in range(seeds)]
        yield Figure("15", f"error of the greatest force, wT {wT}", max(abs(t.peak) for t in trials), most)
        trials = [bounce(rig, wT, z, s) for z in (0.0, 0.1) for s in range(seeds)]
        yield Figure("17", f"error of the time of contact, wT {wT}", max(abs(t.time) for t in trials), 0.05)


def landings(rig: Rig, seeds: int) -> Iterator[Figure]:
    """18: landings in six dimensions."""
    for case in LANDINGS:
        found = [land(rig, case, wT, z, s) for wT in BOTH for z in (0.0, 0.1) for s in range(seeds)]
        yield Figure("18", f"landing {case}, error of velocity", max(f.velocity for f in found), 0.05)
        yield Figure("18", f"landing {case}, error of spin at 0.2 m", max(f.spin for f in found), 0.05)


def drift(rig: Rig, seeds: int) -> Iterator[Figure]:
    """19: a minute of free flight through the noise of an arm's estimate, and false contacts."""
    opened, speeds = 0, []
    for seed in range(seeds):
        rng = np.random.default_rng(seed)
        mine = replace(rig, settings={**rig.settings, "gate": 1.0})
        loop, quat = mine.loop(), np.array([1.0, 0.0, 0.0, 0.0])
        loop.begin(np.zeros(3), quat, np.array([0.05, 0.0, 0.0, 0.0, 0.0, 0.0]))
        slow, p = np.zeros(6), np.zeros(3)
        for _ in range(30000):
            # noise of motion, correlated over 20 ms, and a bias that changes with the place by 10 N/m
            slow += -0.1 * slow + 0.35 * math.sqrt(0.2 - 0.01) * 0.3 * rng.standard_normal(6)
            wrench: Array = 0.06 * rng.standard_normal(6) + slow
            wrench[0] += 10.0 * p[0]
            state = loop.step(p, quat, wrench)
            loop.command(state.twist)
            p = state.p.copy()
            opened += state.in_contact
        speeds.append(abs(float(state.twist[0]) - 0.05))
    yield Figure("19", "drift in 60 s of free flight [m/s]", max(speeds), 1e-3)
    yield Figure("19", "cycles in false contacts in 60 s", float(opened), 0.0)


def cost(rig: Rig, seeds: int) -> Iterator[Figure]:
    """Processor time of a cycle: in flight, in contact, and one that flies 250 cells anew in 6-D."""
    loop, quat = rig.loop(), np.array([1.0, 0.0, 0.0, 0.0])
    twist, wrench = np.array([0.01, 0.0, -0.03, 0.05, 0.02, 0.03]), np.zeros(6)
    loop.begin(np.zeros(3), quat, twist, np.zeros(6))
    for name, force, reach in (("free flight", 0.0, 0), ("contact", 30.0, 0), ("250 cells anew", 30.0, 249)):
        times = []
        # a spring of 3.5e5 N/m, pressed by 30 N, off the centre: as the arm rests in it
        wrench[2], wrench[3] = force, 0.1 * force
        known = -wrench
        for n in range(1500):
            sway = 2e-5 * math.sin(0.15 * n) if force else 0.0
            p = np.array([0.0, 0.0, max(2e-3 - 3e-2 * STEP * n, -1e-4) + sway])
            felt = max(0.0, -3.5e5 * p[2]) * np.array([0.0, 0.0, 1.0, 0.1, 0.0, 0.0]) * (force > 0.0)
            if reach and n > 300:
                loop.other_impulse(loop.state.cycle - reach + 1, np.zeros(6))
            began = time.thread_time()
            state = loop.step(p, quat, felt, True, known)
            if n > 300:
                times.append(time.thread_time() - began)
            loop.command(np.zeros(6))
        label = f"{name}, in contact {state.in_contact}, cells {state.cycle - state.revision + 1}"
        most = {"free flight": None, "contact": 150.0}.get(name, 500.0)
        yield Figure("cost", f"{label}, median [us]", 1e6 * float(np.median(times)), None)
        yield Figure("cost", f"{label}, p99 [us]", 1e6 * float(np.percentile(times, 99)), most)


def framed(rows: Callable[[Rig, int], Iterator[Row]]) -> Callable[[Rig, int], Iterator[Figure]]:
    """Return a part whose rows become figures."""
    return lambda rig, seeds: (Figure(*row) for row in rows(rig, seeds))


def timing(rig: Rig, seeds: int) -> Iterator[Figure]:
    """20: drives and skew found by the program, and what contacts gain by it."""
    found = [drive_by_motion(STEP, LAG, 0.8, rig.noise, seed) for seed in range(seeds)]
    other = [drive_by_motion(4 * STEP, 0.014, 0.6, rig.noise, seed) for seed in range(seeds)]
    lags = [abs(one.lag - LAG) for one in found] + [abs(one.lag - 0.014) for one in other]
    totals = [abs(one.total - STEP - LAG) for one in found] + [abs(one.total - 0.022) for one in other]
    ratios = [abs(one.damping - 0.8) for one in found] + [abs(one.damping - 0.6) for one in other]
    yield Figure("20", "drives: error of the whole delay [ms]", 1e3 * max(totals), 0.5)
    yield Figure("20", "drives: error of the lag [ms]", 1e3 * max(lags), 0.5)
    yield Figure("20", "drives: error of the damping", max(ratios), 0.1)
    for z in (0.3, 0.5):
        wrong = worst(replace(rig, delay_error=0.002), BOTH, (z,), seeds)
        yield Figure("20", f"error of e, delay taken 2 ms too long, z {z}", wrong, None)
        right = max(worst(with_drive(rig, one), BOTH, (z,), 1) for one in found)
        yield Figure("20", f"error of e, drives as found, z {z}", right, 0.03)
    errors, of_two = [], []
    for skew in (0.0, 0.001, 0.002, 0.004):
        for seed in range(seeds):
            shown = skew_by_bounces(rig, 0.5, skew, seed)
            errors.append(math.inf if shown is None else abs(shown.skew - skew))
            if skew == 0.002 and shown is not None:
                of_two.append(shown.skew)
    yield Figure("20", "skew by bounces off a spring: error [ms]", 1e3 * max(errors), 0.5)
    for name, mass, noise, restless in (
        ("a force sensor, 5 kg", 5.0, EXTERNAL, 0.0),
        ("the estimate, 5 kg not in its load data", 5.0, rig.noise, 0.35),
    ):
        shown = [
            skew_by_motion(skew, mass, noise, restless, seed)
            for skew in (0.0, 0.003)
            for seed in range(seeds)
        ]
        truth = np.repeat([0.0, 0.003], seeds)
        missed = max(abs(one.skew - tau) for one, tau in zip(shown, truth, strict=True))
        bound = 0.5 if noise is EXTERNAL else None  # of the estimate the spring shows it
        yield Figure("20", f"skew by the motion, {name}: error [ms]", 1e3 * missed, bound)
    late = replace(rig, sensor_lag=0.002)
    yield Figure("20", "error of e, skew 2 ms, as it is", worst(late, BOTH, (0.0, 0.1), seeds), None)
    mended = [replace(late, settings={**late.settings, "skew": skew}) for skew in of_two]
    value = max(worst(one, BOTH, (0.0, 0.1), 1) for one in mended)
    yield Figure("20", "error of e, skew 2 ms, taken out as found", value, 0.03)


PARTS: dict[tuple[str, ...], Callable[[Rig, int], Iterator[Figure]]] = {
    ("3", "4", "5"): exact,
    ("6", "7", "7a"): delays,
    ("8", "9", "10"): ports,
    ("10a", "10b"): faults,
    ("11", "12", "13", "14"): energy,
    ("15", "17"): forces,
    ("18",): landings,
    ("19",): drift,
    ("20",): timing,
    ("cost",): cost,
    **{numbers: framed(rows) for numbers, rows in BEYOND.items()},
}


def figures(rig: Rig, only: list[str], seeds: int) -> Iterator[Figure]:
    """Yield the figures of the parts that hold one of these numbers, all without any."""
    for numbers, part in PARTS.items():
        if not only or set(only) & set(numbers):
            for figure in part(rig, seeds):
                if not only or figure.number in only:
                    yield figure


def main() -> int:
    """Print the figures, write them with --json; return 1 if one does not hold."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--only",
        nargs="+",
        default=[],
        metavar="N",
        help="numbers of figures, cost, or one of those beyond one line",
    )
    parser.add_argument("--quick", action="store_true", help="one seed")
    parser.add_argument("--seeds", type=int, default=20, help="seeds of a cell")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write a list of the figures")
    options = parser.parse_args()
    unknown = set(options.only) - {number for numbers in PARTS for number in numbers}
    if unknown:
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    found = []
    for figure in figures(Rig(), options.only, 1 if options.quick else options.seeds):
        found.append(figure)
        bound = "" if figure.tolerance is None else f"<= {figure.tolerance:g}"
        mark = "" if figure.tolerance is None else "ok" if figure.holds else "NOT REACHED"
        print(f"{figure.number:>9}  {figure.figure:<72} {figure.value:10.4g} {bound:<9} {mark}", flush=True)
    if options.json:
        rows = [{**asdict(figure), "holds": figure.holds} for figure in found]
        options.json.write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")
    return 0 if all(figure.holds for figure in found) else 1


if __name__ == "__main__":
    raise SystemExit(main())
