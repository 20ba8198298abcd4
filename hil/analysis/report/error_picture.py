"""The errors of all impulses beside what the sensor allows: in newton seconds, and over the bound."""

import numpy as np
from scipy.stats import chi2

from hil.analysis.report.impulse_rules import AXES, CENTRAL, HIGH_RATIO, MARGIN, ratios
from hil.analysis.report.push_evidence import JudgedPushes
from hil.analysis.report.style import BLACK, BLUE, GREY, ORANGE, VERMILLION, Picture, drawn
from hil.common.arrays import Array

CURVE = 200  # points


def draw_errors(pushes: JudgedPushes) -> Picture:
    """Draw the error of each push over its size, and how the errors over the bound are distributed."""
    order = np.argsort(pushes.size)
    size, error = pushes.size[order], pushes.error[order]
    allowed = np.hypot(pushes.bound, pushes.bias * pushes.size)[order]
    ratio = ratios(pushes)[order]
    beyond = ratio > MARGIN * HIGH_RATIO
    with drawn(3.6, 1, 2) as (_, (left, right), buffer):
        left.plot(
            size, CENTRAL * allowed, "_", color=GREY, ms=9, mew=1.6, label="best estimator, in the middle"
        )
        left.plot(size, HIGH_RATIO * allowed, "_", color=ORANGE, ms=9, mew=1.6, label="and 95 of 100 below")
        left.plot(size[~beyond], error[~beyond], "o", color=BLUE, ms=4, label="error of an impulse")
        left.plot(size[beyond], error[beyond], "X", color=VERMILLION, ms=6, label="far above the bound")
        left.set(title="error of each impulse", xlabel="true impulse [N s]", ylabel="error [N s]")
        left.set(xscale="log", ylim=(0.0, None))
        left.set_xticks(_ticks(size), labels=[f"{tick:g}" for tick in _ticks(size)])
        left.minorticks_off()
        left.legend(loc="upper left")
        x = np.linspace(0.0, max(2.5, 1.05 * float(ratio.max())), CURVE)
        right.plot(x, _share(x), color=GREY, lw=1.4, label="best estimator")
        right.plot(x, _share(x / MARGIN), color=BLACK, lw=1.2, ls="--", label=f"{MARGIN:g} times its error")
        share = 100.0 * np.arange(1, len(ratio) + 1) / len(ratio)
        right.step(np.sort(ratio), share, color=BLUE, lw=1.4, where="post", label="this run")
        right.set(title="errors over the sensor's bound", xlabel="error over the bound", ylabel="below [%]")
        right.set(xlim=(0.0, x[-1]), ylim=(0.0, 101.0))
        right.legend(loc="lower right")
    caption = (
        f"Left: the errors of {len(size)} impulses (torques over 0.2 m) and what noise and missed inertia "
        f"leave to the best estimator in each push's place; the largest is {error.max():.2g} N s, the middle "
        f"one {np.median(error):.2g} N s, where the best estimator comes to "
        f"{np.median(CENTRAL * allowed):.2g} N s. Right: the share of impulses whose error over the bound "
        "stays below a value; a run passes that is not much to the right of the dashed curve."
    )
    return Picture("errors", "Errors of the impulses", caption, buffer.getvalue())


def _share(ratio: Array) -> Array:
    """Return which share of the best estimator's errors stays below a ratio [%]."""
    share: Array = 100.0 * chi2.cdf(AXES * ratio**2, AXES)
    return share


def _ticks(size: Array) -> list[float]:
    """Return round sizes about those of the pushes [N s]."""
    steps = [factor * 10.0**power for power in range(-3, 4) for factor in (1, 2, 5)]
    low = max((step for step in steps if step <= size.min()), default=steps[0])
    high = min((step for step in steps if step >= size.max()), default=steps[-1])
    return [step for step in steps if low <= step <= high]
