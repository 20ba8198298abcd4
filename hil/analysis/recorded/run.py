"""A recorded run as the trace that a lock-step run has: the same figures are computed from both."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from hil.analysis.figures.insertion import Insertion
from hil.analysis.latency.recording import LatencyRecording
from hil.analysis.recorded.base_way import BaseWay, way_of
from hil.analysis.recorded.contacts import contacts_of, timing_of
from hil.analysis.recorded.grasp_story import GraspStory, story_of
from hil.analysis.recorded.insertion import insertion_of
from hil.analysis.recorded.latency import latency_of
from hil.analysis.recorded.trace import TraceAssembly
from hil.analysis.recorded.waits import waits_of
from hil.configuration import Configuration
from hil.configuration.admittance import NO_PUSHES
from hil.configuration.force import CONTINUOUS
from hil.configuration.tables.inside import NO_IDEAL
from hil.loop.trace.recorder import Trace
from hil.messaging.messages import Contact, Wait
from hil.messaging.timing_messages import DriveTiming
from hil.recording.columns import Columns, read_columns
from hil.recording.head import configuration_of, is_live
from hil.recording.reading import Summary

OBSERVED = "the arm shows its body before an observer who moves: `zerog share` tells of both arms"
CHANNELS = {
    "/cycle": ("cycles", "the recording has no cycles of the driver"),
    "/truth": ("force", "a real arm: nobody knows the true force on it"),
    "/sim_state": ("simulation", "the recording has no states of the simulation"),
    "/mode": ("mode", "the recording has no orders of the supervisor"),
    "/plan": ("plans", "the recording has no plans"),
    "/impulse": ("impulses", ""),
    "/port": ("", ""),
    "/inside_state": ("", ""),
    "/base_report": ("", ""),
    "/grasp_report": ("", ""),
    "/slice_times": ("", ""),
    "/times_sim": ("", ""),
    "/times_planner": ("", ""),
    "/wait": ("", ""),
    "/contact": ("", ""),
    "/drive_timing": ("", ""),
}  # key in `missing` and reason, where a channel's absence tells of something missing


@dataclass(frozen=True, eq=False)
class RecordedRun:
    """A run, read from its recording.

    Attributes:
        path: of the recording.
        summary: what is in it.
        configuration: that was in force.
        trace: one row a cycle, from the first one afloat on; without rows where there was none.
        latency: stamps of the whole recording.
        waits: where emulated time stood for a busy machine.
        live: it had a clock; otherwise it was a lock-step run on virtual time.
        missing: what the recording cannot tell, and why. Keys: `force` (true pushes), `impulses` (an
            admittance finds none), `ideal` (the rigid body that would be ideal), `motion` (where the arm
            really was: the trace then has it by the measured joints), `arm` (it shows its body otherwise than
            as simulated), `cycles`, `simulation`, `mode`, `plans`, `rows` (cycles left out), `lost`
            (messages), `end` (broken off), `chunks` (damaged), `holes` (where they are missing).
        insertion: of a docking with seals and latches; None: there is none.
        contacts: under continuous force, the last word on each.
        timing: the last word on whether the drives were in time with their model; None: none was told.
        base: where the base went that carried the arm; None: the arm stood.
        grasp: what a second arm did; None: there is none.
    """

    path: Path
    summary: Summary
    configuration: Configuration
    trace: Trace
    latency: LatencyRecording
    live: bool
    missing: dict[str, str] = field(default_factory=dict)
    waits: tuple[Wait, ...] = ()
    insertion: Insertion | None = None
    contacts: tuple[Contact, ...] = ()
    timing: DriveTiming | None = None
    base: BaseWay | None = None
    grasp: GraspStory | None = None


def load_run(path: Path, progress: Callable[[int], None] | None = None) -> RecordedRun:
    """Return the run that was recorded at `path`; broken recordings are read as far as they go.

    Args:
        path: of the recording.
        progress: is told now and then how many messages were read.

    Raises:
        RecordingError: the file cannot be read, or holds messages of another version.
        ConfigurationError: this version refuses its configuration.
    """
    summary, channels = read_columns(path, CHANNELS, progress)
    c = configuration_of(path, summary)
    latency = latency_of(c, channels, summary.head.get("machine", ""))
    missing = _missing(c, summary, channels)
    trace = TraceAssembly(
        c, channels, latency, missing, bool(summary.head.get("wrench")), summary.holed
    ).trace()
    return RecordedRun(
        path, summary, c, trace, latency, is_live(summary), missing, waits_of(channels),
        insertion_of(channels.get("/sim_state")), contacts_of(channels), timing_of(channels),
        way_of(channels.get("/base_report")), story_of(channels.get("/grasp_report")),
    )  # fmt: skip


def _missing(c: Configuration, summary: Summary, channels: Mapping[str, Columns]) -> dict[str, str]:
    """Return what a recording cannot tell for lack of messages."""
    told = {key: reason for name, (key, reason) in CHANNELS.items() if reason and name not in channels}
    if "force" in told:
        if c.robot.kind == "emulated":
            told["force"] = "the recording has no truth of the emulated arm"
        told["motion"] = "where the arm really was is not known: by the measured joints"
    if c.admittance is not None:
        told["impulses"] = NO_PUSHES
    if c.object.inside is not None:
        told["ideal"] = NO_IDEAL
    if c.shared is not None:
        told["arm"] = OBSERVED
    if c.force.mode != "pushes":
        told["force"] = CONTINUOUS
    if summary.lost:
        told["lost"] = "the recorder missed messages: " + ", ".join(
            f"{number} of {topic}" for topic, number in summary.lost.items()
        )
    if not summary.whole:
        told["end"] = "the recording is broken off: what follows is of the part that can be read"
    if summary.damage:
        told["chunks"] = f"the recording is damaged: {summary.damage}"
    return told
