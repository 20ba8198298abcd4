"""The tool's sensor brought into an arm's log: its readings at the log's instants, by the log's clock."""

from dataclasses import replace

from hil.common.arrays import frozen_array
from hil.common.errors import RecordingError
from hil.trials.validation.arm_log import ArmLog
from hil.trials.validation.arm_run import ArmRun
from hil.trials.validation.setup import Setup
from hil.trials.validation.tool.estimate import external_torques, jacobians
from hil.trials.validation.tool.offset import find_offset
from hil.trials.validation.tool.sensor_log import SensorLog

REACH = 2.0  # [s] by which clocks of two logs may lie beside each other
LEAST = 0.5  # share of an arm's log in which its sensor must have readings


def with_tool(log: ArmLog, sensor: SensorLog) -> ArmLog:
    """Return an arm's log with the columns of its tool's sensor; both count by the same clock.

    Raises:
        RecordingError: for most of the log there is no reading.
    """
    wrench = sensor.at(log.t)
    known = float((wrench == wrench).all(axis=1).mean())
    if known < LEAST:
        raise RecordingError(
            f"{log.source}: the tool's sensor has readings in {100.0 * known:.0f} % of the arm's rows, at "
            f"least {100.0 * LEAST:g} % are needed: too many records are lost, or they are of another run"
        )
    return replace(log, wrench=frozen_array(wrench), told=sensor.told)


def with_found_offset(setup: Setup, log: ArmLog, run: ArmRun, sensor: SensorLog) -> ArmLog:
    """Return the same where the sensor has a clock of its own: the offset is found from both courses.

    Args:
        setup: of the experiment.
        log: of the arm.
        run: of the same sequence, simulated; its gravity torques are the controller's.
        sensor: records over their own time.

    Raises:
        RecordingError: the courses do not tell the offset.
    """
    external = external_torques(log, run)
    offset, error = find_offset(log.t, log.q, external, jacobians(setup, log.q), sensor, REACH)
    return with_tool(log, sensor.shifted(offset, error))
