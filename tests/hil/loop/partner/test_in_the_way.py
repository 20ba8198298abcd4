"""A second arm in the way of motions that a hand holds on to."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hil.common.errors import OperatorError
from hil.configuration import load_configuration
from hil.loop.judging.judge import Judge
from hil.loop.judging.state_machine import Machine, State
from hil.loop.partner.in_the_way import in_the_way
from hil.messaging.grasp_messages import GraspReport

CONFIGS = Path(__file__).parents[4] / "configs"
C = load_configuration(CONFIGS / "two_arms.toml")
REPORT = GraspReport(
    0, np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]), np.zeros(6), False, False, "FREE", "", "",
    0.06, 0.0, 0.0, 0.0, 0.0,
)  # fmt: skip


def test_it_is_in_the_way_where_it_is_near_or_nobody_knows():
    """By grasp.near_mm, with the distance; far away it is not, and where there is none neither."""
    assert in_the_way(C, REPORT) == ""
    assert "49 mm from the bar, grasp.near_mm = 50" in in_the_way(C, replace(REPORT, gap=0.049))
    assert "0 mm from the bar" in in_the_way(C, replace(REPORT, gap=-0.002))
    assert "nobody says where the second arm is" in in_the_way(C, None)
    assert "nobody says where the second arm is" in in_the_way(C, replace(REPORT, gap=float("inf")))
    assert in_the_way(load_configuration(CONFIGS / "cube.toml"), None) == ""


@pytest.mark.parametrize(("verb", "argument"), [("approach", "0.1"), ("calibrate", "")])
def test_no_motion_by_hand_begins_while_it_is(verb, argument):
    """Refused with its words, whatever else there is to say."""
    judge = Judge(C, Machine(State.READY))
    judge.second_arm = in_the_way(C, replace(REPORT, gap=0.01))
    with pytest.raises(OperatorError, match="10 mm from the bar"):
        judge.order(verb, argument)
