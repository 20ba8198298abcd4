"""Mating on a stiff machine: features as published, files, settings, and what is refused."""

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hil.common.errors import ConfigurationError
from hil.trials.mating.loading import SHIPPED, full_setting, load_mating, mating_file
from hil.trials.mating.machine import o_ring_run, snap_run
from hil.trials.mating.result import MatingResult, passed, write_features, write_series
from hil.trials.mating.schema import ORingExperiment, SnapExperiment


def run(name: str, *settings: str) -> MatingResult:
    experiment = load_mating(name, settings)
    return o_ring_run(experiment) if isinstance(experiment, ORingExperiment) else snap_run(experiment)


def test_o_ring_as_published() -> None:
    """One maximum before the ring is inside, then constant; the levels of an independent computation."""
    found = run("o-ring")
    f = found.features
    assert f["peak_over_plateau"] == pytest.approx(1.216, abs=0.01) and f["plateau_n"] == pytest.approx(
        90.7, abs=0.1
    )
    assert f["peak_at_mm"] == pytest.approx(-0.34, abs=0.02) and f["exit_min_n"] == pytest.approx(
        0.0, abs=0.01
    )
    assert f["phases"] == ["entrance", "hole", "exit"]
    assert all(statement.holds for statement in found.statements) and not found.warnings
    side = run("o-ring", "eccentricity_mm=0.1", "groove_mm=20.6").features
    assert side["side_max_n"] >= 245.0 and side["exit_min_n"] == pytest.approx(-33.9, abs=2.0)


def test_beam_snap_as_published() -> None:
    """The order of contacts, maximum, minimum; halves; friction by one short key."""
    found = run("snap-beam")
    f = found.features
    assert f["phases"] == ["ramp1", "corner1", "corner2", "ramp2", "free"]
    assert f["max_n"] == pytest.approx(40.5, abs=0.3) and f["max_at_mm"] == pytest.approx(4.88, abs=0.03)
    assert f["min_n"] == pytest.approx(-18.1, abs=0.5)
    assert all(statement.holds for statement in found.statements) and not found.warnings
    both = run("snap-beam", "halves=2")
    assert both.features["max_n"] == pytest.approx(2.0 * f["max_n"], rel=1e-6)
    assert all(statement.holds for statement in both.statements)
    assert run("snap-beam", "mu=0.3").features["max_n"] == pytest.approx(49.7, abs=0.4)


def test_plate_snap_runs_in_three_dimensions() -> None:
    """Stiffer than the beam, the same shape of curve; by a computed matrix a sixth more."""
    printed, computed = run("snap-plate").features, run("snap-plate", "printed=false").features
    assert printed["phases"] == ["ramp1", "corner1", "corner2", "ramp2", "free"] == computed["phases"]
    assert printed["max_n"] > 2.0 * 40.0
    assert computed["max_n"] == pytest.approx(1.17 * printed["max_n"], rel=0.02)


def test_strain_and_locking_are_told() -> None:
    """A high hook strains the beam beyond what it bears; a steep one is held by friction."""
    assert "allowed once" in run("snap-beam", "allowable_strain=0.005").warnings[0]
    held = run("snap-beam", "entry_deg=60.0", "mu=0.7")
    assert "friction holds" in held.warnings[0] and held.features["phases"][-1] == "held"
    assert "friction holds" in run("o-ring", "mu=1.2").warnings[0]


def test_a_ring_that_friction_holds_stays_where_it_is() -> None:
    """Behind the place where no force pushes it on there are no figures, of the exit least of all."""
    held = run("o-ring", "mu=1.5", "sample_mm=0.1")
    assert held.features["phases"] == ["jammed"] and held.features["exit_min_n"] is None
    assert held.features["peak_n"] == 0.0 and not held.series["force_n"].any()
    eccentric = run("o-ring", "eccentricity_mm=2.9", "sample_mm=0.1")
    assert eccentric.features["phases"][-1] == "jammed" and eccentric.features["plateau_n"] is None


