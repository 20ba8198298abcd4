"""A lock-step run that is recorded: the run is the same, and so is the file, to the byte."""

import datetime
from pathlib import Path

import numpy as np
import pytest

from hil.commands.cli import main
from hil.common.errors import ConfigurationError
from hil.common.machine import date_and_time, machine
from hil.loop.trace.recorder import Trace
from hil.recording.columns import read_columns
from hil.recording.head import began_in_words
from hil.recording.reading import summary_of
from hil.recording.recorder import own_head

PUSHES = Path(__file__).resolve().parents[3] / "configs" / "pushes.toml"


def simulated(folder: Path, name: str, *more: str) -> Trace:
    trace = folder / f"{name}.npz"
    assert main(["simulate", str(PUSHES), "--duration", "5", "--trace", str(trace), *more]) == 0
    return Trace.load(trace)


def test_recording_changes_nothing_and_same_seed_gives_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The trace is that of a run without a recorder; two recordings are one; commands are the trace's.

    But for the date on which they were made, which is told as one.
    """
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1764374400")
    files = [tmp_path / "a.mcap", tmp_path / "b.mcap"]
    plain = simulated(tmp_path, "plain")
    for file in files:
        recorded = simulated(tmp_path, file.stem, "--record", str(file))
        assert np.array_equal(recorded.q_command, plain.q_command)
    assert files[0].read_bytes() == files[1].read_bytes()
    summary = summary_of(files[0])
    assert summary.head["recorded"] == "2025-11-29 00:00:00+00:00"
    assert began_in_words(summary).startswith("recorded 2025-11-29 00:00:00+00:00, in lock-step")
    assert summary.whole and summary.counts["/impulse"] and summary.counts["/plan"]
    cycle = read_columns(files[0])[1]["/cycle"]
    at = np.searchsorted(cycle["t_ns"], np.round(plain.t * 1e9).astype(np.int64))
    common = at < len(cycle["t_ns"])  # the last block may not be full
    assert common.sum() > 2000
    np.testing.assert_array_equal(cycle["q_command"][at[common]], plain.q_command[common])


def test_the_date_is_the_wall_clocks_and_the_machine_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """With its zone, to the second; a recording of yesterday is not one of another machine."""
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    before = datetime.datetime.now().astimezone().replace(microsecond=0)
    head = own_head(0)
    told = datetime.datetime.fromisoformat(head["recorded"])
    assert before <= told <= datetime.datetime.now().astimezone()
    assert str(told.year) not in head["machine"] and head["machine"] == machine()
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert date_and_time() == "1970-01-02 00:00:00+00:00"
    assert own_head(0) | {"recorded": ""} == head | {"recorded": ""}


@pytest.mark.parametrize(
    "epoch", ["yesterday", "-1", "1.5", " 5", "\u0663", "1e9", "253402300800", 5000 * "9"]
)
def test_a_date_that_is_none_is_refused_in_a_line(epoch: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks for the same bytes again shall not get today's in silence, nor a fault of the clock."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
    with pytest.raises(ConfigurationError, match=r"^SOURCE_DATE_EPOCH = .* must be whole seconds") as refusal:
        date_and_time()
    assert len(str(refusal.value)) < 200
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "253402300799")
    assert date_and_time() == "9999-12-31 23:59:59+00:00"
