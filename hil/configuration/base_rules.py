"""What a moving base makes of the stops: what bounds the object in the world; what no single key shows."""

import math

import numpy as np

from hil.common.arrays import Array, plain_numbers
from hil.configuration.base import Base
from hil.configuration.schema import Configuration, Stops

USED = 0.9  # of the base's speed that the object's motion may ask for
BRAKED = 0.8
LEAST_FLOOR = 0.5  # [m] of each side, and what the base must have of it to brake
LONE = "the emulated arm's own estimate in free flight"


def object_caps(c: Configuration) -> Array:
    """Return the speed [m/s] and spin [rad/s] beyond which more of a push is cut, shape (2,).

    With a base they are those of the object in the world, and the stops' are those of the arm before its
    base: turned round at once, object and base move against each other at twice that. What the object leaves
    the middle by meanwhile lies within the stops, and the base can keep up (docs/understand/moving_base.md).
    """
    stops, base = c.stops, c.base
    if not stops.enabled:
        return np.array([np.inf, np.inf])
    if base.kind == "none":
        return np.array([stops.max_speed, stops.max_spin])
    change, turn = base.change_within(*reserves(c))
    v = 0.5 * min(stops.max_speed, change)
    w = 0.5 * min(stops.max_spin, turn) if base.kind == "platform" else stops.max_spin
    wanted = speed_wanted(c, v, w)
    share = min(1.0, USED * base.share * base.max_speed / wanted, base.max_turn * USED / w)
    return np.array([v * share, w * share if base.kind == "platform" else w])


def reserves(c: Configuration) -> tuple[float, float]:
    """Return by how much the object may leave the middle before the base [m], [rad]."""
    if c.base.kind == "rail":
        along = np.array([math.cos(c.base.axis_yaw), math.sin(c.base.axis_yaw)])
        return float(np.min(c.stops.half_extent[:2] / np.maximum(np.abs(along), 1e-9))), c.stops.swing
    return float(c.stops.half_extent[:2].min()), c.base.heading_reserve


def speed_wanted(c: Configuration, v: float, w: float) -> float:
    """Return the speed of the base that follows an object of speed `v` [m/s] and spin `w` [rad/s]."""
    return v + (math.hypot(*standoff(c)) * w if c.base.kind == "platform" else 0.0)


def pace_slew(c: Configuration) -> float:
    """Return by how much the pace of object time may change in a second [1/s]; infinite without a base.

    The base's path is one of object time: `BRAKED` of its acceleration is for that.
    """
    if c.base.kind == "none":
        return math.inf
    fastest = speed_wanted(c, *object_caps(c).tolist())
    return BRAKED * c.base.share * c.base.max_acceleration / fastest


def standoff(c: Configuration) -> tuple[float, float]:
    """Return where the object is to be before a base at the origin, x and y [m]."""
    x, y = float(c.stops.centre[0]), float(c.stops.centre[1])
    if c.base.standoff is None:
        return x, y
    dx, dy = x - float(c.robot.mount_position[0]), y - float(c.robot.mount_position[1])
    stretched = c.base.standoff / math.hypot(dx, dy) if dx or dy else 1.0
    return x + (stretched - 1.0) * dx, y + (stretched - 1.0) * dy


def object_room(c: Configuration) -> tuple[Array, Array]:
    """Return middle and half extent [m] of the object's box in the world, each of shape (3,).

    Where the base follows, the floor bounds the object so that the base behind it stays there whatever the
    heading: by the standoff, by what the object may leave the middle, and by how soft the stops are.
    """
    centre, half = np.array(c.stops.centre), np.array(c.stops.half_extent)
    axes = [0, 1] if c.base.kind == "platform" else [int(abs(math.sin(c.base.axis_yaw)) > 0.5)]
    for i in axes:
        if c.base.floor is None:
            half[i] = np.inf
            continue
        low, high = c.base.floor[:, i]
        soft = c.stops.max_speed * c.stops.contact_time / math.pi
        lever = math.hypot(*standoff(c)) if c.base.kind == "platform" else 0.0
        half[i] = 0.5 * (high - low) - lever - reserves(c)[0] - soft
        centre[i] = 0.5 * (low + high) + (0.0 if c.base.kind == "platform" else standoff(c)[i])
    return centre, half


