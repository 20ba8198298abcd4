"""`zerog mate`: files, page, sweeps, and wrong words."""

import csv
import json
import re
from pathlib import Path

import pytest

from hil.commands.cli import main
from hil.commands.mating_tables import print_sweep
from hil.common.errors import ConfigurationError, ExperimentError
from hil.trials.mating.loading import SHIPPED
from hil.trials.mating.result import MatingResult
from hil.trials.mating.sweep import Sweep, collected, jobs_of, parsed, refuse_wrong, run_job
from tests.hil.trials.mating.test_machine import run


def mate(*words: object) -> int:
    return main(["mate", *map(str, words)])


def test_one_experiment_with_all_its_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Table, statements, courses, features, a page that needs no other file, pictures."""
    out, figures = tmp_path / "ring", tmp_path / "ring.json"
    assert mate("o-ring", "--out", out, "--json", figures, "--set", "sample_mm=0.1") == 0
    printed = capsys.readouterr().out
    assert "peak_over_plateau" in printed and "so here" in printed
    told = json.loads(figures.read_text(encoding="utf-8"))
    assert told["peak_n"] == pytest.approx(110.3, abs=0.5)
    assert {path.name for path in out.iterdir()} == {
        "series.csv", "features.json", "report.html", "force.png", "courses.png", "strip.png",
    }  # fmt: skip
    html = (out / "report.html").read_text(encoding="utf-8")
    assert html.count("data:image/png;base64") == 3 and "so here" in html and "sample_mm=0.1" in html
    assert not re.search(r'(src|href)="(?!data:|#)', html)
    assert mate("o-ring", "--out", out) == 2, "nothing is overwritten"


def test_a_statement_that_does_not_hold_is_crossed(tmp_path: Path) -> None:
    """Status 0 where all statements hold, else 1."""
    assert mate("snap-beam", "--set", "rule=whole", "--set", "sample_mm=0.05") == 0
    assert mate("o-ring", "--set", "mu=1.2", "--set", "sample_mm=0.1") in (0, 1)


def test_a_sweep_is_what_single_runs_are(tmp_path: Path) -> None:
    """Curves by one key, a map by two; rows in order, whoever answers first."""
    ranges = [parsed("mu=0.1:0.3:2"), parsed("eccentricity_mm=0:0.05:2")]
    jobs = jobs_of("o-ring", ["sample_mm=0.2"], ranges)
    told: list[None] = []
    sweep = collected(ranges, [run_job(job) for job in reversed(jobs)], lambda: told.append(None))
    rows = sweep.rows()
    assert len(told) == 4 and [(row["mu"], row["eccentricity_mm"]) for row in rows] == [
        (0.1, 0.0), (0.1, 0.05), (0.3, 0.0), (0.3, 0.05),
    ]  # fmt: skip
    single = run("o-ring", "sample_mm=0.2", "mu=0.3", "eccentricity_mm=0.05")
    assert rows[3]["peak_n"] == single.features["peak_n"]


def test_a_sweep_on_several_cores_writes_table_and_picture(tmp_path: Path) -> None:
    """From the shell, in processes of its own."""
    out, figures = tmp_path / "family", tmp_path / "family.json"
    words = [
        "--sweep",
        "mu=0.1:0.3:3",
        "--set",
        "sample_mm=0.2",
        "--jobs",
        2,
        "--out",
        out,
        "--json",
        figures,
    ]
    assert mate("snap-beam", *words) == 0
    rows = list(csv.DictReader((out / "sweep.csv").open(encoding="utf-8")))
    assert [float(row["mu"]) for row in rows] == pytest.approx([0.1, 0.2, 0.3])
    assert rows[0]["phases"].split() == ["ramp1", "corner1", "corner2", "ramp2", "free"]
    assert (out / "curves.png").stat().st_size > 10_000
    assert len(json.loads(figures.read_text(encoding="utf-8"))["points"]) == 3


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["tango"], "there is no mating experiment 'tango'"),
        (["o-ring", "--set", "mu=-1.0"], "o_ring.mu = -1.0 must be at least 0"),
        (["o-ring", "--sweep", "mu=0.1"], "must read KEY=FROM:TO:N"),
        (["o-ring", "--sweep", "mu=0.1:nan:3"], "must read KEY=FROM:TO:N"),
        (["o-ring", "--sweep", "mu=0.1:0.3:1"], "N = 1 must be at least 2"),
        (["o-ring", "--sweep", "mu=0.1:0.3:3", "--sweep", "mu=0.1:0.3:3"], "one key, or two different ones"),
        (["o-ring", "--sweep", "mu=0:1:1000", "--sweep", "hole_mm=25:26:1000"], "more than 100000"),
        (["o-ring", "--sweep", "mu=0:1:100000000000"], "at most 100000"),
        (["o-ring", "--sweep", "mu=0:1:100000", "--sweep", "hole_mm=25:26:100000"], "more than 100000"),
        (["snap-beam", "--sweep", "halves=1:2:3"], "snap.halves = 1.5"),
        (["o-ring", "--sweep", "nokey=0:1:3"], "--set nokey: o-ring has no such key"),
        (["o-ring", "--sweep", "mu=0.1:0.1:3"], "FROM and TO are the same"),
        (["o-ring", "--sweep", "mu=-1e308:1e308:3"], "must read KEY=FROM:TO:N"),
        (["o-ring", "--sweep", "mu=0.1:0.2:2", "--sweep", "o_ring.mu=0.1:0.3:2"], "o_ring.mu has two values"),
        (["o-ring", "--sweep", "mu=0.1:0.2:2", "--set", "mu=0.3"], "o_ring.mu has two values"),
        (["o-ring", "--json", "."], "it is a folder; name a file"),
        (["o-ring", "--jobs", "2"], "are for a --sweep"),
        (["o-ring", "--json", "nowhere/out.json"], "there is no folder nowhere"),
    ],
)
def test_wrong_words_are_told_in_a_line(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Status 2, one line, no traceback."""
    assert mate(*words) == 2
    shown = capsys.readouterr().err
    assert said in shown and "Traceback" not in shown


