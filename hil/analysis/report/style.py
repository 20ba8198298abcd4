"""How pictures of a report look: colours that colour-blind eyes and grey printers tell apart, and more."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import matplotlib
import numpy as np
from matplotlib.figure import Figure

from hil.common.arrays import Array

# Okabe and Ito's palette
BLACK, ORANGE, SKY, GREEN, BLUE, VERMILLION, PURPLE = (
    "#000000", "#E69F00", "#56B4E9", "#009E73", "#0072B2", "#D55E00", "#CC79A7",
)  # fmt: skip
GREY = "#767676"
# never by colour alone: a width, a dash or a marker tells the same
IDEAL = {"color": GREY, "lw": 3.2, "ls": "-", "label": "ideal body under the true force"}
SIM = {"color": BLUE, "lw": 1.4, "ls": "-", "label": "simulation, as believed then"}
ARM = {"color": VERMILLION, "lw": 1.4, "ls": (0, (5, 2)), "label": "arm"}
PUSH_SHADE = {"color": ORANGE, "alpha": 0.35, "lw": 0}
WIDTH = 9.0  # [inch], shown over the page's width
DPI = 130
MOST_POINTS = 2000  # of a curve
SETTINGS: Any = {"font.size": 9.0, "axes.grid": True, "grid.alpha": 0.3, "axes.titlesize": 10.0,
                 "axes.titlelocation": "left", "legend.framealpha": 0.9, "legend.fontsize": 8.0}  # fmt: skip


@dataclass(frozen=True)
class Picture:
    """One picture of a report.

    Attributes:
        name: of its file, without ending.
        title: one line.
        caption: what is to be seen, for somebody who was not there.
        png: the file.
    """

    name: str
    title: str
    caption: str
    png: bytes


@contextmanager
def drawn(height: float, *shape: int, **options: Any) -> Iterator[tuple[Any, Any, io.BytesIO]]:
    """Give a figure with its axes (none without a shape) and a buffer that holds its PNG afterwards."""
    buffer = io.BytesIO()
    with matplotlib.rc_context(
        SETTINGS
    ):  # pyplot is the caller's: a notebook's own pictures stay as they are
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        axes = figure.subplots(*shape, **options) if shape else None
        yield figure, axes, buffer
        figure.savefig(buffer, format="png", dpi=DPI)


def thin(t: Array, values: Array) -> tuple[Array, Array]:
    """Return a curve with at most `MOST_POINTS` points: least and largest value of each stretch, in order.

    Args:
        t: shape (n,).
        values: shape (n,).
    """
    stretch = -(-len(t) // (MOST_POINTS // 2))
    if stretch <= 2:
        return t, values
    count = len(t) // stretch * stretch
    blocks = values[:count].reshape(-1, stretch)
    first = np.arange(0, count, stretch)
    ends = np.sort(np.stack([first + blocks.argmin(axis=1), first + blocks.argmax(axis=1)], axis=1), axis=1)
    rows = np.concatenate([ends.ravel(), [len(t) - 1]])
    return t[rows], values[rows]


def shade_pushes(axes: Any, starts: Array, ends: Array) -> None:
    """Shade the times of pushes [s]."""
    for start, end in zip(starts, ends, strict=True):
        axes.axvspan(start, end, **PUSH_SHADE)
