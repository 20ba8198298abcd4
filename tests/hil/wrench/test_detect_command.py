"""The body of `zerog detect` on a recording with known pushes."""

import json
from pathlib import Path

import numpy as np
import pytest

from hil.common.errors import RecordingError
from hil.wrench.recorded.detection import detect
from tests.hil.wrench.pushed_wrench import DIRECTION, half_sine, noise, time_axis

HEADER = "t_s,fx,fy,fz,tx,ty,tz"


def save(path: Path, wrench: np.ndarray, t: np.ndarray) -> Path:
    np.savetxt(path, np.column_stack([t, wrench]), "%.9g", ",", header=HEADER, comments="")
    return path


def test_table_json_and_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two pushes are printed, written with their values, and drawn."""
    t = time_axis(5.0)
    wrench = noise(t, 1) + half_sine(t, 1.0, 0.1, DIRECTION) + half_sine(t, 3.0, 0.15, -2.0 * DIRECTION)
    path = save(tmp_path / "two.csv", wrench, t)
    result = detect(path, tmp_path / "out.json", learn_s=0.8, plot=tmp_path / "out.png")
    assert json.loads((tmp_path / "out.json").read_text()) == result
    first, second = result["impulses"]
    assert set(first) == {"t_start", "t_end", "t_centroid", "sustained", "value", "deviation"}
    assert np.all(np.abs(np.array(first["value"]) - DIRECTION) < 4.0 * np.array(first["deviation"]))
    np.testing.assert_allclose(first["value"], DIRECTION, atol=0.02)
    np.testing.assert_allclose(second["value"], -2.0 * DIRECTION, atol=0.03)
    assert second["t_centroid"] == pytest.approx(3.075, abs=0.003) and second["sustained"] is False
    assert (tmp_path / "out.png").read_bytes().startswith(b"\x89PNG")
    assert "two.csv" in capsys.readouterr().out


def test_nothing_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An untouched recording gives an empty list and says so."""
    t = time_axis(3.0)
    path = save(tmp_path / "idle.csv", noise(t, 2), t)
    assert detect(path, learn_file=path) == {"impulses": []}
    assert "no impulse" in capsys.readouterr().out


def test_columns_stand_apart_whatever_the_stamps(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Stamps since 1970, a value above 1000 N s: every number of a row is one word."""
    t = time_axis(5.0)
    wrench = noise(t, 1) + half_sine(t, 1.0, 0.1, DIRECTION) + half_sine(t, 3.0, 0.15, -2.0 * DIRECTION)
    for first in (0.0, 1.7e9):
        path = tmp_path / "since.csv"
        np.savetxt(path, np.column_stack([t + first, wrench]), "%.15g", ",", header=HEADER, comments="")
        detect(path)
        rows = [line.split() for line in capsys.readouterr().out.splitlines()]
        rows = [row for row in rows if row[0] in ("1", "2")]
        assert [len(row) for row in rows] == [10, 10]
        assert float(rows[1][3]) - float(rows[0][3]) == pytest.approx(2.025, abs=0.005)
        value, deviation = (float(word) for word in rows[0][4].split("+-"))
        assert abs(value - DIRECTION[0]) < 0.02 and 0.0 < deviation < 0.01


def test_a_restless_start_is_no_place_to_learn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A push within the start that noise is learned from: said, with a quiet stretch; else nothing."""
    t = time_axis(9.0)
    wrench = noise(t, 1) + half_sine(t, 1.0, 0.1, 3.0 * DIRECTION) + half_sine(t, 3.0, 0.15, 2.0 * DIRECTION)
    path = save(tmp_path / "pushed.csv", wrench, t)
    detect(path, learn_s=1.5)
    told = capsys.readouterr().out
    assert "warning: the first 1.5 s are not quiet" in told
    start, end = (float(word) for word in told.split(" N from ")[1].split(" s;")[0].split(" to "))
    assert end - start == pytest.approx(1.5) and (start > 3.15 or (start > 1.1 and end < 3.0))
    for learn_s in (0.5, 0.9):
        detect(path, learn_s=learn_s)
        assert "warning" not in capsys.readouterr().out
    still = save(tmp_path / "still.csv", noise(t, 2), t)
    for learn_s in (2.0, 8.5, 20.0):
        detect(still, learn_s=learn_s)
        assert "warning" not in capsys.readouterr().out


def test_too_little_to_learn_from(tmp_path: Path) -> None:
    """Noise is not learned from a handful of samples."""
    t = time_axis(3.0)
    path = save(tmp_path / "idle.csv", noise(t, 3), t)
    with pytest.raises(RecordingError, match=r"idle\.csv: 5 samples to learn the noise from"):
        detect(path, learn_s=0.0099)


def test_what_an_impulse_is_worth_is_said_of_the_noise_between_the_pushes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """White noise of 0.06 N: by its closed form, whatever the pushes; of less than 1 s it is not known."""
    t = time_axis(8.0)
    wrench = noise(t, 1) + half_sine(t, 1.0, 0.1, DIRECTION) + half_sine(t, 3.0, 0.15, -2.0 * DIRECTION)
    detect(save(tmp_path / "two.csv", wrench, t))
    told = capsys.readouterr().out.splitlines()[-1]
    assert float(told.split("noise of ")[1].split()[0]) == pytest.approx(8.0 - 0.25 - 1.1, abs=0.1)
    values = [float(word.rstrip(",")) for word in told.split("known to ")[1].split(" mN s")[0].split()]
    white, step = 0.06**2, float(t[1] - t[0])
    plain = [1e3 * np.sqrt(white * step * d * (1.0 + d / 0.5)) for d in (0.05, 0.1, 0.2)]
    assert values == pytest.approx(plain, rel=0.2)
    detect(save(tmp_path / "brief.csv", noise(time_axis(0.9), 2), time_axis(0.9)))
    assert "worth of an impulse: not known, with 0.9 s of rest" in capsys.readouterr().out


def test_no_noise_is_no_measure_of_an_impulse(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A dead axis would make an impulse worth more than any sensor can tell: it is named instead."""
    t = time_axis(3.0)
    wrench = noise(t, 1)
    wrench[:, 1] = 0.25
    detect(save(tmp_path / "dead.csv", wrench, t))
    assert (
        capsys.readouterr()
        .out.splitlines()[-1]
        .startswith("worth of an impulse: not known, fy never changes in ")
    )
