"""A lock-step run that is recorded: the run is the same, and so is the file, to the byte."""

from pathlib import Path

import numpy as np

from hil.commands.cli import main
from hil.loop.trace.recorder import Trace
from hil.recording.columns import read_columns
from hil.recording.reading import summary_of

PUSHES = Path(__file__).resolve().parents[3] / "configs" / "pushes.toml"


def simulated(folder: Path, name: str, *more: str) -> Trace:
    trace = folder / f"{name}.npz"
    assert main(["simulate", str(PUSHES), "--duration", "5", "--trace", str(trace), *more]) == 0
    return Trace.load(trace)


def test_recording_changes_nothing_and_same_seed_gives_same_bytes(tmp_path: Path) -> None:
    """The trace is that of a run without a recorder; two recordings are one; commands are the trace's."""
    files = [tmp_path / "a.mcap", tmp_path / "b.mcap"]
    plain = simulated(tmp_path, "plain")
    for file in files:
        recorded = simulated(tmp_path, file.stem, "--record", str(file))
        assert np.array_equal(recorded.q_command, plain.q_command)
    assert files[0].read_bytes() == files[1].read_bytes()
    summary = summary_of(files[0])
    assert summary.whole and summary.counts["/impulse"] and summary.counts["/plan"]
    cycle = read_columns(files[0])[1]["/cycle"]
    at = np.searchsorted(cycle["t_ns"], np.round(plain.t * 1e9).astype(np.int64))
    common = at < len(cycle["t_ns"])  # the last block may not be full
    assert common.sum() > 2000
    np.testing.assert_array_equal(cycle["q_command"][at[common]], plain.q_command[common])
