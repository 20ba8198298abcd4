"""The picture of a fitted insertion: measured force, fitted curve, and the samples left out."""

from hil.analysis.report.style import BLUE, GREY, VERMILLION, drawn
from hil.trials.mating.fitting import InsertionFit


def insertion_picture(found: InsertionFit) -> bytes:
    """Return the PNG."""
    depth = 1e3 * found.depth
    with drawn(6.2, 1, 1) as (_, axes, buffer):
        axes.plot(depth, found.measured, ".", color=VERMILLION, ms=3.0, label="measured")
        axes.plot(depth, found.fitted, "-", color=BLUE, lw=1.3, label="fitted")
        if not found.used.all():
            out = ~found.used
            axes.plot(depth[out], found.measured[out], "o", color=GREY, mfc="none", label="left out")
        axes.set_xlabel("depth [mm]")
        axes.set_title("force against the insertion [N]")
        axes.legend(loc="best")
    return buffer.getvalue()
