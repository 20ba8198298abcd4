"""The rows through joints: the whole loop in lock-step, with arm, guard and limits of jerk."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from bench.acceptance.joint_faults import biased, fixed_lead, lossy, misled
from bench.acceptance.joint_free import drifted
from bench.acceptance.joint_landings import landed
from bench.acceptance.joint_pressed import pressed_on
from bench.acceptance.joint_trials import FAST, SENSOR, SPEED, Case, fastest, flown, latched
from bench.acceptance.row import JOINTS, Row, Trial
from bench.contact_trials import LANDINGS

NO_CAP = ("force.energy_cap=false",)
BOTH, LITTLE, ALL = (0.5, 1.0), (0.0, 0.1), (0.0, 0.1, 0.3, 0.6)
CASE = Case(1.0, 0.0, 0)


def cells(
    case: Case,
    wTs: tuple[float, ...],
    zs: tuple[float, ...],
    seeds: int,
    call: Callable[..., Any] = flown,
    *more: object,
) -> tuple[Trial, ...]:
    """Return the flights of all cells and seeds."""
    return tuple(
        Trial(call, (replace(case, wT=wT, z=z, seed=seed), *more))
        for wT in wTs
        for z in zs
        for seed in range(seeds)
    )


def exact(seeds: int) -> Iterator[Row]:
    """3, 4, 5: restitution with the noise of the arm's estimate and of a sensor."""
    yield Row("3", JOINTS, "error of e, wT <= 0.5", 0.02, cells(CASE, (0.3, 0.5), ALL, seeds))
    yield Row("4", JOINTS, "error of e, wT 1", 0.03, cells(CASE, (1.0,), ALL, seeds))
    slow = cells(replace(CASE, speed=0.005), BOTH, LITTLE, seeds)
    yield Row("4", JOINTS, "error of e at 5 mm/s, wT to 1", 0.03, slow)
    sensor = replace(CASE, settings=SENSOR)
    yield Row("5", JOINTS, "error of e with an external sensor", 0.01, cells(sensor, BOTH, ALL, seeds))


def schemes(seeds: int) -> Iterator[Row]:
    """2: the other compensations beside S."""
    for name in ("none", "phase-lead", "lead", "model", "passivity"):
        case = replace(CASE, settings=(f'force.compensation="{name}"', "force.energy_cap=false"))
        yield Row(
            "2",
            JOINTS,
            f"error of e, {name}, wT 0.5, z 0.1, no cap",
            None,
            cells(case, (0.5,), (0.1,), seeds),
        )


def delays(seeds: int) -> Iterator[Row]:
    """6, 7, 7a: long interfaces, and delays that are not known."""
    for interface in (0.02, 0.05, 0.1, 0.25):
        # a contact must rise above three times the gate to be seen: v sqrt(k M) is 2 N there at 20 mm/s
        speed = 0.06 if interface == 0.25 else SPEED
        late = cells(replace(CASE, interface=interface, speed=speed), BOTH, LITTLE, seeds)
        name = f"error of e, interface {1e3 * interface:.0f} ms" + (", 60 mm/s" if speed > SPEED else "")
        yield Row("6", JOINTS, name, 0.03, late)
    for interface, factors in ((0.0, (0.7, 1.3)), (0.1, (0.9, 1.1))):
        case, name = (
            replace(CASE, interface=interface),
            f", interface {1e3 * interface:.0f} ms" * (interface > 0),
        )
        for factor in factors:
            wrong = cells(case, BOTH, LITTLE, seeds, misled, factor)
            yield Row("7", JOINTS, f"error of e{name}, lead times {factor}", 0.03, wrong)
    for by in (-2, 2):
        keys = fixed_lead(CASE, 1.0 + by / CASE.lead_ms)
        case, name = replace(CASE, settings=keys), f"error of e, delay wrong by {by:+d} ms"
        yield Row("7a", JOINTS, f"{name}, z <= 0.1", 0.03, cells(case, BOTH, LITTLE, seeds))
        yield Row("7a", JOINTS, f"{name}, z 0.3", 0.06, cells(case, BOTH, (0.3,), seeds))


def ports(seeds: int) -> Iterator[Row]:
    """8, 9, 10: hybrid, free, curved and stopped ports."""
    hybrid = cells(replace(CASE, share=0.1), (2.0,), (0.0, 0.1, 0.3), seeds)
    yield Row("8", JOINTS, "error of e, hybrid, target wT 2, a tenth real", 0.02, hybrid)
    for mass in (30.0, 100.0, 500.0, 2000.0):
        free = cells(replace(CASE, port_mass=mass), BOTH, LITTLE, seeds)
        yield Row("9", JOINTS, f"error of velocity, port of {mass:.0f} kg", 0.03, free)
    for wT in BOTH:
        for law, name in (("hertz", "Hertz contact"), ("bump", "bump stop")):
            trials = cells(replace(CASE, law=law), (wT,), (0.0,), seeds)
            yield Row("10", JOINTS, f"error of e, {name}, wT {wT}", 0.03, trials)
            free = cells(replace(CASE, law=law, settings=NO_CAP), (wT,), (0.0,), seeds)
            yield Row("10", JOINTS, f"energy created, {name}, wT {wT}, no cap", None, free, "gain")


def faults(seeds: int) -> Iterator[Row]:
    """10a, 10b: packets lost, bias wrong."""
    for lost in (0.01, 0.05):
        trials = cells(CASE, BOTH, LITTLE, seeds, lossy, lost)
        yield Row("10a", JOINTS, f"error of e, {lost:.0%} of packets and answers lost", 0.03, trials)
    for bias, most in ((-0.1, 0.03), (-1.0, 0.03), (0.3, 0.03), (2.2, None)):
        trials = cells(CASE, BOTH, LITTLE, seeds, biased, bias)
        name = f"error of e, bias wrong by {bias:+.1f} N" + (" (gate 2 N)" if most is None else "")
        yield Row("10b", JOINTS, name, most, trials)


