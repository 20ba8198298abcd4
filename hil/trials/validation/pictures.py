"""Pictures as in the paper's figures 10 and 12: position, difference and torque of a joint, or of all."""

from pathlib import Path
from typing import Any

import numpy as np

from drivers.robot.urdf_for_physics import JOINTS
from hil.analysis.report.style import BLUE, GREY, ORANGE, VERMILLION, drawn, thin
from hil.common.arrays import Array
from hil.common.errors import ExperimentError
from hil.trials.validation.comparison import simulated_at
from hil.trials.validation.result import Result

COMMAND = {"color": GREY, "lw": 1.0, "ls": (0, (1, 1.5)), "label": "commanded"}
SIMULATED = {"color": BLUE, "lw": 1.3, "ls": "-"}
MEASURED = {"color": VERMILLION, "lw": 1.6, "ls": (0, (5, 2))}
CONTACT = {"color": ORANGE, "alpha": 0.2, "lw": 0}


def joint_picture(result: Result, joint: int) -> bytes:
    """Return the PNG of one joint, 0 to 6: position, difference and torque over time."""
    with drawn(6.2, 3, 1, sharex=True) as (_, axes, buffer):
        _draw_joint(axes, result, joint)
        axes[0].set_title(f"{JOINTS[joint]}: position [rad]")
        axes[1].set_title("simulated less measured [rad]")
        axes[2].set_title("torque [N m]")
        axes[2].set_xlabel("t [s]")
        axes[0].legend(loc="best")
    return buffer.getvalue()


def overview(result: Result) -> bytes:
    """Return the PNG of all joints, one a row."""
    with drawn(13.0, 7, 3, sharex=True) as (_, axes, buffer):
        for joint, row in enumerate(axes):
            _draw_joint(row, result, joint)
            row[0].set_ylabel(JOINTS[joint])
        for column, title in enumerate(("position [rad]", "simulated less measured [rad]", "torque [N m]")):
            axes[0][column].set_title(title)
            axes[-1][column].set_xlabel("t [s]")
        axes[0][0].legend(loc="best")
    return buffer.getvalue()


def save(png: bytes, path: Path) -> None:
    """Write a picture.

    Raises:
        ExperimentError: the file cannot be written.
    """
    try:
        path.write_bytes(png)
    except OSError as error:
        raise ExperimentError(f"{path} cannot be written: {error.strerror}") from error


def _draw_joint(axes: Any, result: Result, joint: int) -> None:
    run, log = result.simulated, result.log
    q, torque = simulated_at(run, log)
    for panel in axes:
        for begin, end in run.contacts():
            panel.axvspan(begin, end, **CONTACT)
    measured = {**MEASURED, "label": "stand-in" if result.draws else "measured"}
    simulated = {**SIMULATED, "label": "simulated"}
    axes[0].plot(*thin(run.t, run.command[:, joint]), **COMMAND)
    axes[0].plot(*thin(log.t, log.q[:, joint]), **measured)
    axes[0].plot(*thin(log.t, q[:, joint]), **simulated)
    axes[1].plot(*thin(log.t, q[:, joint] - log.q[:, joint]), color=BLUE, lw=1.2)
    axes[1].axhline(0.0, color=GREY, lw=0.8)
    axes[2].plot(*thin(log.t, log.torque[:, joint]), **measured)
    axes[2].plot(*thin(log.t, torque[:, joint]), **simulated)
    axes[1].set_ylim(*_room(q[:, joint] - log.q[:, joint]))


def _room(values: Array) -> tuple[float, float]:
    """Return limits that leave some room, and never show mere rounding as a course."""
    most = max(float(np.abs(values).max()), 1e-4)
    return -1.1 * most, 1.1 * most
