"""The charts beside the 3D picture: one table says what each shows."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import viser

from hil.analysis.latency.stages import STAGES
from hil.common.arrays import Array
from hil.dashboard.pushes import GRID, bars
from hil.dashboard.signals import Signals
from hil.dashboard.window import SPAN

# colours that colour-blind eyes tell apart (Okabe and Ito), a grey and a brown
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999999", "#8a6d00")
WIDTH, HEIGHT = 380, 118  # [px] of the panel, and of a chart's drawing


@dataclass(frozen=True)
class Chart:
    """One chart.

    Attributes:
        title: what it shows, with the unit.
        labels: of the curves.
        curves: returns times and curves, shape (1 + curves, n), of the signals at a time [s].
        least: the span of values is never less [lowest, highest].
        colours: of the curves.
        filled: the curves are bars.
        logarithmic: the axis of values is.
        dashed: curves that are thresholds.
    """

    title: str
    labels: tuple[str, ...]
    curves: Callable[[Signals, float], Array]
    least: tuple[float, float]
    colours: tuple[str, ...] = COLOURS
    filled: bool = False
    logarithmic: bool = False
    dashed: tuple[int, ...] = ()


def _impulses(signals: Signals, now: float) -> Array:
    detected = signals.detected.shown()
    doubts = bars(now, detected, lambda push: push.deviation)
    return np.array([GRID, bars(now, detected), bars(now, signals.true.shown()), doubts])


CHARTS = {
    "pushes": (
        Chart(
            "wrench [N], norm, the last 10 s",
            ("raw", "filtered"),
            lambda s, now: s.wrench.curves(now),
            (0.0, 10.0),
            ("#aaaaaa", COLOURS[0]),
        ),
        Chart(
            "its derivative [N/s], norm",
            ("derivative", "threshold"),
            lambda s, now: s.rate.curves(now),
            (0.0, 400.0),
            (COLOURS[0], COLOURS[1]),
            dashed=(1,),
        ),
        Chart(
            "impulses of pushes [N s]",
            ("detected", "true (emulation)", "its standard deviation"),
            _impulses,
            (0.0, 1.0),
            (COLOURS[1], COLOURS[2], COLOURS[6]),
            filled=True,
        ),
    ),
    "motion and time": (
        Chart(
            "joints within their limits [%]",
            tuple(f"A{k}" for k in range(1, 8)),
            lambda s, now: s.joints.curves(now),
            (-100.0, 100.0),
        ),
        Chart(
            "arm against simulation [mm, deg]",
            ("mm", "deg"),
            lambda s, now: s.gap.curves(now),
            (0.0, 0.5),
            (COLOURS[0], COLOURS[1]),
        ),
        Chart(
            "time of each stage, median of 2 s [ms]",
            tuple(STAGES.values()),
            lambda s, now: s.stages.curves(now),
            (0.001, 20.0),
            logarithmic=True,
        ),
    ),
}


class Charts:
    """The charts in viser's panel, docked at the right edge."""

    def __init__(self, server: viser.ViserServer) -> None:
        panel = server.gui.add_panel()
        self._drawn: list[tuple[Chart, viser.GuiUplotHandle]] = []
        for name, charts in CHARTS.items():
            with panel.add_tab(name):
                self._drawn += [(chart, _added(server, chart)) for chart in charts]
        server.gui.main_panel.float(x=8, y=8, width=200)
        server.gui.main_panel.minimize()
        panel.dock_right()
        panel.set_width(WIDTH)

    def draw(self, signals: Signals, now: float) -> None:
        """Draw the curves as they are at `now` [s]."""
        for chart, handle in self._drawn:
            handle.data = tuple(np.ascontiguousarray(row) for row in chart.curves(signals, now))


def _added(server: viser.ViserServer, chart: Chart) -> viser.GuiUplotHandle:
    nothing = tuple(np.array([-SPAN, 0.0]) if k == 0 else np.zeros(2) for k in range(1 + len(chart.labels)))
    return server.gui.add_uplot(
        nothing,
        series=({"label": "s"}, *(_series(chart, k) for k in range(len(chart.labels)))),
        title=chart.title,
        scales={"x": {"time": False, "range": (-SPAN, 0.0), "auto": False}, "y": _scale(chart)},
        axes=(_axis(24), _axis(46) | ({"grid": {"show": False}} if chart.logarithmic else {})),
        legend={"show": True, "live": False},
        cursor={"show": False},
        height=HEIGHT,
        padding=(4, 8, 0, 0),
    )


def _axis(size: int) -> Any:
    return {"size": size, "font": "11px sans-serif", "gap": 2, "ticks": {"size": 4}}


def _series(chart: Chart, k: int) -> Any:
    series: dict[str, Any] = {
        "label": chart.labels[k],
        "stroke": chart.colours[k],
        "width": 1.5,
        "points": {"show": False},
    }
    if chart.filled:
        series["fill"] = chart.colours[k] + "55"
    if k in chart.dashed:
        series["dash"] = (6, 4)
    return series


def _scale(chart: Chart) -> Any:
    low, high = chart.least
    if chart.logarithmic:
        return {"distr": 3, "range": {"min": {"soft": low, "mode": 1}, "max": {"soft": high, "mode": 1}}}
    soft = {"pad": 0.05, "mode": 1}
    return {"range": {"min": {"soft": low, **soft}, "max": {"soft": high, **soft}}}
