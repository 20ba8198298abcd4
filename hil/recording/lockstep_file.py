"""The recording of a run in lock-step."""

from collections.abc import Sequence
from pathlib import Path

from hil.configuration import Configuration
from hil.loop.lockstep import START_NS
from hil.recording.mcap_file import McapFile
from hil.recording.recorder import Recorder, head_of


def lockstep_recorder(
    path: Path, c: Configuration, text: str, settings: Sequence[str], *, wrench: str = "", **more: str
) -> Recorder:
    """Return a recorder that has begun its file; its time is the run's own, from zero on.

    Args:
        path: the file, which must not be there yet.
        c: the run's configuration.
        text: of its file.
        settings: that stand in for the file's.
        wrench: the name of a recorded wrench that acts, or empty.
        more: what the head says beside.

    Raises:
        RecordingError: the file cannot be begun.
    """
    recorder = Recorder(McapFile(path, 0, head_of(c, text, list(settings), 0, wrench=wrench, **more)), c)
    recorder.begin(START_NS)
    return recorder
