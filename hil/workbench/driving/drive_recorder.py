"""What a drive writes down: rows of tip, base and joints, pictures for Foxglove, and what was told.

Pure but for the file that it writes to; times are the session's own, from zero on.
"""

import json
from pathlib import Path

import numpy as np

from hil.common.arrays import Array
from hil.common.clock import nanoseconds
from hil.common.geometry import quat_from_matrix
from hil.messaging.codec import Message
from hil.recording import picture
from hil.recording.drive_rows import (
    DRIVE_CHANNELS,
    DriveBase,
    DriveJoint,
    DriveNews,
    DriveTip,
    DriveVariable,
)
from hil.recording.mcap_file import McapFile
from hil.recording.protobuf import coder_of, units
from hil.recording.recorder import FRAMES, channel, own_head, picture_channel
from hil.workbench.driving.mission import Mission
from hil.workbench.driving.rigid import halves, way
from hil.workbench.driving.session import DriveSession
from hil.workbench.driving.solids import arm_solids, unit_frames

PICTURE_NS = 20_000_000  # between two pictures
CHANNELS = {kind: channel(name, kind) for name, kind in DRIVE_CHANNELS.items()}


def head_of_drive(mission: Mission, session: DriveSession, settings: list[str]) -> dict[str, dict[str, str]]:
    """Return the metadata of a drive's recording: what drove, and the joints' limits for whoever reads it."""
    m, values = session.arm.manipulator, session.arm.parameters()
    joints = [
        {
            "name": axis.name, "linear": axis.linear, "lower": axis.joint.lower, "upper": axis.joint.upper,
            "speed": axis.joint.speed, "effort": axis.effort,
            "winding_limit": values[f"joint_{i + 1}.winding_limit_k"],
        }
        for i, axis in enumerate(m.axes)
    ]  # fmt: skip
    return {
        "zerog": own_head(0, kind="drive"),
        "drive": {
            "mission": mission.text,
            "assembly": mission.assembly_text,
            "name": mission.file.name,
            "input": mission.file.input,
            "inverse": mission.file.inverse,
            "settings": json.dumps(settings),
            "period_s": repr(session.period),
            "step_s": repr(session.arm.dt),
            "free": json.dumps(mission.file.base.kind == "free"),
            "joints": json.dumps(joints),
        },
        "units": {f"{kind.__name__}.{name}": unit for kind in CHANNELS for name, unit in units(kind).items()},
    }


def seven(T: Array) -> Array:
    """Return position and quaternion of a pose, shape (7,)."""
    return np.concatenate([T[:3, 3], quat_from_matrix(np.ascontiguousarray(T[:3, :3]))])


class DriveRecorder:
    """Writes a drive to a file."""

    def __init__(self, path: Path, mission: Mission, session: DriveSession, settings: list[str]) -> None:
        """Begin the file, with what there is to see.

        Raises:
            RecordingError: the file exists, or cannot be written.
        """
        self._session, self._drawn_ns = session, -PICTURE_NS
        self._file = McapFile(path, 0, head_of_drive(mission, session, settings))
        solids = arm_solids(session.arm.manipulator)
        self._file.write(picture_channel("/scene", picture.SCENE), 0, picture.scene(0, solids))

    def take(self, news: list[str]) -> None:
        """Write the session's state after a command, and what was told.

        Raises:
            RecordingError: the file cannot be written.
        """
        s = self._session
        t_ns = nanoseconds(s.t)
        self._write(self._tip(t_ns))
        self._write(self._base(t_ns))
        for row in self._joints(t_ns):
            self._write(row)
        if s.surroundings is not None:
            for name, value in s.surroundings.variables().items():
                self._write(DriveVariable(t_ns, name, value))
        for text in news:
            self._write(DriveNews(t_ns, text))
        if t_ns - self._drawn_ns >= PICTURE_NS:
            self._drawn_ns = t_ns
            names, p, quat = unit_frames(s.arm.manipulator, s.arm.q, s.arm.T_world_base)
            self._file.write(FRAMES, t_ns, picture.transforms(t_ns, names, p, quat))

    def turn(self, now_ns: int) -> None:
        """Let everything so far reach the file if a second is over; `now_ns` is monotonic."""
        self._file.turn(now_ns)

    def end(self) -> None:
        """Write the index and close the file."""
        self._file.close()

    def _write(self, row: Message) -> None:
        self._file.write(CHANNELS[type(row)], row.t_ns, coder_of(type(row)).encode(row))

    def _tip(self, t_ns: int) -> DriveTip:
        s = self._session
        far, turned = halves(way(s.arm.T_base_tip, s.follower.T))
        return DriveTip(
            t_ns,
            seven(s.follower.T),
            s.follower.twist,
            seven(s.arm.T_base_tip),
            far,
            turned,
            s.solved.position_error,
            s.solved.orientation_error,
            s.solved.reachable,
            s.wrench,
        )

    def _base(self, t_ns: int) -> DriveBase:
        s = self._session
        return DriveBase(
            t_ns,
            s.arm.base_wrench,
            float(np.sum(s.arm.power)),
            seven(s.arm.T_world_base),
            s.twist_world_base,
            s.momentum(),
        )

    def _joints(self, t_ns: int) -> list[DriveJoint]:
        arm = self._session.arm
        q, dq = self._session.reference
        columns = (q, dq, arm.q, arm.dq, arm.torque, arm.current, arm.winding_k, arm.housing_k)
        rows = zip(*(column.tolist() for column in columns), strict=True)
        return [DriveJoint(t_ns, i + 1, *row) for i, row in enumerate(rows)]
