"""`zerog drive` and what it leaves: table, recording, report, figures; and what it refuses."""

import csv
import json
import math
import sys
import types
from contextlib import suppress

import numpy as np
import pytest
from mcap.reader import make_reader
from scipy.spatial.transform import Rotation

from hil.commands.cli import main, parser
from hil.common.errors import RecordingError
from hil.recording.columns import read_columns
from hil.workbench.driving.csv_out import CsvOut
from hil.workbench.driving.mission import load_mission, session_of
from hil.workbench.driving.pace import Pace
from hil.workbench.driving.report.recorded_drive import is_drive, load_drive
from hil.workbench.driving.tables.library import TABLES
from hil.workbench.driving.tally import Tally
from sim.assembly.database import load_database
from tests.documents import ROOT

LWR = str(ROOT / "configs/assemblies/lwr4.toml")
MISSIONS = sorted(
    p.stem for p in (ROOT / "configs/missions").glob("*.toml") if "assembly = " in p.read_text()
)


@pytest.fixture(scope="module")
def driven(tmp_path_factory):
    """A short circle with everything written down."""
    folder = tmp_path_factory.mktemp("drive")
    command = ["drive", LWR, "--input", "circle", "--duration", "0.6", "--set", "tip_limits.speed_m_s=0.2"]
    command += ["--csv", str(folder / "out.csv"), "--record", str(folder / "out.mcap")]
    assert main([*command, "--json", str(folder / "out.json")]) == 0
    return folder


