"""The picture of the impulses' errors says in plain units what the certificate judges."""

import numpy as np
import pytest
from matplotlib.axes import Axes

from hil.analysis.report import error_picture
from hil.analysis.report.error_picture import draw_errors
from tests.hil.analysis.report.test_impulse_rules import pushes


def test_the_caption_tells_errors_and_what_the_sensor_allows() -> None:
    """Largest and middle error, and the best estimator's, in newton seconds."""
    judged = pushes(40, bound=0.06)
    picture = draw_errors(judged)
    assert picture.png.startswith(b"\x89PNG") and picture.name == "errors"
    assert f"the largest is {judged.error.max():.2g} N s" in picture.caption
    best = 0.944 * np.hypot(0.06, 0.02)
    assert f"the best estimator comes to {best:.2g} N s" in picture.caption


@pytest.mark.parametrize(("sizes", "ticks"), [([0.3, 4.9], [0.2, 0.5, 1.0, 2.0, 5.0]), ([2.0], [2.0])])
def test_ticks_are_round_and_enclose_the_pushes(sizes, ticks) -> None:
    assert error_picture._ticks(np.array(sizes)) == pytest.approx(ticks)


def test_every_push_is_drawn_once(monkeypatch) -> None:
    """Those far above the bound by a mark of their own: none at the bound, some at three times it."""
    seen = {}

    def noted(axes, *values, label="", **options):
        seen[label] = seen.get(label, 0) + len(np.atleast_1d(values[0]))
        return plot(axes, *values, label=label, **options)

    plot = Axes.plot
    monkeypatch.setattr(Axes, "plot", noted)
    draw_errors(pushes(40, worse=2.0))
    assert seen["error of an impulse"] + seen["far above the bound"] == 40
    assert 5 < seen["far above the bound"] < 35
