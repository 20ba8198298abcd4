"""`zerog validate` with a force sensor at the tool: read live, or from a log of its own."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from hil.commands.progress import progress_of
from hil.common.errors import ExperimentError

if TYPE_CHECKING:
    from hil.trials.validation.arm_log import ArmLog
    from hil.trials.validation.arm_run import ArmRun
    from hil.trials.validation.parameters import Parameters
    from hil.trials.validation.setup import Setup

SENSOR_FILE, LOG_FILE = "sensor.csv", "measured.csv"


def add_tool_options(sub: argparse.ArgumentParser) -> None:
    """Add the options of the tool's sensor to the command's grammar."""
    sub.add_argument(
        "--live",
        action="store_true",
        help="read the tool's sensor (sensor.kind) while the sequence is done: an emulated one at the "
        "emulated arm, in real time; of a real one --out gets sensor.csv",
    )
    sub.add_argument(
        "--sensor-log",
        type=Path,
        metavar="CSV",
        help="records of the tool's sensor beside --log, by its own clock: the offset is found",
    )


def refuse_tool(options: argparse.Namespace, setup: "Setup") -> None:
    """Refuse options that do not go together.

    Raises:
        ExperimentError: says which, and what to do.
    """
    wants = "--live" if options.live else "--sensor-log" if options.sensor_log is not None else ""
    if wants and not setup.has_tool_sensor:
        raise ExperimentError(
            f"{wants}: sensor.kind = 'robot' has no sensor at the tool: write 'netft' or 'emulated' "
            "(--set sensor.kind=emulated)"
        )
    if options.sensor_log is not None and (options.log is None or options.live):
        raise ExperimentError(
            "--sensor-log goes with --log, the arm's log of the same run, and not with --live"
        )
    if options.live and options.log is not None:
        raise ExperimentError("--live takes no --log: give --sensor-log with the arm's log afterwards")
    if options.live and options.campaign:
        raise ExperimentError("--campaign takes no --live: its trials are simulated")
    if options.live and setup.experiment.sensor.kind != "emulated" and options.out is None:
        raise ExperimentError(f"--live with a real sensor needs --out: {SENSOR_FILE} is written there")


def measured(
    options: argparse.Namespace, setup: "Setup", run: "Callable[..., ArmRun]"
) -> "tuple[ArmLog | None, Parameters | None]":
    """Return the log that stands on the other side, and its truth where that is known; None: stand-ins do.

    Raises:
        RecordingError: a log cannot be read, or is of another run.
        LinkError: the sensor is not there, or is lost on the way.
    """
    from hil.trials.validation.mcap_log import read_log
    from hil.trials.validation.result import commands_of
    from hil.trials.validation.tool.columns import with_found_offset
    from hil.trials.validation.tool.sensor_csv import read_sensor_csv

    if options.live:
        return _lived(options, setup, run)
    if options.log is None:
        return None, None
    sensor = setup.experiment.sensor
    log = read_log(options.log, sensor if setup.has_tool_sensor else None)
    if options.sensor_log is None:
        return log, None
    records = read_sensor_csv(options.sensor_log, sensor.rate)
    simulated = run(setup.parameters, commands_of(setup, log), forces=False)
    return with_found_offset(setup, log, simulated, records), None


def _lived(
    options: argparse.Namespace, setup: "Setup", run: "Callable[..., ArmRun]"
) -> "tuple[ArmLog, Parameters]":
    """Return the log of the emulated arm with other parameters, its tool's sensor read over the wire."""
    from hil.trials.validation.csv_log import write_csv_log
    from hil.trials.validation.parameters import named
    from hil.trials.validation.stand_in import made_up_log
    from hil.trials.validation.tool.columns import with_tool
    from hil.trials.validation.tool.live import live_log
    from hil.trials.validation.tool.sensor_csv import write_sensor_csv

    e = setup.experiment
    truth = setup.parameters.drawn(e.stand_in.seed, e.stand_in.spread, named(e.fit.parameters))
    arm = run(truth)
    with progress_of("s of the run", int(arm.t[-1])) as progress:
        records = live_log(setup, arm, e.stand_in.seed, lambda t: progress(int(t)))
    log = with_tool(made_up_log(arm, e.noise, e.stand_in.seed), records)
    if options.out is not None:
        write_csv_log(options.out / LOG_FILE, log.t, log.q, log.torque, arm.command, log.wrench)
        write_sensor_csv(options.out / SENSOR_FILE, records)
    return log, truth


def capture(options: argparse.Namespace, setup: "Setup") -> int:
    """Listen to a real sensor for as long as the sequence takes, and write its records.

    Raises:
        LinkError: the sensor is not there, or is lost on the way.
    """
    from hil.trials.validation.tool.live import live_log
    from hil.trials.validation.tool.sensor_csv import write_sensor_csv

    seconds = int((len(setup.commands) - 1) * setup.experiment.simulation.step)
    with progress_of("s of the sequence", seconds) as progress:
        records = live_log(setup, None, 0, lambda t: progress(int(t)))
    path = options.out / SENSOR_FILE
    write_sensor_csv(path, records)
    print(records.told.in_words())
    print(f"now, with the arm's log of the same run: zerog validate ... --log ARM.csv --sensor-log {path}")
    return 0
