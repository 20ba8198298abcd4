"""What was measured of the pushes: input and derivative near by, and impulses over the measured force."""

from typing import Any

import numpy as np

from hil.analysis.recorded.run import RecordedRun
from hil.analysis.report.chosen_push import ChosenPush
from hil.analysis.report.style import (
    BLACK,
    BLUE,
    GREEN,
    GREY,
    PUSH_SHADE,
    VERMILLION,
    Picture,
    drawn,
    thin,
)
from hil.common.arrays import Array, BoolArray
from hil.loop.trace.fields import Trace
from hil.wrench.detector.impulse_detector import ImpulseDetector
from hil.wrench.filter import filter_series
from hil.wrench.recorded.detection import scaled

BEFORE, AFTER = 0.15, 0.45  # [s] about a push
SWUNG_IN = 0.1  # [s] before it, until the filter forgets that it began there
WINDOW = 20.0  # [s] of reconstructed impulses


def world_forces(trace: Trace, rows: slice) -> Array:
    """Return the measured force in world axes [N], shape (n, 3)."""
    force, quat = trace.wrench_measured[rows, :3], trace.quat_world_object_arm[rows]
    w, v = quat[:, :1], quat[:, 1:]
    # the rotation of a vector by a unit quaternion
    crossed = 2.0 * np.cross(v, force)
    turned: Array = force + w * crossed + np.cross(v, crossed)
    return turned


def draw_input(run: RecordedRun, push: ChosenPush) -> Picture:
    """Draw the measured force along a push, smoothed as the detector does, and its derivative."""
    trace, c = run.trace, run.configuration
    rows = slice(*np.searchsorted(trace.t, [push.start - BEFORE - SWUNG_IN, push.end + AFTER]))
    t = trace.t[rows]
    ms = 1e3 * (t - push.start)
    wrench = scaled(trace.wrench_measured[rows], c.filter.length)
    _, derivative = filter_series(t, np.ascontiguousarray(wrench), c.filter.tau)
    rate = np.linalg.norm(derivative, axis=1)
    along = world_forces(trace, rows) @ push.direction
    smooth = filter_series(t, np.column_stack([along] * 6), c.filter.tau)[0][:, 0]
    threshold = ImpulseDetector(c.detector, c.filter, c.fri.sample_time).derivative_threshold
    impulses = _impulses_within(trace, t[0], t[-1])
    with drawn(3.4, 1, 2) as (_, (left, right), buffer):
        left.plot(ms, along, color=GREY, lw=0.8, label="measured, along the push")
        left.plot(ms, smooth, color=BLUE, lw=1.3, label="smoothed w*")
        for start, end in impulses:
            inside = (t >= start) & (t <= end)
            left.plot(ms[inside], along[inside], color=VERMILLION, lw=2.4, ls=(0, (4, 1)))
        left.plot([], [], color=VERMILLION, lw=2.4, ls=(0, (4, 1)), label="within a detected impulse")
        for axes in (left, right):
            axes.set_xlim(-1e3 * BEFORE, ms[-1])
        left.set(title="input", xlabel="time from the push's start [ms]", ylabel="force [N]")
        left.legend(loc="upper right")
        right.semilogy(ms, np.maximum(rate, 1e-2 * threshold), color=BLUE, lw=1.0, label="norm of dw*/dt")
        right.axhline(threshold, color=BLACK, lw=1.0, ls="--", label=f"threshold {threshold:.0f} N/s")
        right.set(title="derivative of the smoothed input", xlabel="time from the push's start [ms]")
        right.set_ylabel("[N/s], torques over the filter's length")
        for start, end in impulses:
            for axes in (left, right):
                axes.axvspan(1e3 * (start - push.start), 1e3 * (end - push.start), **PUSH_SHADE)
        right.legend(loc="upper right")
    caption = (
        f"The hardest push ({push.size:.2f} N s). Left: the force that the arm measured, along the push; "
        "grey raw, blue smoothed, dashed and shaded where an impulse was detected. Right: how fast the "
        "smoothed wrench changes; a push begins where it passes the threshold. As in the paper's figure 4, "
        "the counter-swing after the push is no impulse."
    )
    return Picture("input", "Input and its derivative", caption, buffer.getvalue())


def draw_reconstruction(run: RecordedRun) -> Picture:
    """Draw the detected impulses over the measured force, world axes, for at most 20 s."""
    trace = run.trace
    first = max(float(trace.t[0]), float(trace.impulse_t_start[0]) - 1.0)
    rows = slice(*np.searchsorted(trace.t, [first, first + WINDOW]))
    t, force = trace.t[rows] - trace.t[0], world_forces(trace, rows)
    shown = (trace.impulse_t_start >= first) & (trace.impulse_t_start < first + WINDOW)
    true = (trace.push_t_start >= first) & (trace.push_t_start < first + WINDOW)
    with drawn(5.2, 3, 1, sharex=True) as (_, panels, buffer):
        for axis, panel in enumerate(panels):
            panel.plot(*thin(t, force[:, axis]), color=GREY, lw=0.7, label="measured force")
            _bars(panel, trace, shown, axis)
            _outlines(panel, trace, true, axis)
            panel.set_ylabel(f"{'xyz'[axis]} [N]")
        panels[0].set_title("force in world axes")
        panels[0].legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=3)
        panels[-1].set_xlabel("time from floating on [s]")
    caption = (
        "Grey: the force that the arm measured, with noise, a drifting offset and counter-swings. Green "
        "bars: what the detector made of it, each as wide as the impulse lasted and as high as its mean "
        "force, so that the area is the impulse; the line across its end is its standard deviation to either "
        "side, as the detector gives it. Black dashed outlines: the same of the true push, where it "
        "is known. Nothing but the bars reaches the simulation. As in the paper's figure 5."
    )
    return Picture("impulses", "Reconstructed impulses", caption, buffer.getvalue())


def _impulses_within(trace: Trace, first: float, last: float) -> list[tuple[float, float]]:
    pairs = zip(trace.impulse_t_start.tolist(), trace.impulse_t_end.tolist(), strict=True)
    return [(start, end) for start, end in pairs if end > first and start < last]


def _bars(panel: Any, trace: Trace, shown: BoolArray, axis: int) -> None:
    start, end = trace.impulse_t_start[shown], trace.impulse_t_end[shown]
    width = np.maximum(end - start, 1e-3)
    panel.bar(
        start - trace.t[0], trace.impulse_value[shown, axis] / width, width, align="edge", color=GREEN,
        edgecolor=GREEN, lw=1.2, alpha=0.75, label="detected impulse",
        yerr=trace.impulse_deviation[shown] / width, ecolor=BLACK, error_kw={"lw": 0.8},
    )  # fmt: skip


def _outlines(panel: Any, trace: Trace, true: BoolArray, axis: int) -> None:
    start, end = trace.push_t_start[true], trace.push_t_end[true]
    panel.bar(
        start - trace.t[0], trace.push_value[true, axis] / (end - start), end - start, align="edge",
        facecolor="none", edgecolor=BLACK, lw=0.9, ls="--", label="true push",
    )  # fmt: skip
