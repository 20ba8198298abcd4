"""The files of a validation: the figures, the courses as logs, and the pictures."""

import json
from pathlib import Path
from typing import Any

from drivers.robot.urdf_for_physics import JOINTS
from hil.common.errors import ExperimentError
from hil.trials.validation.csv_log import write_csv_log
from hil.trials.validation.pictures import joint_picture, overview, save
from hil.trials.validation.result import Result
from hil.trials.validation.tool_picture import tool_picture


def begin_folder(folder: Path | None) -> Path | None:
    """Return the folder, made; nothing is overwritten.

    Raises:
        ExperimentError: it is not empty, or cannot be made.
    """
    if folder is None:
        return None
    try:
        if folder.exists() and any(folder.iterdir()):
            raise ExperimentError(f"{folder} is not empty: give another folder, nothing is overwritten")
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ExperimentError(f"{folder} cannot be used: {error.strerror}") from error
    return folder


def write_result(folder: Path, result: Result) -> None:
    """Write the courses as logs, and a picture of each joint and of all.

    Raises:
        ExperimentError: a file cannot be written.
        RecordingError: a log cannot be written.
    """
    run, log = result.simulated, result.log
    write_csv_log(folder / "simulated.csv", run.t, run.q, run.torque, run.command, run.wrench)
    if result.draws:
        assert log.command is not None  # a stand-in's are known
        write_csv_log(folder / "stand_in.csv", log.t, log.q, log.torque, log.command, log.wrench)
    for joint, name in enumerate(JOINTS):
        save(joint_picture(result, joint), folder / f"{name}.png")
    save(overview(result), folder / "joints.png")
    if result.tool:
        save(tool_picture(result), folder / "tool.png")


def write_json(path: Path, values: dict[str, Any]) -> None:
    """Write figures.

    Raises:
        ExperimentError: the file cannot be written.
    """
    try:
        path.write_text(json.dumps(values, indent=2), encoding="utf-8")
    except OSError as error:
        raise ExperimentError(f"{path} cannot be written: {error.strerror}") from error
