"""Replaying a recording: the same program says the same to the bit; a changed one is found, with its time."""

import dataclasses
import shutil
from pathlib import Path

import numpy as np
import pytest
from mcap.records import Channel, Schema
from mcap.records import Message as Record

from drivers.emulation.controller.controller import EmulatedController
from drivers.fri.session import FriSession
from hil.commands.cli import main
from hil.common.formats.mcap_records import mcap_records
from hil.loop.sim_core import SimCore
from hil.messaging.messages import INPUT_GAP
from hil.recording.mcap_file import Channel as Written
from hil.recording.mcap_file import McapFile
from hil.recording.reading import messages, summary_of
from hil.recording.replaying import driver_stage, emulator_stage, stages
from hil.recording.replaying.closed_loop import closed_loop
from hil.recording.replaying.runner import CORES, in_one_process, side_by_side

ROOT = Path(__file__).resolve().parents[3]
DURATION_S = 6.0
CHANGED_NS = 4_000_000_000
CHANGED_CYCLE = 1500


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    """Six seconds of pushes in lock-step."""
    path = tmp_path_factory.mktemp("replay") / "run.mcap"
    command = ["simulate", str(ROOT / "configs" / "pushes.toml"), "--duration", str(DURATION_S)]
    assert main([*command, "--record", str(path)]) == 0
    return path


def quiet(core, turns):
    """No progress is shown."""


def copied(path: Path, target: Path, keep) -> Path:
    """A copy of a recording without the messages that `keep(channel, n-th of it)` refuses."""
    names, schemas, counts = {}, {}, {}
    file = McapFile(target, 0, summary_of(path).metadata)
    for record in mcap_records(path):
        if isinstance(record, Schema):
            schemas[record.id] = record
        elif isinstance(record, Channel):
            schema = schemas[record.schema_id]
            names[record.id] = Written(record.topic, schema.name, schema.data)
        elif isinstance(record, Record):
            channel = names[record.channel_id]
            number = counts[channel.name] = counts.get(channel.name, -1) + 1
            if keep(channel.name, number):
                file.write(channel, record.log_time, record.data, record.sequence)
    file.close()
    return target


@pytest.mark.parametrize("run", [in_one_process, side_by_side])
def test_the_same_program_says_the_same(recording, run):
    """Every core, every topic: all that was said is said again, nothing else, to the bit."""
    counts = summary_of(recording).counts
    verdicts = run(recording, quiet)
    assert [verdict.core for verdict in verdicts] == list(CORES)
    for verdict in verdicts:
        assert verdict.same and not verdict.notes and not verdict.first
    sim, planner, driver, supervisor, emulator = (verdict.compared for verdict in verdicts)
    assert sim["sim_state"] == counts["/sim_state"]
    assert planner["plan"] == planner["prediction"] == counts["/plan"] > 20
    assert driver["cycle"] == counts["/cycle"] and driver["robot_state"] == counts["/robot_state"]
    assert driver["impulse"] == counts["/impulse"] > 50 and driver["witness"] == counts["/witness"] > 5
    assert supervisor["mode"] == counts["/mode"] > 100
    assert emulator["truth"] == counts["/truth"] > 2000 and emulator["packet"] >= counts["/truth"]