def test_what_does_not_touch_or_is_lost_is_told() -> None:
    """No contact at all; no equilibrium, which is no success; of two hooks one that strikes the front."""
    assert "nothing touches" in run("o-ring", "begin_mm=20.0", "end_mm=30.0", "sample_mm=0.5").warnings[0]
    assert "nothing touches" in run("snap-beam", "offset_z_mm=10.0", "sample_mm=0.5").warnings[0]
    lost = run("snap-beam", "offset_z_mm=-3.0", "sample_mm=0.1")
    assert "lost" in lost.phases and "no equilibrium is found" in lost.stopped
    assert not run("snap-beam", "sample_mm=0.1").stopped
    both = run("snap-beam", "halves=2", "offset_z_mm=0.5", "sample_mm=0.5")
    assert "offset_z_mm = 0.5 is not 0: the nose of one of both hooks" in both.warnings[-1]
    assert not run("snap-beam", "halves=2", "sample_mm=0.5").warnings


def test_what_is_not_computed_is_told() -> None:
    """A motion so slow that friction fades, a nose below the face; a ratio of nothing is none."""
    assert "of dry friction act" in run("o-ring", "speed_mm_s=0.001", "sample_mm=0.5").warnings[0]
    assert "of dry friction act" in run("snap-beam", "speed_mm_s=0.001", "sample_mm=0.5").warnings[0]
    assert "nose would strike" in run("snap-beam", "offset_z_mm=-0.1", "sample_mm=0.5").warnings[-1]
    assert run("o-ring", "mu=0.0", "sample_mm=0.5").features["peak_over_plateau"] is None
    assert run("o-ring", "mu=1e-320", "sample_mm=0.5").features["peak_over_plateau"] is None


def test_finer_samples_tell_the_same() -> None:
    """Where a row lies does not depend on the rows before it."""
    for name in ("o-ring", "snap-beam", "snap-plate"):
        fine, coarse = run(name, "sample_mm=0.1"), run(name, "sample_mm=0.2")
        assert list(fine.phases[::2]) == list(coarse.phases)
        assert fine.series["force_n"][::2] == pytest.approx(coarse.series["force_n"], rel=1e-8, abs=1e-9)


def test_files(tmp_path: Path) -> None:
    """CSV with every course and the phase; JSON with features and statements."""
    found = run("snap-beam", "motion.sample_mm=0.5")
    write_series(tmp_path / "series.csv", found)
    rows = list(csv.DictReader((tmp_path / "series.csv").open(encoding="utf-8")))
    assert len(rows) == 34 and {"t_s", "depth_mm", "force_n", "side_z_n", "phase"} <= set(rows[0])
    assert [float(row["force_n"]) for row in rows] == pytest.approx(list(found.series["force_n"]), rel=1e-8)
    write_features(tmp_path / "out.json", found.to_dict())
    told = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert (
        told["experiment"] == "snap-beam" and told["max_n"] == found.features["max_n"] and told["statements"]
    )
    assert np.diff(found.series["t_s"]) == pytest.approx(0.05)


def test_phases_are_told_once_for_every_beginning() -> None:
    """Empty ones apart."""
    assert passed(["", "a", "a", "", "a", "b", "b"]) == ["a", "a", "b"]


def test_short_keys_are_completed_where_they_are_unique() -> None:
    """A leaf's name stands for its dotted key; two of a name are asked about."""
    table = {"speed_mm_s": 1.0, "one": {"mu": 0.1, "x": 1.0}, "two": {"x": 2.0}}
    assert full_setting(table, "mu=0.2") == "one.mu=0.2" and full_setting(table, "one.x=3") == "one.x=3"
    assert full_setting(table, "speed_mm_s=2") == "speed_mm_s=2" and full_setting(table, "new=2") == "new=2"
    peg = {"experiment": "round-peg", "robot": {}}
    assert full_setting(peg, "stiffness_n_per_mm=5") == "simulation.stiffness_n_per_mm=5", (
        "left to its default"
    )
    plate = {"experiment": "snap-plate", "snap": {"support": {"type": "plate"}}}
    assert full_setting(plate, "grid=[2, 3]") == "snap.support.grid=[2, 3]", "of the support that it is"
    with pytest.raises(ConfigurationError, match=r"say which one, one\.x or two\.x"):
        full_setting(table, "x=3")


