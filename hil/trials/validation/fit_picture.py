"""The picture of a fit: each parameter over what was configured, with its interval."""

import numpy as np

from hil.analysis.report.style import BLUE, GREY, VERMILLION, drawn
from hil.trials.validation.fitting import Fit
from hil.trials.validation.parameters import Parameters


def fit_picture(found: Fit, truth: Parameters | None) -> bytes:
    """Return the PNG; the truth is marked where it is known."""
    known = [estimate for estimate in found.estimates if estimate.identified]
    rows = np.arange(len(found.estimates))[::-1]
    place = {estimate.name: row for estimate, row in zip(found.estimates, rows, strict=True)}
    with drawn(7.5, 1, 1) as (_, axes, buffer):
        for estimate in known:
            assert estimate.low is not None and estimate.high is not None
            ends = np.array([estimate.low, estimate.high]) / estimate.start
            axes.plot(ends, [place[estimate.name]] * 2, color=BLUE, lw=5.0, solid_capstyle="butt", alpha=0.5)
        values = [estimate.value / estimate.start for estimate in known]
        axes.plot(
            values, [place[estimate.name] for estimate in known], "|", color=BLUE, ms=9.0, label="fitted"
        )
        if truth is not None:
            shares = [truth[estimate.name] / estimate.start for estimate in found.estimates]
            axes.plot(shares, rows, "x", color=VERMILLION, ms=5.0, label="truth")
        lost = [place[estimate.name] for estimate in found.estimates if not estimate.identified]
        if lost:
            axes.plot(
                np.ones(len(lost)), lost, "o", color=GREY, mfc="none", label="not identified by this log"
            )
        axes.axvline(1.0, color=GREY, lw=0.8)
        axes.set_yticks(rows, [estimate.name.replace("_", " ") for estimate in found.estimates])
        axes.set_xlabel("share of what is configured")
        axes.set_title("fitted parameters; intervals hold all at once with 95 %")
        axes.legend(loc="best")
    return buffer.getvalue()
