"""The picture of a latency report: the mean response to a push, and histograms of every stage."""

from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.ticker import FormatStrFormatter, LogLocator, NullFormatter

from hil.analysis.latency.analysis import Analysis
from hil.analysis.latency.push_response import CURVE
from hil.analysis.latency.report import PAPER, report
from hil.analysis.latency.stages import STAGES
from hil.common.arrays import Array

BLUE, ORANGE, GREY, RED = "#2456a6", "#e08a1e", "#7a7a7a", "#c0392b"
BINS = 60
TAIL = 0.998  # of the values are shown; the rest is told in words
RESPONSE_MS = (-30.0, 350.0)  # shown about the onset
SHOWN = (
    "filter_and_detect",
    "impulse_to_sim",
    "world_corrected",
    "prediction_out",
    "plan_out",
    "plan_in_effect",
)


def draw_latency(path: Path, analysis: Analysis) -> None:
    """Draw the report into the file at `path`; its suffix names the format."""
    values = report(analysis)
    figure = plt.figure(figsize=(13.0, 13.5), layout="constrained")
    try:
        grid = figure.add_gridspec(5, 3, height_ratios=[1.9, 1.15, 1.0, 1.0, 1.0])
        _draw_response(figure.add_subplot(grid[0, :2]), analysis, values)
        _draw_behind(figure.add_subplot(grid[0, 2]), analysis)
        _draw_against_bare(figure.add_subplot(grid[1, :2]), analysis)
        _draw_ring(figure.add_subplot(grid[1, 2]), analysis)
        stages = analysis.stages
        cycle = [
            ("wake-up lateness", "us", stages.wake_up),
            ("compute", "us", stages.compute),
            ("slack to the next packet", "us", stages.slack),
        ]
        panels = [(STAGES[name], "ms", part) for name, part in stages.stages.items() if name in SHOWN]
        for number, (title, unit, part) in enumerate([*cycle, *panels]):
            axes = figure.add_subplot(grid[2 + number // 3, number % 3])
            _draw_histogram(axes, title, unit, part, GREY if number < 3 else BLUE)
        _draw_title(figure, values)
        figure.savefig(path, dpi=130)
    finally:
        plt.close(figure)


def _draw_title(figure: Any, values: dict[str, Any]) -> None:
    delay = values["interface_delay_ms"]
    parts = [f"{values['robot']} arm, FRI cycle {values['sample_time_ms']:g} ms"]
    if delay["configured"] is not None:
        parts.append(f"interface delay configured {delay['configured']:g} ms")
    if delay["identified"] is not None:
        parts.append(f"identified {delay['identified']:.2f} ms")
    figure.suptitle(
        "Latency: " + ", ".join(parts) + (f"\n{values['machine']}" if values["machine"] else ""), fontsize=12
    )


def _draw_response(axes: Any, analysis: Analysis, values: dict[str, Any]) -> None:
    """Draw the velocity along the push's change, arm against ideal body, mean and middle four fifths."""
    pushes = analysis.pushes
    axes.set_title(f"velocity after a push over the ideal change, {len(pushes.to_50)} pushes", loc="left")
    axes.set_xlabel(f"time from the onset of the {values['pushes']['onset']} [ms]")
    axes.set_ylabel("share of the velocity change")
    axes.set_xlim(*RESPONSE_MS)
    axes.grid(alpha=0.25)
    if not len(pushes.arm):
        _say_nothing(axes)
        return
    t = CURVE * 1e3
    shown = (t >= RESPONSE_MS[0]) & (t <= RESPONSE_MS[1])
    for curve, colour, name in ((pushes.ideal, GREY, "ideal free body"), (pushes.arm, BLUE, "arm")):
        low, high = np.nanquantile(curve[:, shown], [0.1, 0.9], axis=0)
        axes.fill_between(t[shown], low, high, color=colour, alpha=0.13, lw=0)
        axes.plot(t[shown], np.nanmean(curve[:, shown], axis=0), color=colour, lw=2.0, label=name)
    behind = values["push_to_motion_ms"]["behind_ideal_50"]["p50"]
    if behind is not None:
        axes.plot([], [], " ", label=f"behind the ideal body at 50 %: {behind:.1f} ms (p50)")
    axes.axvline(PAPER["reaction_ms"], color=RED, lw=1.2, ls="--")
    axes.annotate(
        f"reaction in the\npaper: {PAPER['reaction_ms']:g} ms", (PAPER["reaction_ms"] - 4.0, 0.06), color=RED,
        ha="right", va="bottom", fontsize=9,
    )  # fmt: skip
    axes.axhline(1.0, color="black", lw=0.6, alpha=0.5)
    axes.legend(loc="lower right", bbox_to_anchor=(0.82, 0.2), framealpha=0.9)


def _draw_behind(axes: Any, analysis: Analysis) -> None:
    """Draw one dot a push: how far the arm is behind, over how long the push lasted."""
    pushes = analysis.pushes
    axes.set_title("behind the ideal body, each push", loc="left")
    axes.set_xlabel("duration of the push [ms]")
    axes.set_ylabel("[ms]")
    axes.grid(alpha=0.25)
    if not len(pushes.to_50):
        _say_nothing(axes)
        return
    for part, colour, marker, name in (
        (pushes.behind_ideal_10, ORANGE, "^", "at 10 %"),
        (pushes.behind_ideal_50, BLUE, "o", "at 50 %"),
        (pushes.time_shift, GREY, "s", "time shift"),
    ):
        axes.scatter(
            pushes.duration * 1e3, part * 1e3, s=22, color=colour, marker=marker, alpha=0.75, label=name
        )
    axes.set_ylim(bottom=min(0.0, axes.get_ylim()[0]))
    axes.legend(loc="best", fontsize=9, framealpha=0.9)


def _draw_against_bare(axes: Any, analysis: Analysis) -> None:
    """Draw own share and bare loop on one logarithmic axis, as shares of their packets."""
    own, bare = analysis.stages.own_share, analysis.bare_ms
    axes.set_title("packet sent to command sent", loc="left")
    axes.set_xlabel("[ms]")
    axes.set_ylabel("share of the packets")
    axes.grid(alpha=0.25, which="both")
    both = np.concatenate([own, bare])
    both = both[both > 0.0]
    if not len(both):
        _say_nothing(axes)
        return
    edges = np.geomspace(both.min() * 0.95, both.max() * 1.05, 90)
    for part, colour, name in (
        (bare, ORANGE, "bare answering loop"),
        (own, BLUE, "the product, by the short cut"),
    ):
        if not len(part):
            continue
        axes.hist(
            part, edges, weights=np.full(len(part), 1.0 / len(part)), color=colour, alpha=0.55, label=name
        )
        for share, style in ((0.5, "-"), (0.99, ":")):
            axes.axvline(float(np.quantile(part, share)), color=colour, lw=1.6, ls=style)
    axes.set_xscale("log")
    axes.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axes.xaxis.set_major_formatter(FormatStrFormatter("%g"))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.margins(y=0.25)
    axes.plot([], [], color="black", lw=1.2, label="p50")
    axes.plot([], [], color="black", lw=1.2, ls=":", label="p99")
    axes.legend(loc="upper left", fontsize=9, framealpha=0.9, ncols=2)


def _draw_ring(axes: Any, analysis: Analysis) -> None:
    _draw_histogram(axes, "round the ring", "ms", analysis.stages.ring, BLUE)
    paper = PAPER["simulation_and_ik_ms"]
    if len(analysis.stages.ring):
        axes.axvline(paper, color=RED, lw=1.2, ls="--")
        axes.annotate(
            f"paper {paper:g} ms", (paper, 0.97), xycoords=("data", "axes fraction"), color=RED, fontsize=9,
            rotation=90, ha="right", va="top",
        )  # fmt: skip


def _draw_histogram(axes: Any, title: str, unit: str, values: Array, colour: str) -> None:
    """Draw one distribution with its median and 99th percentile; say how many lie beyond."""
    axes.set_title(title, loc="left", fontsize=10)
    axes.tick_params(labelsize=8)
    axes.grid(alpha=0.25)
    if not len(values):
        _say_nothing(axes)
        return
    low, high = float(values.min()), float(np.quantile(values, TAIL))
    if unit == "us" and low < 0.0:  # slack: its tail is at the lower end
        low, high = float(np.quantile(values, 1.0 - TAIL)), float(values.max())
    inside = values[(values >= low) & (values <= high)]
    axes.hist(inside, np.linspace(low, max(high, low + 1e-6), BINS), color=colour, alpha=0.8)
    p50, p99 = np.quantile(values, [0.5, 0.99])
    axes.axvline(p50, color="black", lw=1.2)
    axes.axvline(p99, color="black", lw=1.2, ls=":")
    words = f"[{unit}]   p50 {_short(p50)}, p99 {_short(p99)}, max {_short(values.max())}, n {len(values)}"
    beyond = len(values) - len(inside)
    axes.set_xlabel(words + (f", {beyond} not shown" if beyond else ""), fontsize=8.5)


def _short(value: float) -> str:
    return f"{value:.0f}" if abs(value) >= 1000.0 else f"{value:.3g}"


def _say_nothing(axes: Any) -> None:
    axes.text(0.5, 0.5, "not measured", transform=axes.transAxes, ha="center", va="center", color=GREY)
