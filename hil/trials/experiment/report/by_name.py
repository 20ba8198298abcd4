"""The trials of a plan side by side by their names: medians in a table, every value in a picture."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hil.analysis.report.page import value_text
from hil.analysis.report.style import BLACK, BLUE, SKY, VERMILLION, Picture, drawn
from hil.trials.experiment.outcome import REFUSED
from hil.trials.experiment.report.folder import Trial
from hil.trials.experiment.report.sweep_pictures import OF_CONTACTS, Result

COMPARED = (
    Result("velocity_error_arm", "velocity error of the arm", "%", 100.0),
    Result("velocity_overshoot", "velocity overshoot", "%", 100.0),
    Result("reaction_ms", "reaction", "ms"),
    Result("stray_mm", "away from the ideal body after 1 s", "mm"),
    Result("coasting_energy", "energy kept over 1 s untouched", "%", 100.0),
    Result("residual_acceleration_mm_s2", "residual acceleration", "mm/s²"),
    Result("drift_mm", "drift before the first push", "mm"),
    *OF_CONTACTS,
)
COLUMNS = 3
Values = Mapping[str, Sequence[float]]


@dataclass(frozen=True)
class SideBySide:
    """The comparison: heads and rows of the table, and its picture."""

    heads: list[str]
    rows: list[tuple[str, list[str]]]
    picture: Picture


def side_by_side(trials: Sequence[Trial]) -> SideBySide | None:
    """Return the comparison of a plan whose trials have two names or more; else None.

    A number is the median of all pushes or contacts of all trials of the name, swept ones as well.
    """
    names = list(dict.fromkeys(trial.row["name"] for trial in trials if trial.row.get("name")))
    found = [(result, _values(result, names, trials)) for result in COMPARED]
    shown = [(result, values) for result, values in found if any(values.values())]
    if len(names) < 2 or not shown:
        return None
    heads = [f"{result.title} [{result.unit}]" if result.unit else result.title for result, _ in shown]
    rows = [(name, [_median(values[name]) for _, values in shown]) for name in names]
    if any(trial.row.get("status") == REFUSED for trial in trials):  # then names are of unlike conditions
        heads.insert(0, "trials that were run")
        for name, cells in rows:
            cells.insert(0, _run_of(name, trials))
    return SideBySide(heads, rows, _picture(shown))


def _run_of(name: str, trials: Sequence[Trial]) -> str:
    own = [trial.row.get("status") for trial in trials if trial.row.get("name") == name]
    return f"{len(own) - own.count(REFUSED)} of {len(own)}"


def _values(result: Result, names: Sequence[str], trials: Sequence[Trial]) -> Values:
    return {
        name: [
            result.scale * value
            for trial in trials
            if trial.row.get("name") == name
            for value in trial.values(result.column)
        ]
        for name in names
    }


def _median(values: Sequence[float]) -> str:
    return value_text(float(np.median(values))) if values else "–"


def _picture(shown: Sequence[tuple[Result, Values]]) -> Picture:
    rows = math.ceil(len(shown) / COLUMNS)
    with drawn(0.3 + 2.7 * rows, rows, COLUMNS, squeeze=False) as (_, grid, buffer):
        for panel in grid.ravel()[len(shown) :]:
            panel.set_visible(False)
        for panel, (result, values) in zip(grid.ravel(), shown, strict=False):
            _draw(panel, result, values)
    caption = "One dot a push or contact (or the one value of a trial), rings: the medians of the table."
    return Picture("side-by-side", "Side by side", caption, buffer.getvalue())


def _draw(panel: Any, result: Result, values: Values) -> None:
    for place, (_, found) in enumerate(values.items()):
        panel.plot([place] * len(found), found, ls="", marker=".", ms=4, color=SKY, mec=BLUE, mew=0.4)
        if found:
            middle = float(np.median(found))
            panel.plot([place], [middle], marker="o", ms=6, color=VERMILLION, mec=BLACK, mew=0.6)
    panel.set_xticks(range(len(values)), list(values), rotation=30, ha="right", fontsize=7)
    panel.set_xlim(-0.5, len(values) - 0.5)
    panel.set_title(result.title)
    panel.set_ylabel(result.unit)
    most = max((max(found) for found in values.values() if found), default=0.0)
    panel.set_ylim(min(panel.get_ylim()[0], 0.0), 1.15 * most if most > 0.0 else 1.0)
