"""An arm on a base, recorded: replayed to the bit, and what is missing or changed is found."""

from pathlib import Path

import numpy as np
import pytest
from foxglove_schemas_protobuf.FrameTransforms_pb2 import FrameTransforms
from mcap.reader import make_reader

from drivers.base.command import BaseCommand
from hil.analysis.recorded.run import load_run
from hil.commands.cli import main
from hil.loop.base_solids import BASE
from hil.loop.carried.vehicle_speed import VehicleSpeed
from hil.recording.reading import summary_of
from hil.recording.replaying.closed_loop import closed_loop
from hil.recording.replaying.runner import in_one_process
from tests.hil.recording.test_replay import copied, quiet

PLATFORM = Path(__file__).resolve().parents[3] / "configs" / "platform.toml"
PUSHES = "operator.random={count=2,first_s=0.8,gap_s=1.0,gap_spread_s=0.1,impulse_max_n_s=3.0}"


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two and a half seconds with pushes in lock-step."""
    path = tmp_path_factory.mktemp("base") / "run.mcap"
    command = ["simulate", str(PLATFORM), "--duration", "2.5", "--set", PUSHES, "--record", str(path)]
    assert main(command) == 0
    return path


def test_every_core_says_the_same_again(recording: Path) -> None:
    """To the bit, commands to the vehicle included; and so does the loop as a whole."""
    counts = summary_of(recording).counts
    verdicts = in_one_process(recording, quiet)
    for verdict in verdicts:
        assert verdict.same and not verdict.notes and not verdict.first, verdict
    sim, planner, driver, _, emulator = (verdict.compared for verdict in verdicts)
    assert sim["sim_state"] == counts["/sim_state"] and planner["plan"] == counts["/plan"] > 20
    assert driver["cycle"] == driver["base_command"] + 1 == counts["/cycle"] > 1000
    assert driver["impulse"] == counts["/impulse"] > 10
    assert emulator["truth"] == counts["/truth"]
    again = closed_loop(recording, lambda done: None)
    assert again.same and again.compared["base_inputs"] == counts["/base_inputs"]


def test_a_model_that_has_changed_is_found(recording: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is taken out of the wrench is another: the driver differs, and nobody else."""
    told = VehicleSpeed.commanded
    monkeypatch.setattr(VehicleSpeed, "commanded", lambda self, t_ns, v: told(self, t_ns, 0.9 * v))
    verdicts = {verdict.core: verdict for verdict in in_one_process(recording, quiet)}
    assert verdicts["driver"].different and verdicts["simulation"].same and verdicts["emulator"].same


def test_another_command_to_the_vehicle_is_found(recording: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is a per mille less: it is named, with both values."""
    followed = BaseCommand.follow
    monkeypatch.setattr(BaseCommand, "follow", lambda self, *given: 0.999 * followed(self, *given))
    driver = next(one for one in in_one_process(recording, quiet) if one.core == "driver")
    assert driver.different["base_command"] > 500
    assert any(one.topic == "base_command" and "then" in one.text for one in driver.first)


@pytest.mark.parametrize(
    ("channel", "core"),
    [("/base_inputs", "driver"), ("/base_of_planner", "planner"), ("/base_ride", "emulator")],
)
def test_inputs_that_are_missing_end_a_core(recording: Path, tmp_path: Path, channel: str, core: str) -> None:
    """One message less: the core that needed it says so, and is followed no further."""
    path = copied(recording, tmp_path / "less.mcap", lambda name, n: name != channel or n != 8)
    verdict = next(one for one in in_one_process(path, quiet) if one.core == core)
    assert verdict.notes


def test_a_report_knows_where_the_base_went(recording: Path) -> None:
    """Pose and error of every report; it went along, and kept to its path."""
    run = load_run(recording)
    assert run.base is not None and len(run.base.pose) == summary_of(recording).counts["/base_report"]
    assert np.ptp(run.base.pose[:, 2]) > 0.05
    assert 0.0 < np.hypot(run.base.error[:, 0], run.base.error[:, 1]).max() < 0.02
    assert "mm at most" in run.base.words()


def test_the_arm_is_drawn_where_its_base_is(recording: Path) -> None:
    """What viewers are shown of the deck is what the driver told of the base, which turns as it goes."""
    shown = []
    with recording.open("rb") as file:
        for _, _, record in make_reader(file).iter_messages(topics=["/tf"]):
            frames = FrameTransforms.FromString(record.data).transforms
            shown += [
                2.0 * np.arctan2(f.rotation.z, f.rotation.w) for f in frames if f.child_frame_id == BASE
            ]
    told = load_run(recording).base.pose[:, 2]
    assert len(shown) > 100 and shown[-1] > 0.05
    assert np.min(np.abs(np.subtract.outer(shown, told)), axis=1).max() < 1e-7  # columns are single
