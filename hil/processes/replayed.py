"""A recording as the force that the virtual operator applies."""

from pathlib import Path

import numpy as np

from drivers.emulation.operator.pushes_in_wrench import rest_level
from drivers.emulation.operator.replayed_wrench import ReplayedWrench
from hil.common.arrays import Array
from hil.common.errors import RecordingError
from hil.common.input_file import refuse_unmapped
from hil.wrench.recorded.rate import LONG_GAP
from hil.wrench.recorded.reading import Recording, read_recording


def replayed_wrench(path: Path) -> ReplayedWrench:
    """Return the recorded wrench less the offset of its first quiet stretch, to act at the object's centre.

    Raises:
        RecordingError: the file cannot be read as a recording, or leaves something open.
    """
    return _acting(_recording(path))


def replay_in_words(path: Path) -> list[str]:
    """Return what will act, and what is doubtful about it, one line each.

    Raises:
        RecordingError: as of `replayed_wrench`.
    """
    recording = _recording(path)
    replay = _acting(recording)
    offset = float(np.linalg.norm(rest_level(recording.t, recording.wrench)[0][:3]))
    pushes = len(replay.pushes)
    return [
        f"replay: {path.name}: {pushes or 'no'} push{'' if pushes == 1 else 'es'} in {replay.t[-1]:.1f} s, "
        f"instead of the configured ones; an offset of {offset:.2g} N is taken off",
        *(f"replay: note: {note}" for note in recording.notes),
    ]


def _recording(path: Path) -> Recording:
    """Read a file, which is read again where the run begins: a pipe would be empty then."""
    try:
        refuse_unmapped(path)
    except OSError as error:
        raise RecordingError(f"{path} cannot be read: {error.strerror}") from error
    return read_recording(path)


def _acting(recording: Recording) -> ReplayedWrench:
    offset, _ = rest_level(recording.t, recording.wrench)
    return ReplayedWrench(*without_bridges(recording.t, recording.wrench - offset))


def without_bridges(t: Array, wrench: Array) -> tuple[Array, Array]:
    """Return times and wrenches with nothing acting where rows are missing, instead of a straight line.

    Args:
        t: times of the rows, rising [s], shape (N,).
        wrench: at them [N, N m], shape (N, 6).
    """
    steps = np.diff(t)
    period = float(np.median(steps))
    before = np.flatnonzero(steps > LONG_GAP * period)
    edges = np.sort(np.concatenate((t[before] + period, t[before + 1] - period)))
    at = np.searchsorted(t, edges)
    return np.insert(t, at, edges), np.insert(wrench, at, 0.0, axis=0)
