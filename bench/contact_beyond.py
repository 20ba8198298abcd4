"""Trials beyond one line at a port that stands: free and drifting ports in 6-D, latch, hybrid, twist lock."""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
from scipy.spatial.transform import Rotation

from bench.contact_bodies import Clamp, Meeting, Swing
from bench.contact_meetings import Met, fly_meeting, ideal_meeting
from bench.contact_plant import Port
from bench.contact_trials import INERTIA, MASS, SPEED, STEP, Rig
from bench.contact_twin import twins
from hil.common.arrays import Array

BOTH = (0.5, 1.0)
FOOT = np.array([0.10, 0.05, -0.15])  # [m] of the mock-up, off its centre
UP = np.array([[0.0, 0.0, 1.0]])
LANDING = np.array([0.01, 0.005, -0.03, *np.radians((2.0, -3.0, 4.0))])  # [m/s, rad/s]
PORT_ARM = np.array([-0.15, 0.1, -0.2])  # [m] from the touch to the port's centre of mass
Row = tuple[str, str, float, float | None]


def weight_along(foot: Array, mass: float, inertia: float) -> float:
    """Return one over the mass that a body shows to a force along z at a point [1/kg]."""
    lever = np.cross(foot, UP[0])
    return (1.0 / mass if mass < np.inf else 0.0) + (
        float(lever @ lever) / inertia if inertia < np.inf else 0.0
    )


def on_a_foot(
    rig: Rig, wT: float, z: float, seed: int, mass: float = np.inf, turns: bool = False,
    drift: tuple[float, ...] = (0.0,) * 6, share: float = 1.0, speed: float = 1.0,
) -> tuple[Rig, Meeting, float]:  # fmt: skip
    """Return rig, meeting and length [s] of a landing on one foot off centre.

    Args:
        rig: on which.
        wT: of the contact along its line, with the port's weight.
        z: its damping.
        seed: of the touch within a cycle.
        mass: of the port [kg].
        turns: whether the port turns as well, its centre off the line.
        drift: its twist before the touch [m/s, rad/s].
        share: of the stiffness that is real; the rest, and all damping, is virtual.
        speed: factor on that of the landing.
    """
    inertia = mass * 0.2**2 if turns else np.inf  # as of a body 0.3 to 0.5 m across
    own = weight_along(FOOT, MASS, INERTIA)
    reduced = 1.0 / (own + weight_along(PORT_ARM, mass, inertia))
    w = wT / rig.delay
    k, d = reduced * w * w, 2.0 * z * reduced * w
    real = share if share < 1.0 else 1.0
    port = Port(FOOT[None], np.zeros((1, 3)), UP, real * k, 0.0 if share < 1.0 else d)
    if share < 1.0:
        target = {"target_stiffness": k, "target_ratio": z}
        rig = replace(rig, settings={**rig.settings, **target})
    twist = speed * LANDING
    closing = -(twist[2] + float(np.cross(twist[3:], FOOT)[2])) + drift[2]
    gap = closing * (0.06 + STEP * np.random.default_rng(3000 + seed).random())
    # the foot passes the place of the port's centre less the arm when it touches
    p = np.array([0.0, 0.0, gap]) - FOOT
    meeting = Meeting(
        p, twist, port, centre=PORT_ARM if turns else np.zeros(3), port_mass=mass, port_inertia=inertia,
        port_twist=np.array(drift),
    )  # fmt: skip
    return rig, meeting, 0.3 + 2.0 * rig.delay + 9.0 / w


def foot_trial(rig: Rig, wT: float, z: float, seed: int, **more: object) -> Met:
    """Fly a landing on one foot."""
    ready, meeting, seconds = on_a_foot(rig, wT, z, seed, **more)  # type: ignore[arg-type]
    meant = on_a_foot(rig, wT, z, seed, **{**more, "share": 1.0})[1]  # type: ignore[arg-type]
    return fly_meeting(ready, meeting, seconds, seed, meant=meant)


def worst_of(trials: Iterator[Met]) -> tuple[float, float]:
    """Return the greatest errors of velocity and spin."""
    found = [(t.velocity, t.spin) for t in trials]
    return max(f[0] for f in found), max(f[1] for f in found)


