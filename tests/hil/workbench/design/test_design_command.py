"""`zerog design`: what it writes, that it goes on where it was broken off, that no crew changes anything."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hil.commands.cli import main
from hil.workbench.design.judgement import arm_text
from hil.workbench.design.judging import Job, judge_all
from hil.workbench.design.output import Output
from hil.workbench.design.result import result_of
from hil.workbench.design.search import run_search
from hil.workbench.design.study import Study, load_study
from sim.assembly.assembly_file import load_assembly
from sim.assembly.chain import Chain
from sim.assembly.database import load_database
from sim.assembly.manipulator import manipulator_of
from tests.documents import ROOT
from tests.hil.workbench.design.planar_arms import written

TASK = """
name = "planar"
seed = 4
poses = [
    {name = "near", position_mm = [300.0, 0.0, 310.0], free = "all"},
    {name = "far", position_mm = [500.0, 0.0, 310.0], free = "all"},
]
payload = {mass_kg = 1.0}
limits = {joints_min = 2, joints_max = 2}
space = {folder = "components", components = ["base", "hinge", "link-*"], turns_deg = [0.0]}
"""


@pytest.fixture
def task(tmp_path: Path) -> Path:
    """The file of a small task, its components beside it."""
    written(tmp_path / "components")
    path = tmp_path / "planar.toml"
    path.write_text(TASK, encoding="utf-8")
    return path


def searched(study: Study, folder: Path) -> Output:
    """A folder with all of a study's results, judged here."""
    output = Output(folder, study)
    run_search(study, output, lambda jobs: map(judge_all, jobs), lambda _: None)
    output.close()
    return output


def test_the_command_leaves_results_picture_and_assemblies(task: Path, tmp_path: Path, capsys) -> None:
    """Every candidate has a row; the best are assemblies that weigh what the row says; so does the JSON."""
    out, said = tmp_path / "out", tmp_path / "out.json"
    assert main(["design", str(task), "--out", str(out), "--jobs", "1", "--json", str(said)]) == 0
    rows = list(csv.DictReader((out / "results.csv").open(encoding="utf-8")))
    assert [int(row["candidate"]) for row in rows] == list(range(1, 65))
    result = json.loads(said.read_text(encoding="utf-8"))
    good = [row for row in rows if row["verdict"] == "good"]
    assert result["good"] == len(good) == result["verdicts"]["good"] and result["judged"] == 64
    assert (out / "pareto.png").read_bytes().startswith(b"\x89PNG")
    assert len(list((out / "best").glob("*.toml"))) == len(result["best"]) == min(10, len(good))
    database = load_database(task.parent / "components")
    for best in result["best"]:
        arm = load_assembly(Path(best["file"]), database)
        assert [p.component.name for p in arm] == best["arm"].split(" | ")
        assert manipulator_of(arm).mass == pytest.approx(best["mass_kg"])
    assert [b["cost"] for b in result["best"]] == sorted(b["cost"] for b in result["best"])
    assert f"results: {out / 'results.csv'}" in capsys.readouterr().out


def test_other_crews_and_an_interruption_change_nothing(task: Path, tmp_path: Path) -> None:
    """Two processes, and a run that was broken off in the middle of a line: the same table, byte for byte."""
    study = load_study(task)
    whole = (searched(study, tmp_path / "whole").folder / "results.csv").read_bytes()
    assert main(["design", str(task), "--out", str(tmp_path / "two"), "--jobs", "2"]) == 0
    assert (tmp_path / "two" / "results.csv").read_bytes() == whole
    torn = tmp_path / "torn"
    output = Output(torn, study)
    output.take(judge_all(Job(study.task, study.components, tuple(study.candidates[20:40]))))
    output.close()
    with (torn / "results.csv").open("a", encoding="utf-8") as file:
        file.write("41,good,2,9.0")
    again = Output(torn, study)
    assert sorted(again.judgements) == list(range(21, 41)) and len(again.left) == 44
    again.take(judge_all(Job(study.task, study.components, tuple(study.candidates[40:43]))))
    again.close()
    once_more = Output(torn, study)  # broken off again, between two lines
    assert sorted(once_more.judgements) == list(range(21, 44))
    once_more.close()
    assert (searched(study, torn).folder / "results.csv").read_bytes() == whole


