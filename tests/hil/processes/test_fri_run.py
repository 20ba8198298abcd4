"""A run of a real arm's configuration, commanded over the wire at a controller that stands for itself."""

import builtins
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.fri_run import CONTROLLER, Controller, FriRun, on_this_machine
from bench.live_run import PATIENCE_S, ROOT, SET_OFF_S, SETTLE_S
from hil.commands.wrench_trial import WrenchTrial, told
from hil.wrench.known.verdict import Finding

WEIGHT_KG = 1.5
ATTEMPTS = 4


class Cell:
    """A run, and the controller that it commands."""

    def __init__(self, folder: Path, **changes: str) -> None:
        self.folder = folder
        self.run = FriRun(folder, **changes)
        self.controller = Controller(self.run.configuration, folder)

    def ready(self) -> None:
        """Let the arm stand READY; an operator's reset leaves what a busy machine has caused."""
        self.run.wait(lambda: "READY" in self.run.text, PATIENCE_S)
        if self.run.status()["state"] in ("FLOATING", "HOLDING"):
            self.run.ask("stop")
            self.run.wait(self.run.stands)
        if self.run.status()["state"] in ("FAULT", "STOPPED"):
            self.run.ask("reset")
        self.run.wait_state("READY", PATIENCE_S)

    def checked(self, monkeypatch: pytest.MonkeyPatch, lever_mm: list[float]) -> list[Finding]:
        """Let a technician hang the weight when he is asked to, and take it off afterwards."""

        def technician(question: str) -> str:
            hang = question.startswith("Hang")
            kg = WEIGHT_KG if hang else 0.0
            assert self.controller.ask("weight", weight_kg=kg, lever_mm=lever_mm).accepted
            return ""

        monkeypatch.setattr(builtins, "input", technician)
        trial = WrenchTrial(self.run.directory)
        try:
            return trial.findings(WEIGHT_KG, lever_mm, None)
        finally:
            trial.close()
            assert self.controller.ask("weight", weight_kg=0.0).accepted

    def disturbed(self, words: str, **disturbance: object) -> None:
        """Floating, it stops for a disturbance with that reason, stands, and has broken no limit.

        A machine that has no breath to spare may have stopped it before: then it is disturbed once more.
        """
        for attempt in range(ATTEMPTS):
            self.floats()
            assert self.controller.ask("disturb", seconds=1.0, **disturbance).accepted
            reason = self.run.wait_state("FAULT")["reason"]
            if words in reason or attempt == ATTEMPTS - 1:
                break
        assert words in reason
        self.run.wait(self.run.stands)
        state = self.controller.state()
        assert state["violations"] == 0, state["violation"]

    def floats(self) -> None:
        """It floats again, from the state in which a fault has left it, nothing being disturbed any more."""
        assert self.controller.ask("disturb", clear=True).accepted
        for _ in range(ATTEMPTS):
            self.ready()
            reply = self.run.ask("float")
            assert reply.accepted or "refused in" in reply.text, reply.text  # a moment ago it was READY
            self.run.wait(lambda: self.run.status()["following"] or self.run.status()["state"] != "FLOATING")
            if self.run.status()["state"] == "FLOATING":
                return
        raise AssertionError(f"does not float:\n{self.run.text}")

    def close(self) -> None:
        """End both."""
        self.run.close()
        self.controller.close()


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cell]:
    """A cell for the tests of this file, which follow one another like a commissioning."""
    cell = Cell(tmp_path_factory.mktemp("fri") / "r")
    try:
        cell.ready()
        yield cell
    finally:
        cell.close()


def test_without_a_checked_wrench_a_real_arm_does_not_float(shared: Cell) -> None:
    """READY at a controller of its own, but refused: in the reply, in the status, before anybody asks."""
    shared.ready()
    status = shared.run.status()
    assert [text[:26] for text in status["lacking"]] == ["the wrench was not checked"]
    assert status["float_refused"] and status["motion_refused"] and not status["overridden"]
    for motion in ({}, {"velocity_mm_s": [10.0, 0.0, 0.0]}):
        reply = shared.run.ask("float", **motion)
        assert not reply.accepted and "Lacking: the wrench was not checked" in reply.text
    assert shared.run.status()["epoch"] == 0 and shared.run.stands()