def kinetic(twist: Array) -> float:
    """Return the kinetic energy of the mock-up of a landing [J]."""
    return 0.5 * MASS * float(twist[:3] @ twist[:3]) + 0.5 * INERTIA * float(twist[3:] @ twist[3:])


def latch_trial(
    rig: Rig, wT: float, z: float, seed: int, ball: bool = False, declared: bool = True, periods: float = 3.0
) -> tuple[float, float]:
    """Swing on a latch off centre; return the error of velocity at the end, and of energy over that before.

    Args:
        rig: on which.
        wT: of the latch along its line.
        z: its damping.
        seed: of the noise.
        ball: whether it holds the foot in all directions; otherwise along its line alone.
        declared: whether the loop knows that it holds; otherwise it must find out.
        periods: how long.
    """
    reduced = 1.0 / weight_along(FOOT, MASS, INERTIA)
    w = wT / rig.delay
    k, d = reduced * w * w, 2.0 * z * reduced * w
    if ball:
        meeting = Meeting(-FOOT, LANDING, clamp=Clamp(FOOT, k, d))
    else:
        meeting = Meeting(-FOOT, LANDING, Port(FOOT[None], np.zeros((1, 3)), UP, k, d, holds=True))
    rig = replace(rig, settings={**rig.settings, "latched": declared})
    seconds = 2.0 * math.pi * periods / w
    met = fly_meeting(rig, meeting, seconds, seed)

    def energy(p: Array, quat: Array, twist: Array) -> float:
        foot = p + Rotation.from_quat(np.roll(quat, -1)).apply(FOOT)
        depth = foot if ball else foot[2:]
        return kinetic(twist) + 0.5 * k * float(depth @ depth)

    end = ideal_meeting(meeting, seconds)
    gained = energy(met.flown.p, met.flown.quat, met.flown.twist) - energy(end.p, end.quat, end.twist)
    return met.velocity, gained / kinetic(LANDING)


def twist_trial(rig: Rig, wT: float, z: float, seed: int, gate: float = 0.06, slow: float = 1.0) -> Met:
    """Turn the mock-up about its centre into a stop that gives a torque and no force (a twist lock)."""
    w = wT / rig.delay
    clamp = Clamp(twist_stiffness=INERTIA * w * w, twist_damping=2.0 * z * INERTIA * w, stop=True)
    spin = slow * math.radians(4.0)
    gap = spin * (0.06 + STEP * np.random.default_rng(3000 + seed).random())
    meeting = Meeting(
        np.zeros(3), np.array([0.0, 0.0, 0.0, 0.0, 0.0, spin]), clamp=clamp, rotvec=np.array([0.0, 0.0, -gap])
    )
    rig = replace(rig, settings={**rig.settings, "gate_torque": gate})
    return fly_meeting(rig, meeting, 0.2 + 2.0 * rig.delay + 6.0 / w, seed, peaks=True)


def straight_meeting(
    rig: Rig, wT: float, z: float, seed: int, at: float = 0.0, stiffer: float = 1.0
) -> Meeting:
    """Return a meeting along z at a port whose plane stands at `at` [m]."""
    w = wT / rig.delay
    k = stiffer * MASS * w * w
    port = Port(
        np.zeros((1, 3)), np.array([[0.0, 0.0, at]]), UP, k, 2.0 * z * MASS * w * math.sqrt(stiffer)
    )  # fmt: skip
    gap = SPEED * (0.08 + rig.delay + STEP * np.random.default_rng(1000 + seed).random())
    return Meeting(np.array([0.0, 0.0, gap]), np.array([0.0, 0.0, -SPEED, 0.0, 0.0, 0.0]), port)


def memory_trial(
    rig: Rig, wT: float, z: float, seed: int, moved: float = 0.0, stiffer: float = 1.0, remembers: bool = True
) -> tuple[Met, Met]:
    """Meet a port twice; return both meetings.

    Args:
        rig: on which.
        wT: of the port as it is first.
        z: its damping.
        seed: of noise and touch.
        moved: by which the port lies nearer the second time [m].
        stiffer: factor on its stiffness the second time.
        remembers: whether the loop remembers.
    """
    rig = replace(rig, settings={**rig.settings, "remembers": remembers})
    loop, found = rig.loop(), []
    for turn in range(2):
        again = turn == 1
        meeting = straight_meeting(
            rig, wT, z, seed + 17 * turn, moved if again else 0.0, stiffer if again else 1.0
        )  # fmt: skip
        seconds = 0.25 + 5.0 * rig.delay + 6.0 * rig.delay / wT
        found.append(fly_meeting(rig, meeting, seconds, seed + 17 * turn, peaks=True, loop=loop))
    return found[0], found[1]


