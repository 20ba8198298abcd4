"""A result as a page shows it: courses, phases as a band, features, statements; and cuts at any row."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from hil.common.arrays import Array
from hil.trials.mating.report import shown
from hil.trials.mating.result import Frame, MatingResult
from hil.trials.mating.sections import looked_at

MOST_ROWS = 1500  # that a page draws and goes through
LOOKED = 200  # rows from which the size of the picture and of its arrows is found
DIGITS = 6


def told(result: MatingResult) -> dict[str, Any]:
    """Return what a page needs to draw a result; cuts are asked for one by one."""
    rows = chosen_rows(result)
    return {
        "experiment": result.experiment,
        "rows": rows.tolist(),
        "series": {name: _short(column[rows]) for name, column in result.series.items()},
        "bands": bands([result.phases[row] for row in rows]),
        "features": [[name, shown(value)] for name, value in result.features.items()],
        "statements": [{"text": s.text, "holds": bool(s.holds), "seen": s.seen} for s in result.statements],
        "warnings": list(result.warnings),
        "picture": picture(result),
    }


def chosen_rows(result: MatingResult) -> npt.NDArray[np.int64]:
    """Return the rows that are shown: evenly, with those where the force is greatest and least."""
    force = result.series["force_n"]
    if len(force) <= MOST_ROWS:
        return np.arange(len(force), dtype=np.int64)
    even = np.linspace(0, len(force) - 1, MOST_ROWS - 2).round().astype(int)
    return np.unique(np.array([*even, *extremes(force)], dtype=np.int64))


def extremes(force: Array) -> list[int]:
    """Return the rows of the greatest and the least force."""
    known = np.nan_to_num(force)
    return [int(known.argmax()), int(known.argmin())]


def bands(phases: Sequence[str]) -> list[dict[str, Any]]:
    """Return stretches of one phase, from row to row (the last one excluded); apart has no name."""
    found: list[dict[str, Any]] = []
    for k, name in enumerate(phases):
        if found and found[-1]["name"] == name:
            found[-1]["end"] = k + 1
        else:
            found.append({"name": name, "begin": k, "end": k + 1})
    return found


def picture(result: MatingResult) -> dict[str, Any] | None:
    """Return the box that holds the parts all the way [mm] and the strongest force [N]; None: no cuts."""
    force = result.series["force_n"]
    if result.drawn is not None:
        even = np.linspace(0, len(force) - 1, LOOKED).astype(int)
        frames = [result.drawn(int(row)) for row in {*even.tolist(), *extremes(force)}]
    else:
        frames = list(result.frames)
    if not frames:
        return None
    points = np.vstack([outline for frame in frames for outline in [*frame.moving, *frame.resting]])
    forces = np.vstack([np.zeros((1, 2)), *(frame.forces[1].reshape(-1, 2) for frame in frames)])
    return {
        "box": [*points.min(axis=0).tolist(), *points.max(axis=0).tolist()],
        "strongest": float(np.nan_to_num(np.linalg.norm(forces, axis=1)).max()),
        "everywhere": result.drawn is not None,
    }


def cut(result: MatingResult, row: int) -> dict[str, Any] | None:
    """Return the parts at a row, or at the nearest one that is drawn; None: they are drawn nowhere."""
    row = min(max(row, 0), len(result.phases) - 1)
    frame = _frame(result, row)
    if frame is None:
        return None
    points, forces = frame.forces
    return {
        "title": frame.title,
        "moving": [_short(outline) for outline in frame.moving],
        "resting": [_short(outline) for outline in frame.resting],
        "points": _short(points),
        "forces": _short(forces),
    }


def _frame(result: MatingResult, row: int) -> Frame | None:
    if result.drawn is not None:
        return result.drawn(row)
    drawn = looked_at(list(result.phases))
    if len(drawn) != len(result.frames):
        return result.frames[0] if result.frames else None
    return result.frames[min(range(len(drawn)), key=lambda k: abs(drawn[k] - row))] if drawn else None


def _short(values: Array) -> Any:
    """Return numbers with as many digits as a picture needs; what is not finite is none."""
    flat = [float(f"{v:.{DIGITS}g}") if np.isfinite(v) else None for v in np.ravel(values)]
    width = values.shape[1] if values.ndim == 2 else 0
    return [flat[k : k + width] for k in range(0, len(flat), width)] if width else flat
