"""`zerog run --paced`: the same bytes as `zerog simulate`, the same desk as a live run."""

import itertools
import json
import signal
from pathlib import Path

import pytest

from bench.live_base import carried
from bench.live_run import PATIENCE_S, SETTLE_S, LiveRun
from hil.commands.cli import main
from hil.common.errors import RecordingError
from hil.common.run_clock import SharedClock
from hil.configuration.loading import accept
from hil.messaging.grasp_messages import PartnerWords
from hil.messaging.messages import Request
from hil.recording.reading import messages, summary_of
from hil.recording.replaying.closed_loop import closed_loop
from tests.hil.recording.test_grasp_recorded import PLAN

ROOT = Path(__file__).resolve().parents[4]
NOBODY = {r"count = \d+": "count = 0"}
SOON = {r"first_s = [\d.]+": "first_s = 1.0"}


def test_same_bytes_as_in_lockstep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nobody interferes the recording of a paced run is that of `zerog simulate`, to the byte."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1764374400")  # else the dates in their heads are two
    file = tmp_path / "paced.mcap"
    run = LiveRun(tmp_path / "r", "--paced", "--duration", "1.5", "--record", str(file), **SOON)
    try:
        run.wait(lambda: "STOPPED -> FLOATING" in run.text, PATIENCE_S)
        assert run.status()["state"] == "FLOATING", "who only looks does not interfere"
        assert run.popen.wait(PATIENCE_S) == 0, run.text
    finally:
        run.close()
    other = tmp_path / "simulated.mcap"
    assert main(["simulate", str(run.configuration), "--duration", "1.5", "--record", str(other)]) == 0
    assert file.read_bytes() == other.read_bytes()
    assert "/impulse" in summary_of(file).counts, "a push is among what is compared"
    assert "none left out" in run.text


@pytest.fixture(scope="module")
def operated(tmp_path_factory: pytest.TempPathFactory) -> tuple[LiveRun, Path]:
    """A paced run after an operator's work at its desk, ended by Ctrl-C; and its recording."""
    folder = tmp_path_factory.mktemp("paced")
    file = folder / "operated.mcap"
    run = LiveRun(folder / "r", "--paced", "--record", str(file), **NOBODY)
    try:
        run.wait(lambda: "STOPPED -> FLOATING" in run.text, PATIENCE_S)
        _operate(run)
        run.popen.send_signal(signal.SIGINT)
        assert run.popen.wait(PATIENCE_S) == 0, run.text
    finally:
        run.close()
    return run, file


def _operate(run: LiveRun) -> None:
    """Use every control that a paced run has, and those that it refuses."""
    run.wait(lambda: run.status()["rate"] == 1.0)
    before = run.status()["speed_mm_s"]
    assert run.ask("push", force_n=[60, 0, 0], duration_ms=100).accepted
    run.wait(lambda: run.status()["pushes"] == 1)
    run.wait(lambda: abs(run.status()["speed_mm_s"] - before) > 5.0)
    assert run.ask("thresholds", floor_n_per_s=444.0).accepted
    assert run.status()["thresholds"]["floor_n_per_s"] == 444.0
    assert run.ask("hold").accepted
    run.wait(lambda: run.status()["rate"] == 0.0)
    assert run.ask("float").accepted
    run.wait_state("FLOATING")
    assert "reload is refused" in run.ask("reload").text
    assert "no link" in run.ask("disturb", loss=0.5).text
    assert run.ask("disturb", wrench="nan", seconds=0.04).accepted
    run.wait_state("FAULT")
    run.wait(run.stands)
    assert not run.ask("push", force_n=[60, 0, 0], duration_ms=100).accepted
    assert run.ask("reset").accepted
    run.wait_state("READY")
    assert run.ask("float", velocity_mm_s=[0, 0, 20]).accepted
    run.wait_state("FLOATING")
    assert run.ask("stop").accepted
    run.wait_state("STOPPED")
    _approach(run)
    status = run.status()
    assert 0.0 < status["pace"] <= 1.0 and status["cycles"] > 0 and status["missed"] == 0


def _approach(run: LiveRun) -> None:
    """Bring the arm back by hand: heartbeats on the run's clock move it, and without them it stands."""
    run.wait(run.stands)
    assert run.ask("reset").accepted
    run.wait_state("READY")
    clock, number = SharedClock(run.directory), 0
    granted = run.ask("approach", speed_deg_s=5.0)
    assert granted.accepted, granted.text
    session = json.loads(granted.text)["session"]

    def moved_on() -> bool:
        nonlocal number
        number += 1
        beat = json.dumps({"session": session, "number": number})
        assert run.bus.ask(Request(clock.now_ns(), "beat", beat), SETTLE_S).accepted
        return not run.stands()

    run.wait(moved_on)
    run.wait(lambda: run.stands() and run.status()["state"] == "READY")


def test_operators_work_as_in_a_live_run(operated: tuple[LiveRun, Path]) -> None:
    """What the desk did is told on the way and in the summary, as of a live run."""
    text = operated[0].text
    for told in (
        "READY\n",
        "FLOATING -> HOLDING: by the operator",
        "-> FAULT",
        "1 pushes, 1 holds, 1 faults",
    ):
        assert told in text, text


