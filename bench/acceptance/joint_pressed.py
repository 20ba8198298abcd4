"""A body that is pressed on a port through joints: by a stop, which acts on the simulated body alone.

The stop's box begins far beyond the port, so that its spring, as soft as it may be, presses all the way; the
force changes by less than 1 % while the body moves. No estimate feels it: it is the world's. The body begins
near the port and on its way from it, so that the arm has set off before the stop has brought it back.
"""

import math
from typing import NamedTuple

import numpy as np

from bench.acceptance.joint_trials import CYCLE, Case, configured
from hil.loop.lockstep import LockStep

FORCE, SECONDS = 20.0, 8.0
REST = 1.0  # [s] at the end, over which it should be at rest
CENTRE = 0.79  # [m] world x of the body's centre when it begins
SOFT = 2.0  # [s] contact time of the softest stop
HALF = 0.08  # [m] of the stop's box
CLEAR = 1e-4  # [m] before the port, at least


class Pressed(NamedTuple):
    """What a pressed body came to.

    Attributes:
        speed: highest over that of the first touch, less 1.
        unrest: rms of the speed in the last second [mm/s].
        force: that really presses on the port in it, over the stop's, less 1.
        fault: why the arm braked; empty if it did not.
    """

    speed: float
    unrest: float
    force: float
    fault: str = ""


def beyond(mass: float) -> float:
    """Return how far beyond its bound such a stop presses with the force [m]."""
    return FORCE / (mass * (math.pi / SOFT) ** 2)


def gap(case: Case) -> float:
    """Return how far before the port the body begins [m]: it goes away from it first, and is driven back."""
    entry = CYCLE * float(np.random.default_rng(case.seed).random())
    return CLEAR + case.speed * entry


def keys(case: Case) -> list[str]:
    """Return what sets the configuration to it.

    The port is met at the centre of mass: a foot before it would be a pendulum that topples.
    """
    port = CENTRE + gap(case)
    middle = port + beyond(case.mass) + HALF
    return [
        *case.keys(),
        f"object.initial_velocity_mm_s=[{-1e3 * case.speed}, 0, 0]",
        "port.feet_mm=[[0, 0, 0]]",
        f"port.point_mm=[{1e3 * port}, 0, 150]",
        f"stops.centre_mm=[{1e3 * middle}, 0, 150]",
        f"stops.half_extent_mm=[{1e3 * HALF}, 130, 130]",
        f"stops.contact_time_ms={1e3 * SOFT}",
        "stops.max_speed_mm_s=300",  # what the spring holds counts as speed
    ]


def pressed_on(case: Case) -> Pressed:
    """Press the body on the port for 8 s."""
    loop = LockStep(configured(keys(case)))
    trace = loop.run(SECONDS)
    if loop.fault:
        return Pressed(math.nan, math.nan, math.nan, loop.fault)
    v = trace.twist_world_object_sim[:, 0]
    touch = math.sqrt(case.speed**2 + 2.0 * FORCE / case.mass * gap(case))
    # in the spring it first runs on to the speed at which the spring holds the force
    fastest = math.sqrt(touch**2 + FORCE**2 / (case.k * case.mass))
    last = slice(-round(REST / CYCLE), None)
    real = -float(trace.port_wrench[last, 0].mean())
    return Pressed(float(np.abs(v).max()) / fastest - 1.0, 1e3 * float(v[last].std()), real / FORCE - 1.0)
