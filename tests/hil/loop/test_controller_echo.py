"""The controller's echo: to rounding with an answer, bounded without one, and what must not be sent."""

import numpy as np
import pytest

from drivers.fri.session import NONE_HEARD
from hil.configuration import Configuration
from hil.configuration.schema import Fri
from hil.loop.driver.controller_echo import ControllerEcho
from hil.loop.judging.state_machine import State
from planner.kinematics.forward import jacobian
from tests.hil.loop.driven import Driven

DT = 0.002
START = np.linspace(-1.5, 1.5, 7)
SPEED = np.linspace(0.1, 0.4, 7)  # [rad/s]
ALLOWED = 1e-6  # [rad]
ROUND = 4e-7  # [rad]: three roundings to 32 bits below 4 rad; a microradian is no rounding any more


@pytest.fixture
def driven(cube: Configuration) -> Driven:
    """A driver in command mode."""
    return Driven(cube)


def echo_of(cube: Configuration, cycles: int = 1) -> ControllerEcho:
    """A session that began with packet 10 and was answered up to packet 20, along a straight way."""
    echo = ControllerEcho(cube.limits, Fri(echo_cycles=cycles))
    echo.begin(10, START)
    for count in range(11, 21):
        echo.sent(count, sent(count))
    return echo


def sent(count: int) -> np.ndarray:
    """The command that answered packet `count` [rad], (7,)."""
    return START + (count - 10) * DT * SPEED


def judged(echo: ControllerEcho, count: int, heard: int, q: np.ndarray) -> str:
    """What is said of a packet."""
    return echo._judge(count, heard, q)


@pytest.mark.parametrize("joint", range(7))
@pytest.mark.parametrize("sign", [-1.0, 1.0])
def test_with_an_answer_it_is_that_command_to_rounding(cube: Configuration, joint: int, sign: float) -> None:
    """What 32 bits hide is no difference; two microradians in any joint are, and the joint is named."""
    for away, wrong in ((ROUND, False), (2.0 * ALLOWED, True)):
        q = sent(20)
        q[joint] += sign * away
        assert (f"commands A{joint + 1} to" in judged(echo_of(cube), 21, 20, q)) == wrong


def test_a_command_of_the_wire_comes_back_as_itself(cube: Configuration) -> None:
    """A command, its own share and the interface's, each a 32-bit float, at all sizes: never a fault."""
    rng = np.random.default_rng(4)
    for _ in range(2000):
        q, krl = rng.uniform(-3.0, 3.0, (2, 7))
        reference = q.astype(np.float32).astype(np.float64)
        back = krl.astype(np.float32).astype(np.float64) + (reference - krl).astype(np.float32)
        echo = ControllerEcho(cube.limits, Fri())
        echo.begin(0, np.zeros(7))
        echo.sent(1, q)
        assert judged(echo, 2, 1, back) == ""


@pytest.mark.parametrize("alone", [1, 4, 20])
def test_over_lost_answers_it_may_stand_or_go_on_but_no_faster_than_it_can(
    cube: Configuration, alone: int
) -> None:
    """Stood, gone on, or anything between; what its own full speed does not explain is a fault."""
    stood, gone = sent(20), sent(20) + alone * DT * SPEED
    full = sent(20) - alone * DT * np.deg2rad([120.0, 120.0, 160.0, 160.0, 250.0, 220.0, 220.0])
    for q in (stood, gone, 0.5 * (stood + gone), full):
        assert judged(echo_of(cube), 21 + alone, 20, q) == ""
    finding = judged(echo_of(cube), 21 + alone, 20, full - 2.0 * ALLOWED)
    assert f"{alone} lost answers explain" in finding


def test_after_every_gap_it_must_be_where_it_was_sent(cube: Configuration) -> None:
    """The first answer after twenty lost ones: what was allowed a cycle before is a fault."""
    echo = echo_of(cube)
    there = sent(20) + 20 * DT * 0.5 * cube.limits.velocity
    assert judged(echo, 41, 20, there) == ""
    echo.sent(41, sent(41))
    assert "commands A" in judged(echo, 42, 41, there)
    assert judged(echo, 42, 41, sent(41)) == ""


