"""What is believed of a vehicle's pose."""

import math
from pathlib import Path

import numpy as np
import pytest

from hil.configuration import load_configuration
from hil.loop.carried.told_pose import OFF_PLACE, SPARE, UNSEEN_S, ToldPose
from hil.messaging.base_messages import BaseState

CONFIG = Path(__file__).parents[4] / "configs" / "platform.toml"
PERIOD_NS = 4_000_000


def told_of(*states: tuple[int, list[float], bool], still: bool = False) -> ToldPose:
    """What is believed after states: instant [ns], pose, whether it is valid."""
    told = ToldPose(load_configuration(CONFIG).base)
    for t_ns, pose, valid in states:
        told.hear(BaseState(t_ns, np.array(pose), np.zeros(3), valid), still)
    return told


def test_the_first_pose_is_believed_wherever_it_is() -> None:
    """A hall has no preferred place."""
    told = told_of((0, [5.0, -7.0, 2.0], True))
    np.testing.assert_array_equal(told.pose, [5.0, -7.0, 2.0])
    assert told.state is not None and told.state.valid and told.doubt == ""


def test_headings_are_continuous_however_they_are_told() -> None:
    """A vehicle that turns twice and wraps its heading at half a turn: the believed one goes on."""
    told = ToldPose(load_configuration(CONFIG).base)
    for n, heading in enumerate(np.arange(0.0, 4.0 * math.pi, 0.01)):
        wrapped = math.remainder(heading, 2.0 * math.pi)
        told.hear(BaseState(n * 20_000_000, np.array([0.0, 0.0, wrapped]), np.zeros(3), True), False)
        assert told.doubt == "" and told.pose[2] == pytest.approx(heading, abs=1e-9)


@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize("field", ["pose", "rate"])
@pytest.mark.parametrize("number", [math.nan, math.inf])
def test_no_number_is_believed_that_is_none(place: int, field: str, number: float) -> None:
    """Neither of the pose nor of its rate, and nothing of it goes on."""
    told = told_of((0, [0.1, 0.2, 0.3], True))
    arrays = {"pose": np.array([0.1, 0.2, 0.3]), "rate": np.zeros(3)}
    arrays[field][place] = number
    told.hear(BaseState(PERIOD_NS, arrays["pose"], arrays["rate"], True), False)
    assert told.state is not None and not told.state.valid and "does not know where it is" in told.doubt
    np.testing.assert_array_equal(told.pose, [0.1, 0.2, 0.3])
    assert np.isfinite(told.state.pose).all() and np.isfinite(told.state.rate).all()


def test_a_jump_is_doubted_for_as_long_as_it_lasts() -> None:
    """Ten seconds at a place 0.3 m away are not believed; back at its own it is."""
    jumped = [(n * PERIOD_NS, [0.3, 0.0, 0.0], True) for n in range(1, 2500)]
    told = told_of((0, [0.0, 0.0, 0.0], True), *jumped)
    assert "jumps by 300 mm" in told.doubt
    assert told.state is not None and not told.state.valid and not told.pose.any()
    told.hear(BaseState(2500 * PERIOD_NS, np.array([0.001, 0.0, 0.0]), np.zeros(3), True), False)
    assert told.doubt == "" and told.pose[0] == 0.001


def test_a_turn_that_jumps_is_doubted_too() -> None:
    """A quarter of a turn between two poses."""
    told = told_of((0, [0.0, 0.0, 0.0], True), (PERIOD_NS, [0.0, 0.0, 1.6], True))
    assert "91.7 deg" in told.doubt


@pytest.mark.parametrize("unseen_s", [0.1, 0.4, 5.0])
@pytest.mark.parametrize("by", ["silence", "invalid poses"])
def test_after_a_gap_it_may_be_as_far_as_it_can_have_come(unseen_s: float, by: str) -> None:
    """Just within that reach a pose is believed, just beyond it is not, whatever the gap was made of."""
    speed = load_configuration(CONFIG).base.max_speed
    reach = OFF_PLACE + SPARE * speed * min(unseen_s, UNSEEN_S)
    end_ns = round(1e9 * unseen_s)
    gap = [(t, [9.0, 9.0, 9.0], False) for t in range(PERIOD_NS, end_ns, PERIOD_NS)] if "in" in by[:2] else []
    for share, believed in ((0.99, True), (1.01, False)):
        told = told_of((0, [0.0, 0.0, 0.0], True), *gap, (end_ns, [share * reach, 0.0, 0.0], True))
        assert (told.doubt == "") is believed


def test_while_nothing_floats_a_vehicle_may_be_set_down_elsewhere() -> None:
    """What it then says counts at once."""
    told = told_of((0, [0.0, 0.0, 0.0], True), (PERIOD_NS, [2.0, 0.0, 0.0], True), still=True)
    assert told.doubt == "" and told.pose[0] == 2.0
