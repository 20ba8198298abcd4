"""The stop line between two runs: both float, or none does."""

import numpy as np
import pytest

from hil.loop.judging.state_machine import Machine, State
from hil.loop.shared.stop_line import JOIN_NS, SILENT_NS, StopLine
from hil.messaging.messages import Mode

MS = 1_000_000
T = 10_000 * MS


def mode(t_ns: int, state: str, reason: str = "", begin_ns: int = 0) -> Mode:
    """An order of the other run."""
    return Machine(State(state), 1, reason, begin_ns=begin_ns).mode(t_ns)


def heard(*modes: Mode) -> StopLine:
    """The first arm's end, which has heard the second arm's run."""
    line = StopLine("second")
    for each in modes:
        line.hear(each)
    return line


FLOATS = Machine(State.FLOATING, 1)


@pytest.mark.parametrize("state", ["STOPPED", "READY", "HOLDING", "FAULT", "APPROACHING", "CALIBRATING"])
def test_whatever_the_other_arm_does_instead_of_floating_holds(state: str) -> None:
    """With its state and reason; only what floats is held."""
    line = heard(mode(T, "FLOATING", begin_ns=T))
    assert line.why(T, FLOATS) == ""
    line.hear(mode(T + JOIN_NS, state, "for this"))
    assert line.why(T + JOIN_NS, FLOATS) == f"the second arm is {state} (for this)"
    for own in (State.HOLDING, State.READY, State.FAULT):
        assert line.why(T + JOIN_NS, Machine(own, 1)) == ""


def test_a_silent_run_holds_and_lets_nothing_begin() -> None:
    """Never heard, or not for a while, or from what is to come."""
    never, old = heard(), heard(mode(T, "FLOATING"))
    assert old.why(T + SILENT_NS, FLOATS) == ""
    for line, now_ns in ((never, T), (old, T + SILENT_NS + MS), (old, T - 100 * MS)):
        assert line.why(now_ns, FLOATS) == "the second arm's run is silent"
        assert "silent" in line.refusal(now_ns)
        assert "nobody says what the second arm does" in line.in_the_way(now_ns)


def test_who_floats_first_waits_for_the_other_a_moment_only() -> None:
    """READY there is no reason to hold as long as no object time passes; then it is."""
    line = heard(mode(T, "READY"))
    assert line.refusal(T) == ""
    assert line.why(T, FLOATS) == ""
    line.hear(mode(T + JOIN_NS, "READY"))
    assert line.why(T + JOIN_NS - MS, FLOATS) == ""
    assert line.why(T + JOIN_NS, FLOATS) == "the second arm is READY"


def test_the_other_one_follows_early_and_ready_only() -> None:
    """It begins at the same instant, or not at all."""
    begin_ns, ready = T + 2 * JOIN_NS, Machine(State.READY, 1)
    line = heard(mode(T, "FLOATING", begin_ns=begin_ns))
    assert line.follows(T, ready) == begin_ns and line.refusal(T) == ""
    for state in set(State) - {State.READY}:
        assert not line.follows(T, Machine(state, 1))
    line.hear(mode(T + JOIN_NS, "FLOATING", begin_ns=begin_ns))
    assert not line.follows(T + JOIN_NS, ready)
    assert "is FLOATING, and both float together" in line.refusal(T + JOIN_NS)
    line.hear(mode(T + 1, "HOLDING", begin_ns=begin_ns))
    assert not line.follows(T + 1, ready) and "HOLDING" in line.refusal(T + 1)
    assert not heard(mode(T, "READY", begin_ns=begin_ns)).follows(T, ready)


def test_no_hand_moves_an_arm_beside_one_that_moves_or_is_held() -> None:
    """Only one that stands is out of the way."""
    for state in State:
        moves = state in ("FLOATING", "HOLDING", "APPROACHING", "CALIBRATING")
        assert bool(heard(mode(T, state)).in_the_way(T)) is moves


def test_an_order_says_when_object_time_begins() -> None:
    """The instant that one floats by is in its orders, for the other's."""
    machine = Machine(State.READY).float(begin_ns=T)
    assert machine.mode(T).begin_ns == T and not np.any(machine.mode(T).initial_twist)
