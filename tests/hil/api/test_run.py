"""A run in Python: the same numbers as figures, report and trace have, named, and read as far as they go."""

import json
import warnings
from pathlib import Path

import numpy as np
import pandas
import pytest
import zerog

from hil.api.changes import settings_of
from hil.commands.cli import main
from hil.loop.trace.fields import COLUMNS, Trace
from hil.recording.columns import read_columns
from tests.conftest import ROOT

FORCE, LASTS = 30.0, 0.1  # [N], [s] of each push
PUSHED = {
    "operator.random.count": 0,
    "operator.push": [
        {"time_s": 0.8, "force_n": [FORCE, 0.0, 0.0], "duration_ms": 1e3 * LASTS},
        {"time_s": 1.8, "force_n": [0.0, -FORCE, 0.0], "duration_ms": 1e3 * LASTS},
    ],
}
DURATION_S = 3.5


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("runs")


@pytest.fixture(scope="module")
def simulated(folder: Path) -> zerog.Run:
    """Two pushes in lock-step, recorded."""
    path = folder / "run.mcap"
    return zerog.simulate(ROOT / "configs/cube.toml", duration_s=DURATION_S, record=path, **PUSHED)


@pytest.fixture(scope="module")
def loaded(folder: Path, simulated: zerog.Run) -> zerog.Run:
    """The same, read from its recording without a warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return zerog.load(folder / "run.mcap")


@pytest.fixture(scope="module")
def commanded(folder: Path) -> Path:
    """The same by the command, with its trace and figures."""
    settings = [word for line in settings_of(PUSHED) for word in ("--set", line)]
    words = ["simulate", str(ROOT / "configs/cube.toml"), "--duration", str(DURATION_S), *settings]
    words += ["--trace", str(folder / "out.npz"), "--json", str(folder / "out.json")]
    assert main(words) == 0
    return folder / "out.npz"


def test_a_simulated_run_is_the_commands_to_the_last_bit(simulated: zerog.Run, commanded: Path) -> None:
    """Arrays are those of --trace, figures those of --json; so is the trace loaded by itself."""
    trace, alone = Trace.load(commanded), zerog.load(commanded)
    names = [name for name, column in COLUMNS.items() if not column.of]
    assert [*simulated.arrays] == names == [*alone.arrays]
    for name in names:
        np.testing.assert_array_equal(simulated.arrays[name], getattr(trace, name))
        np.testing.assert_array_equal(alone.arrays[name], getattr(trace, name))
    said = json.loads(commanded.with_suffix(".json").read_text())
    said.pop("wall_time_s")
    for run in (simulated, alone):
        found = json.loads(json.dumps({k: v for k, v in run.figures.items() if k != "wall_time_s"}))
        assert found == said
    with pytest.raises(zerog.TraceError, match="its configuration is not known"):
        _ = alone.configuration
    with pytest.raises(zerog.TraceError, match="load the recording"):
        _ = alone.certificate


def test_a_loaded_run_says_what_the_report_says(loaded: zerog.Run, tmp_path: Path) -> None:
    """The rows of its certificate are those of `zerog report --json`."""
    out = tmp_path / "report.json"
    main(["report", str(loaded.source), "-o", str(tmp_path / "report.html"), "--json", str(out)])
    rows = json.loads(out.read_text())["rows"]
    assert [row["name"] for row in rows] == [item.name for item in loaded.certificate]
    for row, item in zip(rows, loaded.certificate, strict=True):
        assert (row["verdict"], row["unit"], row["remark"]) == (item.verdict, item.unit, item.remark)
        assert row["value"] == item.value and row["tolerance"] == item.tolerance


def test_cycles_are_flat_in_si_and_seconds(loaded: zerog.Run) -> None:
    """Velocity is the place's derivative, attitude is unit, and every column says its unit."""
    cycles = loaded.frame("cycles")
    t, free = cycles["t_s"].to_numpy(), (cycles["state"] == "FLOATING") & (cycles["rate"] == 1.0)
    for push in loaded.pushes:  # what is believed of a push is revised while it lasts
        free &= (t < push.t_start) | (t > push.t_end)
    for axis in "xyz":
        slope = np.gradient(cycles[f"p_{axis}_m"], t)
        calm = free & (abs(np.gradient(cycles[f"v_{axis}_m_s"], t)) < 0.02)
        assert calm.sum() > 500
        off = abs(cycles[f"v_{axis}_m_s"] - slope)[calm]
        assert np.quantile(off, 0.98) < 5e-4 and off.max() < 5e-3  # a last revision moves the place
    assert np.sum(cycles[[f"quat_{k}" for k in "wxyz"]].to_numpy() ** 2, axis=1) == pytest.approx(1.0)
    units, frames = cycles.attrs["units"], cycles.attrs["frames"]
    assert units["v_x_m_s"] == "m/s" and frames["v_x_m_s"] == "world"
    assert frames["force_measured_x_n"] == "object" and frames["force_true_x_n"] == "world"
    assert units == dict(loaded.column_units("cycles")) and frames == dict(loaded.column_frames("cycles"))