def test_a_snaps_file_has_no_offset_along_its_edge(tmp_path: Path) -> None:
    """It would move nothing: the sentence says what it acts on."""
    path = tmp_path / "snap.toml"
    path.write_text("offset_y_mm = 1.0\n" + mating_file("snap-beam").read_text())
    with pytest.raises(ConfigurationError, match="offset_y_mm acts on pegs alone"):
        load_mating(str(path))


def test_files_are_found_from_the_experiments_own(tmp_path: Path) -> None:
    """Those that it names; those that a setting names from where we are, and whole paths anywhere."""
    text = (SHIPPED / "rectangular_peg.toml").read_text(encoding="utf-8")
    text = text.replace('profile = "trapezoid"', 'profile = "recorded"\nfile = "way.csv"')
    text = text.replace("[robot]", '[robot]\nassembly = "/arms/arm.toml"')
    (tmp_path / "peg.toml").write_text(text, encoding="utf-8")
    found: Any = load_mating(str(tmp_path / "peg.toml"))
    assert (found.path.file, found.robot.assembly) == (str(tmp_path / "way.csv"), "/arms/arm.toml")
    found = load_mating(str(tmp_path / "peg.toml"), ['path.file="here.csv"'])
    assert found.path.file == "here.csv"


@pytest.mark.parametrize(
    ("name", "setting", "words"),
    [
        ("o-ring", "mu=-1.0", "o_ring.mu = -1.0 must be at least 0"),
        ("o-ring", "hole_mm=19.0", "must lie between 0 and section_mm"),
        ("o-ring", "end_mm=-5.0", "toml: motion: end_mm = -5 must be above begin_mm"),
        ("o-ring", "eccentricity_mm=5.0", "toml: eccentricity_mm = 5 squeezes the ring flat"),
        ("o-ring", "speed_mm_s=1e-320", "must be at least 1e-06"),
        ("o-ring", "sample_mm=0.000001", "more than 1000000 rows"),
        ("snap-beam", "modulus_mpa=-1.0", "snap.support.modulus_mpa = -1.0 must be above 0"),
        ("snap-beam", "entry_deg=90.0", "no ramp to enter by"),
        ("snap-beam", "lenght_mm=3.0", "snap-beam has no such key; did you mean length_mm"),
        ("o-ring", "offset_y_mm=1", "o-ring has no such key; it has speed_mm_s"),
        ("snap-beam", "grid=[2, 3]", "snap-beam has no such key"),
        ("round-peg", "speed_mm_s=1e-300", "needs 8e+301 s for distance_mm = 80"),
        ("round-peg", "robot.stiffness_n_m_per_rad=[1e308, 1, 1]", "must be at most 1e+09"),
        ("snap-beam", "offset_y_mm=1", "snap-beam has no such key; did you mean offset_z_mm"),
        ("snap-beam", 'experiment="dance"', "must be one of"),
        ("tango", "", "there is no mating experiment 'tango'"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(name: str, setting: str, words: str) -> None:
    """File, key, value and bound."""
    with pytest.raises(ConfigurationError) as fault:
        load_mating(name, [setting] if setting else [])
    assert words in str(fault.value) and "\n" not in str(fault.value)


def test_shipped_files_say_what_they_are() -> None:
    """Each is of the experiment that it is named after."""
    for name in ("o-ring", "snap-beam", "snap-plate"):
        experiment = load_mating(name)
        assert isinstance(experiment, ORingExperiment | SnapExperiment) and experiment.experiment == name
