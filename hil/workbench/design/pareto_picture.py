"""The picture of a search: every good arm by its mass and each criterion, the front and the best of it."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from hil.analysis.report.style import BLACK, BLUE, GREY, SKY, VERMILLION, drawn
from hil.common.arrays import Array, BoolArray
from hil.workbench.design.judgement import Judgement
from hil.workbench.design.ranking import CRITERIA
from hil.workbench.design.task_file import Weights

LABELS = {
    "mass": "mass [kg]",
    "torque": "share of the static torque used",
    "manipulability": "1 / manipulability",
    "power": "power [W]",
    "base_force": "force on the base [N]",
    "base_moment": "moment on the base [N m]",
    "joints": "joints",
}
COLUMNS = 2
ONE_PLACE = 0.05  # of a panel
WIDE = 30.0  # of the largest value over the least: then the axis is logarithmic


def draw_front(good: Sequence[Judgement], on_front: BoolArray, weights: Weights, best: int) -> bytes:
    """Return a PNG: mass against each other criterion that has a weight.

    Args:
        good: best first.
        on_front: whether no other is better in every criterion, shape (n,).
        weights: of the criteria.
        best: how many of the first carry their rank.
    """
    names = [name for name in CRITERIA if name != "mass" and getattr(weights, name) > 0.0] or ["joints"]
    mass = np.array([CRITERIA["mass"](j.figures) for j in good])
    rows = -(-len(names) // COLUMNS)
    with drawn(0.4 + 3.0 * rows, rows, min(COLUMNS, len(names)), squeeze=False) as (_, grid, buffer):
        for panel in grid.ravel()[len(names) :]:
            panel.set_visible(False)
        for panel, name in zip(grid.ravel(), names, strict=False):
            values = np.array([CRITERIA[name](j.figures) for j in good])
            _draw(panel, mass, values, on_front, best)
            panel.set_xlabel(LABELS["mass"])
            panel.set_ylabel(LABELS[name])
        grid.ravel()[0].legend(loc="best")
    return buffer.getvalue()


def _draw(panel: Any, mass: Array, values: Array, on_front: BoolArray, best: int) -> None:
    panel.plot(mass, values, ls="", marker=".", ms=3, color=SKY, label="does the task", zorder=1)
    panel.plot(
        mass[on_front], values[on_front], ls="", marker="o", ms=4, mfc="none", mec=BLUE, mew=0.7,
        label="front of all criteria", zorder=2,
    )  # fmt: skip
    order = np.lexsort([values, mass])
    lowest = np.minimum.accumulate(values[order])
    panel.step(
        mass[order],
        lowest,
        where="post",
        color=GREY,
        lw=1.0,
        ls="--",
        label="least up to this mass",
        zorder=1,
    )
    panel.plot(
        mass[:best], values[:best], ls="", marker="D", ms=5, color=VERMILLION, mec=BLACK, mew=0.5,
        label=f"the best {min(best, len(mass))}", zorder=3,
    )  # fmt: skip
    if values.min() > 0.0 and values.max() > WIDE * values.min():
        panel.set_yscale("log")
    for ranks, x, y in _apart(panel, mass[:best], values[:best]):
        panel.annotate(ranks, (x, y), xytext=(4, 4), textcoords="offset points", fontsize=7)


def _apart(panel: Any, x: Array, y: Array) -> list[tuple[str, float, float]]:
    """Return the ranks with their places, those in one place together."""
    shown = panel.transAxes.inverted().transform(panel.transData.transform(np.column_stack([x, y])))
    groups = list[list[int]]()
    for k, place in enumerate(shown):
        near = (g for g in groups if np.abs(shown[g[0]] - place).max() < ONE_PLACE)
        group = next(near, None)
        if group is None:
            groups.append([k])
        else:
            group.append(k)
    return [(", ".join(str(k + 1) for k in g), float(x[g[-1]]), float(y[g[-1]])) for g in groups]
