"""What results do over a swept key: one dot a push or a trial, and the medians joined."""

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hil.analysis.report.style import BLACK, BLUE, SKY, VERMILLION, Picture, drawn
from hil.trials.experiment.report.folder import Trial, number


@dataclass(frozen=True)
class Result:
    """A column of the results that is worth a plot."""

    column: str
    title: str
    unit: str
    scale: float = 1.0


OF_CONTACTS = (
    Result("contact_restitution_error", "restitution, against the ideal", ""),
    Result("contact_beyond_ideal", "energy beyond the ideal", "%", 100.0),
    Result("contact_peak_error", "peak force, against the ideal", "%", 100.0),
    Result("contact_time_error", "contact time, against the ideal", "%", 100.0),
    Result("contact_peak_n", "peak force", "N"),
)
RESULTS = (
    Result("reaction_ms", "reaction", "ms"),
    Result("impulse_error", "impulse error", "%", 100.0),
    Result("velocity_error_arm", "velocity error of the arm", "%", 100.0),
    Result("velocity_overshoot", "velocity overshoot", "%", 100.0),
    Result("restitution", "restitution, simulation", ""),
    Result("restitution_arm", "restitution, arm", ""),
    Result("tracking_free_rms_mm", "arm against simulation, free", "mm rms"),
    Result("tracking_bounce_max_mm", "arm against simulation, bounces", "mm"),
    Result("holds", "holds", ""),
    *OF_CONTACTS,
)
COLUMNS = 3


def draw_sweeps(keys: Sequence[str], trials: Sequence[Trial]) -> list[Picture]:
    """Return a picture of each swept key whose values are numbers; of keys that vary together, of one."""
    drawn_keys: dict[str, list[str]] = {}
    for key in keys:
        twin = next((other for other in drawn_keys if _vary_together(key, other, trials)), None)
        drawn_keys.setdefault(twin or key, []).append(key)
    pictures = [_draw_sweep(key, together[1:], trials) for key, together in drawn_keys.items()]
    return [picture for picture in pictures if picture is not None]


def _vary_together(one: str, other: str, trials: Sequence[Trial]) -> bool:
    pairs = {(trial.row.get(one), trial.row.get(other)) for trial in trials}
    return len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs})


def _draw_sweep(key: str, together: Sequence[str], trials: Sequence[Trial]) -> Picture | None:
    """Draw every result that there is over a swept key; trials that differ in others are drawn together."""
    shown = [(result, points) for result in RESULTS if (points := _points(result, key, trials))]
    if not shown:
        return None
    rows = math.ceil(len(shown) / COLUMNS)
    with drawn(0.3 + 2.4 * rows, rows, COLUMNS, squeeze=False) as (_, grid, buffer):
        for panel in grid.ravel()[len(shown) :]:
            panel.set_visible(False)
        for panel, (result, points) in zip(grid.ravel(), shown, strict=False):
            _draw_result(panel, result, points)
            panel.set_xlabel(key)
    caption = (
        f"Results over {key}. Small dots: single pushes (or the one value of a trial); circles: their median."
        + "".join(f" {other} varies with it." for other in together)
    )
    return Picture(f"sweep-{key.replace('.', '-')}", f"Sweep of {key}", caption, buffer.getvalue())


def _points(result: Result, key: str, trials: Sequence[Trial]) -> Mapping[float, list[float]]:
    """Return the values of a result by the value of the key."""
    found = defaultdict[float, list[float]](list)
    for trial in trials:
        at = number(trial.row.get(key))
        if at is not None:
            found[at] += [result.scale * value for value in trial.values(result.column)]
    return {at: values for at, values in sorted(found.items()) if values}


def _draw_result(panel: Any, result: Result, points: Mapping[float, list[float]]) -> None:
    for at, values in points.items():
        panel.plot([at] * len(values), values, ls="", marker=".", ms=4, color=SKY, mec=BLUE, mew=0.4)
    medians = [float(np.median(values)) for values in points.values()]
    panel.plot(list(points), medians, color=VERMILLION, marker="o", ms=5, mec=BLACK, mew=0.6, lw=1.4, ls="--")
    panel.set_title(result.title)
    panel.set_ylabel(result.unit)
    most = max(max(values) for values in points.values())
    panel.set_ylim(min(panel.get_ylim()[0], 0.0), 1.15 * most if most > 0.0 else 1.0)
