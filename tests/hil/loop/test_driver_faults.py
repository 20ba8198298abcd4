"""A fault of the driver's counts in every state, and stays until an operator's reset."""

from typing import Any

import numpy as np
import pytest

from hil.configuration import Configuration
from hil.loop.driver.core import DriverCore
from hil.loop.driver.cycle import Cycle
from hil.loop.judging.judge import FORGETTING_NS, Evidence, Judge
from hil.loop.judging.state_machine import Machine, State
from hil.loop.lockstep import LockStep
from tests.hil.robot_states import standing

WHY = "driver: RuntimeError: broken on purpose"
MS = 1_000_000


class Standing:
    """A driver in command mode below a judge, on virtual time; nothing floats by itself."""

    def __init__(self, c: Configuration) -> None:
        self.loop = LockStep(c)
        self.driver: DriverCore = self.loop._driver
        self.judge = Judge(c)
        self.cycles, self.t_ns = 0, 0

    def run(self, cycles: int = 20, tells: bool = True) -> Machine:
        """So many cycles, after each of which the judge sees the driver's fault and gives its order."""
        loop = self.loop
        for _ in range(cycles):
            self.cycles += 1
            self.t_ns = self.cycles * loop._period_ns
            sample = loop._session.receive(loop._controller.send(), loop._c.fri.controller_address, self.t_ns)
            assert sample is not None
            mode = self.judge.machine.mode(self.t_ns) if tells else None
            self.driver.observe(sample)
            cycle: Cycle = self.driver.cycle(sample, mode)
            self.driver.conclude(sample, self.driver.slices_of(cycle), None)
            loop._controller.receive(loop._session.answer(sample, cycle.q_command))
            loop._controller.advance()
            missing = "" if sample.commanding else "robot: monitor mode"
            robot = standing(self.driver.q_command)
            seen = Evidence(missing, "", self.driver.fault, self.driver.moving, robot=robot)
            self.judge.step(self.t_ns, seen)
        return self.judge.machine


@pytest.fixture
def stands(cube: Configuration) -> Standing:
    made = Standing(cube)
    made.run(2000)
    assert made.judge.machine.state is State.READY
    return made


def test_a_driver_fault_in_ready_stays_until_reset(stands: Standing) -> None:
    """FAULT with its reason, for ever; the reset clears it in the driver too, and READY comes back."""
    stands.driver._failed(RuntimeError("broken on purpose"))
    assert stands.run(2).state is State.FAULT
    for _ in range(3):
        machine = stands.run(500)
        assert (machine.state, machine.reason) == (State.FAULT, WHY) and stands.driver.fault == WHY
    stands.judge.order("reset")
    assert stands.run(20).state is State.READY and stands.driver.fault == ""
    assert stands.run(1000).state is State.READY


def test_a_driver_does_not_forget_a_fault_that_nobody_has_seen(stands: Standing) -> None:
    """The order READY goes on for a while: the fault is still there when the supervisor looks."""
    stands.driver._failed(RuntimeError("broken on purpose"))
    order = stands.judge.machine.mode(stands.t_ns)
    for _ in range(100):
        assert not stands.driver._obey(stands.t_ns, order)
    assert stands.driver.fault == WHY


@pytest.mark.parametrize("stopped", [False, True])
def test_a_driver_fault_while_stopped_stays_until_reset(stands: Standing, stopped: bool) -> None:
    """Also where READY would follow by itself, and after an operator's stop."""
    if stopped:
        stands.judge.order("stop", "by the operator")
    else:
        stands.judge.machine = Machine(State.STOPPED, reason="something is missing")
    stands.driver._failed(RuntimeError("broken on purpose"))
    assert stands.run(500).reason == WHY and stands.judge.machine.state is State.FAULT
    stands.judge.order("reset")
    assert stands.run(20).state is State.READY


def test_a_second_fault_after_a_reset_counts_anew(stands: Standing) -> None:
    """The same words again, once the first was forgotten: FAULT at once."""
    for _ in range(2):
        stands.driver._failed(RuntimeError("broken on purpose"))
        assert stands.run(2).state is State.FAULT
        stands.judge.order("reset")
        assert stands.run(50).state is State.READY


def judged(cube: Configuration, *turns: Any) -> list[str]:
    """States of a judge through turns (ms, fault, moving) and orders."""
    judge, found = Judge(cube), []
    for turn in turns:
        if isinstance(turn, str):
            judge.order(turn)
        else:
            ms, fault, moving = turn
            judge.step(ms * MS, Evidence("", "", fault, moving, robot=standing(np.zeros(7))))
        found.append(judge.machine.state.value)
    return found


def test_a_reset_forgives_the_fault_it_saw_for_a_moment_only(cube: Configuration) -> None:
    """Shown on for half a second after the arm stands: FAULT again; another fault: at once."""
    late = FORGETTING_NS // MS + 1
    begun = [(0, "", False), (1, "a", False), "reset", (2, "a", False)]
    states = judged(cube, *begun, (late, "a", False), (late + 2, "a", False))
    assert states == ["READY", "FAULT", "STOPPED", "READY", "READY", "FAULT"]
    assert judged(cube, *begun, (3, "b", False))[-1] == "FAULT"
    assert judged(cube, *begun, (3, "", False), (4, "a", False))[-2:] == ["READY", "FAULT"]
    brakes = judged(cube, *begun, (late, "a", True), (2 * late - 2, "a", False), (2 * late + 2, "a", False))
    assert brakes[-3:] == ["READY", "READY", "FAULT"]
