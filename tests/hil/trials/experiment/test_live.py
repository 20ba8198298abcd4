"""Live trials: a daemon each, pushed by the emulation or by a person, judged by the same rows."""

import contextlib
import re
import threading
import time
from pathlib import Path

import pytest

from hil.commands.cli import main
from hil.common.errors import LinkError
from hil.messaging.bus import Bus
from hil.messaging.messages import Request
from hil.recording.reading import summary_of
from tests.hil.trials.experiment.plans import results, written

BODY = """
[set]
object.initial_velocity_mm_s = [0.0, 0.0, 0.0]
object.initial_spin_deg_s = [0.0, 0.0, 0.0]

[[trial]]
name = "scripted"
duration_s = 2.5
push = [{time_s = 1.0, force_n = [12.0, 6.0, 0.0], duration_ms = 60.0}]

[[trial]]
name = "hand"
operator = {pushes = 1, within_s = 60.0, after_s = 0.8, say = "push the cube from the left"}

[[trial]]
name = "nobody"
operator = {pushes = 2, within_s = 0.6}
"""
PUSH = '{"force_n": [20.0, 0.0, 0.0], "duration_ms": 60.0}'


class Person:
    """Reads what is said and pushes when asked to; a thread of its own."""

    def __init__(self, said: list[str]) -> None:
        self._said = said
        self.over = False
        self.thread = threading.Thread(target=self._work)
        self.thread.start()

    def _work(self) -> None:
        while not self.over:
            time.sleep(0.05)
            text = "".join(self._said)
            asked = re.search(
                r"--runtime-directory\s+(\S+/bus).*push the cube from the left", text, re.DOTALL
            )
            if asked is None:
                continue
            bus = Bus(Path(asked[1].rstrip("`")))
            with contextlib.suppress(LinkError):
                bus.ask(Request(0, "push", PUSH))
            bus.close()
            return


def test_live_trials_are_judged_like_lock_step_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A scripted push, one by a person who is told, and one that nobody makes: rows, recordings, status 1."""
    said: list[str] = []
    monkeypatch.setattr("rich.console.Console.print", lambda _, *texts, **__: said.append(f"{texts}"))
    person = Person(said)
    out = tmp_path / "out"
    try:
        assert main(["experiment", str(written(tmp_path, BODY)), "--out", str(out)]) == 1
    finally:
        person.over = True
        person.thread.join()
    scripted, hand, nobody = results(out)
    assert [row["status"] for row in (scripted, hand, nobody)] == ["done", "done", "no push"]
    assert nobody["problem"] == "push 1 of 2 did not come within 0.6 s"
    impulse = 2.0 * 0.06 * 12.0 / 3.141592653589793
    pushed = {row["trial"]: row for row in results(out, "pushes")}
    mine, theirs = pushed[scripted["trial"]], pushed[hand["trial"]]
    assert float(mine["impulse_true_x_n_s"]) == pytest.approx(impulse, rel=0.02)  # sampled at 2 ms
    assert float(mine["impulse_error"]) < 0.2
    assert (scripted["pushes_detected"], hand["pushes_detected"]) == ("1", "1")
    assert float(theirs["impulse_true_x_n_s"]) == pytest.approx(
        2.0 * 0.06 * 20.0 / 3.141592653589793, rel=0.02
    )
    for row in (scripted, hand, nobody):
        assert summary_of(out / "trials" / row["trial"] / "run.mcap").whole
