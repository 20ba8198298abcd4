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
    assert set(first) == {"t_start", "t_end", "t_centroid", "sustained", "value"}
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


def test_too_little_to_learn_from(tmp_path: Path) -> None:
    """Noise is not learned from a handful of samples."""
    t = time_axis(3.0)
    path = save(tmp_path / "idle.csv", noise(t, 3), t)
    with pytest.raises(RecordingError, match=r"idle\.csv: 5 samples to learn the noise from"):
        detect(path, learn_s=0.0099)
