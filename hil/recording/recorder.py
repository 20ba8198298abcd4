"""What goes into a recording: the bus's messages on their channels, cycle by cycle, and pictures at 50 Hz.

Pure but for the file that it writes to: messages are given to it, and the time.
"""

import json
from collections.abc import Callable, Iterator
from importlib.metadata import version
from typing import Any, Protocol

import numpy as np

from hil.common.arrays import Array
from hil.common.machine import date_and_time, machine
from hil.common.source_stamp import source_stamp
from hil.configuration import Configuration
from hil.configuration.loading import stamp_of
from hil.configuration.resolved import resolved
from hil.loop.partner.grasp_log import rows_of
from hil.loop.port_solids import PORT, port_frames
from hil.loop.second_solids import SecondPicture
from hil.loop.solids import OBJECT, ArmPicture, other_frames, surroundings_of
from hil.messaging.base_messages import BaseReport
from hil.messaging.codec import Message
from hil.messaging.grasp_messages import GraspInputs, PartnerWords
from hil.messaging.messages import Plan, PortBlock, RobotState, SimState
from hil.messaging.topics import TOPICS
from hil.recording import picture
from hil.recording.drive_rows import DRIVE_CHANNELS
from hil.recording.mcap_file import Channel
from hil.recording.protobuf import MessageCoder, coder_of, units
from hil.recording.rows import (
    Cycle,
    PlanNews,
    PortTruth,
    RecorderState,
    Truth,
    cycles_of,
    news_of,
    port_truths_of,
    truths_of,
)

PICTURE_NS = 20_000_000  # between two poses of the same thing,
LEVEL = np.array([[1.0, 0.0, 0.0, 0.0]])
PATH_NS = 1_000_000_000  # and between two plans in full: 20 kB each, and they come at up to 100 Hz in a push
FORMAT = "1"
# topics that are recorded as other messages: channel, class and how they are made
ROWS: dict[str, tuple[str, type[Message], Callable[..., Iterator[Message]]]] = {
    "cycles": ("/cycle", Cycle, cycles_of),
    "truth": ("/truth", Truth, truths_of),
    "port": ("/port", PortTruth, port_truths_of),
    "plan": ("/plan", PlanNews, lambda plan: iter([news_of(plan)])),
}


def recorded_topics(kind: str) -> list[str]:
    """Return the topics of a run with this kind of robot that are recorded."""
    of_emulation = (
        "truth",
        "port",
        "emulator_inputs",
        "push",
        "disturbance",
        "wait",
        "base_ride",
        "second_inputs",
    )
    away = {"link", *(() if kind == "emulated" else of_emulation)}
    return [topic.name for topic in TOPICS.values() if topic.logged and topic.name not in away]


def own_head(offset_ns: int, **more: str) -> dict[str, str]:
    """Return the record `zerog` of a recording's head: version, sources, machine, date, clock."""
    return {
        "format": FORMAT,
        "version": version("zerog-emulator"),
        "sources": source_stamp(),
        "machine": machine(),
        "recorded": date_and_time(),
        "clock_offset_ns": str(offset_ns),
        **more,
    }


def head_of(
    c: Configuration, text: str, settings: list[str], offset_ns: int, **more: str
) -> dict[str, dict[str, str]]:
    """Return the metadata of a recording: version, machine, configuration, units, offset of the clock.

    The configuration's files, the arm's model above all, are named by their fingerprint only.

    Args:
        c: the run's configuration.
        text: of its file.
        settings: that stand in for the file's.
        offset_ns: wall time less the run's time.
        more: further values: of a lock-step run `duration_s`, and the name of the `wrench` that acted; of a
            live one the `site` of a split run, if it is one.
    """
    kinds = [ROWS[t.name][1] if t.name in ROWS else t.message for t in TOPICS.values() if t.logged]
    told = {"settings": json.dumps(settings), "configuration": text, "files": stamp_of(c)}
    return {
        "zerog": own_head(offset_ns, **told, **more),
        "configuration": dict(resolved(c)),
        "units": {f"{kind.__name__}.{name}": unit for kind in kinds for name, unit in units(kind).items()},
    }


class Sink(Protocol):
    """Where a recorder's messages go: a file (`hil.recording.mcap_file`), or viewers (`.live_view`)."""

    offset_ns: int  # wall time less the run's time

    def write(self, channel: Channel, t_ns: int, data: bytes, sequence: int = 0) -> None:
        """Take a message."""

    def metadata(self, records: dict[str, dict[str, str]]) -> None:
        """Take records of names and values."""

    def head_says(self, more: dict[str, str]) -> None:
        """Take what the head says beside in the end."""

    def abandon(self) -> None:
        """End at once, without what belongs to an end."""

    def close(self) -> None:
        """End."""


