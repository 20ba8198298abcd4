"""Where a base was: what the page compares arm and simulation by."""

from pathlib import Path

import numpy as np

from hil.configuration import load_configuration
from hil.dashboard.base_track import GAP_NS, BaseTrack
from hil.dashboard.contacts import FAR, stops_room
from hil.messaging.base_messages import BaseReport

MS = 1_000_000
PLATFORM = Path(__file__).parents[3] / "configs" / "platform.toml"


def told(t_ns: int, x: float) -> BaseReport:
    """A report of a pose."""
    return BaseReport(t_ns, np.array([x, 2.0 * x, -x]), np.zeros(3), np.zeros(3), "")


def test_between_two_reports_it_goes_straight() -> None:
    """At both it is there; before the first, behind the newest and over a gap nothing is known."""
    track = BaseTrack()
    assert track.at(0) is None and track.newest_ns == 0
    for n in range(4):
        track.take(told((100 + 50 * n) * MS, 0.1 * n))
    for t_ms, x in ((100, 0.0), (125, 0.05), (200, 0.2), (250, 0.3)):
        np.testing.assert_allclose(track.at(t_ms * MS), [x, 2.0 * x, -x], atol=1e-12)
    assert track.at(99 * MS) is None and track.at(251 * MS) is None
    track.take(told(240 * MS, 9.0))  # of no later a pose
    assert track.newest_ns == 250 * MS
    track.take(told(250 * MS + GAP_NS + MS, 1.0))
    assert track.at(300 * MS) is None
    np.testing.assert_allclose(track.at(125 * MS), [0.05, 0.1, -0.05], atol=1e-12)


def test_the_stops_drawn_are_those_of_the_world(tmp_path: Path) -> None:
    """With a base the object's room on its floor; without an end the box ends far away."""
    low, high = stops_room(load_configuration(PLATFORM))
    np.testing.assert_allclose(high[:2], -low[:2])
    assert 1.0 < high[0] < 2.0 - 0.79
    endless = tmp_path / "endless.toml"
    lines = PLATFORM.read_text(encoding="utf-8").splitlines()
    endless.write_text("\n".join(x for x in lines if not x.startswith("floor_mm")), encoding="utf-8")
    low, high = stops_room(load_configuration(PLATFORM, content=endless))
    np.testing.assert_allclose((high - low)[:2], 2.0 * FAR)
