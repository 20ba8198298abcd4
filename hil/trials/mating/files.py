"""The files of a mating experiment and of a sweep."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from hil.analysis.report.style import Picture, drawn
from hil.common.errors import ExperimentError
from hil.trials.mating.loading import mating_file
from hil.trials.mating.report import report
from hil.trials.mating.result import MatingResult, write_features, write_series
from hil.trials.mating.sweep import Sweep


def write_all(folder: Path, result: MatingResult, name: str, settings: Sequence[str]) -> None:
    """Write courses, features, page and pictures.

    Raises:
        ExperimentError: a file cannot be written.
    """
    path = mating_file(name)
    made = report(result, path.read_text(encoding="utf-8"), path.name, settings)
    write_series(folder / "series.csv", result)
    write_features(folder / "features.json", result.to_dict())
    try:
        (folder / "report.html").write_text(made.html, encoding="utf-8")
        for file, png in made.pictures.items():
            (folder / file).write_bytes(png)
    except OSError as error:
        raise ExperimentError(f"{folder} cannot be written to: {error.strerror}") from error


def write_sweep(folder: Path, sweep: Sweep) -> None:
    """Write a table of features and a picture of the curves, or a map.

    Raises:
        ExperimentError: a file cannot be written.
    """
    rows = sweep.rows()
    names = list(rows[0])
    lines = [",".join(names), *(",".join(_cell(row[name]) for name in names) for row in rows)]
    try:
        (folder / "sweep.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
        picture = curves_picture(sweep) if len(sweep.ranges) == 1 else map_picture(sweep)
        (folder / f"{picture.name}.png").write_bytes(picture.png)
    except OSError as error:
        raise ExperimentError(f"{folder} cannot be written to: {error.strerror}") from error


def _cell(value: object) -> str:
    if isinstance(value, list):
        return " ".join(str(item) for item in value)
    if isinstance(value, dict):
        return "; ".join(f"{name} {item}" for name, item in value.items())
    return "" if value is None else str(value)


def curves_picture(sweep: Sweep) -> Picture:
    """Draw the force over depth of every point."""
    import matplotlib.pyplot as plt

    (only,) = sweep.ranges
    shades = plt.get_cmap("viridis")(np.linspace(0.0, 0.9, len(sweep.results)))
    with drawn(4.0, 1, 1) as (_, axes, buffer):
        for shade, value, result in zip(shades, only.values, sweep.results, strict=True):
            axes.plot(
                result.series["depth_mm"], result.series["force_n"], color=shade, lw=1.1, label=f"{value:.4g}"
            )
        axes.set_title(f"mating force [N], by {only.key}")
        axes.set_xlabel("depth [mm]")
        if len(sweep.results) <= 16:
            axes.legend(loc="best", ncols=2, title=only.key)
    return Picture("curves", "Family of curves", only.key, buffer.getvalue())


def map_picture(sweep: Sweep) -> Picture:
    """Draw the greatest force over two keys."""
    first, second = sweep.ranges
    most = np.array([result.series["force_n"].max() for result in sweep.results])
    with drawn(4.2, 1, 1) as (figure, axes, buffer):
        shown = axes.pcolormesh(
            second.values, first.values, most.reshape(first.values.size, -1), cmap="viridis"
        )
        figure.colorbar(shown, ax=axes, label="greatest mating force [N]")
        axes.set_xlabel(second.key)
        axes.set_ylabel(first.key)
        axes.grid(visible=False)
    return Picture("map", "Map", f"{first.key} and {second.key}", buffer.getvalue())