def resonant_trial(
    rig: Rig, wT: float, z: float, seed: int, frequency: float, mass: float = 5.0, known: bool = True
) -> Met:
    """Meet a port straight, the mock-up hanging on the arm's elasticity, which the joints do not see.

    Args:
        rig: on which.
        wT: of the port.
        z: its damping.
        seed: of noise and touch.
        frequency: of the mock-up on the arm [Hz].
        mass: of the mock-up that hangs there [kg].
        known: whether the loop knows the arm's stiffness.
    """
    if known:
        stiffness = mass * (2.0 * math.pi * frequency) ** 2
        rig = replace(rig, settings={**rig.settings, "arm_stiffness": stiffness})
    meeting = straight_meeting(rig, wT, z, seed)
    seconds = 0.25 + 5.0 * rig.delay + 6.0 * rig.delay / wT
    return fly_meeting(rig, meeting, seconds, seed, peaks=True, swing=Swing(frequency, mass))


def free_ports(rig: Rig, seeds: int) -> Iterator[Row]:
    """6d-port: a foot off centre on a port with mass; it goes straight, or turns as well."""
    for mass in (30.0, 100.0, 500.0, 2000.0):
        for turns in (False, True):
            found = worst_of(foot_trial(rig, wT, z, s, mass=mass, turns=turns) for wT, z, s in cells(seeds))
            name = f"port of {mass:.0f} kg off centre{', turning' if turns else ''}"
            yield "6d-port", f"{name}, error of velocity", found[0], 0.03
            yield "6d-port", f"{name}, error of spin at 0.2 m", found[1], 0.03


def drifting_ports(rig: Rig, seeds: int) -> Iterator[Row]:
    """6d-moving: ports that move before the touch, at a speed that is not known."""
    told = replace(rig, settings={**rig.settings, "port_speed": DRIFT})
    for speed in (-DRIFT, DRIFT):
        for zs, most in (((0.0, 0.1), 0.03), ((0.3,), None)):
            drift = (0.0, 0.0, speed, 0.0, 0.0, 0.0)
            found = worst_of(foot_trial(told, wT, z, s, drift=drift) for wT, z, s in cells(seeds, zs))
            name = f"port at {1e3 * speed:+.0f} mm/s, z {' and '.join(map(str, zs))}"
            yield "6d-moving", f"{name}, error of velocity", found[0], most
    name = f"port of 100 kg at {1e3 * DRIFT:+.0f} mm/s, turning, error of velocity"
    drift = (0.0, 0.0, DRIFT, 0.0, 0.0, 0.0)
    found = worst_of(
        foot_trial(told, wT, z, s, drift=drift, mass=100.0, turns=True) for wT, z, s in cells(seeds)
    )
    yield "6d-moving", name, found[0], 0.03
    found = worst_of(foot_trial(told, wT, z, s) for wT, z, s in cells(seeds))
    yield "6d-moving", "a port that stands, said to move, error of velocity", found[0], 0.03
    found = worst_of(foot_trial(rig, wT, z, s, drift=drift) for wT, z, s in cells(1))
    yield "6d-moving", "port at +5 mm/s, not said to move, error of velocity", found[0], None


def latches(rig: Rig, seeds: int) -> Iterator[Row]:
    """6d-latch: a foot off centre that holds along its line, and one that holds in all directions."""
    for ball in (False, True):
        for z in (0.0, 0.1):
            found = [latch_trial(rig, wT, z, s, ball, declared=False) for wT, _, s in cells(seeds, (z,))]
            name = f"latch {'of a ball' if ball else 'along its line'}, z {z}, 3 periods"
            most = None if ball else 0.05
            yield "6d-latch", f"{name}, error of velocity", max(f[0] for f in found), most
            yield "6d-latch", f"{name}, error of energy", max(abs(f[1]) for f in found), most


