"""What `zerog experiment` refuses: one clear line, status 2, and nothing that was there is touched."""

import json
from pathlib import Path

import pytest

from hil.commands.cli import main
from hil.trials.experiment.expansion import load_experiment
from hil.trials.experiment.fast_trial import FastJob, run_fast
from hil.trials.experiment.output import Output
from hil.trials.experiment.trial_folder import FAST
from tests.hil.trials.experiment.plans import HEAD, written

OPERATOR = '[[trial]]\nname = "hand"\noperator = {pushes = 1}\n'


def refused(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    """The line with which a command is refused."""
    assert main(["experiment", *map(str, words)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    return line


def test_a_folder_that_is_not_empty(tmp_path: Path, capsys) -> None:
    """Refused without --resume; with it, if it is no campaign's; what is in it stays."""
    out = tmp_path / "out"
    out.mkdir()
    (out / "mine.txt").write_text("mine")
    plan = written(tmp_path)
    assert refused(capsys, plan, "--fast", "--out", out) == (
        f"zerog: {out} is not empty: give another folder, or --resume to go on with what is in it"
    )
    assert refused(capsys, plan, "--fast", "--out", out, "--resume") == (
        f"zerog: {out} has no plan.toml: there is nothing to resume"
    )
    assert [p.name for p in out.iterdir()] == ["mine.txt"]
    assert refused(capsys, plan, "--fast", "--out", out / "mine.txt").endswith(
        "cannot be written: it is no folder; name another one"
    )


def begun(tmp_path: Path) -> tuple[Path, Path]:
    """A campaign with its first trial done, and its plan."""
    plan, out = written(tmp_path), tmp_path / "out"
    loaded = load_experiment(plan)
    (out / "trials").mkdir(parents=True)
    (out / "plan.toml").write_text(loaded.text)
    run_fast(FastJob(loaded.tasks[0], loaded.base, out / "trials"))
    return plan, out


def test_another_plan_another_base_another_way(tmp_path: Path, capsys) -> None:
    """--resume accepts only what it can go on with; the line says what differs."""
    plan, out = begun(tmp_path)
    trial = out / "trials" / "001-push"
    assert refused(capsys, plan, "--out", out, "--resume") == (
        f"zerog: {trial} was run fast: resume in the same way"
    )
    account = json.loads((trial / "trial.json").read_text())
    account["configuration"]["object.mass"] = "31"
    (trial / "trial.json").write_text(json.dumps(account))
    assert refused(capsys, plan, "--fast", "--out", out, "--resume") == (
        f"zerog: {trial} was run with object.mass = 31, now it is 30: the base configuration has changed; "
        "give another folder"
    )
    (trial / "trial.json").write_text("{")
    assert refused(capsys, plan, "--fast", "--out", out, "--resume").endswith(
        "delete the folder, and its trial is run again"
    )
    plan.write_text(plan.read_text() + "\n# later\n")
    assert refused(capsys, plan, "--fast", "--out", out, "--resume") == (
        f"zerog: {plan} is not the plan that {out} was begun with ({out / 'plan.toml'}): resume with that "
        "one, or give another folder"
    )


def test_two_campaigns_in_one_folder(tmp_path: Path, capsys) -> None:
    """While one is at work in a folder, another is refused there; afterwards it is not."""
    plan, out = begun(tmp_path)
    output = Output(out, load_experiment(plan), FAST, resume=True)
    assert refused(capsys, plan, "--fast", "--out", out, "--resume") == (
        f"zerog: {out}: another zerog experiment is at work in it"
    )
    output.close()
    assert main(["experiment", str(plan), "--fast", "--out", str(out), "--resume"]) == 0
    missing = tmp_path / "missing"
    assert refused(capsys, plan, "--fast", "--out", missing, "--resume") == (
        f"zerog: {missing} has no plan.toml: there is nothing to resume"
    )


def test_a_person_cannot_push_on_virtual_time(tmp_path: Path, capsys) -> None:
    """A plan that waits for a person is refused with --fast, before anything is made."""
    plan, out = written(tmp_path, OPERATOR), tmp_path / "out"
    assert refused(capsys, plan, "--fast", "--out", out) == (
        f"zerog: {plan}: 001-hand waits for a person, and on virtual time nobody can push: run the plan "
        "without --fast"
    )
    assert not out.exists()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--jobs", "2"), "--jobs needs --fast: live trials run one after the other on this machine"),
        (
            ("--scheduler", "tcp://127.0.0.1:1"),
            "--scheduler needs --fast: live trials run one after the other",
        ),
        (("--fast", "--jobs", "2", "--scheduler", "tcp://127.0.0.1:1"), "--jobs and --scheduler contradict"),
        (("--resume",), "--resume needs --out DIR"),
    ],
)
def test_options_that_contradict_each_other(
    tmp_path: Path, capsys, words: tuple[str, ...], says: str
) -> None:
    """Said before the plan is run."""
    assert refused(capsys, written(tmp_path), *words).startswith(f"zerog: {says}")


def test_a_plan_with_faults_makes_no_folder(tmp_path: Path, capsys) -> None:
    """Every fault in one report, status 2."""
    plan = written(tmp_path, '[[trial]]\nname = "a"\nx = 1\n', HEAD + "y = 2\n")
    assert main(["experiment", str(plan), "--fast", "--out", str(tmp_path / "out")]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 2
    assert not (tmp_path / "out").exists()
