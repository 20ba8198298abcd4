"""The report of an experiment's folder: what is there is shown, what is not is named."""

import csv
import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from hil.commands.cli import main
from hil.trials.experiment.report.folder import Trial, number, read_folder
from hil.trials.experiment.report.sweep_pictures import RESULTS, _points, draw_sweeps
from hil.trials.experiment.report.trial_table import overview_of
from tests.hil.analysis.report.test_report_page import Page

HEADS = ("trial", "name", "repeat", "seed", "mode", "status", "problem", "duration_s", "object.mass_kg",
         "emulator.delay_ms", "pushes", "impulse_error_median", "reaction_median_ms", "restitution_median",
         "holds")  # fmt: skip
ROWS = (
    (
        "001-mass",
        "mass",
        "1",
        "1",
        "fast",
        "done",
        "",
        "5.0",
        "20.0",
        "0.0",
        "2",
        "0.02",
        "9",
        "1",
        "0",
    ),
    (
        "002-mass",
        "mass",
        "1",
        "1",
        "fast",
        "done",
        "",
        "5.0",
        "60.0",
        "10.0",
        "2",
        "0.03",
        "23",
        "",
        "0",
    ),
    ("003-mass", "mass", "1", "1", "fast", "failed", "no disk", "", "90.0", "20.0", "", "", "", "", ""),
)


PUSH_HEADS = ("trial", "push", "impulse_error", "reaction_ms")
PUSH_ROWS = (
    *(("001-mass", "1", "0.01", "8"), ("001-mass", "2", "0.03", "10")),
    *(("002-mass", "1", "0.02", "20"), ("002-mass", "2", "", ""), ("002-mass", "3", "0.04", "26")),
)