def hybrids(rig: Rig, seeds: int) -> Iterator[Row]:
    """6d-hybrid: a tenth of the stiffness real, the rest virtual, on a foot off centre."""
    for wT in (1.0, 2.0):
        found = worst_of(
            foot_trial(rig, wT, z, s, share=0.1) for _, z, s in cells(seeds, (0.0, 0.1, 0.3), (wT,))
        )
        yield "6d-hybrid", f"a tenth real, target wT {wT}, error of velocity", found[0], 0.03
        yield "6d-hybrid", f"a tenth real, target wT {wT}, error of spin at 0.2 m", found[1], 0.03


def twists(rig: Rig, seeds: int) -> Iterator[Row]:
    """Twist: a torque without a force, about the centre of mass."""
    for wT in BOTH:
        found = [twist_trial(rig, wT, z, s) for _, z, s in cells(seeds, (0.0, 0.1, 0.3), (wT,))]
        yield "twist", f"twist lock, wT {wT}, error of spin", max(f.spin for f in found), 0.03
        yield (
            "twist",
            f"twist lock, wT {wT}, error of the greatest torque",
            max(abs(f.peak) for f in found),
            0.2,
        )
    found = [twist_trial(rig, wT, z, s, slow=0.25) for wT, z, s in cells(seeds)]
    yield "twist", "twist lock at 1 deg/s, error of spin", max(f.spin for f in found), 0.03
    yield "twist", "no gate for torques, error of spin", twist_trial(rig, 0.5, 0.0, 0, math.inf).spin, None


def memories(rig: Rig, seeds: int) -> Iterator[Row]:
    """Memory: greatest force at the second meeting with 113 ms of delay; memories that are wrong."""
    far = replace(rig, interface=0.1)
    pairs = [memory_trial(far, 1.5, z, s) for _, z, s in cells(seeds, (0.0, 0.1), (1.5,))]
    for turn, most in ((0, None), (1, 0.2)):
        name = "first" if turn == 0 else "second"
        peak = max(abs(pair[turn].peak) for pair in pairs)
        yield "memory", f"T 113 ms, wT 1.5, {name} meeting, error of the greatest force", peak, most
        yield "memory", f"{name} meeting, error of e", max(pair[turn].velocity for pair in pairs), 0.03
    for name, moved, stiffer in WRONG_MEMORIES:
        trials = [memory_trial(far, wT, z, 0, moved, stiffer)[1] for wT, z in ((1.0, 0.0), (1.5, 0.1))]
        yield "memory", f"memory wrong: {name}, error of e", max(t.velocity for t in trials), 0.03
        yield (
            "memory",
            f"memory wrong: {name}, error of the greatest force",
            max(t.peak for t in trials),
            None,
        )


def resonances(rig: Rig, seeds: int) -> Iterator[Row]:
    """Resonance: 5 kg on the arm's elasticity, its static stiffness known, contact at 6 and 12 Hz."""
    for frequency in (200.0, 100.0, 50.0, 30.0, 20.0):
        for z in (0.0, 0.1):
            found = [resonant_trial(rig, wT, z, s, frequency) for wT, _, s in cells(seeds, (z,))]
            most = 0.03 if frequency >= 200.0 else None
            name = f"resonance at {frequency:.0f} Hz, z {z}"
            yield "resonance", f"{name}, error of e", max(f.velocity for f in found), most


def cells(
    seeds: int, zs: tuple[float, ...] = (0.0, 0.1), wTs: tuple[float, ...] = BOTH
) -> Iterator[tuple[float, float, int]]:  # fmt: skip
    """Yield w T, damping and seed of all cells."""
    for wT in wTs:
        for z in zs:
            for seed in range(seeds):
                yield wT, z, seed


DRIFT = 0.005  # [m/s] of a port before the touch
WRONG_MEMORIES = (
    ("port 2 mm nearer", 0.002, 1.0),
    ("port 2 mm further", -0.002, 1.0),
    ("port 0.5 mm further", -0.0005, 1.0),
    ("port twice as stiff", 0.0, 2.0),
    ("port half as stiff", 0.0, 0.5),
)
BEYOND: dict[tuple[str, ...], Callable[[Rig, int], Iterator[Row]]] = {
    ("6d-port",): free_ports,
    ("6d-moving",): drifting_ports,
    ("6d-latch",): latches,
    ("6d-hybrid",): hybrids,
    ("twist",): twists,
    ("memory",): memories,
    ("resonance",): resonances,
    ("6d-twin",): twins,
}
