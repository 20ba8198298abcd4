"""An emulated arm that diverges: an error with the key that helps, and no file where one works."""

import subprocess
import sys
from pathlib import Path

import mujoco
import pytest

from hil.commands.cli import main
from hil.common.engine import TOLD, Watch
from hil.common.errors import SimulationError
from tests.conftest import ROOT

STIFF = "emulator.stiffness_n_m_per_rad=[" + ",".join(["1e12"] * 7) + "]"
PENDULUM = (
    '<mujoco><worldbody><body><joint type="hinge"/><geom size="0.1" pos="0 0 1"/></body></worldbody></mujoco>'
)


@pytest.mark.parametrize("elastic", ["false", "true"])
def test_absurd_stiffness_ends_with_status_1_and_leaves_nothing(
    elastic: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The engine would warn, begin anew from its first pose and go on; no figure comes of that."""
    monkeypatch.chdir(tmp_path)
    words = ["simulate", str(ROOT / "configs/pushes.toml"), "--duration", "2", "--json", "out.json"]
    settings = "emulator.control=impedance", f"emulator.elastic={elastic}", STIFF
    assert main([*words, *(word for setting in settings for word in ("--set", setting))]) == 1
    error = capsys.readouterr().err
    assert "the emulated arm diverged at 0." in error and "emulator.stiffness_n_m_per_rad" in error
    assert error.strip().count("\n") == 0
    assert list(tmp_path.iterdir()) == []


def test_every_warning_of_the_engine_is_an_error() -> None:
    """Whatever it warns of, what comes behind is not believed; without one nothing is raised."""
    data = mujoco.MjData(mujoco.MjModel.from_xml_string(PENDULUM))
    watch = Watch(data, "the pendulum", "look at it")
    watch.look(0.0)
    for kind, words in TOLD.items():
        data.warning[kind].number = 1
        with pytest.raises(SimulationError, match=f"the pendulum diverged at 1.5000 s: {words}: look at it"):
            watch.look(1.5)
        data.warning[kind].number = 0
    assert len(TOLD) == mujoco.mjtWarning.mjNWARNING


def test_no_log_is_written_where_one_works(tmp_path: Path) -> None:
    """Also in a process that has just begun; a warning of another kind is told on stderr."""
    code = (
        "import mujoco, numpy, hil\nfrom hil.common.engine import Watch\n"
        f"model = mujoco.MjModel.from_xml_string({PENDULUM!r})\ndata = mujoco.MjData(model)\n"
        "watch = Watch(data, 'it', '')\ndata.qvel[0] = numpy.nan\nmujoco.mj_step(model, data)\n"
        "print(data.warning.number.sum())"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True,
        env={"PYTHONPATH": str(ROOT), "HOME": str(tmp_path), "PATH": "/bin"},
    )  # fmt: skip
    assert (run.stdout, run.stderr) == ("1\n", "")
    assert {path.name for path in tmp_path.iterdir()} <= {".cache"}