def test_what_breaks_off_leaves_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault in the middle, no cluster, Ctrl-C: the folder that was made goes again, an older one stays."""
    out, older = tmp_path / "out", tmp_path / "older"
    older.mkdir()
    words = [
        "o-ring",
        "--set",
        "sample_mm=0.5",
        "--sweep",
        "mu=0.1:0.2:2",
        "--scheduler",
        "tcp://127.0.0.1:x",
    ]
    assert mate(*words, "--out", out) == 2 and not out.exists()
    assert mate(*words, "--out", older) == 2 and older.is_dir()

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("hil.trials.mating.running.run_experiment", interrupted)
    assert mate("o-ring", "--out", out) == 130 and not out.exists()


def test_odd_names_and_points_that_are_held(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Brackets in a path are no markup; a sweep says where friction holds, in table and file."""
    folder, figures = tmp_path / "a[", tmp_path / "held.json"
    folder.mkdir()
    file = folder / "b] <x>.toml"
    (folder / "red]").mkdir()
    odd = folder / "red]" / "[" / "b].toml"
    odd.parent.mkdir()
    text = (SHIPPED / "o_ring.toml").read_text(encoding="utf-8")
    for path in (file, odd):
        path.write_text(text, encoding="utf-8")
    words = ["--set", "sample_mm=0.5", "--sweep", "mu=0.3:1.2:2", "--jobs", 1, "--json", figures]
    assert mate(odd, *words) == 0
    assert "at 1 of 2 points" in " ".join(capsys.readouterr().out.split())
    points = json.loads(figures.read_text(encoding="utf-8"))["points"]
    assert not points[0]["warnings"] and "friction holds" in points[1]["warnings"][0]
    assert mate(file, "--set", "sample_mm=0.5", "--out", tmp_path / "page") == 0
    assert "<x>" not in (tmp_path / "page" / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("wide", [20, 60, 400])
def test_a_sweeps_table_fits_its_terminal(
    wide: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What was swept and at least one feature, whole; those that are left out are counted."""
    monkeypatch.setenv("COLUMNS", str(wide))
    ranges = [parsed("mu=0.123456:0.2:2")]
    features = {f"feature_number_{k}": 1.5 for k in range(8)} | {
        "peak_n": 34.5,
        "none": None,
        "phases": ["a"],
    }
    result = MatingResult("o-ring", {}, [], features, [])
    print_sweep(Sweep(ranges, [result, result]))
    printed = capsys.readouterr().out
    shown = [name for name in features if name in printed]
    assert {20: 1, 60: 3, 400: 9}[wide] == len(shown) and "peak_n" in shown and "mu" in printed
    assert (f"{9 - len(shown)} more features" in " ".join(printed.split())) == (wide < 400)


def test_a_stopped_run_is_no_success(monkeypatch: pytest.MonkeyPatch) -> None:
    """Status 1, whatever the statements say."""
    result = MatingResult("o-ring", {}, [], {}, [], stopped="it has diverged")
    monkeypatch.setattr("hil.trials.mating.running.run_experiment", lambda *_: result)
    assert mate("o-ring") == 1


def test_what_is_no_range_is_refused() -> None:
    """Also where numbers are none."""
    for text in ("mu", "mu=a:b:c", "=1:2:3", "mu=1:2:2.5"):
        with pytest.raises(ExperimentError, match="KEY=FROM:TO:N"):
            parsed(text)


def test_every_point_is_read_before_the_first_is_run() -> None:
    """A half of a half is no number of halves: said of the list of experiments, without running any."""
    with pytest.raises(ConfigurationError, match=r"halves = 1\.5"):
        refuse_wrong(jobs_of("snap-beam", [], [parsed("halves=1:2:3")]))