def test_before_its_first_answer_it_stands_where_the_session_began(cube: Configuration) -> None:
    """However many packets went without an answer, from the session before or from none."""
    for heard in (NONE_HEARD, 3):
        assert judged(echo_of(cube), 18, heard, START) == ""
        assert "commands A1" in judged(echo_of(cube), 18, heard, START + 2.0 * ALLOWED)


def test_with_a_later_echo_a_session_begins_anew_as_well(cube: Configuration) -> None:
    """Where the last session stood is none of the last cycles' places in this one."""
    echo = echo_of(cube, 3)
    for count in range(12, 22):
        assert judged(echo, count, count - 1, sent(count - 1)) == ""
    echo.begin(22, START + 0.1)
    echo.sent(23, START + 0.1)
    assert judged(echo, 23, 22, START + 0.1) == "" and judged(echo, 24, 23, sent(20)) != ""


def test_an_answer_of_another_session_says_nothing_of_this_one(cube: Configuration) -> None:
    """The session begins anew: the last one's commands are forgotten."""
    echo = echo_of(cube)
    echo.begin(30, START + 0.1)
    assert judged(echo, 31, 20, START + 0.1) == "" and judged(echo, 31, 20, sent(20)) != ""


@pytest.mark.parametrize("cycles", [2, 5])
def test_commands_may_show_later(cube: Configuration, cycles: int) -> None:
    """`fri.echo_cycles`: any of the last commands or what lies between, and none before them."""
    for back in range(cycles + 1):
        echo, finding = echo_of(cube, cycles), ""
        for count in range(12, 22):
            finding = judged(echo, count, count - 1, sent(max(count - 1 - back, 10)))
        assert (finding == "") == (back < cycles)


def test_what_the_limit_forbids_is_not_sent(cube: Configuration) -> None:
    """The way from where the controller stands to the command: at most full speed in any joint."""
    step = cube.limits.velocity * DT
    for joint in range(7):
        for way, held_back in ((0.999, False), (1.01, True)):
            q = START.copy()
            q[joint] -= way * step[joint]
            assert (f"A{joint + 1}'s command" in echo_of(cube).withheld(q, START, 3)) == held_back


def test_a_controller_that_commands_otherwise_is_a_fault_and_the_arm_brakes(driven: Driven) -> None:
    """Ten microradians off in motion: FAULT with the reason, rest within limits."""
    driven.floated(60)
    off = driven.q + np.array([0.0, 0.0, 1e-5, 0.0, 0.0, 0.0, 0.0])
    driven.cycle(q_commanded=off)
    assert "the controller commands A3" in driven.driver.fault and not driven.driver.following
    while driven.driver.moving:
        driven.cycle()
    driven.assert_within_limits()


def elbow(driven: Driven) -> np.ndarray:
    """A motion of the joints that leaves the object where it is: the greatest goes at 1 rad/s."""
    core = driven.driver
    J = jacobian(driven.model.geometry, driven.q, core._frames.T_flange_object)
    null = np.linalg.svd(J)[2][-1]
    return null / np.abs(null).max()


def test_a_controller_that_stood_is_not_made_to_jump(driven: Driven) -> None:
    """It stands over lost answers: up to its limit it catches up, beyond it no answer goes out, FAULT."""
    driven.floated(100, velocity=0.6 * elbow(driven))
    standing, heard = driven.q, driven.heard
    step = driven.limits.velocity * driven.dt
    withheld = []
    for _ in range(30):
        cycle = driven.cycle(q_commanded=standing, heard=heard)
        assert cycle.q_command is not None
        within = (np.abs(cycle.q_command - standing) <= step + ALLOWED).all()
        assert cycle.withheld == (not within)
        withheld.append(cycle.withheld)
        driven.q = standing  # the answer is lost
    assert not withheld[0] and withheld[-1]
    assert "mrad behind A" in driven.driver.fault and not driven.driver.following
    driven.assert_within_limits()


def test_in_a_new_session_nothing_of_the_last_one_counts(driven: Driven) -> None:
    """It begins elsewhere and no answer is heard yet: no fault, and no answer is held back."""
    driven.floated(60)
    driven.q = driven.q + 0.2
    driven.step = np.zeros(7)
    for k in range(5):
        cycle = driven.cycle(State.READY, new_session=k == 0)
        assert not cycle.withheld and driven.driver.fault == ""
