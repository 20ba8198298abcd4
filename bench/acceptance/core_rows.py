"""The rows on the simple plant: the contact loop's core alone, without joints, guard and limits of jerk."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from bench.acceptance.core_cost import cycle_cost
from bench.acceptance.core_trials import bounced, curved, drifted, fastest, landed, latched, pressed_on
from bench.acceptance.row import CORE, Row, Trial
from bench.contact_plant import EXTERNAL
from bench.contact_trials import LANDINGS, SPEED, Rig

BOTH, LITTLE, ALL = (0.5, 1.0), (0.0, 0.1), (0.0, 0.1, 0.3, 0.6)
RIG = Rig()


def cells(
    call: Callable[..., Any],
    rig: Rig,
    wTs: tuple[float, ...],
    zs: tuple[float, ...],
    seeds: int,
    *more: object,
) -> tuple[Trial, ...]:
    """Return the trials of all cells and seeds."""
    return tuple(Trial(call, (rig, wT, z, seed, *more)) for wT in wTs for z in zs for seed in range(seeds))


def exact(seeds: int) -> Iterator[Row]:
    """3, 4, 5: restitution with the noise of an arm's estimate and of a sensor."""
    yield Row("3", CORE, "error of e, wT <= 0.5", 0.02, cells(bounced, RIG, (0.3, 0.5), ALL, seeds))
    yield Row("4", CORE, "error of e, wT 1", 0.03, cells(bounced, RIG, (1.0,), ALL, seeds))
    slow = cells(bounced, RIG, BOTH, LITTLE, seeds, 0.005)
    yield Row("4", CORE, "error of e at 5 mm/s, wT to 1", 0.03, slow)
    exact_places = replace(RIG, noise=replace(RIG.noise, position=0.0, rotation=0.0))
    trials = cells(bounced, exact_places, (1.0,), ALL, seeds)
    yield Row("4", CORE, "error of e, wT 1, positions without noise", None, trials)
    trials = cells(bounced, exact_places, BOTH, LITTLE, seeds, 0.005)
    yield Row("4", CORE, "error of e at 5 mm/s, wT to 1, positions without noise", None, trials)
    sensor = replace(RIG, noise=EXTERNAL)
    yield Row("5", CORE, "error of e with an external sensor", 0.01, cells(bounced, sensor, BOTH, ALL, seeds))


def delays(seeds: int) -> Iterator[Row]:
    """6, 7, 7a: long interfaces, and delays that are not known."""
    for interface in (0.02, 0.05, 0.1, 0.25):
        late = cells(bounced, replace(RIG, interface=interface), BOTH, LITTLE, seeds)
        yield Row("6", CORE, f"error of e, interface {1e3 * interface:.0f} ms", 0.03, late)
    for factor in (0.7, 1.3):
        wrong = cells(bounced, replace(RIG, lead_error=factor), BOTH, LITTLE, seeds)
        yield Row("7", CORE, f"error of e, lead times {factor}", 0.03, wrong)
    for factor in (0.9, 1.1):
        wrong = cells(bounced, replace(RIG, interface=0.1, lead_error=factor), BOTH, LITTLE, seeds)
        yield Row("7", CORE, f"error of e, interface 100 ms, lead times {factor}", 0.03, wrong)
    for by in (-0.002, 0.002):
        rig = replace(RIG, delay_error=by)
        name = f"error of e, delay wrong by {1e3 * by:+.0f} ms"
        yield Row("7a", CORE, f"{name}, z <= 0.1", 0.03, cells(bounced, rig, BOTH, LITTLE, seeds))
        yield Row("7a", CORE, f"{name}, z 0.3", 0.06, cells(bounced, rig, BOTH, (0.3,), seeds))


def ports(seeds: int) -> Iterator[Row]:
    """8, 9, 10: hybrid, free, curved and stopped ports."""
    hybrid = cells(bounced, RIG, (2.0,), (0.0, 0.1, 0.3), seeds, SPEED, 0.1)
    yield Row("8", CORE, "error of e, hybrid, target wT 2, a tenth real", 0.02, hybrid)
    for mass in (30.0, 100.0, 500.0, 2000.0):
        free = cells(bounced, RIG, BOTH, LITTLE, seeds, SPEED, 1.0, mass)
        yield Row("9", CORE, f"error of velocity, port of {mass:.0f} kg", 0.03, free)
    for wT in BOTH:
        for law, name in (("hertz", "Hertz contact"), ("bump", "bump stop")):
            trials = tuple(Trial(curved, (RIG, wT, seed, law)) for seed in range(seeds))
            yield Row("10", CORE, f"error of e, {name}, wT {wT}", 0.03, trials, "")


