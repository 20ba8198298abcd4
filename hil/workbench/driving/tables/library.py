"""The tables by name. Each is made for an arm: where its tip begins, how far it reaches, how fast it may."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from hil.common.arrays import Array
from hil.common.errors import DrivingError
from hil.workbench.driving.follower import TwistLimits
from hil.workbench.driving.rigid import moved
from hil.workbench.driving.tables.curves import circle, figure_eight, sine_sweep
from hil.workbench.driving.tables.legs import Legs, Stop


class Table(Protocol):
    """A pose source that ends."""

    duration: float

    def pose(self, t: float) -> Array:
        """Return where the tip is at a time, shape (4, 4)."""


@dataclass(frozen=True)
class Frame:
    """What a table is made for.

    Attributes:
        T_start: where the tip begins, shape (4, 4).
        reach: greatest distance of the tip from the shoulder [m].
        shoulder: the first joint's origin in the base [m], shape (3,).
        limits: of the commanded tip.
    """

    T_start: Array
    reach: float
    shoulder: Array
    limits: TwistLimits


def _at(frame: Frame, x: float = 0.0, y: float = 0.0, z: float = 0.0, yaw: float = 0.0) -> Array:
    """Return the start shifted by shares of the reach, in base axes, and turned about the base's z."""
    return moved(frame.T_start, np.array([x, y, z, 0.0, 0.0, yaw]) * ([frame.reach] * 3 + [1.0] * 3))


class _Step:
    """A jump of the pose: what the follower makes of it is the fastest motion within the limits."""

    def __init__(self, frame: Frame, size: float = 0.05, rest: float = 2.0) -> None:
        self._poses, self._rest = (frame.T_start, _at(frame, z=size)), rest
        self.duration = 3.0 * rest

    def pose(self, t: float) -> Array:
        return self._poses[1 if self._rest <= t < 2.0 * self._rest else 0]


def _pick_and_place(frame: Frame) -> Table:
    up, down = 0.0, -0.08
    stops = [
        Stop(_at(frame, y=0.1, z=up)),
        Stop(_at(frame, y=0.1, z=down), 0.5),
        Stop(_at(frame, y=0.1, z=up)),
        Stop(_at(frame, y=-0.1, z=up, yaw=math.pi / 4)),
        Stop(_at(frame, y=-0.1, z=down, yaw=math.pi / 4), 0.5),
        Stop(_at(frame, y=-0.1, z=up, yaw=math.pi / 4)),
        Stop(frame.T_start),
    ]
    return Legs(frame.T_start, stops, frame.limits)


def _singular_stretch(frame: Frame) -> Table:
    """Straight away from the shoulder to a tenth beyond the reach, and back."""
    arm = frame.T_start[:3, 3] - frame.shoulder
    distance = float(np.linalg.norm(arm))
    out = arm / distance * (1.1 * frame.reach - distance)
    beyond = moved(frame.T_start, np.array([*out, 0.0, 0.0, 0.0]))
    return Legs(frame.T_start, [Stop(beyond, 1.0), Stop(frame.T_start, 0.5)], frame.limits)


def _thermal_duty_cycle(frame: Frame) -> Table:
    """To and fro as fast as the limits allow, then rest for half as long: ten times."""
    there, stops = Stop(_at(frame, y=0.1, z=0.1)), list[Stop]()
    leg = Legs(frame.T_start, [there, Stop(frame.T_start)], frame.limits, 0.0).duration
    for _ in range(10):
        stops += [there, Stop(frame.T_start), there, Stop(frame.T_start, leg)]
    return Legs(frame.T_start, stops, frame.limits, 0.0)


TABLES: dict[str, tuple[str, Callable[[Frame], Table]]] = {
    "step": ("the pose jumps by 5 % of the reach and back", _Step),
    "sine_sweep": (
        "a sine along y from 0.1 to 5 Hz in 30 s",
        lambda f: sine_sweep(f.T_start, 0.03 * f.reach, f.limits, 0.1, 5.0, 30.0),
    ),
    "circle": (
        "two turns in the y-z plane, radius 10 % of the reach",
        lambda f: circle(f.T_start, 0.1 * f.reach, 2.0, f.limits),
    ),
    "figure_eight": (
        "two eights in the y-z plane, 20 % of the reach wide",
        lambda f: figure_eight(f.T_start, 0.1 * f.reach, 2.0, f.limits),
    ),
    "pick_and_place": ("down, up, across with a turn of 45 degrees, down, up, back", _pick_and_place),
    "singular_stretch": ("straight out to 110 % of the reach, and back", _singular_stretch),
    "thermal_duty_cycle": (
        "ten times to and fro at full speed, then rest for half as long",
        _thermal_duty_cycle,
    ),
}


def table_of(name: str, frame: Frame) -> Table:
    """Return a table made for an arm.

    Raises:
        DrivingError: there is none of that name; all are named.
    """
    if name not in TABLES:
        raise DrivingError(f"there is no table {name!r}: the library has {', '.join(TABLES)}")
    return TABLES[name][1](frame)