def test_what_arrivals_decide_is_decided_again(tmp_path, monkeypatch):
    """Packets come 0.6 s late by the host's clock for a while, so orders are stale: replay brakes alike."""
    plain = FriSession.receive

    def late(self, data, address, t_ns):
        held_up = CHANGED_NS <= t_ns < CHANGED_NS + 100_000_000
        sample = plain(self, data, address, t_ns)
        return dataclasses.replace(
            sample, arrival_ns=t_ns + (600_000_000 if held_up else 0), gap=t_ns == CHANGED_NS
        )

    path = tmp_path / "run.mcap"
    with monkeypatch.context() as patch:
        patch.setattr(FriSession, "receive", late)
        command = [
            "simulate",
            str(ROOT / "configs" / "pushes.toml"),
            "--duration",
            "4",
            "--record",
            str(path),
        ]
        assert main(command) == 0
    blocks = [block for _, _, block in messages(path, "/driver_inputs")]
    rows = np.concatenate([block.rows for block in blocks])
    later = np.concatenate([block.arrival_stamps for block in blocks]) - rows[:, 0]
    assert set(later) == {0, 600_000_000} and np.count_nonzero(later) == 50
    assert np.count_nonzero(rows[:, 3] & INPUT_GAP) == 1
    verdicts = in_one_process(path, quiet)
    assert all(verdict.same and not verdict.notes for verdict in verdicts)
    monkeypatch.setattr(driver_stage, "_sample", unarrived(driver_stage._sample))
    driver = next(verdict for verdict in in_one_process(path, quiet) if verdict.core == "driver")
    assert driver.different["cycle"] > 10, "the arrivals, and nothing else, made the arm brake"


def unarrived(made):
    """The same samples, arrived at the instants of their stamps."""

    def sample(arrival_ns, row, *told):
        return made(row[0], row, *told)

    return sample


def test_the_closed_loop_is_the_same(recording):
    """From the configuration in its head the whole run comes out again, message by message."""
    verdict = closed_loop(recording, lambda done: None)
    assert verdict.same and not verdict.notes
    counts = summary_of(recording).counts
    for channel in ("/cycle", "/truth", "/sim_state", "/plan", "/driver_inputs", "/supervisor_turn"):
        topic = {"/cycle": "cycles"}.get(channel, channel[1:])
        assert verdict.compared[topic] == counts[channel]


class Nudged(SimCore):
    """Another program: from an instant on its object is a picometre beside where it should be."""

    def step(self, t_ns, *rest):
        state = super().step(t_ns, *rest)
        if state is not None and t_ns >= CHANGED_NS:
            state = dataclasses.replace(state, p_world_object=state.p_world_object + 1e-12)
        return state


def test_a_changed_core_is_found_with_its_topic_and_time(recording, monkeypatch):
    """A picometre from 4 s on: differences of the simulation only, none before, each named with its field."""
    monkeypatch.setattr(stages, "SimCore", Nudged)
    sim, planner, driver, supervisor, emulator = in_one_process(recording, quiet)
    assert set(sim.different) == {"sim_state"} and sim.first[0].t_ns == CHANGED_NS
    assert "p_world_object: by up to 1e-12 m" in sim.first[0].text
    assert planner.same and driver.same and supervisor.same and emulator.same


class Beside(SimCore):
    """Another program: from an instant on it predicts a millimetre beside."""

    def predict(self, t_ns):
        made = super().predict(t_ns)
        if made is not None and t_ns >= CHANGED_NS:
            made = dataclasses.replace(made, p_world_object=made.p_world_object + 1e-3)
        return made


def test_what_follows_from_a_changed_core_is_found_too(recording, monkeypatch):
    """Predictions a millimetre off: the planner's input is said to differ, plans and commands differ."""
    monkeypatch.setattr(stages, "SimCore", Beside)
    sim, planner, driver, *_ = in_one_process(recording, quiet)
    assert sim.same
    assert planner.different["prediction"] > 0 and planner.first[0].t_ns >= CHANGED_NS
    assert driver.different["cycle"] > 0
    assert min(item.t_ns for item in driver.first) >= CHANGED_NS


@pytest.mark.parametrize(("channel", "core"), [("/driver_inputs", "driver"), ("/sim_turns", "simulation")])
def test_missing_inputs_are_said_and_what_was_before_them_is_compared(recording, tmp_path, channel, core):
    """A hole in a core's inputs: it is followed up to there, and nothing behind it counts as a difference."""
    holed = copied(recording, tmp_path / "holed.mcap", lambda name, n: (name, n) != (channel, 20))
    found = {verdict.core: verdict for verdict in in_one_process(holed, quiet)}[core]
    assert any("inputs are missing from turn" in note for note in found.notes)
    assert found.same and 500 < found.turns < 1500


