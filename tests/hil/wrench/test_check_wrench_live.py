"""`zerog check-wrench` and the energy monitor live: one run, right at first, then with a reversed wrench."""

import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from bench.live_run import PATIENCE_S, ROOT, SET_OFF_S, LiveRun
from hil.commands.wrench_trial import WrenchTrial, hung
from hil.common.errors import OperatorError


def check(run: LiveRun) -> "subprocess.CompletedProcess[str]":
    """Run the command against a live run."""
    command = [sys.executable, "-m", "hil", "check-wrench", str(run.configuration)]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=PATIENCE_S)


def refusal(run: LiveRun, weight: float | None = None) -> str:
    """Why a trial with the live run is refused."""
    trial = WrenchTrial(run.directory)
    try:
        with pytest.raises(OperatorError) as raised:
            trial.findings(weight, [0.0, 0.0, 0.0], None)
        return str(raised.value)
    finally:
        trial.close()


def test_wrench_checked_at_start_and_energy_watched(tmp_path: Path) -> None:
    """READY: all is right, and the arm does not move. Reversed: the sign is named.

    Floated all the same, the joint torques contradict the first push: HOLDING, which stays
    until the operator floats on; the second time it is a FAULT. While floating the check is refused.
    """
    run = LiveRun(
        tmp_path / "r", **{"float_at_start = true": "float_at_start = false", r"count = \d+": "count = 0"}
    )
    try:
        run.wait(lambda: "READY" in run.text, PATIENCE_S)
        right = check(run)
        assert right.returncode == 0, right.stdout + right.stderr
        assert [line.split()[0] for line in right.stdout.splitlines()] == ["ok"] * 5
        assert run.status()["state"] == "READY" and run.stands()
        assert "--push-n" in refusal(run, weight=1.5)

        assert run.ask("disturb", wrench="reversed", seconds=600.0).accepted
        wrong = check(run)
        assert wrong.returncode == 1, wrong.stdout + wrong.stderr
        assert "WRONG sign: reversed: set fri.wrench_sign = -1" in wrong.stdout
        assert "ok    torque witness" in wrong.stdout

        assert run.ask("float").accepted
        run.wait(lambda: run.status()["following"])
        assert "refused in FLOATING" in refusal(run)
        run.wait(lambda: run.status()["rate"] == 1.0)
        time.sleep(SET_OFF_S)
        run.ask("push", force_n=[0.0, 40.0, 0.0], duration_ms=200.0, at_mm=[0.0, 0.0, 0.0])
        status = run.wait_state("HOLDING")
        assert "fri.wrench_sign" in status["reason"]
        assert status["energy_j"] > 0.0
        run.wait(lambda: run.status()["rate"] == 0.0)
        assert run.ask("float").accepted
        # the wrench is still wrong: setting off alone may show it, before there is another push
        run.wait(lambda: run.status()["rate"] == 1.0 or run.status()["state"] == "FAULT")
        time.sleep(SET_OFF_S)
        run.ask("push", force_n=[0.0, 60.0, 60.0], duration_ms=300.0, at_mm=[0.0, 0.0, 0.0])
        assert "again" in run.wait_state("FAULT")["reason"]
        run.wait(run.stands)
    finally:
        run.close()


def test_a_weight_is_asked_for_in_plain_numbers() -> None:
    """Mass and lever as a technician reads them."""
    asked: list[str] = []

    class Force:
        def weight(self, *_: object) -> None:
            return None

    hung(lambda _: None, asked.append, Force(), 1.5, np.array([0.1, 0.0, -0.05]))  # type: ignore[arg-type]
    assert "Hang 1.5 kg [100.0, 0.0, -50.0] mm from the tcp" in asked[1]


def test_a_weight_needs_a_terminal() -> None:
    """Questions that nobody can answer are an operator's error."""

    def nobody(_: str) -> str:
        raise EOFError

    with pytest.raises(OperatorError, match="terminal"):
        hung(lambda _: [], nobody, None, 1.0, np.zeros(3))  # type: ignore[arg-type]