@pytest.fixture
def folder(both, tmp_path) -> Path:
    """An experiment of three trials: two are the same run, the third one failed and has no folder."""
    path = tmp_path / "experiment"
    (path / "trials").mkdir(parents=True)
    (path / "plan.toml").write_text(
        'name = "masses"\nabout = "Over the mass."\nbase = "x.toml"\n', encoding="utf-8"
    )
    with open(path / "results.csv", "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([HEADS, *ROWS])
    with open(path / "pushes.csv", "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([PUSH_HEADS, *PUSH_ROWS])
    for name in ("001-mass", "002-mass"):
        (path / "trials" / name).mkdir()
        shutil.copy(both.path, path / "trials" / name / "run.mcap")
        account = {"settings": [f"object.mass_kg = {name}"], "version": "1"}
        (path / "trials" / name / "trial.json").write_text(json.dumps(account), encoding="utf-8")
    (path / "trials" / ".003-mass-1234").mkdir()  # one that is being made
    return path


def reported(folder: Path, *more: str) -> tuple[int, Page]:
    target = folder.parent / "report.html"
    status = main(["report", str(folder), "-o", str(target), *more])
    return status, Page(target.read_text(encoding="utf-8"))


def test_trials_are_pooled_and_what_is_missing_is_named(folder) -> None:
    """Twice the values of one run; two equal runs are determinism; the third trial is named at the top."""
    status, page = reported(folder)
    text = page.text
    assert page.faults == [] and "Report of the experiment masses" in text and "Over the mass." in text
    assert "0 of 1 differ" in text
    assert text.index("trial 003-mass is in results.csv but has no folder") < text.index("What was run")
    assert "3, of which 2 can be read" in text and "not read" in text
    links = {value for value in page.values("href") if value.startswith("#")}
    assert links == {"#trial-001-mass", "#trial-002-mass"} and {link[1:] for link in links} <= set(
        page.values("id")
    )
    recordings = [value for value in page.values("href") if value.endswith(".mcap")]
    assert recordings == [f"experiment/trials/00{n}-mass/run.mcap" for n in (1, 2)]
    assert all((folder.parent / link).is_file() for link in recordings)
    assert status == 1 and "2 of 2 trials fail on their own" in text and text.count("✗ FAIL") >= 3


def test_runs_that_should_be_the_same_and_are_not_fail(folder, both) -> None:
    """A cut copy has another digest: determinism fails, and the status says so."""
    data = both.path.read_bytes()
    (folder / "trials" / "002-mass" / "run.mcap").write_bytes(data[: len(data) * 7 // 10])
    status, page = reported(folder)
    assert status == 1 and "1 of 1 differ" in page.text and "broken off" in page.text


def test_a_trial_that_cannot_be_read_is_named_and_the_rest_is_reported(folder) -> None:
    """A foreign file in place of a recording; a trial without its recording; no plan."""
    (folder / "trials" / "002-mass" / "run.mcap").write_text("foreign", encoding="utf-8")
    (folder / "plan.toml").unlink()
    _, page = reported(folder)
    assert "trial 002-mass cannot be read" in page.text and "plan.toml cannot be read" in page.text
    (folder / "trials" / "002-mass" / "run.mcap").unlink()
    _, page = reported(folder)
    assert "trial 002-mass has no run.mcap" in page.text


def test_an_experiment_without_a_readable_trial_is_one_clear_line(folder, capsys) -> None:
    """Status 2."""
    for name in ("001-mass", "002-mass"):
        (folder / "trials" / name / "run.mcap").write_text("foreign", encoding="utf-8")
    assert main(["report", str(folder), "-o", str(folder.parent / "r.html")]) == 2
    error = capsys.readouterr().err
    assert "has no trial that can be read: trial 001-mass cannot be read" in error and error.count("\n") == 1


def test_the_overview_has_medians_and_what_was_swept(folder) -> None:
    """Numbers as numbers, of texts the text, a dash for nothing; columns that are not there are left out."""
    found = overview_of(read_folder(folder), {})
    assert found.heads == ["object.mass_kg", "emulator.delay_ms", "status", "pushes", "impulse error [%]",
                           "reaction [ms]", "restitution", "holds"]  # fmt: skip
    assert [row.trial for row in found.rows] == ["001-mass", "002-mass", "003-mass"]
    assert found.rows[0].cells == ["20", "0", "done", "2", "2", "9", "1", "0"]
    assert found.rows[1].cells == ["60", "10", "done", "2", "3", "23", "–", "0"]
    assert found.rows[2].cells == ["90", "20", "failed", "–", "–", "–", "–", "–"]


def test_a_sweep_is_drawn_once_and_over_its_values(folder) -> None:
    """Keys that vary together have one picture, which says so; one dot a push over the key's value."""
    trials = read_folder(folder).trials
    (picture,) = draw_sweeps(["object.mass_kg", "emulator.delay_ms"], trials)
    assert picture.name == "sweep-object-mass_kg" and "emulator.delay_ms varies with it" in picture.caption
    reaction = next(result for result in RESULTS if result.column == "reaction_ms")
    assert _points(reaction, "object.mass_kg", trials) == {20.0: [8.0, 10.0], 60.0: [20.0, 26.0]}
    error = next(result for result in RESULTS if result.column == "impulse_error")
    np.testing.assert_allclose(_points(error, "object.mass_kg", trials)[20.0], [1.0, 3.0])
    crossed = [
        Trial(str(k), None, {"a.x": str(k % 2), "a.y": str(k // 2), "holds": "0"}, {}) for k in range(4)
    ]
    assert [item.name for item in draw_sweeps(["a.x", "a.y"], crossed)] == ["sweep-a-x", "sweep-a-y"]
    words = [Trial("1", None, {"a.x": "fixed", "holds": "0"}, {})]
    assert draw_sweeps(["a.x"], words) == []


@pytest.mark.parametrize(
    ("cell", "found"),
    [(None, None), ("", None), ("1.5", 1.5), ("1;;3", None), ("done", None), ("nan", None), ("inf", None)],
)
def test_cells_are_numbers_or_nothing(cell, found) -> None:
    """As the results have them."""
    assert number(cell) == found
