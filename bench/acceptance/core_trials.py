"""What a trial on the simple plant comes to, as a row takes it."""

import math
from typing import NamedTuple

import numpy as np

from bench.acceptance.row import Touched
from bench.contact_plant import BUMP, HERTZ
from bench.contact_trials import (
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

SETTLED = 0.2  # [s] beyond the contact that a trial lasts


def bounced(
    rig: Rig, wT: float, z: float, seed: int, speed: float = SPEED, share: float = 1.0, mass: float = math.inf
) -> Touched:
    """Return a straight bounce; see `bench.contact_trials.bounce`."""
    more = {} if math.isinf(mass) else {"mass": mass}
    found = bounce(rig, wT, z, seed, speed, None, share, **more)
    return Touched(found.error, found.peak, found.time, float(found.flown.twist[2]) ** 2 / speed**2 - 1.0)


def curved(rig: Rig, wT: float, seed: int, law: str) -> float:
    """Return the error of restitution on a port whose force is no line: undamped, so e = 1.

    A Hertz contact is as stiff as the line on the way to the same depth; a bump stop begins half way.
    """
    k, deep = rig.mass * (wT / rig.delay) ** 2, SPEED * rig.delay / wT
    if law == "hertz":
        port = straight_port(k / math.sqrt(deep), 0.0, rig.mass, law=HERTZ)
    else:
        port = straight_port(k, 0.0, rig.mass, law=BUMP, bump=0.5 * deep)
    gap = SPEED * (0.08 + STEP * np.random.default_rng(1000 + seed).random())
    plant, p, quat, twist = on_its_way(rig, port, SPEED, gap, seed)
    flown = fly_trial(rig.loop(), plant, p, quat, twist, SETTLED + 4.0 * rig.delay + 6.0 * rig.delay / wT)
    return float(flown.twist[2]) / SPEED - 1.0


def latched(rig: Rig, wT: float, seed: int) -> float:
    """Return by which share an undamped contact that holds has gained or lost energy in 6 s."""
    return latched_energy(rig, wT, seed) - 1.0


class Pressed(NamedTuple):
    """Highest speed over that of the first touch, less 1; rms speed of the last second [mm/s]."""

    speed: float
    unrest: float


def pressed_on(rig: Rig, wT: float, z: float, seed: int) -> Pressed:
    """Press the body on a port by 20 N for 8 s."""
    speed, unrest = pressed(rig, wT, z, seed)
    return Pressed(speed - 1.0, 1e3 * unrest)


def fastest(rig: Rig, z: float, seed: int) -> float:
    """Return the highest speed that a port of 1e6 N/m makes, over the speed before."""
    track = bounce(rig, math.sqrt(1e6 / rig.mass) * rig.delay, z, seed).flown.track
    return float(np.abs(track[:, 3]).max()) / SPEED


class Landed(NamedTuple):
    """Errors of velocity and of spin (at 0.2 m), over the speed before."""

    velocity: float
    spin: float


def landed(rig: Rig, case: str, wT: float, z: float, seed: int) -> Landed:
    """Let the body land in six dimensions."""
    found = land(rig, case, wT, z, seed)
    return Landed(found.velocity, found.spin)


class Drifted(NamedTuple):
    """What a free flight gained of velocity [mm/s], and contacts that were none."""

    speed: float
    gates: float


def drifted(seed: int, force: float, motion: float, gate: float, seconds: float = 90.0) -> Drifted:
    """Fly through noise with a body of the usual mass at 50 mm/s.

    Args:
        seed: of the noise.
        force: white [N].
        motion: correlated over 20 ms [N].
        gate: force from which a contact begins [N].
        seconds: how long.
    """
    rng = np.random.default_rng(seed)
    loop, quat = Rig(settings={"gate": gate}).loop(), np.array([1.0, 0.0, 0.0, 0.0])
    loop.begin(np.zeros(3), quat, np.array([0.05, 0.0, 0.0, 0.0, 0.0, 0.0]))
    slow, p, opened, was = np.zeros(6), np.zeros(3), 0, False
    for _ in range(round(seconds / STEP)):
        # correlated over 20 ms, and a bias that changes with the place by 10 N/m
        slow += -0.1 * slow + motion * math.sqrt(0.2 - 0.01) * rng.standard_normal(6)
        wrench = force * rng.standard_normal(6) + slow
        wrench[0] += 10.0 * p[0]
        state = loop.step(p, quat, wrench)
        loop.command(state.twist)
        p = state.p.copy()
        opened += state.in_contact and not was
        was = state.in_contact
    return Drifted(1e3 * abs(float(state.twist[0]) - 0.05), float(opened))