def test_arrays_and_tables_have_the_same_numbers(loaded: zerog.Run) -> None:
    """Column by column; channels are those of the recording, on the time of the cycles."""
    cycles = loaded.columns("cycles")
    twist = loaded.arrays["twist_world_object_sim"]
    names = ["v_x_m_s", "v_y_m_s", "v_z_m_s", "omega_x_rad_s", "omega_y_rad_s", "omega_z_rad_s"]
    np.testing.assert_array_equal(np.column_stack([cycles[name] for name in names]), twist)
    assert loaded.units["twist_world_object_sim"] == "m/s, rad/s"
    assert loaded.frames["twist_world_object_sim"] == "world" and loaded.frames["q_command"] == ""
    assert "impulse" in loaded.meanings["push_value"]
    raw = read_columns(loaded.source, ["/cycle"])[1]["/cycle"]
    channel = loaded.columns("cycle")
    np.testing.assert_array_equal(channel["q_command_a4_rad"], raw["q_command"][:, 3])
    np.testing.assert_allclose(channel["t_s"], 1e-9 * raw["t_ns"], atol=1e-12)
    assert np.isin(np.round(cycles["t_s"], 6), np.round(channel["t_s"], 6)).all()
    assert not loaded.arrays["t"].flags.writeable
    with pytest.raises(zerog.TraceError, match="no table 'cylces'; it has cycles, pushes, impulses, plans, "):
        loaded.frame("cylces")


def test_exported_tables_are_the_runs(loaded: zerog.Run, tmp_path: Path) -> None:
    """Names and numbers of `zerog export --csv` and --npz are those of the channels here."""
    assert main(["export", str(loaded.source), "--csv", str(tmp_path / "csv")]) == 0
    assert main(["export", str(loaded.source), "--npz", str(tmp_path / "all.npz")]) == 0
    with np.load(tmp_path / "all.npz") as arrays:
        for name in ("cycle", "sim_state", "robot_state", "impulse", "mode"):
            table = pandas.read_csv(tmp_path / "csv" / f"{name}.csv", keep_default_na=False)
            columns = loaded.columns(name)
            assert [*table] == [*columns]
            for column, values in columns.items():
                np.testing.assert_array_equal(arrays[f"{name}/{column}"], values)
                if values.dtype.kind in "fi":
                    told = pandas.to_numeric(
                        table[column], errors="coerce"
                    )  # an instant that is none is empty
                    np.testing.assert_allclose(told.astype(float), values, rtol=1e-6)


def test_impulses_belong_to_their_pushes(loaded: zerog.Run) -> None:
    """Two pushes, two impulses near them; the error is that of the figures; 2 T F / pi where it is known."""
    assert len(loaded.pushes) == len(loaded.impulses) == 2
    for push, impulse, axis in zip(loaded.pushes, loaded.impulses, ([1, 0, 0], [0, -1, 0]), strict=True):
        assert impulse.push is push
        known = 2.0 * LASTS * FORCE / np.pi * np.array(axis)
        np.testing.assert_allclose(push.impulse, known, atol=0.01 * np.linalg.norm(known))
        assert np.linalg.norm(impulse.impulse - push.impulse) < 0.05 * np.linalg.norm(push.impulse)
    errors = [impulse.error for impulse in loaded.impulses]
    assert np.median(errors) == pytest.approx(loaded.figures["impulses"]["error_median"])  # type: ignore[arg-type]
    table = loaded.frame("impulses")
    assert table["impulse_x_n_s"].tolist() == [item.impulse[0] for item in loaded.impulses]
    assert [*loaded.frame("pushes").columns[:2]] == ["t_start_s", "t_end_s"]


def test_a_picture_is_a_figure_of_its_own(loaded: zerog.Run, tmp_path: Path) -> None:
    """Four panels; PNG for a notebook; nothing is asked of pyplot."""
    picture = loaded.plot()
    assert len(picture.axes) == 4 and picture._repr_png_().startswith(b"\x89PNG")
    picture.savefig(tmp_path / "run.svg")
    assert "Run run.mcap: " in repr(loaded)


def test_damage_is_warned_of_and_the_rest_is_read(loaded: zerog.Run, tmp_path: Path) -> None:
    """Broken off: as far as it goes. Without its head: the channels, and why there is no trace."""
    data = loaded.source.read_bytes()
    cut = tmp_path / "cut.mcap"
    cut.write_bytes(data[: len(data) * 8 // 10])
    with pytest.warns(zerog.RecordingWarning, match="is broken off"):
        run = zerog.load(cut)
    assert 0.0 < run.duration < loaded.duration and "end" in run.missing
    with pytest.raises(zerog.RecordingError, match="does not begin as an MCAP file"):
        (tmp_path / "none.mcap").write_text("nothing of the kind")
        zerog.load(tmp_path / "none.mcap")


def test_without_a_head_the_channels_are_left(
    loaded: zerog.Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their times count from the first message; what needs the configuration says why it is not there."""
    from hil.recording import reading

    monkeypatch.setattr(reading.Summary, "head", {})
    with pytest.warns(zerog.RecordingWarning, match="its head is damaged.*only the channels can be read"):
        run = zerog.load(loaded.source)
    assert run.columns("cycle")["t_s"][0] == 0.0 and "cycles" not in run.tables
    with pytest.raises(zerog.TraceError, match="there is no trace of it: its head is damaged"):
        _ = run.figures


def test_without_pandas_a_line_says_what_to_do(loaded: zerog.Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its name, and the same columns without it."""
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    with pytest.raises(zerog.ZeroGError, match=r"pandas is not installed: .*columns\('cycles'\)"):
        loaded.frame()
    assert isinstance(loaded.columns("cycles")["v_x_m_s"], np.ndarray)
    assert isinstance(pandas.DataFrame, type)


def test_of_a_real_arm_nobody_knows_the_force(loaded: zerog.Run) -> None:
    """What rests on it is not there: neither zeros nor guesses."""
    from hil.api.run import Run

    run = Run(loaded.source, loaded._known, missing={"force": "a real arm"})
    assert run.pushes == () and all(impulse.push is None for impulse in run.impulses)
    assert not {"wrench_true", "push_value", "p_world_object_ideal"} & set(run.arrays)
    assert "pushes" not in run.tables and not [name for name in run.columns("cycles") if "ideal" in name]
