"""A recording as the force that the virtual operator applies."""

from pathlib import Path

import numpy as np

from drivers.emulation.operator.pushes_in_wrench import rest_level
from drivers.emulation.operator.replayed_wrench import ReplayedWrench
from hil.wrench.recorded.reading import Recording, read_recording


def replayed_wrench(path: Path) -> ReplayedWrench:
    """Return the recorded wrench less the offset of its first quiet stretch, to act at the object's centre.

    Raises:
        RecordingError: the file cannot be read as a recording, or leaves something open.
    """
    return _acting(read_recording(path))


def replay_in_words(path: Path) -> list[str]:
    """Return what will act, and what is doubtful about it, one line each.

    Raises:
        RecordingError: as of `replayed_wrench`.
    """
    recording = read_recording(path)
    replay = _acting(recording)
    offset = float(np.linalg.norm(rest_level(recording.t, recording.wrench)[0][:3]))
    pushes = len(replay.pushes)
    return [
        f"replay: {path.name}: {pushes or 'no'} push{'' if pushes == 1 else 'es'} in {replay.t[-1]:.1f} s, "
        f"instead of the configured ones; an offset of {offset:.2g} N is taken off",
        *(f"replay: note: {note}" for note in recording.notes),
    ]


def _acting(recording: Recording) -> ReplayedWrench:
    offset, _ = rest_level(recording.t, recording.wrench)
    return ReplayedWrench(recording.t, recording.wrench - offset)