def elevation_limit(stops: Stops, base: Base) -> float:
    """Return how far the object's axis may rise above and sink below its nominal elevation [rad].

    theory: `cos swing = cos heading cos elevation` of a level axis, on the sphere.
    """
    return math.acos(min(1.0, math.cos(stops.swing) / math.cos(base.heading_reserve)))


def deck_clearance(c: Configuration) -> float | None:
    """Return by how much the held mock-up is clear of the deck within the stops [m]; None: there is no deck.

    theory: whatever its attitude, the mock-up lies within a ball about the object's centre; the centres
    within a box, the stops' with their softness; so the clearance is at least the distance of two boxes less
    the ball's radius. Below zero they might touch.
    """
    base, stops = c.base, c.stops
    if base.deck is None:
        return None
    soft = stops.max_speed * stops.contact_time / math.pi
    low, high = stops.centre - stops.half_extent - soft, stops.centre + stops.half_extent + soft
    beyond = np.maximum(np.maximum(base.deck[0] - high[:2], low[:2] - base.deck[1]), 0.0)
    above = max(float(low[2]) - base.deck_height, 0.0)
    return float(np.linalg.norm([*beyond, above])) - mockup_reach(c)


def mockup_reach(c: Configuration) -> float:
    """Return how far the mock-up's cube reaches from the object's centre, whatever its attitude [m]."""
    offset = c.object.position - np.array([0.0, 0.0, 0.5 * c.mockup.edge])  # from the cube's middle
    return float(np.linalg.norm(offset)) + 0.5 * math.sqrt(3.0) * c.mockup.edge


def undriven(c: Configuration) -> str:
    """Return why what drives no base does not run this configuration."""
    return f"base.kind = {c.base.kind!r} is driven by `zerog run`, `simulate` and `soak` alone"


def vehicle_emulated(c: Configuration) -> bool:
    """Return whether a run brings the vehicle of a base along."""
    return c.base.kind != "none" and c.base.vehicle == "emulated"


def base_faults(c: Configuration) -> list[str]:
    """Return what no single key of [base] shows, a sentence each."""
    base = c.base
    if base.kind == "none":
        return []
    beside = {
        "force.mode = " + repr(c.force.mode): c.force.mode != "pushes",
        "robot.kind = 'fri'": c.robot.kind == "fri",
        f"sensor.kind = {c.sensor.kind!r}": c.sensor.kind != "robot",
        "[port]": c.port is not None,
        "[docking]": c.docking is not None,
        "[admittance]": c.admittance is not None,
        "[network]": c.network is not None,
        "[experiments]": c.experiments is not None,
        "[object.inside]": c.object.inside is not None,
    }
    faults = [
        f"base.kind = {base.kind!r} and {name} are both given: a moving base knows {LONE} alone"
        for name, given in beside.items()
        if given
    ]
    if base.vehicle == "outside" and c.emulator.patient:
        faults.append(
            "base.vehicle = 'outside' goes by this host's clock, which waits for nobody: it needs "
            "emulator.patient = false"
        )
    if not c.stops.enabled:
        faults.append(f"base.kind = {base.kind!r} needs stops.enabled = true: they say where the arm serves")
        return faults
    if c.scene is not None and base.pose_source == "odometry":
        faults.append(
            "base.pose_source = 'odometry' is refused beside [scene]: wheels slip, and the object would miss "
            "its walls by it; measure the pose from outside ('external')"
        )
    least = base.reaction + 1.0 / c.simulation.prediction_rate
    if base.committed < least - 1e-9:
        faults.append(
            f"base.committed_ms = {1e3 * base.committed:g} must be at least {1e3 * least:g}: base.delay_ms, "
            "base.lag_ms and the period of predictions (simulation.prediction_rate_hz) together"
        )
    return faults + (_task_faults(c) or _floor_faults(c))


