"""The state machine: which events lead where, and that FAULT is left only by `reset`."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hil.common.errors import OperatorError
from hil.loop.judging.state_machine import MOVING, Machine, State

EVENTS: dict[str, Callable[[Machine], Machine]] = {
    "healthy": lambda m: m.health(""),
    "sick": lambda m: m.health("the planner process has been silent"),
    "fault": lambda m: m.fault("guard"),
    "run": lambda m: m.policy("RUN", ""),
    "no path": lambda m: m.policy("HOLD", "reach"),
    "float": Machine.float,
    "hold": Machine.hold,
    "stop": Machine.stop,
    "reload": Machine.reload,
    "reset": Machine.reset,
}


def after(machine: Machine, event: str) -> Machine:
    """The machine after an event; a refused command leaves it as it was."""
    try:
        return EVENTS[event](machine)
    except OperatorError:
        return machine


@given(st.lists(st.sampled_from(sorted(EVENTS)), max_size=30))
def test_fault_is_left_only_by_reset(events: list[str]) -> None:
    """For any sequence of events."""
    machine = Machine()
    for event in events:
        before, machine = machine, after(machine, event)
        if before.state is State.FAULT and machine.state is not State.FAULT:
            assert event == "reset" and machine.state is State.STOPPED


@given(st.lists(st.sampled_from(sorted(EVENTS)), max_size=30))
def test_motion_begins_only_with_float(events: list[str]) -> None:
    """Out of a state in which the arm stands, only an operator's `float` leads to motion."""
    machine = Machine()
    for event in events:
        before, machine = machine, after(machine, event)
        if before.state not in MOVING and machine.state in MOVING:
            assert event == "float" and before.state is State.READY
            assert machine.epoch == before.epoch + 1


def test_the_usual_way() -> None:
    """STOPPED -> READY -> FLOATING <-> HOLDING -> STOPPED, and READY again only after reset."""
    m = Machine().health("sim: compiling")
    assert (m.state, m.reason) == (State.STOPPED, "sim: compiling")
    m = m.health("")
    assert m.state is State.READY
    m = m.float()
    assert (m.state, m.epoch) == (State.FLOATING, 1)
    m = m.hold()
    assert m.state is State.HOLDING and m.mode(0).hold
    m = m.policy("RUN", "")
    assert m.state is State.HOLDING, "an operator's hold is not ended by the planner"
    m = m.float()
    assert (m.state, m.epoch) == (State.FLOATING, 1)
    m = m.policy("HOLD", "limit")
    assert m.state is State.HOLDING and not m.mode(0).hold and "limit" in m.reason
    m = m.policy("RUN", "")
    assert m.state is State.FLOATING
    m = m.stop().health("")
    assert m.state is State.STOPPED
    with pytest.raises(OperatorError, match="reset first"):
        m.float()
    assert m.reset().health("").state is State.READY


def test_losing_a_process_while_floating_is_a_fault() -> None:
    """The first reason stands."""
    m = Machine().health("").float().health("the planner process has been silent for 1.0 s").fault("later")
    assert m.state is State.FAULT and m.reason.startswith("the planner")


def test_every_floating_has_its_own_number() -> None:
    """Also after a stop and a reset, and after a fault; floating on from a hold keeps it."""
    m = Machine()
    for epoch in (1, 2, 3):
        m = m.health("").float()
        assert m.epoch == epoch and m.hold().float().epoch == epoch
        m = (m.stop() if epoch == 1 else m.fault("guard")).reset()


def test_a_motion_begins_from_ready_only() -> None:
    """The twist goes into the orders of that floating, and of no later one; in flight it is refused."""
    twist = (0.1, 0.0, -0.05, 0.0, 0.2, 0.0)
    m = Machine().health("").float(twist)
    assert m.initial_twist == twist and m.mode(0).initial_twist.tolist() == list(twist)
    for moving in (m, m.hold()):
        with pytest.raises(OperatorError, match="from READY only"):
            moving.float(twist)
    assert m.stop().reset().health("").float().mode(0).initial_twist.tolist() == []


@pytest.mark.parametrize("moving", [Machine(State.FLOATING, 1), Machine(State.HOLDING, 1)])
def test_a_moving_arm_is_not_reset(moving: Machine) -> None:
    """It has to be stopped first."""
    with pytest.raises(OperatorError, match="stop first"):
        moving.reset()


def test_what_is_missing_ends_readiness() -> None:
    """READY is left for STOPPED with the reason, and entered again when all are there."""
    m = Machine().health("").health("sim: starting")
    assert (m.state, m.reason) == (State.STOPPED, "sim: starting")
    assert m.health("").state is State.READY
    for state in (State.STOPPED, State.FAULT, State.FLOATING):
        with pytest.raises(OperatorError):
            Machine(state, reason="x").hold() if state is not State.FLOATING else Machine(state).reset()
