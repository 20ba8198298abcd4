"""Trials beyond one line at a port that stands: free and drifting ports in 6-D, latch, hybrid, twist lock."""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from bench.contact_bodies import Clamp, Meeting, Met, fly_meeting
from bench.contact_plant import Port
from bench.contact_trials import INERTIA, MASS, SPEED, STEP, Rig
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
    return (1.0 / mass if mass < np.inf else 0.0) + (float(lever @ lever) / inertia if inertia < np.inf else 0.0)


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
        rig = replace(
            rig, settings={**rig.settings, "virtual_stiffness": (1.0 - share) * k, "virtual_damping": d}
        )
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
    return fly_meeting(ready, meeting, seconds, seed)


def worst_of(trials: Iterator[Met]) -> tuple[float, float]:
    """Return the greatest errors of velocity and spin."""
    found = [(t.velocity, t.spin) for t in trials]
    return max(f[0] for f in found), max(f[1] for f in found)
