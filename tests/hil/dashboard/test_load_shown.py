"""What the page is told of a calibration: how far it is, and what comes of it."""

import time

import pytest

from hil.configuration import Configuration
from hil.dashboard.load_shown import LoadShown
from hil.loop.calibration.poses import WHOLE
from hil.loop.judging.state_machine import Machine, State
from hil.messaging.codec import Message

NS = 1_000_000_000


def turn(load: LoadShown, t: float, state: State, reason: str = "", heard: tuple[Message, ...] = ()) -> None:
    load.turn(round(t * NS), Machine(state, 1, reason).mode(round(t * NS)), heard)


def after(load: LoadShown, t: float) -> dict[str, object]:
    """What is told a while after an end at `t` [s]."""
    deadline = time.monotonic() + 20.0
    while not load.told["found"] and time.monotonic() < deadline:
        turn(load, t + 0.31, State.READY)
        time.sleep(0.01)
    return load.told


def test_progress_is_the_share_of_the_motion(cube: Configuration) -> None:
    """Nothing before it begins, one at most, and nothing when it is over."""
    load = LoadShown(cube)
    load.turn(0, None, ())
    turn(load, 1.0, State.READY)
    assert load.told["progress"] is None
    shares = []
    for t in (2.0, 2.0 + 0.25 * WHOLE, 2.0 + WHOLE, 3.0 + WHOLE):
        turn(load, t, State.CALIBRATING)
        shares.append(load.told["progress"])
    assert shares == pytest.approx([0.0, 0.25, 1.0, 1.0])
    turn(load, 8.0, State.READY)
    assert load.told["progress"] is None
    load.close()


def test_a_motion_that_shows_nothing_says_why(cube: Configuration) -> None:
    """Not before the last cycles can have come; no table; a new motion forgets it."""
    load = LoadShown(cube)
    turn(load, 1.0, State.CALIBRATING)
    turn(load, 5.0, State.READY)
    turn(load, 5.2, State.READY)
    assert not load.told["found"] and load._finding is None
    told = after(load, 5.0)
    assert "no cycles of the driver came" in str(told["found"]) and not told["table"]
    turn(load, 9.0, State.CALIBRATING)
    assert not load.told["found"] and load.told["progress"] == 0.0
    load.close()


@pytest.mark.parametrize(
    ("state", "reason"), [(State.READY, "the hand is off"), (State.FAULT, "x"), (State.STOPPED, "x")]
)
def test_a_motion_that_was_broken_off_is_not_looked_at(
    cube: Configuration, state: State, reason: str
) -> None:
    load = LoadShown(cube)
    turn(load, 1.0, State.CALIBRATING)
    turn(load, 2.0, state, reason)
    turn(load, 3.0, state, reason)
    assert load._finding is None and load.told == {"progress": None, "found": "", "table": ""}
    load.close()
