"""What the daemon says of a second arm, and when it holds all by it."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from hil.configuration import load_configuration
from hil.messaging.bus import Bus
from hil.messaging.grasp_messages import GraspReport, PartnerWords
from hil.processes.supervisor.grasp_news import GraspNews, grasp_lines

ROOT = Path(__file__).parents[3]
C = load_configuration(ROOT / "configs" / "two_arms.toml")
ROBOT = SimpleNamespace(q_measured=np.array(C.robot.start))
UPRIGHT = np.array([1.0, 0.0, 0.0, 0.0])


class Topic:
    """A reader that is given what it reads."""

    def __init__(self):
        self.next = None

    def newest(self):
        found, self.next = self.next, None
        return found


@pytest.fixture
def news(tmp_path):
    bus = Bus(tmp_path)
    made = GraspNews(bus, C)
    made._reports, made._partners = Topic(), Topic()
    yield made
    bus.close()


def report(t_ns, floating=True, why="", state="NEAR"):
    return GraspReport(
        t_ns, np.zeros(3), UPRIGHT, np.zeros(6), floating, False, state, "full", why,
        0.012, 3.21, 0.1, 22.0, 0.005,
    )  # fmt: skip


def words(t_ns, q=(0.0, 0.5, 0.0, -1.2, 0.0, 0.6, 0.0), place=(1.5, 0.0, 0.6)):
    pads = np.array([1.0, 2.0])
    return PartnerWords(t_ns, np.array(place), UPRIGHT, np.array(q), 0.03, pads, False, "touch", "")


def test_a_reason_counts_while_the_driver_floats(news):
    """One of before it heard of the order to float does not."""
    news._reports.next = report(1, floating=False, why="too much")
    assert news.turn(1, ROBOT) == ""
    news._reports.next = report(2, why="too much")
    assert news.turn(2, ROBOT) == "too much"
    assert news.turn(3, ROBOT) == ""  # each report counts once


def test_arms_that_come_too_near_hold_all(news):
    """By the joints that the partner tells, and the measured ones of the first arm."""
    news._reports.next, news._partners.next = report(10**9), words(10**9)
    assert news.turn(10**9, ROBOT) == ""
    news._partners.next = words(2 * 10**9, place=(0.95, 0.0, 0.15))  # the hand in the mock-up
    said = news.turn(2 * 10**9, ROBOT)
    assert "of the second arm are -" in said
    assert "30 at least" in said


def test_the_status_says_state_force_law_and_distances(news):
    """In plain values, and in the line of `zerog status`."""
    assert news.status(0)["grasp"] == "nothing is heard of it"
    news._reports.next, news._partners.next = report(10**9), words(10**9)
    news.turn(10**9, ROBOT)
    status = news.status(10**9)
    assert (status["grasp"], status["grasp_law"], status["grasp_force_n"]) == ("NEAR", "full", 3.21)
    assert status["grasp_clearance_mm"] > 100.0
    (line,) = grasp_lines(status)
    assert line.startswith(
        "grasp: NEAR, law full, 3.2 N felt, 22.0 N at most, 5.0 mJ created; pad 12 mm from the bar"
    )
    assert line.endswith("partner: touch")
    assert news.status(3 * 10**9)["grasp"] == "nothing is heard of it"


def test_a_run_without_a_second_arm_says_nothing(tmp_path):
    """And listens to nothing of one."""
    bus = Bus(tmp_path)
    plain = GraspNews(bus, load_configuration(ROOT / "configs" / "cube.toml"))
    assert plain.turn(1, ROBOT) == ""
    assert plain.status(1) == {"grasp": None}
    assert grasp_lines(plain.status(1)) == []
    bus.close()


def test_what_a_driver_forgot_is_known_until_the_gripper_is_open(news):
    """Whoever holds on when a driver ends is remembered; silence and a closed gripper change nothing."""
    held = replace(words(1), pads=np.array([25.0, 25.0]), closed=True)
    news._reports.next, news._partners.next = report(1, state="GRASPED"), held
    news.turn(1, ROBOT)
    assert news.grip_unknown == ""
    news.driver_ended()
    assert "the second arm held on (GRASPED)" in news.grip_unknown
    assert "nobody says where" in news.in_the_way
    news._reports.next = report(2, floating=False, state="FREE")  # of the next driver
    news.turn(2, ROBOT)
    assert news.grip_unknown
    for told in (
        held,
        replace(held, closed=False),
        replace(held, pads=np.array([0.0, np.nan]), closed=False),
    ):
        news._partners.next = told
        news.turn(3, ROBOT)
        assert news.grip_unknown
    news._partners.next = replace(held, pads=np.zeros(2), closed=False)
    news.turn(4, ROBOT)
    assert news.grip_unknown == ""


def test_a_driver_that_ends_while_nothing_is_held_leaves_no_doubt(news):
    """Its gripper was open when it was heard of last, or nobody ever spoke."""
    news.driver_ended()
    assert news.grip_unknown == ""
    news._reports.next, news._partners.next = report(1, state="NEAR"), words(1)
    news._partners.next = replace(words(1), pads=np.zeros(2))
    news.turn(1, ROBOT)
    news.driver_ended()
    assert news.grip_unknown == ""
