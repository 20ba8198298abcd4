"""Pictures of a run that a notebook shows by itself."""

import io

import matplotlib
from matplotlib.figure import Figure

from hil.analysis.report.motion_pictures import (
    OVERVIEW_HEIGHT,
    OVERVIEW_PANELS,
    OVERVIEW_SHAPE,
    fill_overview,
)
from hil.analysis.report.style import SETTINGS, WIDTH
from hil.loop.trace.fields import Trace

SHOWN_DPI = 80


class Picture(Figure):
    """A figure of matplotlib, not of pyplot: shown where it is a cell's value, saved by `savefig`."""

    def _repr_png_(self) -> bytes:
        buffer = io.BytesIO()
        self.savefig(buffer, format="png", dpi=SHOWN_DPI)
        return buffer.getvalue()


def overview(trace: Trace) -> Picture:
    """Return the picture of a whole run, which must have rows."""
    with matplotlib.rc_context(SETTINGS):
        figure = Picture(figsize=(WIDTH, OVERVIEW_HEIGHT), layout="constrained")
        fill_overview(figure.subplots(*OVERVIEW_SHAPE, **OVERVIEW_PANELS), trace)
    return figure
