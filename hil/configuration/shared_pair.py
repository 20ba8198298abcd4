"""Two arms that share the relative motion of two bodies: a file of its own, beside those of the arms."""

import math
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

import numpy as np
from pydantic import ValidationError

from hil.common.arrays import Array, frozen_array, plain_numbers
from hil.common.errors import ConfigurationError
from hil.configuration.faults import sentences
from hil.configuration.frames import Frames
from hil.configuration.loading import load_configuration, text_of
from hil.configuration.overrides import overridden
from hil.configuration.quantities import Quantity, Section
from hil.configuration.schema import Configuration
from hil.configuration.shared import ARMS, BEGINS, TURNED
from hil.configuration.stops_axis import nominal_pose
from hil.configuration.tables.kinds import Millimetres3


class SharedArm(Section):
    """One of the arms, with the body that it shows."""

    configuration: Path
    """Of its arm, body and mock-up, relative to this file's folder. Its stops say which set the arm serves;
    they push nothing here."""
    settings: tuple[str, ...] = ()
    """What is otherwise than in that file, each as KEY=VALUE."""
    nose: Millimetres3 = frozen_array([0.0, 0.0, 0.15])
    """Middle of the ball with which the mock-up touches the other one, from the object's centre, its axes."""
    nose_radius: Annotated[float, Quantity("mm", gt=0.0, le=500.0)] = 0.03
    """Of that ball."""


class Observer(Section):
    """The moving frame in which both bodies are shown."""

    sharing: Literal["reach", "mass", "first", "second"] = "mass"
    """Who does the relative motion: both, by what they reach (the most of it) or by their bodies' masses (for
    touches), or one arm all of it."""
    max_acceleration: Annotated[float, Quantity("mm_s2", ge=10.0, le=2000.0)] = 0.5
    """With which he follows a change of the bodies' common motion, along each axis; both arms do it."""
    max_turn_acceleration: Annotated[float, Quantity("deg_s2", ge=1.0, le=200.0)] = math.radians(30.0)
    """The same of turns, about each axis."""
    committed: Annotated[float, Quantity("ms", ge=150.0, le=1000.0)] = 0.25
    """Object time that no plan changes any more: more than a plan is old when the next one is followed."""


class Touch(Section):
    """What the mock-ups' noses are made of, in emulation."""

    stiffness: Annotated[float, Quantity("n_per_m", gt=0.0, le=1e6)]
    """Of the contact."""
    damping: Annotated[float, Quantity("n_s_per_m", ge=0.0, le=1e5)] = 0.0
    """Of the contact, as long as both press."""


class SharedPair(Section):
    """Who shows what, seen by whom."""

    first: SharedArm
    second: SharedArm
    observer: Observer = Observer()
    touch: Touch


class Pair(NamedTuple):
    """A pair with the configurations of both arms."""

    shared: SharedPair
    arms: tuple[Configuration, Configuration]


def load_pair(path: Path, settings: Sequence[str] = ()) -> Pair:
    """Return the pair in a file; `settings` are lines `KEY=VALUE` that stand in for the file's.

    Raises:
        ConfigurationError: it or one of the arms' files breaks a rule; all of its faults are listed.
    """
    try:
        data = tomllib.loads(text_of(path))
    except (ValueError, RecursionError) as error:
        raise ConfigurationError(f"{path}: is no TOML: {error}") from error
    try:
        shared = SharedPair.model_validate(overridden(data, settings))
    except ValidationError as error:
        faults = sentences(error, SharedPair)
        raise ConfigurationError("\n".join(f"{path}: {fault}" for fault in faults)) from None
    first, second = (
        load_configuration(path.parent / arm.configuration, arm.settings)
        for arm in (shared.first, shared.second)
    )
    pair = Pair(shared, (first, second))
    if found := [*_beside("first", first), *_beside("second", second), *_unlike(first, second)] or _meet(
        pair
    ):
        raise ConfigurationError("\n".join(f"{path}: {fault}" for fault in found))
    return pair


def pair_of(c: Configuration) -> Pair:
    """Return the pair of which a run shows one arm, both arms as their runs have them.

    Raises:
        ConfigurationError: its file or one of the arms' breaks a rule.
    """
    assert c.shared is not None
    shared = c.shared
    pair, own = load_pair(shared.pair, shared.settings), ARMS.index(shared.arm)
    fri = pair.arms[1 - own].fri.model_copy(update={"port": shared.other_port})
    other = pair.arms[1 - own].model_copy(
        update={"fri": fri, "shared": shared.model_copy(update={"arm": ARMS[1 - own]})}
    )
    return Pair(pair.shared, (c, other) if own == 0 else (other, c))


