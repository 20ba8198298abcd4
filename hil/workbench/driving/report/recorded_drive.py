"""A recorded drive as arrays: rows of tip and base over time, and of every joint, shape (rows, joints)."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from mcap.records import Channel, Message, Metadata

from hil.common.arrays import Array
from hil.common.errors import RecordingError
from hil.common.formats.mcap_records import mcap_records
from hil.recording.columns import Columns, read_columns
from hil.recording.drive_rows import DRIVE_CHANNELS
from hil.recording.reading import Summary


@dataclass(frozen=True)
class JointFacts:
    """What the head of a recording says of a joint; limits of one that slides in m, m/s and N."""

    name: str
    linear: bool
    lower: float
    upper: float
    speed: float
    effort: float
    winding_limit: float


@dataclass(frozen=True, eq=False)
class RecordedDrive:
    """A drive that was written down.

    Attributes:
        path: of the recording.
        summary: what else is in it.
        about: the head's table `drive`.
        facts: of the joints, along the chain.
        t: times of the rows [s], shape (k,).
        tip: columns of `/drive_tip`, k rows.
        base: columns of `/drive_base`, k rows.
        joint: columns of `/drive_joint` by field, shape (k, n).
        around: variables of what is around the tip, by name, shape (k,).
        news: what was told, and when [s].
    """

    path: Path
    summary: Summary
    about: dict[str, Any]
    facts: list[JointFacts]
    t: Array
    tip: Columns
    base: Columns
    joint: dict[str, Array]
    around: dict[str, Array]
    news: list[tuple[float, str]]

    @property
    def free(self) -> bool:
        """Whether the base floated."""
        return bool(json.loads(self.about["free"]))


def is_drive(path: Path) -> bool:
    """Return whether a path is the recording of a drive: its head says so, before any message.

    Raises:
        RecordingError: it cannot be read at all, or is no MCAP file.
    """
    for record in mcap_records(path):
        if isinstance(record, Metadata) and record.name == "drive":
            return True
        if isinstance(record, Channel) and record.topic in DRIVE_CHANNELS:  # of a damaged head
            return True
        if isinstance(record, Message):
            return False
    return False


def load_drive(path: Path, progress: Callable[[int], None] | None = None) -> RecordedDrive:
    """Return a recorded drive; one that was broken off as far as it goes.

    Raises:
        RecordingError: the file cannot be read, or is no recording of a drive with a row in it.
    """
    summary, channels = read_columns(path, DRIVE_CHANNELS, progress)
    about = summary.metadata.get("drive")
    if about is None or not all(name in channels for name in ("/drive_tip", "/drive_base", "/drive_joint")):
        raise RecordingError(f"{path} is no recording of a drive, or has no row of one")
    facts = [JointFacts(**joint) for joint in json.loads(about["joints"])]
    tip, base, joint = channels["/drive_tip"], channels["/drive_base"], channels["/drive_joint"]
    rows = min(len(tip["t_ns"]), len(base["t_ns"]), len(joint["t_ns"]) // len(facts))
    table = {name: values[: rows * len(facts)].reshape(rows, -1) for name, values in joint.items()}
    news = channels.get("/drive_news", {"t_ns": np.zeros(0), "text": []})
    return RecordedDrive(
        path,
        summary,
        about,
        facts,
        1e-9 * tip["t_ns"][:rows],
        {name: values[:rows] for name, values in tip.items()},
        {name: values[:rows] for name, values in base.items()},
        table,
        _by_name(channels.get("/drive_variable"), rows),
        [(1e-9 * float(t), str(text)) for t, text in zip(news["t_ns"], news["text"], strict=True)],
    )


def _by_name(columns: Columns | None, rows: int) -> dict[str, Array]:
    if columns is None:
        return {}
    found = {str(name): columns["value"][columns["name"] == name][:rows] for name in set(columns["name"])}
    return {name: values for name, values in sorted(found.items()) if len(values) == rows}
