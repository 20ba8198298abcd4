"""What a run is counted by."""

import dataclasses

import numpy as np
import pytest

from hil.loop.judging.liveness import Liveness
from hil.loop.judging.state_machine import Machine, State
from hil.messaging.messages import ImpulseSlice
from hil.processes.supervisor.display import status_line
from hil.processes.supervisor.tally import Tally
from tests.hil.loop.test_energy_monitor import state_of


def piece(impulse_id: int, index: int = 0, size: float = 1.0) -> ImpulseSlice:
    """A slice of a push."""
    return ImpulseSlice(
        1, impulse_id, index, 0, False, False, False, False, 0, 1, 1, np.full(6, size), np.zeros(6)
    )


def status(tally: Tally, machine: Machine, sim=None) -> dict:
    """The status with an object's state, if there is one."""
    seen = Liveness([])
    seen.sim = sim
    return tally.status(machine, seen)


def test_a_push_counts_once_and_one_taken_back_not_at_all() -> None:
    """Whatever its slices; a retracted later slice does not take the push back."""
    tally = Tally()
    for item in (piece(1), piece(1, 1), piece(1, 2), piece(2), piece(3), piece(2, 0, 0.0), piece(1, 2, 0.0)):
        tally.impulse(item, floating=True)
    assert status(tally, Machine())["pushes"] == 2


def test_what_is_pushed_while_nothing_floats_does_not_count() -> None:
    """A push on the standing arm is none; one that began afloat counts on, and may be taken back."""
    tally = Tally()
    tally.impulse(piece(1), floating=True)
    tally.impulse(piece(2), floating=False)
    tally.impulse(piece(1, 1), floating=False)
    assert status(tally, Machine())["pushes"] == 1
    tally.impulse(piece(1, 0, 0.0), floating=False)
    assert status(tally, Machine())["pushes"] == 0


def test_changes_of_state_count_once() -> None:
    """A hold that lasts is one hold; a fault that lasts one fault; another reason is no other state."""
    tally, machine = Tally(), Machine(State.FLOATING, 1)
    after = [
        machine.hold(),
        machine.hold(),
        machine.hold("again"),
        machine.hold().float(),
        machine.fault("a"),
    ]
    after += [machine.fault("a"), machine.fault("a").reset()]
    for now in after:
        tally.transition(machine, now)
        machine = now
    assert (tally.holds, tally.faults) == (1, 1)


@pytest.mark.parametrize(
    ("machine", "needed"),
    [
        (Machine(State.FAULT), True),
        (Machine(State.STOPPED, stopped_by_operator=True), True),
        (Machine(State.STOPPED), False),
        (Machine(State.FLOATING), False),
    ],
)
def test_who_needs_a_reset(machine: Machine, needed: bool) -> None:
    """A fault, and an operator's stop."""
    assert status(Tally(), machine)["needs_reset"] is needed


def test_speed_and_spin_are_norms_in_their_units() -> None:
    """(3, 4, 0) cm/s is 50 mm/s; (0, 0, pi/180) rad/s is 1 deg/s."""
    sim = dataclasses.replace(state_of(10, [0.03, 0.04, 0.0], (0.0, 0.0, np.pi / 180.0)))
    found = status(Tally(), Machine(), sim)
    assert found["speed_mm_s"] == pytest.approx(50.0) and found["spin_deg_s"] == pytest.approx(1.0)


def test_seals_and_latches_are_in_status_and_line() -> None:
    """How many hold, and the latches' force; without any, nothing is said."""
    docked = {"outcome": "docked", "fastened": np.array([1, 1, 3, 4]), "latch_force": -2.34}
    rest = {"waits": 0, "overridden": [], "stops_words": "", "float_refused": ""}
    held = "1 of 1 seals, 3 of 4 latches, -2.3 N"
    for changes, words, line in (
        (docked, held, f"docking: docked ({held})"),
        ({"outcome": "docked"}, "", "docking: docked  "),
    ):
        found = status(Tally(), Machine(), dataclasses.replace(state_of(10, [0.0, 0.0, 0.0]), **changes))
        assert found["fastened"] == words
        assert line in status_line(found | rest) + "  "
