"""A recording as the force that the virtual operator applies."""

from pathlib import Path

from drivers.emulation.operator.replayed_wrench import ReplayedWrench
from hil.wrench.recorded.reading import read_recording


def replayed_wrench(path: Path) -> ReplayedWrench:
    """Return the recorded wrench with its constant offset taken off, to act at the object's centre.

    Raises:
        RecordingError: the file cannot be read as a recording.
    """
    recording = read_recording(path)
    return ReplayedWrench(recording.t, recording.wrench)