def flying_free(c: Configuration) -> Configuration:
    """Return a configuration of whose world the stops are no part: they only say which set its arm serves."""
    return c.model_copy(update={"stops": c.stops.model_copy(update={"enabled": False})})


def nominal_noses(pair: Pair) -> tuple[Array, Array]:
    """Return where both noses' middles are with both bodies in the middles of their sets [m], (3,) each."""
    places = []
    for arm, c in zip((pair.shared.first, pair.shared.second), pair.arms, strict=True):
        T = nominal_pose(c.stops)
        places.append(T[:3, :3] @ arm.nose + T[:3, 3])
    return places[0], places[1]


def begun_off(pair: Pair, poses: tuple[Array, Array]) -> str:
    """Return that an arm begins too far off the middle of its set, if it does: the observer would hurry.

    `poses`: where the arms hold their objects at the start, (4, 4) each.
    """
    for name, c, T in zip(ARMS, pair.arms, poses, strict=True):
        if off := off_middle(c, T):
            return f"{name}.configuration: robot.start_deg holds the object {off}: begin in the middle"
    return ""


def off_middle(c: Configuration, T_world_object: Array) -> str:
    """Return in words that an arm holds its object (4, 4) too far off the middle of its set, if it does."""
    middle, T = nominal_pose(c.stops), T_world_object
    off = float(np.linalg.norm(T[:3, 3] - middle[:3, 3]))
    cosine = 0.5 * (float(np.trace(middle[:3, :3].T @ T[:3, :3])) - 1.0)
    turned = math.acos(min(1.0, max(-1.0, cosine)))
    if off <= BEGINS and turned <= TURNED:
        return ""
    return (
        f"{1e3 * off:.0f} mm and {math.degrees(turned):.1f} deg off the middle of its set (stops.centre_mm, "
        f"axis_pitch_deg, axis_yaw_deg), {1e3 * BEGINS:g} mm and {math.degrees(TURNED):g} deg at most"
    )


def _beside(name: str, c: Configuration) -> list[str]:
    """Return what an arm of a pair may not have."""
    beside = {
        "robot.kind = 'fri'": c.robot.kind == "fri",
        f"base.kind = {c.base.kind!r}": c.base.kind != "none",
        "[grasp]": c.grasp is not None,
        "[port]": c.port is not None,
        "[scene]": c.scene is not None,
        "[docking]": c.docking is not None,
        "[object.inside]": c.object.inside is not None,
        "[admittance]": c.admittance is not None,
        "[network]": c.network is not None,
        "[experiments]": c.experiments is not None,
        "[shared]": c.shared is not None,
        "stops.enabled = false": not c.stops.enabled,
        f"force.mode = {c.force.mode!r}": c.force.mode != "contact",
        "run.follow = false": not c.run.follow,
    }
    needed = "an emulated arm with stops and force.mode = 'contact', whose body is free and rigid, is shared"
    return [
        f"{name}.configuration: {given} is not for a pair: {needed}"
        for given, is_so in beside.items()
        if is_so
    ]


def _unlike(first: Configuration, second: Configuration) -> list[str]:
    """Return what both arms must have in common and have not: one object time holds for both bodies."""
    faults = []
    for key, unit, scale in (
        ("fri.sample_time", "ms", 1e3),
        ("interpolation.lead_time", "ms", 1e3),
        ("simulation.step", "ms", 1e3),
        ("simulation.prediction_step", "ms", 1e3),
        ("simulation.prediction_rate", "hz", 1.0),
    ):
        table, name = key.split(".")
        values = [scale * float(getattr(getattr(c, table), name)) for c in (first, second)]
        if values[0] != values[1]:
            faults.append(
                f"second.configuration: {key}_{unit} = {values[1]:g} must be the first one's, "
                f"{values[0]:g}: one object time holds for both bodies"
            )
    return faults


def _meet(pair: Pair) -> list[str]:
    """Return that the noses begin in each other, or behind, if they do."""
    a, b = nominal_noses(pair)
    shared, apart = pair.shared, float(np.linalg.norm(b - a))
    gap = apart - shared.first.nose_radius - shared.second.nose_radius
    centres = [Frames.from_configuration(c).T_world_base[:3, 3] for c in pair.arms]
    ahead = float((b - a) @ (centres[1] - centres[0]))
    if gap > 0.0 and ahead > 0.0:
        return []
    return [
        f"first.nose_mm = {plain_numbers(1e3 * shared.first.nose)} and second.nose_mm = "
        f"{plain_numbers(1e3 * shared.second.nose)}: in the middles of both sets the noses' gap is "
        f"{1e3 * (gap if ahead > 0.0 else -apart):.1f} mm, it must be above 0: move the sets "
        "(stops.centre_mm) or the arms (robot.mount_position_mm) apart"
    ]