def test_ctrl_c_says_how_to_go_on(task: Path, tmp_path: Path) -> None:
    """What was judged stays, the command that is printed goes on with it."""
    task.write_text(TASK.replace("joints_max = 2", "joints_max = 5"), encoding="utf-8")
    out = tmp_path / "out"
    words = [sys.executable, "-m", "hil", "design", str(task), "--out", str(out), "--jobs", "1"]
    child = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=dict(os.environ))
    deadline = time.monotonic() + 120.0
    results = out / "results.csv"
    while time.monotonic() < deadline and not (results.is_file() and len(results.read_bytes()) > 400):
        time.sleep(0.05)
    child.send_signal(signal.SIGINT)
    said, _ = child.communicate(timeout=60.0)
    assert child.returncode == 130
    assert f"go on with `zerog design {task} --out {out}`" in said
    study = load_study(task)
    output = Output(out, study)
    assert 0 < len(output.judgements) < len(study.candidates)
    output.close()


def test_a_cluster_gives_the_same_table(task: Path, tmp_path: Path) -> None:
    """A Dask worker instead of processes of our own."""
    distributed = pytest.importorskip("distributed")
    whole = (searched(load_study(task), tmp_path / "whole").folder / "results.csv").read_bytes()
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None, host="127.0.0.1",
        protocol="tcp://",
    ) as cluster:  # fmt: skip
        words = ["design", str(task), "--out", str(tmp_path / "dask")]
        assert main([*words, "--scheduler", cluster.scheduler_address]) == 0
    assert (tmp_path / "dask" / "results.csv").read_bytes() == whole


def test_a_seed_of_the_command_line_draws_another_lot(task: Path) -> None:
    """The file's seed unless another is given; the same one draws the same."""
    task.write_text(TASK.replace("turns_deg", "candidates = 20, turns_deg"), encoding="utf-8")
    usual, same, other = load_study(task), load_study(task, 4), load_study(task, 5)
    assert usual.candidates == same.candidates != other.candidates and len(usual.candidates) == 20


def test_no_arm_is_a_verdict_too(task: Path, tmp_path: Path, capsys) -> None:
    """Status 1, the verdicts say why, and there is a table of all candidates but no picture."""
    task.write_text(TASK.replace("[500.0", "[5000.0"), encoding="utf-8")
    assert main(["design", str(task), "--out", str(tmp_path / "out"), "--jobs", "1"]) == 1
    said = capsys.readouterr().out
    assert "far out of reach" in said and "no candidate does the task" in said
    assert not (tmp_path / "out" / "pareto.png").exists()


REFUSED = [
    ('name = "planar"', "name = 5", "name = 5"),
    ("seed = 4", "sed = 4", "sed is unknown; did you mean seed?"),
    ("mass_kg = 1.0", "mass_kg = -1.0", "payload.mass_kg = -1.0 must be at least 0"),
    ("{mass_kg = 1.0}", "{inertia_kg_m2 = [1.0, 0, 0, 0, 0, 0]}", "payload.inertia_kg_m2"),
    ("joints_max = 2", "joints_max = 1", "limits.joints_min = 2 must be at most joints_max = 1"),
    ('name = "far"', 'name = "near"', "poses: 2 of them have the name 'near'"),
    ("position_mm = [500.0, 0.0, 310.0]", "position_mm = [500.0, 0.0]", "poses[1].position_mm has 2 values"),
    ('free = "all"},\n]', 'free = "some"},\n]', "poses[1].free = 'some' must be one of"),
    ("turns_deg = [0.0]", "turns_deg = []", "space.turns_deg is empty"),
    ('folder = "components"', 'folder = "nowhere"', "there is no such folder of components"),
    ('"link-*"', '"lynx-*"', "space.components: 'lynx-*' is none of the 7 components"),
    ('"base", ', "", "space: has no base among its 4 components"),
    ('"hinge", ', "", "space: no arm of 2 to 2 joints can be put together from base, link-a"),
    ("payload", "weights = {mass = 0, torque = 0, manipulability = 0, power = 0, base_moment = 0}\npayload",
     "weights: all are 0"),
    ("]\npayload", "payload", "planar.toml"),
]  # fmt: skip


