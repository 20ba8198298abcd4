"""What the desk says to orders that it carries out: words, and what was so already is called so."""

import json
import re

import numpy as np
import pytest

from hil.common.errors import OperatorError
from hil.loop.judging.state_machine import NO_PATH, Machine, State
from hil.messaging.messages import Push
from hil.processes.supervisor.answers import answer_to, pushed, thresholds_in_force
from hil.wrench.detector.thresholds import PushThresholds
from tests import plain_words

STOPPED = Machine(State.STOPPED, 1, "by the operator", stopped_by_operator=True)
ORDERS = {
    "float": lambda machine: machine.float(),
    "hold": lambda machine: machine.hold(),
    "reset": lambda machine: machine.reset(),
    "stop": lambda machine: machine.stop(),
}


@pytest.mark.parametrize("verb", list(ORDERS))
@pytest.mark.parametrize("machine", [*(Machine(state) for state in State), STOPPED], ids=lambda m: m.state)
def test_an_order_that_changes_nothing_says_so(verb: str, machine: Machine) -> None:
    """`already`, or that there was nothing: exactly where state and reason stay; never an arrow of states."""
    try:
        after = ORDERS[verb](machine)
    except OperatorError:
        return
    text = answer_to(verb, machine, after)
    assert not re.search(r"->|[A-Z]{4,}$", text)
    same = after.state is machine.state and after.stopped_by_operator is machine.stopped_by_operator
    had_nothing = verb == "reset" and machine.state in (State.STOPPED, State.READY) and machine is not STOPPED
    assert ("already" in text or "nothing" in text) is (
        same or had_nothing or (verb == "stop" and machine.state in (State.STOPPED, State.READY))
    )


def test_the_words_of_a_stop() -> None:
    """Twice is no mistake; what moves is braked."""
    assert answer_to("stop", STOPPED, STOPPED) == "was stopped already"
    floating = Machine(State.FLOATING, 1, "")
    assert answer_to("stop", floating, floating.stop()) == "stopped: the arm brakes and stands"
    held = Machine(State.HOLDING, 1, f"{NO_PATH}: A4")
    assert "by itself" in answer_to("hold", held, held.hold())
    assert answer_to("hold", held.hold(), held.hold().hold()) == "was held already"


def test_numbers_are_plain() -> None:
    """Of pushes and thresholds: with units, without what numpy calls them."""
    push = Push(0, np.array([0.0, 30.0, 40.0]), 0.1, np.zeros(3))
    assert pushed(push) == "pushed: 50 N for 100 ms"
    off = Push(0, np.array([0.0, 30.0, 40.0]), 0.1, np.array([0.0, 0.15, -0.02]))
    assert pushed(off) == "pushed: 50 N for 100 ms at 0, 150, -20 mm"
    told = thresholds_in_force(PushThresholds(np.float64(8.0), np.float64(300.0), 0.5))
    assert told == "thresholds: start 8 standard deviations, derivative 300 N/s, change 0.5 N"


@pytest.mark.parametrize(
    "text",
    ["[np.float64(0.1)]", "a drift of 0.254 , at most 1", f"{[np.int64(3)]}", f"{OperatorError}", "0.254 ,"],
)
def test_traces_of_the_program_are_found(text: str) -> None:
    """By the watch over all tests; plain words, lists and decimal commas are none."""
    plain_words.look(text)
    assert plain_words.found.pop() in text
    print(text)
    OperatorError(text)
    assert [plain_words.found.pop() for _ in range(2)] and not plain_words.found
    for plain in ("0.254 N, at most 1", json.dumps([1.0, 2.5]), "--decimal ,", "x = 3, y = 4"):
        plain_words.look(plain)
    assert not plain_words.found
