"""The lines of `zerog check` about a base that carries the arm."""

import math

import mujoco
import numpy as np

from drivers.robot.model import compiled, robot_spec
from drivers.robot.urdf_for_physics import FLANGE
from hil.common.arrays import plain_numbers
from hil.configuration import Configuration
from hil.configuration.base_rules import (
    deck_clearance,
    elevation_limit,
    object_caps,
    object_room,
    pace_slew,
    reserves,
    speed_wanted,
)
from hil.configuration.frames import Frames


def told_of_base(c: Configuration) -> list[str]:
    """Return what a base comes to, a line each; nothing where the arm stands."""
    base = c.base
    if base.kind == "none":
        return []
    speed, spin = object_caps(c).tolist()
    wanted, able = speed_wanted(c, speed, spin), base.share * base.max_speed
    place, heading = base.deviation(2.0 * speed, 2.0 * spin)
    most, turn = reserves(c)
    centre, half = object_room(c)
    room = "without end" if base.floor is None else f"{plain_numbers(np.round(1e3 * half, 1))} mm each way"
    mass = apparent_mass(c)
    turned = f" and {math.degrees(heading):.1f} of {math.degrees(turn):.1f} deg"
    lines = [
        f"base: {base.kind}: the object is cut to {1e3 * speed:.0f} mm/s and {math.degrees(spin):.1f} deg/s; "
        f"they ask for {1e3 * wanted:.0f} of {1e3 * able:.0f} mm/s",
        f"base: turned round at once, the object leaves the middle by {1e3 * place:.0f} of "
        f"{1e3 * most:.0f} mm" + (turned if base.kind == "platform" else ""),
        f"base: the object's centre has {room} from {plain_numbers(np.round(1e3 * centre, 1))} mm",
        f"base: g_B = {mass / c.object.mass:.3f}: its acceleration looks like a force on {mass:.1f} kg, "
        f"which is taken out as commanded; object time changes its pace by {min(pace_slew(c), 5.0):.1f} "
        "a second",
    ]
    if base.kind == "platform":
        limit = math.degrees(elevation_limit(c.stops, base))
        lines.append(
            f"base: the object's axis may point anywhere, {limit:.1f} deg above and below its elevation"
        )
    return [*lines, *deck_lines(c)]


def deck_lines(c: Configuration) -> list[str]:
    """Return how the held mock-up stands to the base's deck; nothing where the arm stands."""
    if c.base.kind == "none":
        return []
    clear = deck_clearance(c)
    if clear is None:
        return ["base: no base.deck_mm is given: nobody looks whether the mock-up clears the deck"]
    return [f"base: the held mock-up is clear of the deck by {1e3 * clear:.0f} mm, whatever its attitude"]


def apparent_mass(c: Configuration) -> float:
    """Return the mass that a level acceleration of the base seems to push with, at the start pose [kg].

    Links and mock-up count; the controller knows of neither as accelerated.
    """
    frames = Frames.from_configuration(c)
    model = compiled(robot_spec(c, frames), c.robot.model)
    data, flange = mujoco.MjData(model), model.body(FLANGE).id
    data.qpos[:7] = c.robot.start
    forces = []
    for along in np.eye(3)[:2]:
        model.opt.gravity[:] = -along
        mujoco.mj_forward(model, data)
        J = np.zeros((6, model.nv))
        tcp = data.xpos[flange] + data.xmat[flange].reshape(3, 3) @ frames.T_flange_tcp[:3, 3]
        mujoco.mj_jac(model, data, J[:3], J[3:], tcp, flange)
        forces.append(np.linalg.lstsq(J.T, data.qfrc_bias, rcond=None)[0][:3])
    return float(np.max(np.linalg.norm(forces, axis=1)))
