"""The picture of the wrench at the tool: by the sensor, by the joints' torques, and simulated."""

import numpy as np

from hil.analysis.report.style import BLUE, GREEN, GREY, ORANGE, VERMILLION, drawn, thin
from hil.trials.validation.comparison import wrench_at
from hil.trials.validation.result import Result
from hil.trials.validation.tool.comparison import COMPONENTS, at_rest, from_rest


def tool_picture(result: Result) -> bytes:
    """Return the PNG: a row a component, its course and simulated less measured, both counted from rest."""
    run, log, by_joints = result.simulated, result.log, result.by_joints
    simulated = wrench_at(run, log)
    assert (
        simulated is not None and log.wrench is not None and by_joints is not None
    )  # only where both have it
    rest = at_rest(run, log.t)
    s, m, j = (from_rest(values, rest) for values in (simulated, log.wrench, by_joints))
    said = "stand-in's sensor" if result.draws else "sensor"
    with drawn(12.0, 6, 2, sharex=True) as (_, axes, buffer):
        for k, (name, unit) in enumerate(COMPONENTS):
            left, right = axes[k]
            for panel in (left, right):
                for begin, end in run.contacts():
                    panel.axvspan(begin, end, color=ORANGE, alpha=0.2, lw=0)
                panel.axhline(0.0, color=GREY, lw=0.8)
            left.plot(*thin(log.t, j[:, k]), color=GREEN, lw=1.0, label="by the joints' torques")
            left.plot(*thin(log.t, m[:, k]), color=VERMILLION, lw=1.6, ls=(0, (5, 2)), label=said)
            left.plot(*thin(log.t, s[:, k]), color=BLUE, lw=1.2, label="simulated")
            right.plot(*thin(log.t, s[:, k] - j[:, k]), color=GREEN, lw=0.9)
            right.plot(*thin(log.t, np.nan_to_num(s[:, k] - m[:, k])), color=VERMILLION, lw=1.0)
            left.set_ylabel(f"{name} [{unit}]")
        axes[0][0].set_title("wrench at the tool, sensor axes, from rest on")
        axes[0][1].set_title("simulated less sensor, and less joints")
        for panel in axes[-1]:
            panel.set_xlabel("t [s]")
        axes[0][0].legend(loc="best")
    return buffer.getvalue()
