"""Reading recordings, good and bad."""

from pathlib import Path

import numpy as np
import pytest

from hil.common.errors import RecordingError
from hil.wrench.recorded.detection import detect
from hil.wrench.recorded.reading import read_recording

GOOD = "t_s,fx,fy,fz,tx,ty,tz\n0,1,2,3,4,5,6\n0.01,2,2,3,4,5,6\n0.02,3,2,3,4,5,6\n"


def write(folder: Path, text: str) -> Path:
    path = folder / "recording.csv"
    path.write_text(text)
    return path


def test_columns_by_name(tmp_path: Path) -> None:
    """Order and other columns do not matter, times count from the first stamp, missing torques are zero."""
    plain = read_recording(write(tmp_path, GOOD))
    np.testing.assert_array_equal(plain.t, [0.0, 0.01, 0.02])
    np.testing.assert_array_equal(plain.wrench[1], [2, 2, 3, 4, 5, 6])
    mixed = read_recording(write(tmp_path, "fz,name,host_t_s,fx,fy\n3,a,5,1,2\n3,b,5.01,2,2\n"))
    np.testing.assert_allclose(mixed.t, [0.0, 0.01])
    assert mixed.first == "5"
    np.testing.assert_array_equal(mixed.wrench, [[1, 2, 3, 0, 0, 0], [2, 2, 3, 0, 0, 0]])


def test_rate_gives_the_time(tmp_path: Path) -> None:
    """Without a time column the rows are 1/rate apart, repeated ones included."""
    text = "fx,fy,fz\n1,0,0\n1,0,0\n2,0,0\n3,0,0\n"
    recording = read_recording(write(tmp_path, text), rate_hz=500.0)
    np.testing.assert_allclose(recording.t, [0.0, 0.004, 0.006])
    assert recording.dropped == 1


def test_repeats_are_dropped(tmp_path: Path) -> None:
    """A held value goes, with its own stamp or with an equal one; one that stands for long is a reading."""
    rows = ["t_s,fx,fy,fz", "0,1,0,0", "0,1,0,0", "0.004,1,0,0", "0.006,2,0,0", "0.008,3,0,0"]
    rows += [f"{0.010 + 0.002 * k:g},3,0,0" for k in range(20)]
    recording = read_recording(write(tmp_path, "\n".join(rows) + "\n"))
    np.testing.assert_allclose(recording.t[:3], [0.0, 0.006, 0.008])
    assert np.diff(recording.t).max() < 0.025
    assert len(recording.t) + recording.dropped == 25 and recording.bunched == 0
    assert np.all(recording.wrench[3:, 0] == 3.0) and len(recording.t) > 4


def test_readings_in_bunches_are_spread(tmp_path: Path) -> None:
    """Different readings with one stamp lie evenly between the stamp before and their own.

    Behind a pause they are as close as elsewhere. Of the first bunch the last is kept.
    """
    rows = ["t_s,fx,fy,fz", "1,1,0,0", "1,2,0,0", "1.016,3,0,0", "1.016,4,0,0", "1.032,5,0,0", "1.032,6,0,0"]
    rows += ["1.032,7,0,0", "1.032,8,0,0", "5,9,0,0", "5,10,0,0", "5.016,11,0,0", "5.016,12,0,0"]
    found = read_recording(write(tmp_path, "\n".join(rows) + "\n"))
    np.testing.assert_array_equal(found.wrench[:, 0], np.arange(2.0, 13.0))
    expected = [0.0, 0.008, 0.016, 0.020, 0.024, 0.028, 0.032, 4.0 - 0.016, 4.0, 4.008, 4.016]
    np.testing.assert_allclose(found.t, expected, atol=1e-9)
    assert (found.bunched, found.dropped) == (6, 1)


def test_pushes_are_what_they_are_however_they_are_delivered(tmp_path: Path) -> None:
    """A sensor of 800 Hz whose readings come in heaps of 16 ms: the impulses as without heaps, within 2 %."""
    t = np.arange(0.0, 12.0, 0.00125)
    rng = np.random.default_rng(3)
    true = [12.0, 8.0, 10.0, 5.0]
    starts = [2.0, 4.0, 6.5, 9.0]
    force = sum(
        np.where((t > a) & (t < a + 0.3), size * np.pi / 0.6 * np.sin(np.pi * (t - a) / 0.3), 0.0)
        for a, size in zip(starts, true, strict=True)
    )
    wrench = rng.normal(size=(len(t), 3)) * 0.28
    wrench[:, 0] += force
    heaps = np.ceil(t / 0.016) * 0.016
    table = np.column_stack([heaps, wrench])
    path = tmp_path / "heaps.csv"
    np.savetxt(path, table, "%.9g", ",", header="t_s,fx,fy,fz", comments="")
    recording = read_recording(path)
    assert recording.period == pytest.approx(0.00125, rel=0.1) and recording.dropped <= 12
    found = [impulse["value"][0] for impulse in detect(path, learn_s=1.5)["impulses"]]
    assert found == pytest.approx(true, rel=0.02)


BAD = {
    "missing force": ("t_s,fx,fz\n0,1,2\n", ("line 1", "fy", "missing")),
    "two torques of three": ("t_s,fx,fy,fz,tx,ty\n0,1,2,3,4,5\n", ("line 1", "tz", "missing")),
    "no time": ("fx,fy,fz\n1,2,3\n2,3,4\n", ("line 1", "t_s", "--rate-hz")),
    "two times": ("bag_t_s,sensor_t_s,fx,fy,fz\n1,1,2,3,4\n", ("line 1", "bag_t_s", "--columns t=")),
    "nan": (GOOD.replace("2,2,3", "2,nan,3"), ("line 3", "fy", "'nan'", "finite")),
    "text": (GOOD.replace("0.02,3", "0.02,three"), ("line 4", "fx", "'three'")),
    "short row": (GOOD + "0.03,1\n", ("line 5", "2 fields", "7")),
    "time goes back": (GOOD + "0.015,1,2,3,4,5,6\n", ("line 5", "t_s", "0.015", "0.02")),
    "empty": ("", ("empty",)),
    "names only": ("t_s,fx,fy,fz\n", ("0 usable",)),
    "binary": ("\x00\x01\x02", ("no text",)),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_recordings_are_refused(tmp_path: Path, case: str) -> None:
    """The message names file, line, column and value."""
    text, parts = BAD[case]
    path = write(tmp_path, text)
    with pytest.raises(RecordingError) as refusal:
        read_recording(path)
    for part in (str(path), *parts):
        assert part in str(refusal.value)


def test_time_column_and_rate_together_are_refused(tmp_path: Path) -> None:
    """Which of the two is right cannot be known."""
    with pytest.raises(RecordingError, match="leave out --rate-hz"):
        read_recording(write(tmp_path, GOOD), rate_hz=100.0)


def test_unreadable_files_are_refused(tmp_path: Path) -> None:
    """A folder, a missing file and bytes that are no text are the user's mistake, not a crash."""
    (tmp_path / "bytes.csv").write_bytes(b"\xff\xfe\x00\x81")
    for path in (tmp_path, tmp_path / "none.csv", tmp_path / "bytes.csv"):
        with pytest.raises(RecordingError, match="cannot be read"):
            read_recording(path)
