"""`zerog dock`: outcome first, figures, statuses, envelope, and mistakes told in a line."""

import json
from pathlib import Path

import pytest

from hil.commands.cli import main
from hil.configuration import load_configuration
from hil.trials.docking.trial import docking_trial
from sim.docking.scenario import DockingScenario

FILE = str(Path(__file__).parents[4] / "configs/docking.toml")
KEYS = {"docked", "time_s", "max_force_n", "max_torque_nm", "jammed", "penetration_max_mm"}
BESIDE = "docking.approach.lateral_mm=[9.0, 0.0]"


def dock(*arguments: str) -> int:
    return main(["dock", FILE, *arguments])


def test_docked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Status 0, the outcome in the first line, the figures in the file."""
    out = tmp_path / "docking.json"
    assert dock("--json", str(out)) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("docked after ")
    figures = json.loads(out.read_text(encoding="utf-8"))
    assert set(figures) >= KEYS
    assert figures["docked"] is True and figures["jammed"] is False
    assert 2.0 < figures["time_s"] < 20.0
    assert 5.0 < figures["max_force_n"] < 200.0
    assert 0.1 < figures["max_torque_nm"] < 20.0
    assert 0.0 < figures["penetration_max_mm"] < 1.0
    assert f"{figures['time_s']:.2f} s" in printed.splitlines()[0]


def test_seal_and_latches(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The report and the figures say insertion force, work, seal reached, latches closed."""
    out = tmp_path / "docking.json"
    assert main(["dock", str(Path(FILE).with_name("docking_snap.toml")), "--json", str(out)]) == 0
    printed = capsys.readouterr().out
    assert "s, 1 of 1 seals" in printed and "s, 4 of 4 latches" in printed
    figures = json.loads(out.read_text(encoding="utf-8"))
    assert figures["seal_reached"] is True and figures["latch_closed"] is True
    assert 5.0 < figures["insertion_force_n"] < 20.0
    assert 0.01 < figures["insertion_work_j"] < 0.1
    assert f"at most {figures['insertion_force_n']:.3g} N of seals and latches" in printed


def test_jammed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Status 1; `--set` stands in for the file's values."""
    out = tmp_path / "docking.json"
    assert dock("--set", BESIDE, "--json", str(out)) == 1
    assert capsys.readouterr().out.startswith("jammed after ")
    figures = json.loads(out.read_text(encoding="utf-8"))
    assert (figures["docked"], figures["jammed"], figures["outcome"]) == (False, True, "jammed")


def test_twenty_pins(capsys: pytest.CaptureFixture[str]) -> None:
    """The other pattern by `--set`."""
    assert dock("--set", 'docking.interfaces="scenes/docking20.toml"') == 0
    assert "20 pins" in capsys.readouterr().out.splitlines()[0]


def test_envelope(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two offsets by three tilts on two processes: each cell is what a trial of its own says."""
    picture, out = tmp_path / "envelope.png", tmp_path / "docking.json"
    grid = "docking.envelope={lateral_mm=9.0, lateral_count=2, tilt_deg=1.0, tilt_count=3}"
    assert dock("--set", grid, "--envelope", str(picture), "--json", str(out), "--jobs", "2") == 0
    assert picture.read_bytes().startswith(b"\x89PNG")
    found = json.loads(out.read_text(encoding="utf-8"))["envelope"]
    assert found["lateral_mm"] == [0.0, 9.0]
    assert found["tilt_deg"] == pytest.approx([-1.0, 0.0, 1.0])
    assert [row[0] for row in found["outcome"]] == ["docked"] * 3
    assert [row[1] for row in found["outcome"]] == ["jammed"] * 3
    settings = [BESIDE, "docking.approach.tilt_deg=[0.0, 1.0]", "docking.approach.roll_deg=0.0"]
    alone = docking_trial(load_configuration(Path(FILE), settings), tmp_path)
    assert found["time_s"][2][1] == pytest.approx(alone.time)
    assert "envelope: 3 docked, 3 jammed" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--set", "docking.joint_impedance={stiffness_n_m_per_rad=[1.0,1.0,1.0,1.0,1.0,1.0,1.0]}"],
         "docking.joint_impedance and docking.cartesian_impedance are both given: write exactly one"),
        (["--set", "docking.servicer.base_fixed=true"],
         "docking.servicer.base_fixed = true is refused with docking.approach.by = 'drift'"),
        (["--set", "docking.servicer.base_inertia_kg_m2=[1.0,1.0,9.0]"],
         "the largest must be at most the sum of the other two"),
        (["--set", 'docking.interfaces="none.toml"'], "docking.interfaces = "),
        (["--set", "docking.approach.speed_mm_s=0.0"], "docking.approach.speed_mm_s = 0.0 must be above 0"),
        (["--set", "docking.approach.sped_mm_s=1.0"], "did you mean speed_mm_s?"),
        (["--set", "docking.effector_body=\"hand\""], "there is no body 'hand' (docking.effector_body)"),
        (["--set", "scene={file=\"scenes/box.xml\"}"], "docking and scene are both given"),
        (["--json", "/no/such/folder/x.json"], "there is no folder /no/such/folder"),
        (["--jobs", "2"], "add --envelope OUT.png"),
    ],
)  # fmt: skip
def test_mistakes(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Status 2 and a line that says which key and what to do."""
    assert dock(*arguments) == 2
    assert message in capsys.readouterr().err


def test_other_configurations_have_no_servicer(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The default run is refused."""
    assert main(["dock", str(root / "configs/cube.toml")]) == 2
    assert "there is no table [docking]" in capsys.readouterr().err


def test_a_divergence_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Status 1 with when and why, nothing beside; the figures say so too."""
    place = DockingScenario.place

    def too_fast(self: DockingScenario) -> None:
        place(self)
        self.scene.data.qvel[self.bodies.base_dof] = 200.0

    monkeypatch.setattr(DockingScenario, "place", too_fast)
    out = tmp_path / "docking.json"
    assert dock("--json", str(out)) == 1
    printed = capsys.readouterr()
    assert printed.out.startswith("diverged after ")
    assert "contact simulation stopped at" in printed.err and list(tmp_path.iterdir()) == [out]
    assert json.loads(out.read_text(encoding="utf-8"))["outcome"] == "diverged"
