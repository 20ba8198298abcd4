"""Two arms live: a client of one's own, `zerog partner` from grasp to release, and one that is killed."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from socket import SOCK_DGRAM

import numpy as np
import pytest

from bench.live_run import PATIENCE_S, ROOT, LiveRun
from hil.common.free_port import free_port
from hil.messaging.codec import encode
from hil.messaging.grasp_messages import GraspReport, PartnerWords
from tests.hil.loop.partner.test_grasp_loop import PLAN

PAGE = ROOT / "docs" / "use" / "own" / "partner.md"
MOST_N = 40.0  # that the mock-up may ever feel
PORT = free_port(SOCK_DGRAM)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of the run and its plan."""
    made: Path = tmp_path_factory.mktemp("arms")
    (made / "quick.toml").write_text(PLAN.replace("[0.0, 15.0, 0.0]", "[0.0, 5.0, 0.0]"))
    return made


@pytest.fixture(scope="module")
def arms(folder: Path) -> Iterator[LiveRun]:
    """A run with two arms that does not float yet, started once."""
    text = (ROOT / "configs" / "two_arms.toml").read_text(encoding="utf-8")
    text = text.replace('"robots/', f'"{ROOT}/configs/robots/').replace(
        "grasps/drag.toml", f"{folder}/quick.toml"
    )
    where = f'[run]\nruntime_directory = "{folder}/r/bus"\nstate_directory = "{folder}/r/state"'
    text = text.replace("[run]", where, 1).replace("float_at_start = true", "float_at_start = false")
    text = text.replace("[partner] ", f"[partner]\nport = {PORT}\n#", 1)
    file = folder / "arms.toml"
    file.write_text(f"{text}\n[fri]\nport = {free_port(SOCK_DGRAM)}\n", encoding="utf-8")
    run = LiveRun(folder / "r", configuration=file)
    try:
        run.wait(lambda: "READY" in run.text, PATIENCE_S)
        yield run
    finally:
        run.close()


def partner(run: LiveRun, folder: Path) -> "subprocess.Popen[str]":
    """Start `zerog partner` beside a run and wait until it leads the controller."""
    command = [sys.executable, "-m", "hil", "partner", str(folder / "quick.toml")]
    command += ["--runtime-directory", str(run.directory)]
    made = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT)
    run.wait(lambda: run.status().get("partner") == "waiting", PATIENCE_S)
    return made


def test_the_page_says_the_words_byte_for_byte() -> None:
    """Fingerprints and the bytes of a message are the program's."""
    text = PAGE.read_text(encoding="utf-8")
    place, upright = np.array([1.0, -0.5, 0.25]), np.array([1.0, 0.0, 0.0, 0.0])
    said = PartnerWords(
        1_000_000_000, place, upright, np.zeros(7), 0.03, np.array([0.0, 2.0]), False, "mine", ""
    )
    (shown,) = re.findall(r"```text\n(.*?)```", text, re.DOTALL)
    assert bytes.fromhex(shown) == encode(said, 7)
    for kind in (PartnerWords, GraspReport):
        assert f"| `{kind.__name__}` | `{kind.FINGERPRINT}` |" in text
    assert f'"{PartnerWords.FINGERPRINT}"' in text


def test_a_client_of_ones_own_leads_the_second_arm(arms: LiveRun) -> None:
    """The page's program, as it stands there: the tip backs away by 20 mm."""
    (program,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    outside = subprocess.Popen([sys.executable, "-c", program, str(arms.directory), str(PORT)])
    try:
        heard = arms.bus.subscriber("partner_words", PartnerWords)
        places: list[float] = []
        arms.wait(lambda: places.extend(words.p_world_tip[0] for words in heard.drain()) or places)
        arms.wait(lambda: arms.status().get("partner") == "mine")
        arms.wait(
            lambda: (
                places.extend(words.p_world_tip[0] for words in heard.drain())
                or places[-1] > places[0] + 0.019
            )
        )
        assert outside.poll() is None
    finally:
        outside.kill()
        outside.wait()


def test_a_killed_partner_holds_all_and_the_next_one_releases(arms: LiveRun, folder: Path) -> None:
    """Grasped, killed: HOLDING with the reason. The next one opens the gripper; floated again it goes on to
    the end of its plan, and the mock-up never feels more than 40 N."""
    peaks, reports = [0.0], arms.bus.subscriber("grasp_report", GraspReport)

    def state() -> str:
        peaks.extend(report.peak for report in reports.drain())
        return str(arms.status()["grasp"])

    killed = partner(arms, folder)
    assert arms.ask("float").accepted
    arms.wait(lambda: state() == "GRASPED")
    os.kill(killed.pid, signal.SIGKILL)
    killed.communicate()
    arms.wait(lambda: "HOLDING: the partner has been silent" in arms.text)
    assert state() == "GRASPED"
    following = partner(arms, folder)
    arms.wait(lambda: state() in ("FREE", "NEAR"))
    time.sleep(0.5)
    reply = arms.ask("float")
    assert reply.accepted, reply.text
    said, _ = following.communicate(timeout=PATIENCE_S)
    assert following.returncode == 0, said
    assert "the plan is over" in said
    state()
    assert max(peaks) < MOST_N
    assert max(peaks) > 2.0
    assert arms.take_violations()[0] == 0


def test_a_driver_killed_in_a_grasp_floats_nothing_until_the_gripper_is_open(
    arms: LiveRun, folder: Path
) -> None:
    """Its partner is killed as well, so that nobody opens it: FAULT; the next driver is asked in vain, with
    the reason, until another partner has opened it."""
    killed = partner(arms, folder)
    time.sleep(0.5)
    reply = arms.ask("float")
    assert reply.accepted, reply.text
    arms.wait(lambda: arms.status()["grasp"] == "GRASPED")
    for pid in (killed.pid, arms.pid("driver")):
        os.kill(pid, signal.SIGKILL)
    killed.communicate()
    arms.wait(lambda: "-> FAULT: the driver process was ended by signal 9" in arms.text)
    arms.wait(lambda: arms.ask("reset").accepted and arms.status()["state"] == "READY", PATIENCE_S)
    reply = arms.ask("float")
    assert not reply.accepted
    assert "the driver has ended while the second arm held on (GRASPED)" in reply.text
    following = partner(arms, folder)
    arms.wait(lambda: not arms.status()["float_refused"])
    time.sleep(0.5)
    reply = arms.ask("float")
    assert reply.accepted, reply.text
    following.kill()
    following.communicate()