class Recorder:
    """Writes what it is given."""

    def __init__(self, file: Sink, configuration: Configuration) -> None:
        """Record to `file` a run of this configuration.

        Raises:
            RobotModelError: the physics engine refuses the arm's model.
        """
        self._file = file
        self._arm = ArmPicture(configuration)
        self._around, self._others = surroundings_of(configuration), other_frames(configuration)
        self._port = port_frames(configuration)
        self._second = None if configuration.grasp is None else SecondPicture(configuration)
        self._channels = {name: _channel_of(name) for name in TOPICS}
        self._carried = configuration.base.kind != "none"
        self._base: Array | None = None  # pose of what carries the arm, as was told last
        self._due: dict[str, int] = {}
        self._lost: dict[str, int] = {}

    def begin(self, t_ns: int) -> None:
        """Write what there is to see, once."""
        second = [] if self._second is None else self._second.solids
        solids = [*self._arm.solids, *self._arm.ghost(), *self._around, *second]
        data = picture.scene(t_ns + self._file.offset_ns, solids)
        self._file.write(SCENE, t_ns, data)

    def take(self, topic: str, msg: Message, sequence: int = 0) -> None:
        """Write a message of the bus.

        Raises:
            RecordingError: the file cannot be written.
        """
        channel, coder = self._channels[topic]
        rows = ROWS[topic][2](msg) if topic in ROWS else (msg,)
        for row in rows:
            self._file.write(channel, row.t_ns, coder.encode(row), sequence)
        if isinstance(msg, RobotState):
            self._draw_arm(msg.t_ns, msg.q_measured)
        elif isinstance(msg, BaseReport) and self._carried:
            self._base = np.array(msg.pose)
        elif isinstance(msg, SimState):
            self._draw_object(msg)
        elif isinstance(msg, PortBlock) and self._port:
            self._draw_port(msg)
        elif isinstance(msg, GraspInputs) and self._second is not None:
            self._draw_second(msg, self._second)
        elif isinstance(msg, Plan) and self._is_due("path", msg.t_ns, PATH_NS):
            self._file.write(PATH, msg.t_ns, coder_of(Plan).encode(msg), sequence)

    def lost(self, t_ns: int, counts: dict[str, int]) -> None:
        """Write how many messages of each topic are missing so far, whenever that has changed."""
        if counts != self._lost:
            self._lost = dict(counts)
            state = RecorderState(t_ns, sum(counts.values()), json.dumps(counts))
            self._file.write(RECORDER, t_ns, coder_of(RecorderState).encode(state))

    def abandon(self) -> None:
        """Leave the file as it is."""
        self._file.abandon()

    def end(self, counts: dict[str, int], **head: str) -> None:
        """Write the last counts and the index; `head` is what the head says beside in the end.

        Raises:
            RecordingError: the file cannot be written.
        """
        self._file.metadata({"lost": {topic: str(n) for topic, n in counts.items()}})
        self._file.head_says(head)
        self._file.close()

    def _draw_arm(self, t_ns: int, q: Array) -> None:
        if self._is_due("arm", t_ns, PICTURE_NS):
            poses = self._arm.poses(q, self._base)
            data = picture.transforms(t_ns + self._file.offset_ns, self._arm.names, *poses)
            self._file.write(FRAMES, t_ns, data)

    def _draw_object(self, state: SimState) -> None:
        if not self._is_due("object", state.t_ns, PICTURE_NS):
            return
        wall_ns = state.t_ns + self._file.offset_ns
        p, quat = state.p_world_object, state.quat_world_object
        others = state.other_poses[: len(self._others)].astype(float)
        names = [OBJECT, *self._others[: len(others)]]
        places, turns = np.vstack((p, others[:, :3])), np.vstack((quat, others[:, 3:]))
        self._file.write(FRAMES, state.t_ns, picture.transforms(wall_ns, names, places, turns))
        self._file.write(POSE, state.t_ns, picture.pose(wall_ns, p, quat))

    def _draw_port(self, block: PortBlock) -> None:
        for t_ns, p in zip(block.stamps.tolist(), block.p_world_port, strict=True):
            if self._is_due(PORT, t_ns, PICTURE_NS):
                wall_ns = t_ns + self._file.offset_ns
                self._file.write(FRAMES, t_ns, picture.transforms(wall_ns, [PORT], p[None], LEVEL))

    def _draw_second(self, block: GraspInputs, second: SecondPicture) -> None:
        for _, words in rows_of(block):
            if words is None or not self._is_due("second", words.t_ns, PICTURE_NS):
                continue
            self._file.write(SECOND, words.t_ns, coder_of(PartnerWords).encode(words))
            poses = second.poses(words)
            data = picture.transforms(words.t_ns + self._file.offset_ns, second.names, *poses)
            self._file.write(FRAMES, words.t_ns, data)

    def _is_due(self, what: str, t_ns: int, period_ns: int) -> bool:
        due_ns = self._due.get(what, t_ns)
        if t_ns < due_ns:
            return False
        self._due[what] = max(due_ns + period_ns, t_ns)
        return True


def classes() -> dict[str, type[Message]]:
    """Return the classes of our own messages in a recording, by channel."""
    told = [ROWS[t.name][:2] if t.name in ROWS else (f"/{t.name}", t.message) for t in TOPICS.values()]
    return dict(told) | {PATH.name: Plan, RECORDER.name: RecorderState} | DRIVE_CHANNELS


def channel_of(topic: str) -> Channel:
    """Return the channel on which a topic of the bus is recorded."""
    return _channel_of(topic)[0]


def _channel_of(topic: str) -> tuple[Channel, MessageCoder]:
    name, kind = ROWS[topic][:2] if topic in ROWS else (f"/{topic}", TOPICS[topic].message)
    return channel(name, kind), coder_of(kind)


def channel(name: str, kind: type[Message]) -> Channel:
    """Return the channel of one of our own message classes."""
    coder = coder_of(kind)
    return Channel(name, coder.name, coder.schema)


def picture_channel(name: str, kind: Any) -> Channel:
    """Return the channel of one of Foxglove's types."""
    return Channel(name, kind.DESCRIPTOR.full_name, picture.schema_of(kind))


FRAMES, POSE = picture_channel("/tf", picture.FRAMES), picture_channel("/object", picture.POSE)
SCENE = picture_channel("/scene", picture.SCENE)
PATH, RECORDER = channel("/plan_path", Plan), channel("/recorder", RecorderState)
SECOND = channel("/partner_words", PartnerWords)  # at the instants at which the driver heard them
OWN = tuple(one.name for one in (PATH, RECORDER, SECOND))  # that the recorder makes itself
