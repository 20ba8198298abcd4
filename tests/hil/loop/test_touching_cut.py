"""A contact that is cut off while it lasts: by a hold, a stop, a fault, and what may begin afterwards."""

import numpy as np
import pytest

from hil.common.errors import OperatorError
from hil.loop.driver.cut_contact import CutContact
from hil.loop.judging.state_machine import State
from hil.loop.lockstep import LockStep
from tests.hil.loop.touched import SPEED, TOUCHED, Flown

RESET, ASKED = 2.0, 2.4  # [s] when an operator resets, and asks for another floating


def test_a_float_is_refused_as_long_as_a_cut_contact_presses() -> None:
    """Stopped in the middle of a touch, the mock-up is pressed: that is no bias to begin with."""
    said: list[str] = []

    def operate(t: float, loop: LockStep) -> None:
        judge, state = loop.judge, loop.judge.machine.state
        if TOUCHED <= t < TOUCHED + 0.01 and state is State.FLOATING:
            judge.order("stop", "by the operator")
        elif RESET <= t < RESET + 0.01 and state is State.STOPPED:
            judge.order("reset")
        elif t >= ASKED and state is State.READY and not said:
            with pytest.raises(OperatorError) as refused:
                judge.order("float")
            said.append(str(refused.value))

    flight = Flown(ASKED + 0.1, order=operate)
    assert "float is refused: the mock-up has been pressed with" in said[0] and "zerog approach" in said[0]
    assert flight.loop.judge.status()["float_refused"].startswith("the mock-up has been pressed")
    assert flight.at_rest and flight.ended[-1].ended


def test_a_float_that_is_ordered_all_the_same_is_a_fault_at_once() -> None:
    """The driver itself begins nothing while something presses."""

    def operate(t: float, loop: LockStep) -> None:
        judge, state = loop.judge, loop.judge.machine.state
        if TOUCHED <= t < TOUCHED + 0.01 and state is State.FLOATING:
            judge.order("stop", "by the operator")
        elif RESET <= t < RESET + 0.01 and state is State.STOPPED:
            judge.order("reset")
        elif t >= ASKED and state is State.READY:
            judge.machine = judge.machine.float()

    flight = Flown(ASKED + 0.3, order=operate)
    assert "the mock-up has been pressed with" in flight.fault and flight.at_rest


def test_a_hold_ends_a_contact_and_nothing_acts_while_time_stands() -> None:
    """The slices end with object time; afterwards the object leaves no faster than it came."""
    resumed: list[int] = []

    def operate(t: float, loop: LockStep) -> None:
        judge, state = loop.judge, loop.judge.machine.state
        if TOUCHED <= t < TOUCHED + 0.01 and state is State.FLOATING:
            judge.order("hold")
        elif t >= 2.5 and state is State.HOLDING:
            resumed.append(loop.t_ns)
            judge.order("float")

    flight = Flown(4.0, order=operate)
    assert flight.fault == "" and flight.ended
    stood_ns = resumed[0] - 900_000_000
    assert all(not stood_ns < item.t_end_ns < resumed[0] for item in flight.slices)
    assert flight.ended[0].t_end_ns < stood_ns
    assert -1.005 * SPEED < flight.v[0] < -0.7 * SPEED


def test_a_wrench_that_turns_round_in_contact_drives_nothing_while_time_stands() -> None:
    """The port seems to pull from the middle of a touch on: held for that, the object gains no more."""
    pulled = Flown(3.2, felt=lambda t, wrench: -wrench if t > TOUCHED else wrench)
    assert "energy that no push gave" in pulled.reason or "force.stop_force_n" in pulled.fault
    assert pulled.at_rest and np.linalg.norm(pulled.v) < 4.0 * SPEED


def test_an_estimate_that_is_stuck_in_contact_stops_the_arm() -> None:
    """The force stays though the arm recedes: the same six numbers for 50 ms are no measurement."""
    stuck: list[np.ndarray] = []

    def felt(t: float, wrench: np.ndarray) -> np.ndarray:
        if t > TOUCHED:
            stuck.append(wrench.copy())
        return stuck[0] if stuck else wrench

    flight = Flown(2.0, felt=felt)
    assert "the very same six numbers" in flight.fault and flight.at_rest


def test_what_presses_is_known_until_it_lets_go() -> None:
    """By the bias of before the touch; a body that comes towards it feels it, one that leaves does not."""
    cut, pressing = CutContact(2.0), np.array([-10.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    cut.feel(pressing, False)
    assert cut.pressed == 0.0 and cut.bias is None
    cut.cut(np.array([3.0, 0.0, 0.0, 0.0, 0.0, 0.0]))
    cut.feel(pressing, False)
    assert cut.pressed == pytest.approx(13.0)
    assert cut.still_leaves(pressing, np.array([-0.02, 0.0, 0.0]))
    assert not cut.still_leaves(pressing, np.array([0.02, 0.0, 0.0]))
    cut.feel(np.array([np.nan] * 6), False)
    assert cut.pressed != 0.0
    cut.feel(np.array([2.0, 1.0, 0.0, 0.0, 0.0, 0.0]), True)  # it stands: whatever leans on it next is known
    assert cut.pressed == 0.0 and cut.bias is not None
    cut.feel(np.array([2.0, 1.0, 0.0, 0.0, 0.0, 0.0]), False)
    assert cut.bias is None
