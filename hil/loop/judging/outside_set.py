"""Whether a motion may begin where the object is held: not where the stops would hurl it.

Beyond a stop its spring holds energy that nobody gave; let go, the object takes it up as speed. The speed
that comes of it and of the motion asked for must keep the certified one (docs/theory.md, section 5). In plain
Python, for the daemon; the same as `sim.world.stops` and `sim.world.motion.apply_slice_into`, and tested
against them.
"""

import math
from dataclasses import dataclass

import numpy as np

from hil.common.arrays import Array
from hil.configuration.schema import EmulatedObject, Stops
from hil.loop.judging.held_pose import Quat, times

ROUNDING = 1e-9  # share of a squared speed: a motion that is just allowed is allowed
AXES = "xyz"


@dataclass(frozen=True)
class Place:
    """How far the object is beyond the stops; negative: so much within.

    Attributes:
        box: of the centre, by axis of the world [m].
        towards: +1 or -1, on which side of the box's centre, by axis.
        swing: [rad].
        twist: [rad].
        turned: +1 or -1, which way it is twisted,
        twisted: and by how much, with that sign [rad].
    """

    box: tuple[float, float, float]
    towards: tuple[int, int, int]
    swing: float
    twist: float
    turned: int
    twisted: float

    @property
    def inside(self) -> bool:
        """Whether it is beyond no stop."""
        return max(*self.box, self.swing, self.twist) <= 0.0

    def words(self) -> str:
        """Return how far beyond which stops it is, or how far within all."""
        if self.inside:
            swing, twist = -math.degrees(self.swing), -math.degrees(self.twist)
            box = -1e3 * max(self.box)
            return f"inside the stops by {box:.1f} mm, swing {swing:.2f} deg, twist {twist:.2f} deg"
        parts = [
            f"{1e3 * depth:.1f} mm along {'+' if side > 0 else '-'}{axis}"
            for axis, depth, side in zip(AXES, self.box, self.towards, strict=True)
            if not depth <= 0.0
        ]
        if not self.swing <= 0.0:
            parts.append(f"swing {math.degrees(self.swing):.2f} deg")
        if not self.twist <= 0.0:
            parts.append(f"twist {'+' if self.turned > 0 else '-'}{math.degrees(self.twist):.2f} deg")
        return "outside the stops by " + ", ".join(parts)


@dataclass(frozen=True)
class OutsideSet:
    """Why a motion may not begin.

    Attributes:
        place: where the object is held.
        asked: speed [m/s] and spin [rad/s] asked for.
        coming: the same with what the stops' springs give back.
        caps: the certified ones.
    """

    place: Place
    asked: tuple[float, float]
    coming: tuple[float, float]
    caps: tuple[float, float]

    def words(self) -> str:
        """Return in words where it is held, what would come of it, and what to do."""
        return (
            f"the object is held {self.place.words()}; {_motion(self.asked)} asked for would become "
            f"{_motion(self.coming)}, certified are {_motion(self.caps)} "
            "(stops.max_speed_mm_s, stops.max_spin_deg_s): bring the arm inside, ask for less motion, "
            "or mend [stops]"
        )


def outside_set(p: Array, quat: Array, twist: Array, stops: Stops, body: EmulatedObject) -> OutsideSet | None:
    """Return why a motion may not begin, or None if it may.

    The stops' potential counts as speed as the certified cap reckons it (docs/theory.md, equation 13).

    Args:
        p: centre of mass, world [m], shape (3,).
        quat: attitude w x y z, shape (4,).
        twist: the motion asked for, world axes [m/s, rad/s], shape (6,).
        stops: the configuration's.
        body: the floating body.
    """
    place = place_of(p, quat, stops)
    stored = _stored(place, stops, body)
    asked = math.hypot(*twist[:3]), math.hypot(*twist[3:])
    squares = asked[0] ** 2 + stored[0], asked[1] ** 2 + stored[1]
    caps = stops.max_speed, stops.max_spin
    # what is no number is not allowed either
    if all(square <= cap**2 * (1.0 + ROUNDING) for square, cap in zip(squares, caps, strict=True)):
        return None
    return OutsideSet(place, asked, (math.sqrt(squares[0]), math.sqrt(squares[1])), caps)


def place_of(p: Array, quat: Array, stops: Stops) -> Place:
    """Return how far an object is beyond the stops, or within them.

    Args:
        p: centre of mass, world [m], shape (3,).
        quat: attitude w x y z, shape (4,).
        stops: the configuration's.
    """
    away = [float(a) - float(b) for a, b in zip(p, stops.centre, strict=True)]
    x, y, z = (abs(a) - float(half) for a, half in zip(away, stops.half_extent, strict=True))
    i, j, k = (1 if a >= 0.0 else -1 for a in away)
    swing, twist = _swing_twist(quat, stops)
    turned = 1 if twist >= 0.0 else -1
    return Place((x, y, z), (i, j, k), swing - stops.swing, abs(twist) - stops.twist, turned, twist)


def _stored(place: Place, stops: Stops, body: EmulatedObject) -> tuple[float, float]:
    """Return what the springs hold as squares of a speed [m2/s2] and a spin [rad2/s2]."""
    rate = math.pi / stops.contact_time
    linear = sum((rate * depth) ** 2 for depth in place.box if not depth <= 0.0)
    a, b, c = (float(value) for value in body.inertia)
    swung, twisted = (0.0 if angle <= 0.0 else (rate * angle) ** 2 for angle in (place.swing, place.twist))
    return linear, (0.5 * (a + b) * swung + c * twisted) / ((a + b + c) / 3.0)


def _swing_twist(quat: Array, stops: Stops) -> tuple[float, float]:
    """Return swing in [0, pi] and twist in [-pi, pi] [rad], against the stops' nominal attitude."""
    half_yaw, half_tilt = 0.5 * stops.axis_yaw, 0.25 * math.pi - 0.5 * stops.axis_pitch
    a, b, c, d = times(
        (math.cos(half_yaw), 0.0, 0.0, math.sin(half_yaw)),
        (math.cos(half_tilt), 0.0, math.sin(half_tilt), 0.0),
    )
    w, x, y, z = times((a, -b, -c, -d), _four(quat))
    if w < 0.0:
        w, z = -w, -z
    return 2.0 * math.atan2(math.hypot(x, y), math.hypot(w, z)), 2.0 * math.atan2(z, w)


def _four(quat: Array) -> Quat:
    w, x, y, z = np.asarray(quat, np.float64).tolist()
    return w, x, y, z


def _motion(motion: tuple[float, float]) -> str:
    return f"{1e3 * motion[0]:.1f} mm/s and {math.degrees(motion[1]):.2f} deg/s"
