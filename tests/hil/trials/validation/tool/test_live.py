"""The tool's sensor read live: over loopback, by its own clock, and every way in which it can be lost."""

import socket
import threading
from pathlib import Path

import numpy as np
import pytest

from hil.commands.cli import main
from hil.common.errors import LinkError
from hil.common.free_port import free_port
from hil.trials.validation.arm_run import ArmRun
from hil.trials.validation.csv_log import read_csv_log
from hil.trials.validation.setup import Setup
from hil.trials.validation.tool.live import live_log
from hil.trials.validation.tool.recorder import ToolRecorder
from tests.drivers.sensor.test_client import Hands
from tests.hil.trials.validation.setups import slide

SHORT = "sequence.move=[{tip_mm=[0, 0, 48], speed_mm_s=2}]"
LONG = "sequence.move=[{tip_mm=[0, 0, 48], speed_mm_s=2, dwell_s=4}]"
QUIET = ("sensor_errors.noise_force_n=0.01", "sensor_errors.drift_n_per_s=0", "sensor.stale_ms=500")


def sensed(*settings: str) -> Setup:
    """A second of the slide, with an emulated sensor on a port of its own."""
    port = f"sensor.port={free_port(socket.SOCK_DGRAM)}"
    return slide(
        "sensor.kind=emulated", "sensor.rate_hz=500", port, "campaign.moves=1", SHORT, *QUIET, *settings
    )


def ramp(setup: Setup) -> ArmRun:
    """A run whose wrench grows evenly."""
    t = np.arange(0.0, (len(setup.commands) - 1) * setup.experiment.simulation.step, 0.01)
    nothing = np.zeros((len(t), 7))
    wrench = np.outer(20.0 * t, [1.0, 0.0, -2.0, 0.1, 0.0, 0.0])
    return ArmRun(t, nothing, nothing, nothing, nothing, nothing[:, :3], nothing[:, :3], wrench)


def test_what_is_felt_is_read_at_its_instant() -> None:
    """A ramp over the wire: its slope says how late a reading is; bias and losses as they are set."""
    setup = sensed("sensor_errors.loss=0.1")
    run = ramp(setup)
    log = live_log(setup, run, seed=1)
    read = log.at(run.t[5:-5])
    known = np.isfinite(read[:, 0])
    assert known.mean() > 0.5
    late = (20.0 * run.t[5:-5][known] + 4.0 - read[known, 0]) / 20.0
    # emulated in the same turns as it is read: as late as a busy machine holds a turn up, on average little
    assert abs(np.median(late)) < 0.05
    assert 0.02 < log.told.share_lost < 0.3 and log.told.offset_s < -0.5


@pytest.mark.parametrize(
    ("fault", "words"),
    [("silent", "has sent nothing for"), ("saturated", "saturated"), ("idle", "measured nothing new")],
)
def test_a_sensor_that_is_lost_ends_the_run(fault: str, words: str) -> None:
    """With its reason, and that the run has ended."""
    never = ("sensor.overload_force_n=1000", "sensor.overload_torque_n_m=1000")
    setup = sensed(*never, "sensor.stale_ms=100", LONG)
    with pytest.raises(LinkError, match=f"{words}.*the run has ended"):
        live_log(setup, ramp(setup), seed=1, faults=lambda t: fault if t >= 0.0 else "")


def test_a_sensor_that_is_not_there_is_told() -> None:
    """After two seconds of the host's clock, with its place."""
    clock = Hands()
    recorder = ToolRecorder(sensed().experiment.sensor, clock)
    recorder.poll()
    clock.ns += 2_100_000_000
    with pytest.raises(LinkError, match="sends nothing: look at its supply"):
        recorder.poll()
    recorder.close()


def test_a_real_sensor_is_listened_to(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of a `netft` at an address the records of the sequence are kept; what to do with them is said."""
    from drivers.emulation.sensor.measuring import MeasuringSensor
    from drivers.emulation.sensor.server import SensorServer
    from hil.common.run_clock import RunClock

    port, stop, now = free_port(socket.SOCK_DGRAM), threading.Event(), RunClock().now_ns
    keys = sensed().experiment.sensor.model_copy(update={"port": port})
    made = MeasuringSensor(keys, sensed().experiment.sensor_errors, 1)
    server, begun = SensorServer(made, keys), now()

    def serve() -> None:
        while not stop.wait(0.002):
            server.take_requests()
            server.send(made.take(1e-9 * (now() - begun), np.zeros(6)))

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    given = ("sensor.kind=netft", f"sensor.port={port}", "sensor.rate_hz=500", SHORT, *QUIET)
    settings = [x for text in (*given, "campaign.moves=1", "sequence.repetitions=1") for x in ("--set", text)]
    try:
        assert main(["validate", "table-slide", "--live", *settings, "--out", str(tmp_path / "out")]) == 0
    finally:
        stop.set()
        thread.join(5.0)
        server.close()
    assert "--sensor-log" in capsys.readouterr().out
    assert len((tmp_path / "out" / "sensor.csv").read_text().splitlines()) > 300


def test_options_that_do_not_go_together_are_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """Status 2, and what to write."""
    kind = ["--set", "sensor.kind=emulated"]
    for options, words in (
        (["--live"], "sensor.kind = 'robot' has no sensor at the tool"),
        ([*kind, "--sensor-log", "s.csv"], "--sensor-log goes with --log"),
        ([*kind, "--live", "--log", "a.csv"], "--live takes no --log"),
        ([*kind, "--live", "--campaign"], "--campaign takes no --live"),
        (["--set", "sensor.kind=netft", "--live"], "needs --out"),
        (["--resume"], "--resume goes on with a campaign of a rack"),
    ):
        assert main(["validate", "table-slide", *options]) == 2
        assert words in capsys.readouterr().err


def test_columns_are_read_as_written(tmp_path: Path) -> None:
    """The tool's columns are part of a log; an empty cell is a row without reading."""
    out = tmp_path / "out"
    short = [x for text in (SHORT, "campaign.moves=1", "sensor.kind=emulated", "stand_in.draws=1",
                            "sequence.repetitions=1") for x in ("--set", text)]  # fmt: skip
    main(["validate", "table-slide", *short, "--out", str(out)])
    path = out / "simulated.csv"
    lines = path.read_text().splitlines()
    lines[3] = ",".join([*lines[3].split(",")[:-6], *[""] * 6])
    path.write_text("\n".join(lines) + "\n")
    wrench = read_csv_log(path).wrench
    assert wrench is not None and np.all(np.isnan(wrench[2])) and np.all(np.isfinite(wrench[3:]))
    assert (out / "tool.png").read_bytes()[:4] == b"\x89PNG"