def test_the_table_has_a_row_a_command_and_units(driven):
    """150 commands of 4 ms and the beginning; the columns are the variables."""
    with open(driven / "out.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 151
    assert [float(row["time_s"]) for row in rows[:3]] == pytest.approx([0.0, 0.004, 0.008])
    assert float(rows[-1]["time_s"]) == pytest.approx(0.6)
    assert "joint_4.torque_n_m" in rows[0] and "tip.error_m" in rows[0]
    assert all(math.isfinite(float(value)) for value in rows[-1].values())


@pytest.fixture
def full_disk():
    """A file that takes nothing."""
    file = open("/dev/full", "w", encoding="utf-8")
    yield file
    with suppress(OSError):
        file.close()


@pytest.mark.parametrize(("rows", "deed"), [(1, CsvOut.end), (200, lambda table: None)], ids=["end", "row"])
def test_a_table_on_a_disk_that_is_full_is_told(lwr, tmp_path, full_disk, rows, deed):
    """When a row does not go to the disk, and when the last ones do not at the end."""
    table = CsvOut(tmp_path / "out.csv", lwr)
    table.end()
    table._file, table._rows = full_disk, csv.writer(full_disk)

    def go():
        for _ in range(rows):
            table.take([])
        deed(table)

    with pytest.raises(RecordingError, match=r"out\.csv cannot be written: No space left"):
        go()


def test_a_table_that_is_there_is_not_written_over(lwr, tmp_path):
    """It is whole after the refusal."""
    (tmp_path / "out.csv").write_text("precious", encoding="utf-8")
    with pytest.raises(RecordingError, match="is there already"):
        CsvOut(tmp_path / "out.csv", lwr)
    assert (tmp_path / "out.csv").read_text(encoding="utf-8") == "precious"


def test_what_is_behind_is_the_way_between_the_columns(driven):
    """The errors of place and turn are those between the command's columns and the tip's; none is nothing."""
    with open(driven / "out.csv", encoding="utf-8") as file:
        last = {name: float(value) for name, value in list(csv.DictReader(file))[-1].items()}
    places, turns = (
        [np.array([last[f"{of}.{name}"] for name in names]) for of in ("command", "tip")]
        for names in (("x_m", "y_m", "z_m"), ("rx_rad", "ry_rad", "rz_rad"))
    )
    assert last["tip.error_m"] == pytest.approx(np.linalg.norm(places[1] - places[0]), abs=1e-8)
    assert last["tip.error_m"] > 1e-5
    left = Rotation.from_rotvec(turns[1]) * Rotation.from_rotvec(turns[0]).inv()
    assert last["tip.error_rad"] == pytest.approx(left.magnitude(), abs=1e-7)
    assert last["tip.error_rad"] > 1e-5


def test_the_recording_is_the_table(driven):
    """Same places and torques; pictures every 20 ms; foreign readers open it; channels say their units."""
    with open(driven / "out.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))[1:]
    drive = load_drive(driven / "out.mcap")
    assert len(drive.t) == 150 and drive.summary.whole and not drive.free
    np.testing.assert_allclose(drive.t, [float(row["time_s"]) for row in rows], atol=1e-9)
    for k, axis in enumerate("xyz"):
        np.testing.assert_allclose(
            drive.tip["tip"][:, k], [float(r[f"tip.{axis}_m"]) for r in rows], rtol=1e-7
        )
    np.testing.assert_allclose(
        drive.joint["torque"][:, 1], [float(r["joint_2.torque_n_m"]) for r in rows], rtol=1e-6, atol=1e-6
    )
    assert [fact.name for fact in drive.facts][:4] == ["A1", "A2", "A3", "A4"]
    assert drive.facts[0].effort > 100.0 and drive.facts[0].winding_limit > 50.0
    with open(driven / "out.mcap", "rb") as file:
        counts = make_reader(file).get_summary().statistics.channel_message_counts
        assert sorted(counts.values()) == sorted([150, 150, 7 * 150, 1, 30])
    summary, _ = read_columns(driven / "out.mcap")
    assert summary.metadata["units"]["DriveJoint.winding"] == "K"
    assert (
        "light-weight" in summary.metadata["drive"]["assembly"]
        or "lwr4" in summary.metadata["drive"]["assembly"]
    )


def test_the_figures_are_those_of_the_table(driven):
    """Largest error, energy and loads, computed again from the table."""
    figures = json.loads((driven / "out.json").read_text())
    with open(driven / "out.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))[1:]
    error = np.array([float(row["tip.error_m"]) for row in rows])
    assert figures["tip_error_most_mm"] == pytest.approx(1e3 * error.max(), rel=1e-6)
    assert figures["tip_error_rms_mm"] == pytest.approx(1e3 * np.sqrt(np.mean(error**2)), rel=1e-6)
    power = np.array([float(row["power_w"]) for row in rows])
    assert figures["energy_j"] == pytest.approx(0.004 * power.sum(), rel=1e-6)
    assert figures["commands"] == 150 and figures["out_of_reach"] == figures["slowed"] == 0
    assert set(figures["torque_share"]) == {"A1", "A2", "A3", "A4", "wrist_1", "wrist_2", "wrist_3"}


def test_the_report_has_its_pictures(driven, capsys):
    """`zerog report` knows a drive; its page has all pictures, tables and files, and no certificate."""
    page = driven / "page.html"
    assert is_drive(driven / "out.mcap")
    assert main(["report", str(driven / "out.mcap"), "-o", str(page)]) == 0
    assert "5 pictures" in capsys.readouterr().out
    text = page.read_text(encoding="utf-8")
    for name in ("tracking", "joints", "power", "heat", "base"):
        assert (driven / "page_files" / f"{name}.png").stat().st_size > 10_000
        assert f'id="{name}"' in text
    assert "joint-roll-l" in text and "tip_limits.speed_m_s=0.2" in text and "circle" in text
    assert 'class="verdict' not in text and "drive.md" in text
    assert main(["report", str(driven / "out.mcap"), "-o", str(page), "--tolerance", "reaction=1"]) == 2
    assert "a drive and has none" in capsys.readouterr().err
    assert main(["info", str(driven / "out.mcap")]) == 0
    assert "/drive_joint" in capsys.readouterr().out
    assert main(["replay", str(driven / "out.mcap")]) == 2


def test_a_drift_of_what_floats_is_told(monkeypatch):
    """The greatest change of momentum since the beginning; of what stands on the ground none is looked at."""
    for name, told in (("capture", 0.5), ("inspection", 0.0)):
        mission = load_mission(ROOT / f"configs/missions/{name}.toml", load_database())
        session = session_of(mission)
        tally, before = Tally(session), session.momentum()
        monkeypatch.setattr(session, "momentum", lambda before=before: before + 0.5 * np.eye(6)[4])
        tally.take()
        assert tally.figures()["momentum_drift"] == told


@pytest.mark.parametrize("name", MISSIONS)
def test_every_mission_begins(name, tmp_path, capsys):
    """Each shipped mission drives; it names its own input."""
    json_file = tmp_path / "out.json"
    mission = str(ROOT / f"configs/missions/{name}.toml")
    assert main(["drive", mission, "--duration", "0.1", "--json", str(json_file)]) == 0
    figures = json.loads(json_file.read_text())
    assert figures["commands"] == 25 and figures["momentum_drift"] < 1e-9
    capsys.readouterr()


def test_a_replayed_mouse_is_no_failure(tmp_path, capsys):
    """Its file ends: told once, the arm comes to rest, the drive ends well by itself."""
    mouse = tmp_path / "mouse.csv"
    mouse.write_text("t_s,x,y,z,roll,pitch,yaw\n0,0,1,0,0,0,0\n0.2,0,1,0,0,0,0\n")
    out = tmp_path / "out.json"
    assert main(["drive", LWR, "--input", str(mouse), "--json", str(out)]) == 0
    assert "pulled out" in capsys.readouterr().err
    figures = json.loads(out.read_text())
    assert "pulled out" in figures["source_lost"] and 1.3 < figures["simulated_s"] < 1.8


def test_what_is_refused_is_one_line(tmp_path, capsys, monkeypatch):
    """Unknown sources, files and values; hardware that is absent; hands in a hurry; files that are there."""
    there = tmp_path / "there.csv"
    there.write_text("")
    broken = tmp_path / "broken.toml"
    broken.write_text('name = "x"\nassembly = "nowhere.toml"\nspeed = 3\n')
    bare = tmp_path / "bare.toml"
    bare.write_text('name = "x"\nassembly = "nowhere.toml"\n')
    free = tmp_path / "free.toml"
    free.write_text(f'name = "x"\nassembly = "{LWR}"\n[base]\nkind = "free"\n')
    post = tmp_path / "post.toml"
    post.write_text('name = "post"\n[[parts]]\ncomponent = "base-l"\n')
    monkeypatch.setitem(sys.modules, "pyspacemouse", types.SimpleNamespace())
    for words, match in (
        ([LWR, "--input", "spiral"], "no such source; there are spacemouse"),
        ([LWR, "--input", "spacemouse"], "space mouse: none can be opened"),
        ([LWR, "--input", "keyboard", "--fast"], "a hand lives in real time"),
        ([LWR, "--input", "keyboard"], "refused without a terminal"),
        ([LWR, "--input", "haptic"], "no [hand]"),
        ([LWR, "--input", "tour"], "[[tour]]"),
        ([LWR, "--input", str(there)], "is empty"),
        ([LWR, "--csv", str(there)], "there already"),
        ([LWR, "--record", str(there)], "there already"),
        ([LWR, "--set", "tip_limits.speed_m_s"], "NAME=NUMBER"),
        ([LWR, "--set", "tip_limits.sped_m_s=1"], "near: tip_limits.speed_m_s"),
        ([str(tmp_path / "none.toml")], "none.toml"),
        ([str(broken)], "speed is unknown"),
        ([str(bare)], "no such file beside it"),
        ([str(free)], "weightless = true"),
        ([str(post)], "post: has no joint to drive: join one"),
        ([LWR, "--json", str(tmp_path)], "cannot be written: it is a folder"),
        ([LWR, "--json", str(tmp_path / "none" / "out.json")], "cannot be written: there is no folder"),
    ):
        assert main(["drive", *words, "--duration", "0.01"]) == 2, words
        told = capsys.readouterr().err.strip()
        assert match in told and "Traceback" not in told, told
        assert len(told.splitlines()) == 1, told


def test_variables_are_named(capsys):
    """`--variables` names all, with values, and drives nothing."""
    assert main(["drive", LWR, "--variables"]) == 0
    out = capsys.readouterr().out
    assert "joint_7.winding_k" in out and "joint_limits.ramp_s" in out and "joint_1.k1_n_m_per_rad" in out


def test_the_help_names_every_table():
    """Whoever asks the program finds them."""
    sub = next(a for a in parser()._actions if a.dest is not None and a.choices and "drive" in a.choices)
    text = " ".join(sub.choices["drive"].format_help().split())
    assert all(name in text for name in TABLES)


class FakeClock:
    """A clock whose sleeps are exact, and whose work takes what it is told."""

    def __init__(self):
        self.ns = 0

    def now(self):
        return self.ns

    def sleep(self, s):
        self.ns += round(1e9 * s)


def test_pace_keeps_absolute_deadlines_and_skips_what_it_missed():
    """Short work: no drift. A stall: told, not caught up by a burst."""
    clock = FakeClock()
    pace = Pace(0.004, True, clock.now, clock.sleep)
    for _ in range(10):
        clock.ns += 1_500_000
        pace.wait()
    assert clock.ns == 40_000_000 and pace.factor == pytest.approx(1.0) and pace.worst_s == 0.0
    clock.ns += 11_000_000
    pace.wait()
    assert pace.late_s == pytest.approx(0.007) and pace.missed == 1
    clock.ns += 500_000
    pace.wait()
    assert clock.ns == 52_000_000, "on the old schedule, without a burst"
    assert pace.factor == pytest.approx(48 / 52) and pace.missed == 1
    assert pace.late_within(0.9) == pytest.approx(1e-5) and pace.late_within(1.0) == pytest.approx(7.01e-3)
    fast = Pace(0.004, False, clock.now, clock.sleep)
    assert fast.late_within(0.5) == 0.0
    clock.ns += 1_000_000
    fast.wait()
    assert fast.factor == pytest.approx(4.0)