def energy(seeds: int) -> Iterator[Row]:
    """11, 12, 13, 14: nothing is created, nothing explodes."""
    for cap, most in ((True, 0.01), (False, None)):
        case = replace(CASE, settings=() if cap else NO_CAP)
        name = f"energy created in a contact, cap {'on' if cap else 'off'}"
        yield Row("11", JOINTS, name, most, cells(case, BOTH, (0.0,), seeds), "gain", "most")
    for wT in BOTH:
        trials = tuple(Trial(latched, (replace(CASE, wT=wT, seed=seed),)) for seed in range(seeds))
        yield Row("12", JOINTS, f"energy of a contact that holds, 6 s, wT {wT}", 0.05, trials, "")
    for wT in BOTH:
        yield from pressings(wT, seeds)
    hard = tuple(
        Trial(fastest, (replace(CASE, stiffness=1e6, mass=mass, interface=interface, z=z, seed=seed),))
        for mass in (20.0, 60.0, 500.0)
        for interface in (0.0, 0.05, 0.25)
        for z in LITTLE
        for seed in range(seeds)
    )
    yield Row(
        "14", JOINTS, "speed after over before, 1e6 N/m, T to 263 ms, stop at 1 kN", 1.01, hard, "", "most"
    )


def pressings(wT: float, seeds: int) -> Iterator[Row]:
    """13: a body that is pressed on the port comes to rest."""
    for z in LITTLE:
        trials = cells(CASE, (wT,), (z,), seeds, pressed_on)
        name = f"highest speed over the first touch's, pressed, wT {wT}, z {z}"
        yield Row("13", JOINTS, name, 0.05, trials, "speed", "most")
    yield Row(
        "13", JOINTS, f"rms speed at rest, pressed, wT {wT}, z 0.1", 0.3, trials, "unrest", "most", "mm/s"
    )
    yield Row(
        "13", JOINTS, f"real force at rest over the stop's, wT {wT}, z 0.1", None, trials, "force", "most"
    )


def forces(seeds: int) -> Iterator[Row]:
    """15, 16, 17: greatest real force, time of contact."""
    zs = (0.0, 0.1, 0.3, 0.5)
    for wT, most in ((0.5, 0.1), (1.0, 0.2)):
        yield Row(
            "15", JOINTS, f"error of the greatest force, wT {wT}", most, cells(CASE, (wT,), zs, seeds), "peak"
        )
        fast = cells(replace(CASE, speed=0.1), (wT,), LITTLE, seeds)
        yield Row("16", JOINTS, f"error of the greatest force, 100 mm/s, wT {wT}", None, fast, "peak")
        yield Row("16", JOINTS, f"error of e, 100 mm/s, wT {wT}", None, fast)
        trials = cells(CASE, (wT,), LITTLE, seeds)
        yield Row("17", JOINTS, f"error of the time of real contact, wT {wT}", 0.05, trials, "time")


def landings(seeds: int) -> Iterator[Row]:
    """18: landings in six dimensions."""
    for name in LANDINGS:
        trials = cells(CASE, BOTH, LITTLE, seeds, landed, name)
        yield Row("18", JOINTS, f"landing {name}, error of velocity", 0.05, trials, "velocity")
        yield Row("18", JOINTS, f"landing {name}, error of spin at 0.2 m", 0.05, trials, "spin")


def beyond(seeds: int) -> Iterator[Row]:
    """What stands in the way: the same with ten times the joints' jerk and five times the acceleration."""
    fast = replace(CASE, settings=FAST)
    for wT in BOTH:
        trials = cells(fast, (wT,), (0.0, 0.1, 0.3, 0.5), seeds)
        yield Row("15", JOINTS, f"fast joints: error of the greatest force, wT {wT}", None, trials, "peak")
        yield Row(
            "17",
            JOINTS,
            f"fast joints: error of the time of contact, wT {wT}",
            None,
            trials[: 2 * seeds],
            "time",
        )
    free = cells(replace(fast, port_mass=100.0), (1.0,), LITTLE, seeds)
    yield Row("9", JOINTS, "fast joints: error of velocity, port of 100 kg, wT 1", None, free)
    for law, name in (("hertz", "Hertz contact"), ("bump", "bump stop")):
        trials = cells(replace(fast, law=law), (1.0,), (0.0,), seeds)
        yield Row("10", JOINTS, f"fast joints: error of e, {name}, wT 1", None, trials)
    for name in ("B", "C"):
        trials = cells(fast, BOTH, LITTLE, seeds, landed, name)
        yield Row("18", JOINTS, f"fast joints: landing {name}, error of velocity", None, trials, "velocity")
        yield Row("18", JOINTS, f"fast joints: landing {name}, error of spin at 0.2 m", None, trials, "spin")


def free_flight(seeds: int) -> Iterator[Row]:
    """19: free flight at 50 mm/s between the stops; 30 minutes at 20 seeds."""
    for name, keys in (("estimate", ()), ("sensor, gate 0.3 N", SENSOR)):
        trials = tuple(Trial(drifted, (seed, keys)) for seed in range(seeds))
        yield Row("19", JOINTS, f"drift in 90 s of free flight, {name}", 1.0, trials, "speed", "most", "mm/s")
        yield Row("19", JOINTS, f"false contacts in {1.5 * seeds:g} min, {name}", 0.0, trials, "gates", "sum")
