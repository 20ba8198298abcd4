"""A second arm's grasp, recorded: replayed to the bit, and what is missing or changed is found."""

from pathlib import Path

import numpy as np
import pytest
from foxglove_schemas_protobuf.FrameTransforms_pb2 import FrameTransforms
from mcap.reader import make_reader

from drivers.emulation.grasp.partner_arm import PartnerArm
from hil.analysis.recorded.run import load_run
from hil.commands.cli import main
from hil.dashboard.showing.projector import CHANNELS, Projector
from hil.loop.grasp.gap import BarGap
from hil.loop.second_solids import HAND
from hil.messaging.grasp_messages import GraspInputs, PartnerWords
from hil.recording.columns import read_columns
from hil.recording.moments import Moments
from hil.recording.reading import messages, summary_of
from hil.recording.replaying.closed_loop import closed_loop
from hil.recording.replaying.runner import in_one_process
from tests.hil.recording.test_replay import copied, quiet

TWO_ARMS = Path(__file__).resolve().parents[3] / "configs" / "two_arms.toml"
PLAN = """
start_mm = [0.0, 1.0, 0.0]
speed_mm_s = 60.0
turning_deg_s = 20.0
brake_s = 0.2
[[phase]]
phase = "approach"
frame = "object"
place_mm = [0.0, 1.0, 0.0]
duration_s = 0.7
[[phase]]
phase = "close"
frame = "object"
place_mm = [0.0, 0.0, 0.0]
duration_s = 0.4
[[phase]]
phase = "release"
frame = "object"
duration_s = 0.4
"""


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A grasp and its release in lock-step: the gripper stands around the bar from the beginning."""
    folder = tmp_path_factory.mktemp("grasp")
    (folder / "quick.toml").write_text(PLAN, encoding="utf-8")
    command = ["simulate", str(TWO_ARMS), "--duration", "1.7", "--record", str(folder / "run.mcap")]
    assert main([*command, "--set", f'partner.plan="{folder}/quick.toml"']) == 0
    return folder / "run.mcap"


def test_every_core_says_the_same_again(recording: Path) -> None:
    """To the bit, the driver's reports and both arms' truth included; and so does the loop as a whole."""
    counts = summary_of(recording).counts
    verdicts = in_one_process(recording, quiet)
    for verdict in verdicts:
        assert verdict.same and not verdict.notes and not verdict.first, verdict
    _, _, driver, _, emulator = (verdict.compared for verdict in verdicts)
    assert driver["cycle"] == counts["/cycle"] > 800
    assert driver["grasp_report"] == counts["/grasp_report"] > 400
    assert driver["impulse"] == counts["/impulse"] > 100
    assert emulator["truth"] == emulator["port"] == counts["/port"] > 800
    again = closed_loop(recording, lambda done: None)
    assert again.same and again.compared["second_inputs"] == counts["/second_inputs"]
    assert again.compared["grasp_inputs"] == counts["/grasp_inputs"]


def test_another_gap_is_found_in_the_drivers_reports(
    recording: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a micrometre: the driver differs, and nobody else."""
    between = BarGap.between
    monkeypatch.setattr(BarGap, "between", lambda self, *given: between(self, *given) + 1e-6)
    verdicts = {verdict.core: verdict for verdict in in_one_process(recording, quiet)}
    assert verdicts["driver"].different["grasp_report"] > 300
    assert verdicts["driver"].different["cycle"] == 0
    assert all(verdicts[core].same for core in ("simulation", "supervisor", "emulator"))


def test_another_way_of_the_second_arm_is_found(recording: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its tip is sent a per mille less far: what the pads do is another, in the emulator alone."""
    aim = PartnerArm.aim
    monkeypatch.setattr(PartnerArm, "aim", lambda self, p, quat, T: aim(self, p, quat, 1.001 * T))
    verdicts = {verdict.core: verdict for verdict in in_one_process(recording, quiet)}
    assert verdicts["emulator"].different["port"] > 500
    assert verdicts["driver"].same


@pytest.mark.parametrize(("channel", "core"), [("/grasp_inputs", "driver"), ("/second_inputs", "emulator")])
def test_inputs_that_are_missing_end_a_core(recording: Path, tmp_path: Path, channel: str, core: str) -> None:
    """One message less: the core that needed it says so, follows no further, and differs in nothing."""
    path = copied(recording, tmp_path / "less.mcap", lambda name, n: name != channel or n != 8)
    verdict = next(one for one in in_one_process(path, quiet) if one.core == core)
    assert any("a second arm" in note or "the second arm" in note for note in verdict.notes)
    assert 300 < verdict.turns < 600
    assert not verdict.different


def test_a_report_tells_the_course_of_the_grasp(recording: Path) -> None:
    """Its states in their order, the law, and the greatest force, which was that of the true pads."""
    run = load_run(recording)
    assert run.grasp is not None
    states = [state for _, state in run.grasp.changes]
    assert states[:6] == ["FREE", "NEAR", "TOUCH", "GRASPED", "RELEASING", "FREE"]
    assert run.grasp.law == "full" and run.grasp.opened == ""
    pads = read_columns(recording, ["/port"])[1]["/port"]["wrench_world"][:, :3]
    assert run.grasp.peak == pytest.approx(np.linalg.norm(pads, axis=1).max(), rel=0.1)
    assert "GRASPED from" in run.grasp.words()


def test_the_second_arm_is_drawn_where_its_partner_said(recording: Path) -> None:
    """The hand's frames are the places of the tip that the driver heard, at 50 Hz."""
    shown = []
    with recording.open("rb") as file:
        for _, _, record in make_reader(file).iter_messages(topics=["/tf"]):
            frames = FrameTransforms.FromString(record.data).transforms
            shown += [[*vars_of(f.translation)] for f in frames if f.child_frame_id == HAND]
    told = [block.words[:, :3] for _, _, block in messages(recording, "/grasp_inputs")]
    assert all(isinstance(block, GraspInputs) for _, _, block in messages(recording, "/grasp_inputs"))
    off = np.abs(np.array(shown)[:, None] - np.vstack(told)).max(axis=2).min(axis=1)
    assert 80 < len(shown) < 110
    assert off.max() < 2e-7  # frames are told in single precision


def test_the_page_shows_where_the_second_arm_was(recording: Path) -> None:
    """At any instant of a recording: what was told last before it."""
    moments = Moments(recording, CHANNELS)
    words = [msg for _, _, msg in messages(recording, "/partner_words")]
    projector = Projector(moments, None, None)
    at = words[40]
    assert isinstance(at, PartnerWords)
    projector.turn(0.0, at.t_ns + 1_000_000, 0)
    assert projector.last.partner is not None
    assert projector.last.partner.q.tobytes() == at.q.tobytes()


def vars_of(v: object) -> tuple[float, float, float]:
    """x, y and z of a protobuf's vector."""
    return v.x, v.y, v.z
