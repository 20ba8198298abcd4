"""The wrench of a recording as `zerog detect` reads it."""

from pathlib import Path

import numpy as np
import pytest

from hil.commands.cli import main
from hil.wrench.recorded.deviations import deviations_line
from hil.wrench.recorded.reading import Recording, read_recording

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A second of the lock-step loop."""
    path = tmp_path_factory.mktemp("wrench") / "run.mcap"
    assert main(["simulate", str(ROOT / "configs/cube.toml"), "--duration", "1", "--record", str(path)]) == 0
    return path


def test_the_wrench_that_was_recorded_is_the_one_detect_reads(
    recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every cycle's, as the arrays of the whole export have it; nothing is written over."""
    csv, npz = tmp_path / "wrench.csv", tmp_path / "all.npz"
    assert main(["export", str(recording), "--wrench", str(csv)]) == 0
    assert main(["export", str(recording), "--npz", str(npz)]) == 0
    with np.load(npz) as arrays:
        t = arrays["cycle/t_s"]
        names = [f"force_object_{axis}_n" for axis in "xyz"] + [f"torque_object_{axis}_n_m" for axis in "xyz"]
        wrench = np.column_stack([arrays[f"cycle/{name}"] for name in names])
    found = read_recording(csv)
    np.testing.assert_allclose(found.t, t - t[0], atol=1e-6)
    np.testing.assert_allclose(found.wrench, wrench, rtol=1e-6)
    assert main(["detect", str(csv), "--learn-s", "0.5"]) == 0
    assert "untouched: standard deviations" in capsys.readouterr().out
    assert main(["export", str(recording), "--wrench", str(csv)]) == 2
    assert "is there already" in capsys.readouterr().err


def test_detect_reads_the_recording_and_every_export_of_it(
    recording: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The file itself, the exported wrench, the table of cycles, and its folder: one wrench."""
    wrench, folder = tmp_path / "wrench.csv", tmp_path / "tables"
    assert main(["export", str(recording), "--wrench", str(wrench)]) == 0
    assert main(["export", str(recording), "--csv", str(folder)]) == 0
    wanted = read_recording(wrench)
    for source in (recording, folder / "cycle.csv", folder):
        found = read_recording(source)
        np.testing.assert_allclose(found.t, wanted.t, atol=2e-6)
        np.testing.assert_allclose(found.wrench, wanted.wrench, rtol=1e-6)
    capsys.readouterr()
    tables = []
    for source in (recording, folder / "cycle.csv", folder):
        assert main(["detect", str(source), "--learn-s", "0.5"]) == 0
        tables.append(capsys.readouterr().out.split(": ", 1)[1])
    assert tables[0] == tables[1] == tables[2]


def test_older_tables_with_numbers_in_their_heads_are_read(tmp_path: Path) -> None:
    """Stamps in nanoseconds, six numbered columns with both units behind them, others beside."""
    rng = np.random.default_rng(2)
    values = rng.standard_normal((500, 6))
    heads = [f'"wrench_object[{k}] [N, N m]"' for k in range(6)]
    rows = [
        f"{1_000_000_000 + 2_000_000 * k},0,{k},0.5," + ",".join(map(str, row))
        for k, row in enumerate(values)
    ]
    file = tmp_path / "cycle.csv"
    head = "t_ns [ns],arrival_ns [ns],count,q_command[0] [rad]," + ",".join(heads)
    file.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    found = read_recording(file)
    np.testing.assert_allclose(found.t, 0.002 * np.arange(500), atol=1e-9)
    np.testing.assert_allclose(found.wrench, values)


def test_the_deviations_are_those_of_the_untouched_start() -> None:
    """Noise of known size about any mean, the root mean square over the axes, of the start alone."""
    rng = np.random.default_rng(5)
    sizes = np.array([0.05, 0.06, 0.07, 0.010, 0.012, 0.014])
    wrench = 3.0 + sizes * rng.standard_normal((20_000, 6))
    t = 0.002 * np.arange(20_000)
    wrench[t >= 30.0] *= 10.0
    line = deviations_line(Recording(t, wrench, 0.002, 0, 0), 30.0)
    force, torque = (
        float(line.split(key)[1].split(",")[0]) for key in ("noise_force_n = ", "noise_torque_n_m = ")
    )
    assert force == pytest.approx(np.sqrt(np.mean(sizes[:3] ** 2)), rel=0.02)
    assert torque == pytest.approx(np.sqrt(np.mean(sizes[3:] ** 2)), rel=0.02)