class Stiffer(EmulatedController):
    """Another program: from a cycle on its arm is a microradian beside where it would be."""

    def advance(self):
        super().advance()
        if self.cycle == CHANGED_CYCLE:
            self.arm.q[0] += 1e-6


def test_a_changed_emulation_is_found(recording, monkeypatch):
    """A microradian of one joint: the packets and the truth differ from then on, and no other core does."""
    monkeypatch.setattr(emulator_stage, "EmulatedController", Stiffer)
    *others, emulator = in_one_process(recording, quiet)
    assert all(verdict.same for verdict in others)
    assert set(emulator.different) == {"packet", "truth"}
    assert f"cycle {CHANGED_CYCLE}: by up to" in emulator.first[0].text


def test_a_message_that_was_never_said_is_a_difference(recording, tmp_path):
    """A recording from which one impulse's revision is gone: the driver says it now and did not then."""
    holed = copied(recording, tmp_path / "less.mcap", lambda name, n: (name, n) != ("/impulse", 30))
    driver = in_one_process(holed, quiet)[2]
    assert driver.different == {"impulse": 1} and driver.first[0].text == "was not said then"


def test_a_broken_recording_is_replayed_as_far_as_it_goes(recording, tmp_path, capsys):
    """Cut in the middle: status 0, and fewer turns."""
    broken = tmp_path / "broken.mcap"
    shutil.copy(recording, broken)
    with open(broken, "r+b") as file:
        file.truncate(2 * recording.stat().st_size // 3)
    assert main(["replay", str(broken), "--one-process"]) == 0
    assert "driver: the same" in capsys.readouterr().out


def test_a_core_without_inputs_is_no_disagreement(recording, tmp_path, capsys):
    """As with a real arm, which has no emulated controller: the others agree, and status 0 says so."""
    real = copied(
        recording, tmp_path / "real.mcap", lambda name, n: name not in ("/emulator_inputs", "/truth")
    )
    assert main(["replay", str(real), "--one-process"]) == 0
    text = capsys.readouterr().out
    assert "emulator: nothing to compare" in text and "driver: the same" in text


def test_a_difference_is_status_1(recording, tmp_path):
    """One impulse that was never said."""
    holed = copied(recording, tmp_path / "less.mcap", lambda name, n: (name, n) != ("/impulse", 30))
    assert main(["replay", str(holed), "--one-process"]) == 1


def test_a_recording_of_one_of_two_hosts_is_refused(recording, tmp_path, capsys):
    """Its instants are those of two clocks."""
    target = tmp_path / "half.mcap"
    head = summary_of(recording).metadata
    file = McapFile(target, 0, head | {"zerog": head["zerog"] | {"site": "robot"}})
    file.close()
    assert main(["replay", str(target)]) == 2
    assert "one of two hosts" in capsys.readouterr().err


def test_replay_says_what_it_found(recording, capsys):
    """One line a core, and how fast it was."""
    assert main(["replay", str(recording), "--closed-loop"]) == 0
    text = capsys.readouterr().out
    for name in (*CORES, "closed loop"):
        assert f"{name}: the same; " in text
    assert "times real time" in text and "DIFFERENT" not in text


def test_a_recording_without_inputs_is_no_replay(recording, tmp_path, capsys):
    """Nothing to compare is no agreement."""
    bare = copied(recording, tmp_path / "bare.mcap", lambda name, n: name in ("/cycle", "/mode"))
    assert main(["replay", str(bare), "--one-process"]) == 2
    assert "has no inputs of the cores" in capsys.readouterr().err
    assert main(["replay", str(tmp_path / "none.mcap")]) == 2
    assert np.char.count(capsys.readouterr().err, "\n") == 1
