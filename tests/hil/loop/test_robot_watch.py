"""What the controller says of itself in every packet: what ends motion, what is only shown."""

import pytest

from drivers.fri.layout import ControlStrategy
from hil.configuration import Configuration
from hil.loop.driver.cycle import Counters
from hil.loop.driver.robot_watch import SHOWN_NS
from hil.loop.judging.state_machine import State
from tests.hil.loop.driven import Driven


@pytest.fixture
def driven(cube: Configuration) -> Driven:
    """A driver in command mode."""
    return Driven(cube)


def shown(driven: Driven) -> str:
    """The warning that the others are told."""
    return driven.driver.state(driven.t_ns, Counters()).warning


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"error": 0x04}, "an error of A3"),
        ({"control": ControlStrategy.CARTESIAN_IMPEDANCE}, "cartesian impedance"),
        ({"control": ControlStrategy.OTHER}, "strategy is other"),
        ({"control": ControlStrategy.JOINT_IMPEDANCE}, "changed from position to joint impedance"),
    ],
)
def test_in_one_packet_of_a_session_it_is_a_fault(driven: Driven, changes: dict, words: str) -> None:
    """One packet is enough: FAULT with the reason, rest within limits."""
    driven.floated(60)
    driven.cycle(**changes)
    assert words in driven.driver.fault and not driven.driver.following
    while driven.driver.moving:
        driven.cycle()
    assert words in driven.driver.fault
    driven.assert_within_limits()


def test_a_packet_that_is_overtaken_counts_as_well(driven: Driven) -> None:
    """Of two packets that come at once the first one has the error."""
    driven.floated(60)
    driven.driver.observe(driven.sample(error=1))
    driven.count += 1
    driven.cycle()
    assert "an error of A1" in driven.driver.fault


@pytest.mark.parametrize("control", [ControlStrategy.CARTESIAN_IMPEDANCE, ControlStrategy.OTHER])
def test_a_session_under_the_wrong_strategy_moves_nothing(cube: Configuration, control: int) -> None:
    """Refused with the remedy at its first packet, and again after a reset, as long as it is so."""
    driven = Driven(cube)
    stands = driven.q
    driven.cycle(State.READY, new_session=True, control=control)
    for state in (State.READY, State.FAULT, State.READY, State.FLOATING):
        for _ in range(20):
            driven.cycle(state, plan=driven.plan(0.2), control=control)
        assert "$STIFFNESS.STRATEGY in its program to 10 (position)" in driven.driver.fault
    assert (driven.q == stands).all()


def test_under_joint_impedance_from_the_start_it_is_none(driven: Driven) -> None:
    """The strategy that the session began under is right if joint positions move the arm under it."""
    impedance = {"control": ControlStrategy.JOINT_IMPEDANCE}
    driven.cycle(new_session=True, **impedance)
    driven.cycle(plan=driven.plan(0.2), **impedance)
    for _ in range(60):
        driven.cycle(**impedance)
    assert driven.driver.fault == "" and driven.driver.following


def test_outside_command_mode_it_is_shown_and_ends_nothing(driven: Driven) -> None:
    """Drives in error or another strategy while nobody commands: no reset is asked for."""
    driven.cycle(State.READY, commanding=False)
    driven.cycle(State.READY, error=2, control=ControlStrategy.OTHER, commanding=False)
    assert driven.driver.fault == ""
    assert "an error of A2" in shown(driven) and "strategy is other" in shown(driven)


def test_an_error_that_ends_the_session_is_a_fault(driven: Driven) -> None:
    """A drive fails and the controller leaves command mode in the same packet: the fault names the drive."""
    driven.floated(60)
    driven.cycle(error=0x40, commanding=False, power_on=False, drives=0)
    assert "an error of A7" in driven.driver.fault


def test_a_warning_is_shown_for_a_while_and_ends_nothing(driven: Driven) -> None:
    """One packet's warning is seen by people, and then forgotten; the arm goes on."""
    driven.floated(60)
    assert shown(driven) == ""
    driven.cycle(warning=0x10)
    assert shown(driven) == "the controller warns of A5"
    assert driven.driver.fault == "" and driven.driver.following
    driven.count += round(0.9e-9 * SHOWN_NS / driven.dt)
    assert shown(driven) == "the controller warns of A5"
    driven.count += round(0.2e-9 * SHOWN_NS / driven.dt)
    assert shown(driven) == ""
