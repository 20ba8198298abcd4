"""What the daemon keeps of a check of the wrench."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hil.common.errors import OperatorError
from hil.configuration import Configuration
from hil.loop.judging.judge import Evidence, Judge
from hil.loop.judging.state_machine import State
from hil.processes.supervisor.wrench_record import WrenchRecord
from tests.hil.robot_states import standing


def ready(c: Configuration) -> Judge:
    """A judge of an arm that stands READY."""
    judge = Judge(c)
    assert judge.step(0, Evidence(robot=standing(c.robot.start))).state is State.READY
    return judge


def said(stamp: str, passed: bool = True) -> str:
    return json.dumps({"stamp": stamp, "passed": passed, "findings": ["sign: ok"]})


def lighter(c: Configuration) -> Configuration:
    return c.model_copy(update={"mockup": c.mockup.model_copy(update={"mass": 4.0})})


def test_a_pass_is_kept_for_its_configuration_only(tmp_path: Path, real_arm: Configuration) -> None:
    """The next run finds it; one with another load does not, and neither takes the other's away."""
    judge, record = ready(real_arm), WrenchRecord(tmp_path / "state", real_arm)
    assert not record.passed and judge.real_arm.refusal
    text = record.take(judge, said(record.stamp))
    assert "kept in" in text and judge.real_arm.refusal == ""
    assert WrenchRecord(tmp_path / "state", real_arm).passed
    other = WrenchRecord(tmp_path / "state", lighter(real_arm))
    assert not other.passed
    other.take(ready(lighter(real_arm)), said(other.stamp))
    assert WrenchRecord(tmp_path / "state", real_arm).passed


def test_a_later_failure_takes_the_pass_away(tmp_path: Path, real_arm: Configuration) -> None:
    """What is wrong now moves neither this run nor the next."""
    judge, record = ready(real_arm), WrenchRecord(tmp_path, real_arm)
    record.take(judge, said(record.stamp))
    assert "not passed" in record.take(judge, said(record.stamp, passed=False))
    assert judge.real_arm.refusal and not WrenchRecord(tmp_path, real_arm).passed


@pytest.mark.parametrize("content", ["", "{", "[]", "null", '{"stamp": "another"}', '{"other": 1}'])
def test_a_record_that_is_none_does_not_count(tmp_path: Path, real_arm: Configuration, content: str) -> None:
    """Torn, foreign or renamed: the wrench counts as unchecked."""
    record = WrenchRecord(tmp_path, real_arm)
    (tmp_path / f"wrench-{record.stamp}").write_text(content, encoding="utf-8")
    assert not WrenchRecord(tmp_path, real_arm).passed


def test_without_rights_it_counts_for_this_run_and_says_so(tmp_path: Path, real_arm: Configuration) -> None:
    """A folder that cannot be: one line names it with the remedy; the run may float, the next may not."""
    taken = tmp_path / "file"
    taken.write_text("in the way", encoding="utf-8")
    judge, record = ready(real_arm), WrenchRecord(taken / "state", real_arm)
    text = record.take(judge, said(record.stamp))
    assert text.startswith("passed, for this run only: ") and "run.state_directory" in text
    assert "\n" not in text and judge.real_arm.refusal == ""
    assert not WrenchRecord(taken / "state", real_arm).passed


def test_a_verdict_that_is_not_of_this_run_is_refused(
    tmp_path: Path, real_arm: Configuration, cube: Configuration
) -> None:
    """Of another configuration, of an arm that is not READY, of an emulated one, or none at all."""
    judge, record = ready(real_arm), WrenchRecord(tmp_path, real_arm)
    for words, text in (
        ("another configuration", said("0" * 16)),
        ("passed", '{"stamp": "", "findings": []}'),
        ("extra", said(record.stamp)[:-1] + ', "extra": 1}'),
        ("check-wrench", "no JSON"),
    ):
        with pytest.raises(OperatorError, match=words):
            record.take(judge, text)
    judge.order("stop", "why")
    with pytest.raises(OperatorError, match="not taken in STOPPED"):
        record.take(judge, said(record.stamp))
    emulated = WrenchRecord(tmp_path, cube)
    assert not emulated.passed
    with pytest.raises(OperatorError, match="emulated robot"):
        emulated.take(ready(cube), said(""))
    assert list(tmp_path.iterdir()) == []


def test_without_a_home_a_real_arm_lacks_a_place_that_lasts(tmp_path: Path, root: Path) -> None:
    """`zerog check` looks where the daemon would keep its state, and says that it would be lost."""
    environment = {
        name: value for name, value in os.environ.items() if name not in ("HOME", "XDG_STATE_HOME")
    }
    command = [sys.executable, "-m", "hil", "check", str(root / "configs" / "lwr_fri.toml")]
    found = subprocess.run(
        command, capture_output=True, text=True, cwd=root, env=environment | {"TMPDIR": str(tmp_path)}
    )
    # without a home it compiles, and says so where a busy machine takes long
    (line,) = (line for line in found.stderr.splitlines() if "kernel" not in line)
    assert found.returncode == 1
    assert "a real arm moves only where its state outlives the run: this account has no home" in line
    assert "warning: no motion yet: the wrench was not checked" in found.stdout
