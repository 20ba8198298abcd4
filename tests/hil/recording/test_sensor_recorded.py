"""A lock-step run on a force sensor: what it felt, what is recorded of it, and the replay to the bit."""

from pathlib import Path

import numpy as np
import pytest

from drivers.emulation.sensor import measuring
from hil.commands.cli import main
from hil.loop.trace.recorder import Trace
from hil.messaging.sensor_messages import SensorInputs, SensorState
from hil.recording.reading import summary_of
from hil.recording.replaying.runner import in_one_process
from hil.recording.replaying.source import Source
from tests.hil.recording.test_replay import copied, quiet

SENSOR = Path(__file__).resolve().parents[3] / "configs" / "sensor.toml"
PUSHED = ("operator.random.first_s=0.8", "operator.random.gap_s=0.8", "operator.random.gap_spread_s=0.0")
FAST_PPM = 300.0


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Trace]:
    """3.4 s afloat with four pushes; the sensor's clock is fast."""
    folder = tmp_path_factory.mktemp("sensed")
    file, trace = folder / "run.mcap", folder / "run.npz"
    settings = [f"--set={line}" for line in (*PUSHED, f"emulator.sensor.clock_ppm={FAST_PPM}")]
    command = ["simulate", str(SENSOR), "--duration", "3.4", "--trace", str(trace), "--record", str(file)]
    assert main([*command, *settings]) == 0
    return file, Trace.load(trace)


def test_pushes_come_out_as_they_were_exerted(recorded: tuple[Path, Trace]) -> None:
    """As many as there were; each impulse's size within 3 % and 0.02 N s, bias, weight and inertia apart."""
    trace = recorded[1]
    exerted = np.linalg.norm(trace.push_value[:, :3], axis=1)
    over = trace.push_t_end < trace.t[-1] - 0.3
    found = [
        np.linalg.norm(trace.impulse_value[trace.impulse_id == number][:, :3].sum(0))
        for number in np.unique(trace.impulse_id)
    ]
    assert len(found) >= over.sum() >= 3
    for size, told in zip(exerted[over], found, strict=False):
        assert told == pytest.approx(size, rel=0.03, abs=0.02)


def test_untouched_it_reads_next_to_nothing(recorded: tuple[Path, Trace]) -> None:
    """In flight and 0.3 s after any push: below 0.25 N, where the emulated estimate wanders by newtons."""
    trace = recorded[1]
    quiet_now = np.ones(len(trace.t), bool)
    for start, end in zip(trace.push_t_start, trace.push_t_end, strict=True):
        quiet_now &= (trace.t < start - 0.02) | (trace.t > end + 0.3)
    # while it sets off the acceleration is late by 10 ms, and a push is under way in the end
    quiet_now &= (trace.t > trace.t[0] + 0.3) & (trace.t < trace.t[-1] - 0.3)
    assert quiet_now.sum() > 100
    assert np.abs(trace.wrench_measured[quiet_now, :3]).max() < 0.25


def test_every_record_is_there_and_the_clock_is_found(recorded: tuple[Path, Trace]) -> None:
    """As many records as the sensor made, in order; its drift to 10 ppm; the bias to 0.01 N."""
    source = Source(recorded[0], ["/sensor_inputs", "/sensor_state"])
    rows = np.vstack([block.rows for block in source.all_of("/sensor_inputs", SensorInputs)])
    assert (np.diff(rows[:, 2]) == 1).all() and rows[0, 2] == 1
    assert (np.diff(rows[:, 3]) % 2**32 == 1).all()
    assert rows[:, 3].min() < 10 < 2**32 - 10 < rows[:, 3].max()  # the measurement's number began anew
    state = list(source.all_of("/sensor_state", SensorState))[-1]
    assert state.drift == pytest.approx(-1e-6 * FAST_PPM, abs=1e-5)
    assert state.tared and not state.trouble and state.lost == state.restarts == 0
    assert state.bias[:3] == pytest.approx([4.0, -3.0, 6.0], abs=0.02)


def test_the_replay_says_the_same_to_the_bit(recorded: tuple[Path, Trace]) -> None:
    """The driver's core on the recorded records: every cycle, every slice."""
    driver = next(v for v in in_one_process(recorded[0], quiet) if v.core == "driver")
    assert driver.same and not driver.notes
    assert driver.compared["cycle"] == summary_of(recorded[0]).counts["/cycle"]


def test_a_lost_block_of_records_is_named(recorded: tuple[Path, Trace], tmp_path: Path) -> None:
    """Without the tenth block the replay says that inputs are missing, and is not the same."""
    torn = copied(recorded[0], tmp_path / "torn.mcap", lambda name, n: (name, n) != ("/sensor_inputs", 10))
    driver = next(v for v in in_one_process(torn, quiet) if v.core == "driver")
    assert any("inputs are missing" in note for note in driver.notes)
    assert not driver.same


def test_the_emulation_names_all_its_faults() -> None:
    """What the disturbances list is what the sensor knows."""
    kinds = {getattr(measuring, n) for n in ("SILENT", "IDLE", "LATCHED", "LOSES", "RESTARTS")}
    assert kinds == {"silent", "idle", "latched", "lossy", "restarted"}