def test_a_reversed_wrench_is_found_by_a_weight_and_moves_nothing(
    shared: Cell, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The sign is named, nothing is kept, and float stays refused."""
    shared.ready()
    assert shared.controller.ask("disturb", wrench="reversed", seconds=60.0).accepted
    assert told(shared.checked(monkeypatch, [0.0, 0.0, 0.0])) == 1
    shared.controller.ask("disturb", clear=True)
    printed = capsys.readouterr().out
    assert "set fri.wrench_sign = -1" in printed and "not passed" in printed
    assert not list((shared.folder / "state").glob("wrench-*"))
    assert "check-wrench" in shared.run.ask("float").text


def test_a_checked_real_arm_floats_is_pushed_and_brakes(
    shared: Cell, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The weight's check passes, on a lever too, is kept, and then the object floats and takes a push."""
    shared.ready()
    verdict = shared.checked(monkeypatch, [0.0, 100.0, 50.0])
    assert told(verdict) == 0, verdict
    assert "kept in" in capsys.readouterr().out
    assert len(list((shared.folder / "state").glob("wrench-*"))) == 1
    assert shared.run.status()["lacking"] == []
    shared.floats()
    shared.run.wait(lambda: shared.run.status()["rate"] == 1.0)
    time.sleep(SET_OFF_S)
    before = shared.run.status()["pushes"]
    assert shared.controller.ask("push", force_n=[0.0, 25.0, 0.0], duration_ms=100.0).accepted
    shared.run.wait(lambda: shared.run.status()["pushes"] > before)
    shared.run.ask("stop")
    shared.run.wait(shared.run.stands)
    assert shared.controller.state()["violations"] == 0


@pytest.mark.parametrize(
    ("disturbance", "words"),
    [
        ({"silence": True}, "robot"),
        ({"drives_off": True}, "robot"),
        ({"quality": "unacceptable"}, "robot"),
        ({"wrench": "saturated"}, "the wrench has been 520 N"),
        ({"wrench": "nan"}, "the wrench has been nan N"),
    ],
)
def test_faults_of_link_drives_and_wrench_brake_a_real_arm(
    shared: Cell, disturbance: dict[str, object], words: str
) -> None:
    """Each is a FAULT with its reason; the arm stands, no limit is broken."""
    shared.disturbed(words, **disturbance)


def test_a_controller_that_dies_is_told_and_a_new_one_moves_nothing(shared: Cell) -> None:
    """Its packets end: FAULT by the silence. A new controller is heard; nothing floats before an operator."""
    shared.floats()
    epoch = shared.run.status()["epoch"]
    shared.controller.close(signal.SIGKILL)
    assert "robot: silent" in shared.run.wait_state("FAULT")["reason"]
    shared.controller = Controller(shared.run.configuration, shared.folder)
    shared.run.wait(lambda: shared.run.status()["session"] == "command", PATIENCE_S)
    assert shared.run.status()["state"] == "FAULT" and shared.run.status()["epoch"] == epoch
    shared.floats()


def test_interrupted_a_real_arm_brakes_and_the_check_outlives_the_run(shared: Cell) -> None:
    """Ctrl-C while it floats: the run ends, the controller is left standing; the next run needs no check."""
    shared.floats()
    shared.run.popen.send_signal(signal.SIGINT)
    shared.run.popen.wait(SETTLE_S)
    state = shared.controller.state()
    assert state["violations"] == 0, state["violation"]
    shared.run.start_again()
    shared.floats()


def test_another_load_needs_another_check(shared: Cell) -> None:
    """The file says another mass and is reloaded: what was checked before counts no longer."""
    shared.run.ask("stop")
    shared.run.wait(shared.run.stands)
    text = shared.run.configuration.read_text(encoding="utf-8")
    heavier = text.replace("mass_kg = 5.0", "mass_kg = 5.5")
    assert heavier != text
    shared.run.configuration.write_text(heavier, encoding="utf-8")
    reply = shared.run.ask("reload")
    assert reply.accepted, reply.text
    shared.run.ask("reset")
    shared.run.wait_state("READY", PATIENCE_S)
    assert "the wrench was not checked" in shared.run.ask("float").text
    shared.run.configuration.write_text(text, encoding="utf-8")


def test_what_is_set_aside_shows_with_its_reason(tmp_path: Path) -> None:
    """A run that floats unchecked by an explicit key says so in status, line and summary."""
    why = "tried in the emulation only"
    changes = {r"wrench_sign = 1\n": f'wrench_sign = 1\noverride.wrench_check = "{why}"\n'}
    cell = Cell(tmp_path / "r", **changes)
    try:
        cell.floats()
        assert cell.run.status()["overridden"] == [f"wrench_check ({why})"]
        asked = [sys.executable, "-m", "hil", "status", "--runtime-directory", str(cell.run.directory)]
        shown = subprocess.run(asked, capture_output=True, text=True, cwd=ROOT, timeout=PATIENCE_S).stdout
        assert f"not checked, set aside by hand: wrench_check ({why})" in shown
        cell.run.popen.send_signal(signal.SIGINT)
        cell.run.popen.wait(SETTLE_S)
        assert f"OVERRIDDEN: wrench_check ({why})" in cell.run.text
        assert f"not checked, set aside by hand: wrench_check ({why})" in cell.run.text
    finally:
        cell.close()


def test_a_controller_with_another_sample_time_ends_the_start(tmp_path: Path) -> None:
    """One line says both times and what to change."""
    cell = Cell(tmp_path / "r")
    cell.controller.close()
    cell.controller = Controller(cell.run.configuration, cell.folder, "--set", "fri.sample_time_ms=4")
    try:
        assert cell.run.popen.wait(PATIENCE_S) == 2
        lines = [line for line in cell.run.text.splitlines() if "friOpen" in line]
        assert len(lines) == 1 and "sends every 4 ms" in lines[0] and "is 2" in lines[0]
        assert "Traceback" not in cell.run.text
    finally:
        cell.close()


def emulated(file: Path, folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run `zerog emulate`, which cannot start."""
    where = ["--runtime-directory", str(folder / "controller")]
    command = [sys.executable, "-m", "hil", "emulate", str(file), *where, *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=PATIENCE_S)


def test_an_emulated_controller_that_cannot_start_says_why_in_one_line(tmp_path: Path) -> None:
    """A busy port, an address that is not this machine's, the client's own port."""
    file = tmp_path / "run.toml"
    file.write_text(on_this_machine(tmp_path), encoding="utf-8")

    def refusal(*arguments: str) -> str:
        found = emulated(file, tmp_path, *arguments)
        assert found.returncode == 2 and "Traceback" not in found.stderr
        (line,) = found.stderr.splitlines()
        return line

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
        taken.bind((CONTROLLER, 0))
        port = taken.getsockname()[1]
        line = refusal("--port", str(port))
        assert f"UDP {CONTROLLER} port {port} is busy" in line and "choose another --port" in line
    line = refusal("--set", 'fri.controller_address="192.0.2.1"')
    assert "192.0.2.1" in line and "no such address; set fri.controller_address" in line
    line = refusal(
        "--set", 'fri.controller_address="127.0.0.1"', "--set", "fri.port=49001", "--port", "49001"
    )
    assert "--port 49001 is the client's own" in line