@pytest.mark.parametrize(("then", "now", "words"), REFUSED, ids=[words for _, _, words in REFUSED])
def test_bad_tasks_are_refused_in_one_line(
    task: Path, tmp_path: Path, capsys, then: str, now: str, words: str
) -> None:
    """File, key, value and remedy; status 2, no folder."""
    assert then in TASK
    task.write_text(TASK.replace(then, now), encoding="utf-8")
    assert main(["design", str(task), "--out", str(tmp_path / "out")]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert words in line and str(task) in line
    assert not (tmp_path / "out").exists()


def test_a_result_that_cannot_be_written_is_told_before_the_search(
    task: Path, tmp_path: Path, capsys
) -> None:
    """Not behind it: one line, status 2, no folder."""
    command = ["design", str(task), "--out", str(tmp_path / "out"), "--json"]
    assert main([*command, str(tmp_path)]) == 2
    assert "cannot be written: it is a folder" in capsys.readouterr().err
    assert main([*command, str(tmp_path / "none" / "out.json")]) == 2
    assert "cannot be written: there is no folder" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_folders_of_others_are_left_alone(task: Path, tmp_path: Path, capsys) -> None:
    """Something else's folder, another seed's, one at work, one whose table is broken: a line each."""
    out = tmp_path / "out"
    words = ["design", str(task), "--out", str(out), "--jobs", "1"]

    def line() -> str:
        (only,) = capsys.readouterr().err.splitlines()
        return only

    assert main(["design", str(task), "--out", str(task.parent)]) == 2
    assert "is not empty and no folder of a search" in line()
    output = Output(out, load_study(task))
    assert main(words) == 2
    assert "another zerog design is at work in it" in line()
    output.close()
    assert main([*words, "--seed", "9"]) == 2
    assert "was begun with seed 4" in line()
    (out / "results.csv").write_text("candidate,colour\n1,red\n", encoding="utf-8")
    assert main(words) == 2
    assert "results.csv cannot be read" in line()
    (out / "search.json").write_text("{", encoding="utf-8")
    assert main(words) == 2
    assert "search.json cannot be read" in line()
    assert main([*words, "--scheduler", "tcp://127.0.0.1:1"]) == 2
    assert "--jobs and --scheduler contradict each other" in line()
    assert main(["design", str(task), "--scheduler", "tcp://10.0.0.1:8786"]) == 2
    assert "is refused" in line()
    assert main([*words, "--json", str(tmp_path / "no" / "x.json")]) == 2
    assert "x.json cannot be written: there is no folder" in line()


def test_the_light_weight_arm_is_found_again(tmp_path: Path) -> None:
    """Of all arms of seven joints without turns from its own kind of parts, it is among the ten best."""
    study = load_study(ROOT / "configs/design/lwr.toml")
    limits = study.task.limits.model_copy(update={"joints_min": 7})
    parts = tuple(c for c in study.parts if c.name != "link-straight-m")
    space = study.task.space.model_copy(update={"turns_deg": (0.0,)})
    task = study.task.model_copy(update={"limits": limits, "space": space})
    smaller = Study(task, study.path, study.text, parts, study.drives, study.seed)
    result = result_of(smaller, searched(smaller, tmp_path / "lwr"))
    known = load_assembly(ROOT / "configs/assemblies/lwr4.toml", load_database())
    best = [j for j in result.best if [p.component for p in j.arm] == [p.component.name for p in known]]
    assert len(best) == 1, [arm_text(j.arm) for j in result.best]
    _same_mechanism(known, best[0].figures)


def _same_mechanism(known: Chain, figures: dict[str, float]) -> None:
    assert manipulator_of(known).mass == pytest.approx(figures["mass_kg"])