def _task_faults(c: Configuration) -> list[str]:
    """Return why the base cannot serve the stops."""
    base, stops, faults = c.base, c.stops, []
    if base.kind == "platform" and base.heading_reserve >= stops.swing:
        faults.append(
            f"base.heading_reserve_deg = {math.degrees(base.heading_reserve):g} must be below "
            f"stops.swing_deg = {math.degrees(stops.swing):g}: what is left of it bounds the elevation"
        )
    if base.kind == "rail" and min(abs(math.sin(2.0 * base.axis_yaw)), 1.0) > 1e-9:
        faults.append(
            f"base.axis_yaw_deg = {math.degrees(base.axis_yaw):g} must be 0, 90, 180 or -90: the stops "
            "across the rail are those of a box along the world's axes; turn the world"
        )
    place = np.array(standoff(c)) - stops.centre[:2]
    if (np.abs(place) >= stops.half_extent[:2]).any():
        faults.append(
            f"base.standoff_mm = {1e3 * (base.standoff or 0.0):g} is outside the stops: at most "
            f"{plain_numbers(1e3 * stops.half_extent[:2])} mm from stops.centre_mm"
        )
    faults += _deck_faults(c)
    if faults:
        return faults
    speed, spin = object_caps(c)
    begun = float(np.linalg.norm(c.object.initial_velocity)), float(np.linalg.norm(c.object.initial_spin))
    for key, value, cap, scale, unit in (
        ("initial_velocity_mm_s", begun[0], speed, 1e3, "mm/s"),
        ("initial_spin_deg_s", begun[1], spin, math.degrees(1.0), "deg/s"),
    ):
        if value > cap * (1.0 + 1e-9):
            faults.append(
                f"object.{key} is {value * scale:.1f} {unit}, {cap * scale:.1f} allowed before this base "
                "(`zerog check` says what bounds it)"
            )
    return faults


def _deck_faults(c: Configuration) -> list[str]:
    """Return why the deck is none, or in the mock-up's way."""
    deck = c.base.deck
    if deck is None:
        return []
    told = plain_numbers((1e3 * deck).ravel())
    if deck.shape != (2, 2) or (deck[0] >= deck[1]).any():
        return [f"base.deck_mm = {told} must be 2 corners, [[x0, y0], [x1, y1]], the smaller one first"]
    clear = deck_clearance(c)
    if clear is None or clear >= 0.0:
        return []
    return [
        f"base.deck_mm = {told} at base.deck_height_mm = {1e3 * c.base.deck_height:g}: the held mock-up may "
        f"come {-1e3 * clear:.0f} mm too near, for it reaches {1e3 * mockup_reach(c):.0f} mm from the "
        "object's centre: end the deck sooner, or move the stops"
    ]


def _floor_faults(c: Configuration) -> list[str]:
    """Return why there is no floor to drive on."""
    base = c.base
    if base.floor is None:
        return []
    told = plain_numbers((1e3 * base.floor).ravel())
    if base.floor.shape != (2, 2):
        return [f"base.floor_mm has {len(base.floor)} corners, 2 needed: [[x0, y0], [x1, y1]]"]
    size, brake = base.floor[1] - base.floor[0], base.max_speed**2 / (base.share * base.max_acceleration)
    along = np.abs([math.cos(base.axis_yaw), math.sin(base.axis_yaw)])
    used = along > 0.5 if base.kind == "rail" else np.ones(2, bool)
    least = max(LEAST_FLOOR, brake)
    lever = math.hypot(*standoff(c)) if base.kind == "platform" else 0.0
    least += 2.0 * (lever + reserves(c)[0] + c.stops.max_speed * c.stops.contact_time / math.pi)
    if (size[used] < least).any():
        return [
            f"base.floor_mm = {told} is too small: {1e3 * least:.0f} mm along each side needed, for the "
            "object before the base, its stops and its brakes; the smaller corner comes first"
        ]
    if (base.floor[0] > 0.0).any() or (base.floor[1] < 0.0).any():
        return [f"base.floor_mm = {told} must hold the origin of the world: the base begins there"]
    return []
