"""What a run of one of two arms that share a motion lets begin, and when object time begins then."""

import numpy as np
import pytest

from hil.common.errors import OperatorError
from hil.configuration import Configuration
from hil.configuration.shared import BEGINS, TURNED
from hil.loop.judging.judge import BEGIN_NS, Evidence, Judge
from hil.loop.judging.state_machine import Machine, State
from hil.loop.sim_core import SET_OFF, SimCore
from planner.kinematics.arm_model import load_arm_model
from tests.hil.loop.shared.test_shared_planner import arm_of
from tests.hil.robot_states import standing

T = 7_000_000_000
C = arm_of(0)
LEVER = 0.79  # [m] from the first axis to the object


def ready(c: Configuration, turned: float = 0.0) -> Judge:
    """A judge in READY, its arm turned about the first axis."""
    judge = Judge(c)
    q = np.array(c.robot.start)
    q[0] += turned
    assert judge.step(T, Evidence(robot=standing(q))).state is State.READY
    return judge


def test_who_floats_first_says_when_object_time_begins_and_the_other_obeys() -> None:
    """A while after it was asked for; the other one at the same instant; an arm alone at once."""
    assert ready(C).order("float").mode(T).begin_ns == T + BEGIN_NS
    following = ready(arm_of(1))
    assert following.order("follow", str(T + 5)).mode(T).begin_ns == T + 5
    assert following.machine.epoch == 1 and following.taken().count("follow") == 1
    assert ready(C.model_copy(update={"shared": None})).order("float").mode(T).begin_ns == 0


def test_nothing_goes_on_that_was_held_and_nothing_begins_for_one_alone() -> None:
    """HOLDING is left by a stop alone; the other arm's reason refuses either way to float."""
    judge = ready(C)
    judge.order("float")
    judge.order("hold", "for the other arm")
    for verb, argument in (("float", ""), ("follow", str(T))):
        with pytest.raises(OperatorError, match="goes on for none of them once it was held: stop both"):
            judge.order(verb, argument)
    assert judge.machine.state is State.HOLDING
    for verb, argument in (("float", ""), ("follow", str(T))):
        judge = ready(C)
        judge.grip_unknown = "the second arm is STOPPED"
        with pytest.raises(OperatorError, match="float is refused: the second arm is STOPPED"):
            judge.order(verb, argument)
        assert judge.machine.state is State.READY


@pytest.mark.parametrize("share", [0.9, 1.1])
def test_an_arm_off_the_middle_of_its_set_does_not_begin(share: float) -> None:
    """By the first axis the object goes sideways and turns with it; whichever bound is met first counts."""
    by_way, by_turn = BEGINS / LEVER, TURNED
    judge = ready(C, share * min(by_way, by_turn))
    if share < 1.0:
        assert judge.order("float").state is State.FLOATING
        return
    with pytest.raises(OperatorError, match="off the middle of its set, 20 mm and 3 deg at most where two"):
        judge.order("float")
    ready(C.model_copy(update={"shared": None}), share * by_way).order("float")


@pytest.mark.parametrize("turned", [0.9, 1.1])
def test_nor_one_that_is_turned_about_its_axis(turned: float) -> None:
    """By the last joint the object turns about its own axis and goes nowhere."""
    q = np.array(C.robot.start)
    q[6] += turned * TURNED
    judge = Judge(C)
    judge.step(T, Evidence(robot=standing(q)))
    if turned < 1.0:
        assert judge.order("float").state is State.FLOATING
        return
    with pytest.raises(OperatorError, match=r"3\.3 deg off the middle"):
        judge.order("float")


def test_two_simulations_that_hear_of_it_apart_have_one_object_time() -> None:
    """Restarted 34 ms apart, each at full pace from one instant on; without one each as soon as it can."""
    for begin_ns, apart in ((T + BEGIN_NS, 0.0), (0, 0.034)):
        mode = Machine(State.READY).float((), begin_ns).mode(T)
        times = []
        for late_ns in (0, 34_000_000):
            core = SimCore(C, load_arm_model(C.robot.model))
            robot = standing(C.robot.start)
            assert core.step(T + late_ns, mode, robot, [], None) is not None
            for t_ns in range(T + 50_000_000, T + 900_000_000, 50_000_000):
                state = core.step(t_ns, mode, robot, [], None)
            times.append(state.object_time)
            assert begin_ns or state.object_time == pytest.approx(
                0.85 - 1e-9 * late_ns - robot.delay - SET_OFF - 0.1, abs=1e-9
            )
        assert times[0] - times[1] == pytest.approx(apart, abs=1e-9)