def faults(seeds: int) -> Iterator[Row]:
    """10a, 10b: packets lost, bias wrong."""
    for lost in (0.01, 0.05):
        trials = cells(bounced, replace(RIG, lost=lost), BOTH, LITTLE, seeds)
        yield Row("10a", CORE, f"error of e, {lost:.0%} of packets and answers lost", 0.03, trials)
    for bias in (-0.1, -1.0, 0.3):
        trials = cells(bounced, replace(RIG, bias=bias), BOTH, LITTLE, seeds)
        yield Row("10b", CORE, f"error of e, bias wrong by {bias:+.1f} N", 0.03, trials)


def energy(seeds: int) -> Iterator[Row]:
    """11, 12, 13, 14: nothing is created, nothing explodes."""
    for cap, most in ((True, 0.01), (False, None)):
        rig = replace(RIG, settings={"energy_cap": cap})
        name = f"energy created in a contact, cap {'on' if cap else 'off'}"
        yield Row("11", CORE, name, most, cells(bounced, rig, BOTH, (0.0,), seeds), "gain", "most")
    for wT in BOTH:
        trials = tuple(Trial(latched, (RIG, wT, seed)) for seed in range(seeds))
        yield Row("12", CORE, f"energy of a contact that holds, 6 s, wT {wT}", 0.05, trials, "")
    for z in LITTLE:
        trials = cells(pressed_on, RIG, BOTH, (z,), seeds)
        yield Row(
            "13", CORE, f"highest speed over the first touch's, pressed, z {z}", 0.05, trials, "speed", "most"
        )
    yield Row("13", CORE, "rms speed at rest, pressed, z 0.1", 0.3, trials, "unrest", "most", "mm/s")
    hard = tuple(
        Trial(fastest, (replace(RIG, mass=mass, interface=interface), z, seed))
        for mass in (20.0, 60.0, 500.0)
        for interface in (0.0, 0.05, 0.25)
        for z in LITTLE
        for seed in range(seeds)
    )
    yield Row("14", CORE, "speed after over before, 1e6 N/m, T to 263 ms", 1.01, hard, "", "most")


def forces(seeds: int) -> Iterator[Row]:
    """15, 17: greatest real force, time of contact."""
    zs = (0.0, 0.1, 0.3, 0.5)
    for wT, most in ((0.5, 0.1), (1.0, 0.2)):
        trials = cells(bounced, RIG, (wT,), zs, seeds)
        yield Row("15", CORE, f"error of the greatest force, wT {wT}", most, trials, "peak")
        trials = cells(bounced, RIG, (wT,), LITTLE, seeds)
        yield Row("17", CORE, f"error of the time of contact, wT {wT}", 0.05, trials, "time")


def landings(seeds: int) -> Iterator[Row]:
    """18: landings in six dimensions."""
    for case in LANDINGS:
        trials = tuple(
            Trial(landed, (RIG, case, wT, z, s)) for wT in BOTH for z in LITTLE for s in range(seeds)
        )
        yield Row("18", CORE, f"landing {case}, error of velocity", 0.05, trials, "velocity")
        yield Row("18", CORE, f"landing {case}, error of spin at 0.2 m", 0.05, trials, "spin")


def free_flight(seeds: int) -> Iterator[Row]:
    """19: free flight through the noise of an arm's estimate and of a sensor; 30 minutes at 20 seeds."""
    for name, noise in (
        ("estimate, gate 1 N", (0.06, 0.35 * 0.3, 1.0)),
        ("sensor, gate 0.3 N", (0.02, 0.0, 0.3)),
    ):
        trials = tuple(Trial(drifted, (seed, *noise)) for seed in range(seeds))
        minutes = f"{1.5 * seeds:g} min"
        yield Row("19", CORE, f"drift in 90 s of free flight, {name}", 1.0, trials, "speed", "most", "mm/s")
        yield Row("19", CORE, f"false contacts in {minutes}, {name}", 0.0, trials, "gates", "sum")


def cost(seeds: int) -> Iterator[Row]:
    """Processor time of a cycle: in flight, in contact, and one that flies 250 cells anew in 6-D."""
    for name, force, reach, most in (
        ("free flight", 0.0, 0, None), ("contact", 30.0, 0, 150.0), ("250 cells anew", 30.0, 249, 500.0)
    ):  # fmt: skip
        trial = (Trial(cycle_cost, (force, reach)),)
        yield Row("cost", CORE, f"{name}, median", None, trial, "median", unit="us")
        yield Row("cost", CORE, f"{name}, p99", most, trial, "p99", unit="us")
