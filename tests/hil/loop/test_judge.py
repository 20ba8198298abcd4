"""The judge: what of a turn's evidence counts, and for which floating."""

from dataclasses import dataclass

import pytest

from hil.common.errors import OperatorError
from hil.configuration import Configuration
from hil.loop.judging.judge import Evidence, Judge
from hil.loop.judging.state_machine import State
from tests.hil.robot_states import standing


@dataclass(frozen=True)
class Planned:
    """What counts of a plan."""

    epoch: int
    policy: str = "HOLD"
    reason: str = "reach"
    t_ns: int = 0


@pytest.fixture
def floating(cube: Configuration) -> Judge:
    """A judge in the first floating of a run."""
    judge = Judge(cube)
    at_start = standing(cube.robot.start)
    assert judge.step(0, Evidence(robot=at_start)).state is State.READY
    judge.order("float")
    return judge


@pytest.mark.parametrize("epoch", [0, 2])
def test_the_policy_of_another_floating_changes_nothing(floating: Judge, epoch: int) -> None:
    """A plan without a path that is meant for another epoch does not hold; one of this epoch does."""
    assert floating.step(1, Evidence(plan=Planned(epoch))).state is State.FLOATING
    assert floating.step(2, Evidence(plan=Planned(1))).state is State.HOLDING
    assert floating.step(3, Evidence(plan=Planned(epoch, "RUN"))).state is State.HOLDING
    assert floating.step(4, Evidence(plan=Planned(1, "RUN"))).state is State.FLOATING


@pytest.mark.parametrize("word", ["stuck", "fault", "missing"])
@pytest.mark.parametrize("held", [False, True])
def test_stuck_faulty_or_alone_is_a_fault_while_the_arm_may_move(
    floating: Judge, word: str, held: bool
) -> None:
    """Each is a FAULT with its reason, floating or holding."""
    if held:
        floating.order("hold")
    machine = floating.step(1, Evidence(**{word: "for this reason"}))
    assert (machine.state, machine.reason) == (State.FAULT, "for this reason")


def test_what_cannot_move_anything_is_no_fault(cube: Configuration) -> None:
    """An arm that stands follows nothing: that is no fault, and does not keep it from being ready."""
    judge = Judge(cube)
    for t_ns in range(3):
        assert judge.step(t_ns, Evidence(stuck="for this reason")).state is State.READY


def test_ready_waits_for_the_arm_to_stand(floating: Judge) -> None:
    """A reset right after a stop: not READY, and no floating, before the brake has come to its end."""
    floating.order("stop", "by the operator")
    floating.order("reset")
    machine = floating.step(1, Evidence(moving=True))
    assert (machine.state, machine.reason) == (State.STOPPED, "the arm comes to rest")
    with pytest.raises(OperatorError, match="comes to rest"):
        floating.order("float")
    assert floating.step(2, Evidence()).state is State.READY
