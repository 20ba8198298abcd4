"""Campaigns in lock-step: complete folders, resumed after a kill, the same from the same seeds."""

import json
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from hil.commands.cli import main
from hil.common.errors import SimulationError
from hil.recording.reading import summary_of
from hil.trials.experiment import fast_trial
from hil.trials.experiment.expansion import load_experiment
from hil.trials.experiment.fast_trial import FastJob, run_fast
from tests.hil.trials.experiment.plans import ROOT, results, written

PATIENCE_S = 120.0


@pytest.fixture(scope="module", autouse=True)
def one_date() -> Iterator[None]:
    """All recordings say that they were made at the same time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOURCE_DATE_EPOCH", "86400")
        yield


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a campaign of five trials that nothing happened to; its plan is beside it."""
    folder = tmp_path_factory.mktemp("campaign")
    assert main(["experiment", str(written(folder)), "--fast", "--out", str(folder / "out")]) == 0
    return folder


def until(condition) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_each_trial_leaves_a_recording_an_account_and_a_row(undisturbed: Path) -> None:
    """Five trials in the plan's order; recordings are whole; nothing unfinished lies about."""
    out = undisturbed / "out"
    rows = results(out)
    names = ["001-push", "002-push", "003-push", "004-push", "005-nobody"]
    assert [row["trial"] for row in rows] == names == sorted(p.name for p in (out / "trials").iterdir())
    assert [row["object.mass_kg"] for row in rows] == ["30.0", "30.0", "60.0", "60.0", "60.0"]
    assert [row["seed"] for row in rows] == ["1", "2", "1", "2", "1"]
    assert [row["pushes"] for row in rows] == ["1", "1", "1", "1", "0"]
    assert {row["status"] for row in rows} == {"done"}
    assert all(summary_of(out / "trials" / name / "run.mcap").whole for name in names)
    assert (out / "plan.toml").read_text() == (undisturbed / "short.toml").read_text()
    account = json.loads((out / "trials" / "001-push" / "trial.json").read_text())
    assert account["configuration"]["object.mass"] == "30" and account["figures"]["impulses"]["true"] == 1


def test_true_impulse_and_velocity_are_those_of_the_half_sine(undisturbed: Path) -> None:
    """2 T F / pi is the impulse; over the mass it is the ideal body's change of velocity."""
    masses = {row["trial"]: float(row["object.mass_kg"]) for row in results(undisturbed / "out")}
    rows = results(undisturbed / "out", "pushes")
    assert [(row["trial"], row["push"]) for row in rows] == [(f"00{k}-push", "1") for k in range(1, 5)]
    for row in rows:
        impulse = 2.0 * 0.06 * 12.0 / 3.141592653589793
        assert float(row["impulse_true_x_n_s"]) == pytest.approx(impulse, rel=1e-6)
        change = float(row["velocity_after_ideal_x_mm_s"]) - float(row["velocity_before_ideal_x_mm_s"])
        assert change == pytest.approx(1e3 * impulse / masses[row["trial"]], rel=5e-3)


def test_a_trial_run_again_is_the_same_to_the_byte(undisturbed: Path, tmp_path: Path) -> None:
    """By another process, from its seed: the recording's bytes and the row."""
    loaded = load_experiment(undisturbed / "short.toml")
    name = run_fast(FastJob(loaded.tasks[1], loaded.base, tmp_path))
    before, again = undisturbed / "out" / "trials" / name, tmp_path / name
    assert (before / "run.mcap").read_bytes() == (again / "run.mcap").read_bytes()
    rows = [json.loads((folder / "trial.json").read_text())["row"] for folder in (before, again)]
    assert [rows[0].pop("wall_time_s") is None, rows[1].pop("wall_time_s") is None] == [False, False]
    assert rows[0] == rows[1]
    errors = "impulse_error_median"
    assert rows[0][errors] != float(results(undisturbed / "out")[0][errors])  # another seed


def test_a_campaign_that_is_killed_goes_on_to_the_same_results(undisturbed: Path, tmp_path: Path) -> None:
    """SIGKILL after the first trial: its workers end, and --resume gives an undisturbed campaign's table."""
    out = tmp_path / "out"
    plan = str(undisturbed / "short.toml")
    command = [sys.executable, "-m", "hil", "experiment", plan, "--fast", "--jobs", "1", "--out", str(out)]
    campaign = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
    until(lambda: (out / "results.csv").exists())
    children = Path(f"/proc/{campaign.pid}/task/{campaign.pid}/children").read_text().split()
    campaign.kill()
    campaign.wait()
    until(lambda: not any(running(pid) for pid in children))
    done = len(results(out))
    assert 1 <= done < 5
    kept = {p.name: p.stat().st_ino for p in (out / "trials").iterdir() if not p.name.startswith(".")}
    assert main([*command[3:], "--resume"]) == 0
    for table in ("results", "pushes", "bounces"):
        assert results(out, table) == results(undisturbed / "out", table)
    names = {p.name: p.stat().st_ino for p in (out / "trials").iterdir()}
    assert kept.items() <= names.items() and len(names) == 5  # what was done is not run again


def running(pid: str) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def test_ctrl_c_ends_at_once_and_says_how_to_go_on(undisturbed: Path, tmp_path: Path) -> None:
    """SIGINT to the command alone: status 130, the command that goes on, no process left."""
    out = tmp_path / "out"
    command = [sys.executable, "-m", "hil", "experiment", str(undisturbed / "short.toml"), "--fast"]
    campaign = subprocess.Popen(
        [*command, "--jobs", "1", "--out", str(out)],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    until(lambda: (out / "results.csv").exists())
    children = Path(f"/proc/{campaign.pid}/task/{campaign.pid}/children").read_text().split()
    campaign.send_signal(signal.SIGINT)
    said, errors = campaign.communicate(timeout=PATIENCE_S)
    assert campaign.returncode == 130
    assert "of 5 trials are done; go on with" in said and "--resume" in said
    assert "Traceback" not in errors
    until(lambda: not any(running(pid) for pid in children))
    assert not list((out / "trials").glob(".*"))


def test_what_goes_wrong_in_a_trial_is_told_and_run_again(
    undisturbed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The campaign goes on beyond it with status 1; --resume runs that trial alone."""
    loaded = load_experiment(undisturbed / "short.toml")
    out = tmp_path / "out"
    shutil.copytree(undisturbed / "out", out)
    shutil.rmtree(out / "trials" / "003-push")

    def broken(*_: object, **__: object) -> None:
        raise SimulationError("broken on purpose")

    with monkeypatch.context() as patched:
        patched.setattr(fast_trial, "LockStep", broken)
        run_fast(FastJob(loaded.tasks[2], loaded.base, out / "trials"))
    account = json.loads((out / "trials" / "003-push" / "trial.json").read_text())
    assert (account["status"], account["problem"]) == ("failed", "broken on purpose")
    again = ["experiment", str(undisturbed / "short.toml"), "--fast", "--out", str(out), "--resume"]
    assert main(again) == 0
    assert results(out) == results(undisturbed / "out")


def test_without_a_folder_the_first_free_number_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second campaign of a plan does not touch the first one's results."""
    monkeypatch.chdir(tmp_path)
    plan = str(written(tmp_path, '[[trial]]\nname = "a"\nduration_s = 0.2\n'))
    for _ in range(2):
        assert main(["experiment", plan, "--fast", "--jobs", "1"]) == 0
    assert sorted(path.name for path in (tmp_path / "experiments").iterdir()) == ["short-1", "short-2"]