def test_thresholds_reach_the_driver(operated: tuple[LiveRun, Path]) -> None:
    """Orders say nothing of thresholds before an operator has, and his afterwards."""
    orders = [msg for _, _, msg in messages(operated[1], "/mode")]
    assert len(orders[0].thresholds) == 0 and orders[-1].thresholds[1] == 444.0


def test_no_cycle_is_left_out(operated: tuple[LiveRun, Path]) -> None:
    """However slow the machine: cycles stand at equal distances of virtual time."""
    stamps = [msg.t_ns for _, _, msg in messages(operated[1], "/cycle")]
    period_ns = round(1e9 * accept(operated[0].configuration, []).configuration.fri.sample_time)
    assert {b - a for a, b in itertools.pairwise(stamps)} == {period_ns}


def test_an_operated_run_is_no_closed_loop(operated: tuple[LiveRun, Path]) -> None:
    """Its configuration alone does not tell what happened: that is said, not called a difference."""
    with pytest.raises(RecordingError, match="an operator acted in it"):
        closed_loop(operated[1], lambda _: None)


def test_cores_replay_what_was_operated(
    operated: tuple[LiveRun, Path], capfd: pytest.CaptureFixture[str]
) -> None:
    """Orders, pushes and disturbances are recorded where the cores took them: replay says the same."""
    assert main(["replay", str(operated[1]), "--one-process"]) == 0, capfd.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["configs/lwr_fri.toml"], "robot.kind = 'fri' is refused with --paced"),
        (["configs/cube.toml", "--only", "driver"], "--only driver is refused with --paced"),
        (["configs/cube.toml", "--foxglove"], "--foxglove is refused with --paced"),
    ],
)
def test_refused(arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A real robot does not wait, and one process is not two hosts'; both in one line."""
    file, *rest = arguments
    assert main(["run", str(ROOT / file), "--paced", *rest]) == 2
    error = capsys.readouterr().err
    assert told in error and error.count("\n") == 1


def test_times_on_the_bus_are_virtual(operated: tuple[LiveRun, Path]) -> None:
    """The clock that page and commands share was that of the cycles: pushes are stamped by it."""
    pushes = [msg.t_ns for _, _, msg in messages(operated[1], "/push")]
    cycles = [msg.t_ns for _, _, msg in messages(operated[1], "/cycle")]
    assert len(pushes) == 1 and cycles[0] <= pushes[0] <= cycles[-1]


def test_an_arm_on_a_base_is_paced(tmp_path: Path) -> None:
    """The desk tells of the base while it floats; what is recorded is the lock-step loop, to the bit."""
    file = tmp_path / "carried.mcap"
    arguments = ("--paced", "--duration", "1.0", "--record", str(file))
    run = LiveRun(tmp_path / "r", *arguments, configuration=carried(tmp_path / "r", False))
    try:
        run.wait(lambda: "STOPPED -> FLOATING" in run.text, PATIENCE_S)
        run.wait(lambda: run.status()["base"] == "well")  # what is published is heard a moment later
        assert run.popen.wait(PATIENCE_S) == 0, run.text
    finally:
        run.close()
    again = closed_loop(file, lambda done: None)
    assert again.same and again.compared["base_inputs"] > 5


def test_a_second_arm_is_led_in_a_paced_run(tmp_path: Path) -> None:
    """By the loop itself, through its plan: the desk tells of the grasp; no hand brings the arm home beside
    it, and nobody else leads; what is recorded is the lock-step loop, to the bit."""
    text = (ROOT / "configs" / "two_arms.toml").read_text(encoding="utf-8")
    text = text.replace('"robots/', f'"{ROOT}/configs/robots/').replace("grasps/drag.toml", "quick.toml")
    where = f'[run]\nruntime_directory = "{tmp_path}/r/bus"\nstate_directory = "{tmp_path}/r/state"'
    (tmp_path / "arms.toml").write_text(text.replace("[run]", where, 1), encoding="utf-8")
    (tmp_path / "quick.toml").write_text(PLAN, encoding="utf-8")
    file = tmp_path / "grasp.mcap"
    arguments = ("--paced", "--duration", "1.6", "--record", str(file))
    run = LiveRun(tmp_path / "r", *arguments, configuration=tmp_path / "arms.toml")
    heard = run.bus.subscriber("partner_words", PartnerWords)
    words: list[PartnerWords] = []
    try:
        run.wait(lambda: "STOPPED -> FLOATING" in run.text, PATIENCE_S)
        run.wait(lambda: words.extend(heard.drain()) or run.status()["grasp"] == "GRASPED")
        assert run.status()["partner"] in ("close", "release")
        assert main(["partner", str(tmp_path / "quick.toml"), "--runtime-directory", str(run.directory)]) == 2
        assert run.popen.wait(PATIENCE_S) == 0, run.text
    finally:
        run.close()
    assert len(words) > 5 and "holds 0" in run.text
    again = closed_loop(file, lambda done: None)
    assert again.same and again.compared["grasp_report"] > 300
