"""Logs that are recordings of this program: measured joints, external torques, and what was commanded."""

from pathlib import Path

import numpy as np

from hil.common.arrays import Array, frozen_array
from hil.common.errors import RecordingError
from hil.configuration.schema import Sensor
from hil.loop.sensor_log import record_of
from hil.recording.columns import Columns, read_columns
from hil.recording.head import configuration_of
from hil.trials.validation.arm_log import ArmLog, check_rate
from hil.trials.validation.csv_log import read_csv_log
from hil.trials.validation.tool.columns import with_tool
from hil.trials.validation.tool.keeper import RecordKeeper
from hil.trials.validation.tool.sensor_log import SensorLog

Q, EXTERNAL = slice(0, 7), slice(13, 20)  # of the inputs that a recording keeps of every packet
SENSED = "/sensor_inputs"
NEEDED = {"/driver_inputs": "inputs of the driver (torques)", "/cycle": "cycles of the driver (commands)"}


def read_log(path: Path, sensor: Sensor | None = None) -> ArmLog:
    """Return the log in a file, a recording of this program or CSV.

    Args:
        path: of the file.
        sensor: at the tool, as the experiment places it; a recording's must hang there.

    Raises:
        RecordingError: it cannot be read, or is not what a log must be.
        ConfigurationError: the configuration in a recording is refused by this version.
    """
    return read_mcap_log(path, sensor) if path.suffix == ".mcap" else read_csv_log(path)


def read_mcap_log(path: Path, sensor: Sensor | None = None) -> ArmLog:
    """Return the part of a recording in which the arm was commanded; its torques are external ones.

    Raises:
        RecordingError: it cannot be read, lacks messages, or the arm was never commanded.
        ConfigurationError: this version refuses its configuration.
    """
    summary, channels = read_columns(path, {*NEEDED, SENSED})
    missing = [what for channel, what in NEEDED.items() if channel not in channels]
    if missing:
        raise RecordingError(f"{path}: the recording has no {' and no '.join(missing)}")
    configuration = configuration_of(path, summary)
    fri = configuration.fri
    notes = ["torques are the controller's estimate of external ones"]
    if fri.torque_sign == 0:
        notes.append("their sign is not known (fri.torque_sign = 0): taken as it is")
    begin_ns, t_command, command = _commanded(path, channels["/cycle"])
    inputs = channels["/driver_inputs"]
    t = 1e-9 * (inputs["rows"][:, 0] - begin_ns)
    order = np.unique(t, return_index=True)[1]
    rows = order[(t[order] >= 0.0) & (t[order] <= t_command[-1])]
    check_rate(path, t[rows])
    values = np.asarray(inputs["values"][rows], float)
    followed = np.column_stack([np.interp(t[rows], t_command, command[:, joint]) for joint in range(7)])
    log = ArmLog(
        str(path),
        frozen_array(t[rows] - t[rows[0]]),
        frozen_array(values[:, Q]),
        frozen_array((fri.torque_sign or 1) * values[:, EXTERNAL]),
        external=True,
        command=frozen_array(followed),
        notes=tuple(notes),
    )
    if SENSED not in channels:
        return log
    if sensor is not None:
        _check_place(path, sensor, configuration.sensor)
    return with_tool(log, _sensed(channels[SENSED], configuration.sensor, begin_ns + round(1e9 * t[rows[0]])))


def _check_place(path: Path, wanted: Sensor, recorded: Sensor) -> None:
    """Refuse a recording whose sensor hangs elsewhere than the experiment's."""
    for key in ("position", "rotvec"):
        if not np.allclose(getattr(wanted, key), getattr(recorded, key), atol=1e-9):
            raise RecordingError(
                f"{path}: its sensor.{key} = {getattr(recorded, key).tolist()} [m, rad] is not the "
                f"experiment's, {getattr(wanted, key).tolist()}: give the experiment the recording's [sensor]"
            )


def _sensed(blocks: Columns, sensor: Sensor, zero_ns: int) -> SensorLog:
    """Return the records of a run's own force sensor, time zero at host time `zero_ns`."""
    keeper = RecordKeeper(sensor)
    keeper.take(record_of(row) for row in blocks["rows"].tolist())
    return keeper.log(zero_ns)


def _commanded(path: Path, cycles: Columns) -> tuple[int, Array, Array]:
    """Return when commands began [ns], their times from there [s] (n,), and what they were [rad] (n, 7)."""
    rows = np.flatnonzero(cycles["commanding"])
    if not len(rows):
        raise RecordingError(f"{path}: the arm was never commanded in this recording")
    t_ns = cycles["t_ns"][rows]
    return int(t_ns[0]), 1e-9 * (t_ns - t_ns[0]), np.asarray(cycles["q_command"][rows])
