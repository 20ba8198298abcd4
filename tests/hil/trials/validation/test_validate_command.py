"""`zerog validate`: what it prints, writes and returns."""

import json
from pathlib import Path

import numpy as np
import pytest

from hil.commands.cli import main
from hil.trials.validation.csv_log import read_csv_log

SHORT = ["--set", "sequence.repetitions=1", "--set", "sequence.wait_s=0.2", "--set", "stand_in.draws=2"]
SLIDE = ["validate", "table-slide", *SHORT]
JOINTS = [f"A{k}" for k in range(1, 8)]


@pytest.fixture(scope="module")
def slid(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the slide leaves."""
    folder = tmp_path_factory.mktemp("slide")
    out = folder / "out"
    assert main([*SLIDE, "--out", str(out), "--json", str(folder / "slide.json")]) == 0
    return folder


def test_the_figures_have_their_keys(slid: Path) -> None:
    """Joint by joint, and said plainly that no real arm was measured."""
    figures = json.loads((slid / "slide.json").read_text())
    assert [joint["name"] for joint in figures["joints"]] == JOINTS
    assert all({"max_deviation_rad", "sigma_rad", "torque_correlation"} <= set(j) for j in figures["joints"])
    assert "no real arm" in figures["measured"] and figures["stand_in"] is True
    assert figures["joints"][6]["torque_correlation"] is None
    assert figures["within_bounds"] is True and len(figures["draws"]) == 2 and len(figures["contacts_s"]) == 1
    assert figures["max_deviation_rad"] == max(j["max_deviation_rad"] for j in figures["joints"])
    assert figures["sigma_rad"] == max(draw["sigma_rad"] for draw in figures["draws"])


def test_courses_and_pictures_are_written(slid: Path) -> None:
    """A picture a joint and one of all; both courses as logs."""
    names = {file.name for file in (slid / "out").iterdir()}
    assert names == {"simulated.csv", "stand_in.csv", "joints.png", *(f"{name}.png" for name in JOINTS)}
    assert all(file.read_bytes()[:4] == b"\x89PNG" for file in (slid / "out").glob("*.png"))


def test_a_log_of_the_same_arm_differs_by_nothing(slid: Path, tmp_path: Path) -> None:
    """The course that was written is a log; the simulation is then compared with itself."""
    out = tmp_path / "same.json"
    log = slid / "out" / "simulated.csv"
    assert main([*SLIDE, "--log", str(log), "--json", str(out)]) == 0
    figures = json.loads(out.read_text())
    assert figures["stand_in"] is False and figures["measured"] == str(log)
    assert figures["max_deviation_rad"] < 1e-5  # commands between its samples are interpolated
    assert figures["torque_correlation"] > 0.999999


def test_a_log_that_is_off_is_out_of_the_bounds(slid: Path, tmp_path: Path) -> None:
    """Status 1, and the joint shows by how much."""
    log = read_csv_log(slid / "out" / "simulated.csv")
    q = np.array(log.q)
    q[:, 3] += 0.06
    path = tmp_path / "off.csv"
    names = ["t_s", *(f"q{k}" for k in range(1, 8)), *(f"tau{k}" for k in range(1, 8))]
    rows = np.column_stack([log.t, q, log.torque])
    np.savetxt(path, rows, "%.9g", ",", header=",".join(names), comments="")
    out = tmp_path / "off.json"
    assert main([*SLIDE, "--log", str(path), "--json", str(out)]) == 1
    figures = json.loads(out.read_text())
    assert figures["joints"][3]["max_deviation_rad"] == pytest.approx(0.06, abs=1e-6)
    assert figures["within_bounds"] is False


def test_tighter_bounds_are_missed(capsys: pytest.CaptureFixture[str]) -> None:
    """The verdict is that of the bounds in the configuration."""
    assert main([*SLIDE, "--set", "bounds.deviation_rad=1e-5"]) == 1
    assert "NOT within the bounds" in capsys.readouterr().out


def test_the_fit_prints_its_intervals(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without a log a made-up one is fitted, and the truth stands beside the intervals."""
    few = "fit.parameters=['stiffness_A1', 'coulomb_A2', 'contact_friction', 'contact_damping', 'tool_mass']"
    free = "plate.position_mm=[750, 300, 500]"
    far = "sequence.move=[{tip_mm=[0, 0, 180], speed_mm_s=60, dwell_s=0.5}]"
    settings = [text for line in (few, free, far, "campaign.moves=1") for text in ("--set", line)]
    files = ["--json", str(tmp_path / "fit.json"), "--out", str(tmp_path / "out")]
    assert main([*SLIDE, *settings, "--fit", *files]) == 0
    printed = capsys.readouterr().out
    assert "no real arm" in printed and "truth" in printed and "NOT identified by this log" in printed
    found = json.loads((tmp_path / "fit.json").read_text())["fit"]
    assert len(found["parameters"]) == 5 and found["confidence"] == 0.95
    lost = {row["name"] for row in found["parameters"] if not row["identified"]}
    assert lost == {"contact_friction", "contact_damping"}
    assert all(row["value"] is None for row in found["parameters"] if row["name"] in lost)
    assert (tmp_path / "out" / "fit.png").read_bytes()[:4] == b"\x89PNG"


def test_a_campaign_leaves_table_and_picture(tmp_path: Path) -> None:
    """Both in the folder, the trials as keys."""
    grid = ["--set", "campaign.reach_mm=[0, 0, 10]", "--set", "campaign.points=[1, 1, 2]"]
    out, figures = tmp_path / "out", tmp_path / "trials.json"
    assert main([*SLIDE, *grid, "--campaign", "--out", str(out), "--json", str(figures)]) == 0
    assert {file.name for file in out.iterdir()} == {"trials.csv", "campaign.png"}
    assert [trial["z_mm"] for trial in json.loads(figures.read_text())["trials"]] == [-10.0, 10.0]


MISTAKES = [
    (["validate", "nothing"], "there is no experiment 'nothing': rim-contact, table-slide"),
    (["validate", "none.toml"], "none.toml: cannot be read"),
    ([*SLIDE, "--log", "none.csv"], "none.csv: cannot be read"),
    ([*SLIDE, "--campaign", "--log", "none.csv"], "--campaign takes no --log"),
    ([*SLIDE, "--set", "peg.mass_kg=-1"], "peg.mass_kg = -1 must be above 0"),
    ([*SLIDE, "--set", "plate.hole=[{radius_mm=17.4, depth_mm=50}]"], "um of clearance"),
]


@pytest.mark.parametrize(("arguments", "words"), MISTAKES, ids=[" ".join(m[0][-2:]) for m in MISTAKES])
def test_mistakes_are_one_line(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Status 2, and the words."""
    assert main(arguments) == 2
    assert words in capsys.readouterr().err


def test_nothing_is_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder with something in it is refused before anything is simulated."""
    (tmp_path / "mine.txt").write_text("mine")
    assert main([*SLIDE, "--out", str(tmp_path)]) == 2
    assert "is not empty" in capsys.readouterr().err


def test_a_divergence_is_told_with_its_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Status 2; the state before lies in the folder."""
    wild = ["--set", "contact.stiffness_n_per_m=1e9", "--set", "plate.position_mm=[750, 300, 790]"]
    assert main([*SLIDE, *wild, "--out", str(tmp_path / "out")]) == 1
    assert "the state before that step is in" in capsys.readouterr().err
    assert list((tmp_path / "out").glob("diverged-*.npz"))
