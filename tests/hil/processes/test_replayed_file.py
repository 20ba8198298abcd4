"""A recorded wrench that is to act: files only, and nothing acts where its rows are missing."""

import os
from pathlib import Path

import numpy as np
import pytest

from hil.common.errors import RecordingError
from hil.processes.replayed import replay_in_words, replayed_wrench, without_bridges


def written(path: Path, t: np.ndarray, fx: np.ndarray) -> Path:
    """Write a recording of one force."""
    rows = ["t_s,fx_n,fy_n,fz_n,tx_n_m,ty_n_m,tz_n_m"]
    rows += [f"{a:.4f},{b:.5f},0,0,0,0,0" for a, b in zip(t, fx, strict=True)]
    path.write_text("\n".join(rows), encoding="utf-8")
    return path


def test_nothing_acts_where_rows_are_missing(tmp_path: Path) -> None:
    """A push cut off at 20 N does not go on for the five seconds that were lost, and the gap is told."""
    t = np.arange(0.0, 12.0, 0.002)
    fx = 20.0 * np.sin(np.pi * np.clip((t - 4.0) / 0.2, 0.0, 1.0))  # half of it is lost
    fx += np.random.default_rng(2).normal(0.0, 0.01, len(t))
    lost = (t > 4.1) & (t < 9.0)
    path = written(tmp_path / "w.csv", t[~lost], fx[~lost])
    replay = replayed_wrench(path)
    assert replay.impulse(3.5, 4.5)[0] == pytest.approx(20.0 * 0.2 / np.pi, abs=0.06)
    assert abs(replay.impulse(4.5, 8.9)[0]) < 1e-9
    assert "no rows for 4.9" in "\n".join(replay_in_words(path))


def test_a_recording_without_gaps_is_left_as_it_is() -> None:
    """To the bit."""
    t, wrench = np.arange(50) * 0.002, np.random.default_rng(1).normal(size=(50, 6))
    same = without_bridges(t, wrench)
    assert same[0].tobytes() == t.tobytes() and same[1].tobytes() == wrench.tobytes()


def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    """Nobody may ever fill it, and it could be read once only."""
    os.mkfifo(tmp_path / "pipe.csv")
    for read in (replayed_wrench, replay_in_words):
        with pytest.raises(RecordingError, match=r"pipe\.csv cannot be read: it is a device or a pipe"):
            read(tmp_path / "pipe.csv")
