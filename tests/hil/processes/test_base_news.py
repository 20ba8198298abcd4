"""What the daemon tells of a base."""

import math
from pathlib import Path

import numpy as np

from hil.configuration import load_configuration
from hil.messaging.base_messages import BaseReport
from hil.messaging.bus import Bus
from hil.processes.supervisor.base_news import OLD_NS, BaseNews, base_lines

CONFIGS = Path(__file__).parents[3] / "configs"


class Said:
    """A topic on which one message comes."""

    def __init__(self, report: BaseReport) -> None:
        self.report: BaseReport | None = report

    def newest(self) -> BaseReport | None:
        """The message, once."""
        found, self.report = self.report, None
        return found


def test_a_base_is_told_in_figures_and_words(tmp_path: Path) -> None:
    """Pose, error and command with their units, the reason for any trouble; nothing when it is old."""
    bus = Bus(tmp_path / "bus")
    news = BaseNews(bus, load_configuration(CONFIGS / "platform.toml"))
    assert base_lines(news.status(0)) == ["base: nothing is heard of it"]
    pose, error = np.array([1.5, -0.25, math.radians(540.0)]), np.array([0.003, 0.004, math.radians(-0.5)])
    news._reports = Said(BaseReport(5, pose, error, np.array([0.03, 0.04, 0.1]), ""))
    news.turn(1000)
    status = news.status(1000)
    assert status["base"] == "well" and status["base_position_mm"] == [1500.0, -250.0]
    assert (status["base_heading_deg"], status["base_error_mm"]) == (540.0, 5.0)
    assert (status["base_error_deg"], status["base_speed_mm_s"]) == (0.5, 50.0)
    assert "at 1500 -250 mm" in base_lines(status)[0]
    news._reports = Said(BaseReport(5, pose, error, np.zeros(3), "the base's link is lost"))
    news.turn(2000)
    assert base_lines(news.status(2000))[0].startswith("base: the base's link is lost; at")
    assert news.status(2000 + OLD_NS + 1) == {"base": "nothing is heard of it"}
    still = BaseNews(bus, load_configuration(CONFIGS / "cube.toml"))
    assert still.status(0) == {"base": None} and base_lines(still.status(0)) == []
    bus.close()
