"""How long each part of the live chain took, as histograms."""

from typing import Any

import numpy as np

from hil.analysis.latency.stages import Stages
from hil.analysis.report.style import BLACK, BLUE, SKY, VERMILLION, Picture, drawn
from hil.common.arrays import Array

BINS = 50
TAIL = 0.98  # of the values are shown at least, and twice as far; what lies beyond is told in words
CAPTION = (
    "How long each part takes; solid line: median, dashed: 99th percentile; the few values beyond the axis "
    "are counted. The upper row is the driver's own cycle, the lower one the way of a push round the ring: "
    "to the simulation, its prediction, the plan that follows from it, and the first command that rests on "
    "that plan."
)


def draw_latency_histograms(stages: Stages) -> Picture:
    """Draw the distributions of the chain's parts that matter most."""
    shown = (
        ("packet late at the driver", "us", stages.wake_up),
        ("computing the answer", "us", stages.compute),
        ("packet sent to answer sent", "ms", stages.own_share),
        ("detected push to simulation", "ms", stages.stages["impulse_to_sim"]),
        ("prediction to plan", "ms", stages.stages["plan_out"]),
        ("round the ring", "ms", stages.ring),
    )
    with drawn(4.4, 2, 3) as (_, grid, buffer):
        for number, (panel, (title, unit, values)) in enumerate(zip(grid.ravel(), shown, strict=True)):
            _histogram(panel, title, unit, values, SKY if number < 3 else BLUE)
    return Picture("latency", "Latency", CAPTION, buffer.getvalue())


def _histogram(panel: Any, title: str, unit: str, values: Array, colour: str) -> None:
    panel.set_title(title)
    if not len(values):
        panel.text(0.5, 0.5, "not measured", transform=panel.transAxes, ha="center", va="center")
        return
    low, high = float(values.min()), 2.0 * float(np.quantile(values, TAIL))
    high = min(high, float(values.max()))
    inside = values[values <= high]
    panel.hist(inside, np.linspace(low, max(high, low + 1e-6), BINS), color=colour)
    p50, p99 = np.quantile(values, [0.5, 0.99])
    panel.axvline(p50, color=BLACK, lw=1.3)
    panel.axvline(p99, color=VERMILLION, lw=1.3, ls="--")
    beyond = len(values) - len(inside)
    words = f"{unit}: median {_short(p50)}, p99 {_short(p99)}, most {_short(values.max())}"
    words += f"\n{len(values)} values"
    panel.set_xlabel(words + (f", {beyond} beyond" if beyond else ""))
    panel.set_ylabel("count" if panel.get_subplotspec().is_first_col() else "")


def _short(value: float) -> str:
    return f"{value:.0f}" if abs(value) >= 100.0 else f"{value:.3g}"
