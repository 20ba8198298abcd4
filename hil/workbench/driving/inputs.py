"""The source that `--input` names, made for a session: hardware, a file, a mission's own, or a table."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from hil.common.arrays import Array
from hil.common.csv_rows import csv_rows
from hil.common.errors import DrivingError
from hil.workbench.driving.around.satellite import Satellite
from hil.workbench.driving.capture import Capture
from hil.workbench.driving.mission import Mission
from hil.workbench.driving.mission_schema import HandSection
from hil.workbench.driving.ready import reach_of
from hil.workbench.driving.rigid import moved
from hil.workbench.driving.session import DriveSession
from hil.workbench.driving.source import Source
from hil.workbench.driving.sources import gamepad, spacemouse
from hil.workbench.driving.sources.haptic import EmulatedHaptic, Haptic
from hil.workbench.driving.sources.poses_file import load_commands
from hil.workbench.driving.tables.legs import Legs, Stop, least_jerk
from hil.workbench.driving.tables.library import TABLES, Frame, table_of

HARDWARE = ("spacemouse", "gamepad", "keyboard", "bus", "haptic")
OWN = ("tour", "capture")  # of a mission


def source_of(
    name: str, mission: Mission, session: DriveSession, outside: Callable[[str], Source] | None = None
) -> Source:
    """Return the source of a name.

    Args:
        name: as `--input` has it.
        mission: that is driven.
        session: the source's arm.
        outside: returns those that need a terminal or a socket, `keyboard` and `bus`.

    Raises:
        DrivingError: there is none of that name.
        SourceLost: its hardware is not there.
        RecordingError: its file is no such table.
    """
    linear, angular = session.limits.speeds
    if name == "spacemouse":
        return spacemouse.SpaceMouse(spacemouse.plugged_in(), linear, angular)
    if name == "gamepad":
        return gamepad.Gamepad(gamepad.plugged_in(), linear, angular)
    if name == "haptic":
        return _haptic(mission.file.hand, session)
    if name in ("keyboard", "bus") and outside is not None:
        return outside(name)
    if name.endswith(".csv"):
        return _file(Path(name), linear, angular)
    if name in OWN:
        return _mission_source(name, mission, session)
    if name in TABLES:
        return table_of(name, frame_of(session))
    raise DrivingError(
        f"--input {name}: there is no such source; there are {', '.join(HARDWARE)}, a FILE.csv, and the "
        f"tables {', '.join(TABLES)}"
    )


def frame_of(session: DriveSession) -> Frame:
    """Return what a table for this arm has to know."""
    reach, shoulder = reach_of(session.arm.manipulator)
    return Frame(session.follower.T.copy(), reach, shoulder, session.limits)


def _file(path: Path, linear: float, angular: float) -> Source:
    names, _ = csv_rows(path, "t_s and six columns")
    if names[1:] == list(spacemouse.AXES):
        return spacemouse.SpaceMouse(spacemouse.replayed(path), linear, angular)
    return load_commands(path)


def _mission_source(name: str, mission: Mission, session: DriveSession) -> Source:
    T, said = session.follower.T, mission.file.satellite
    if name == "tour" and mission.file.tour:
        stops = [
            Stop(moved(T, np.concatenate([stop.shift, stop.turn])), stop.rest) for stop in mission.file.tour
        ]
        return Legs(T.copy(), stops, session.limits)
    if name == "capture" and said is not None and isinstance(session.surroundings, Satellite):
        return Capture(session.arm, session.surroundings, said.approach, said.stop)
    table = {"tour": "[[tour]]", "capture": "[satellite]"}[name]
    raise DrivingError(f"--input {name} is of a mission with {table}; {mission.file.name} has none")


def _haptic(said: HandSection | None, session: DriveSession) -> Source:
    if said is None:
        raise DrivingError(
            "--input haptic: no haptic device is known to this machine, and the mission has no [hand] for "
            "the emulated one (docs/use/drive.md)"
        )
    hand = EmulatedHaptic(led_along(said.way, said.leg), stiffness=said.stiffness, damping=said.damping)
    return Haptic(hand, session.follower.T.copy(), said.motion, said.force)


def led_along(way: Array, leg: float) -> Callable[[float], Array]:
    """Return a path [m] from zero through the points of shape (n, 3), each reached in the time of a leg."""
    points = np.vstack([np.zeros(3), way])

    def meant(t: float) -> Array:
        k = min(int(t / leg), len(points) - 1)
        ahead = points[min(k + 1, len(points) - 1)]
        out: Array = points[k] + least_jerk(t / leg - k) * (ahead - points[k])
        return out

    return meant
