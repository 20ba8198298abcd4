"""An operator's hand brings the arm to its start pose: the whole loop on virtual time."""

import dataclasses
import json

import numpy as np
import pytest

from bench.fidelity import changed
from hil.common.arrays import Array
from hil.common.errors import OperatorError
from hil.configuration import Configuration
from hil.loop.approach.caps import CORNER_SPEED, JOINT_SPEED
from hil.loop.judging.approaching import HAND_OFF
from hil.loop.judging.state_machine import State
from hil.messaging.messages import Push
from tests.hil.loop.approach.hand_loop import HandLoop, speeds

HAND = 0.3  # [s]
BRAKE = 0.15  # [s] at most, from such speeds


def standing_at(c: Configuration, *degrees: float) -> Configuration:
    """The configuration whose emulated arm begins so far from the start pose."""
    start = np.array(c.robot.start) + np.radians(np.pad(degrees, (0, 7 - len(degrees))))
    c = changed(c, "operator", random=None)  # nobody pushes
    return changed(changed(c, "emulator", start=start), "run", float_at_start=False)


def begun(c: Configuration, seconds: float = 1.0, speed_deg_s: float = 3.0) -> HandLoop:
    """A loop whose arm is on its way, held on for a while."""
    loop = HandLoop(c)
    loop.ready()
    loop.go(0.2)
    loop.ask(speed_deg_s)
    loop.hold(seconds)
    assert loop.state is State.APPROACHING and loop.driver.moving, loop.reason
    return loop


def moved_after(loop: HandLoop, t_s: float) -> float:
    """How long after an instant the commands still moved [s]."""
    q, t = np.array(loop.commands), np.array(loop.t)
    moving = np.flatnonzero(np.diff(q, axis=0).any(axis=1))
    return float(t[moving[-1] + 1] - t_s) if len(moving) else -np.inf


def moved(loop: HandLoop) -> bool:
    return bool(np.ptp(np.array(loop.commands), axis=0).any())


def no_limit_is_broken(loop: HandLoop) -> None:
    assert loop.controller.monitor.violations == 0, loop.controller.monitor.last


@pytest.mark.parametrize(
    ("away", "outside"),
    [((0.0, 4.0), False), ((0.0, 14.3), True), ((40.0, -2.0, 0.0, 5.0, 10.0, 0.0, 30.0), True)],
)
def test_an_arm_that_stands_elsewhere_comes_home_and_then_floats(
    cube: Configuration, away: tuple[float, ...], outside: bool
) -> None:
    """From within the stops and from far outside; caps kept all the way; it ends READY, exactly there."""
    c = standing_at(cube, *away)
    loop = HandLoop(c)
    loop.ready()
    if outside:
        with pytest.raises(OperatorError, match="held outside the stops"):
            loop.judge.order("float")
    loop.ask(10.0)
    loop.hold(60.0)
    assert loop.state is State.READY and not loop.reason
    assert (loop.driver.q_command == c.robot.start).all() and not loop.driver.moving
    joint, corner = speeds(c, loop)
    assert joint <= JOINT_SPEED and corner <= CORNER_SPEED
    assert corner > 0.95 * CORNER_SPEED or joint > 0.95 * JOINT_SPEED
    assert loop.driver.fault == "" and not loop.driver.following
    loop.judge.order("float")
    loop.go(0.5)
    assert loop.state is State.FLOATING and loop.driver.following
    no_limit_is_broken(loop)


def test_a_hand_that_is_off_stops_the_arm_after_300_ms(cube: Configuration) -> None:
    """On its line, within limits; READY with the reason; nothing moves again without another session."""
    loop = begun(standing_at(cube, 0.0, 14.3))
    last = 1e-9 * loop.now_ns - 0.05  # the newest heartbeat, at the latest
    loop.go(1.0)
    assert HAND - 0.06 < moved_after(loop, last) < HAND + BRAKE
    assert loop.state is State.READY and loop.reason == HAND_OFF
    q, home = np.array(loop.commands), np.array(cube.robot.start)
    line = (q - home) / np.linalg.norm(q[0] - home)
    # set-points of 32 bits, from which it began
    assert np.abs(line[:, [0, 2, 3, 4, 5, 6]]).max() < 1e-6
    place = loop.driver.q_command
    with pytest.raises(OperatorError, match="nothing is granted"):
        loop.beat()
    loop.go(0.5)
    assert (loop.driver.q_command == place).all()
    loop.ask()
    loop.hold(0.5)
    assert loop.state is State.APPROACHING and (loop.driver.q_command != place).any()
    no_limit_is_broken(loop)


def test_a_hand_that_lets_go_stops_the_arm_at_once(cube: Configuration) -> None:
    """A page tells that it was released: the 300 ms are not waited for."""
    loop = begun(standing_at(cube, 0.0, 14.3))
    released = 1e-9 * loop.now_ns
    loop.beat(released=True)
    loop.go(1.0)
    assert moved_after(loop, released) < 0.1 + BRAKE and loop.state is State.READY


@pytest.mark.parametrize("wrong", ["old", "repeated", "of another session", "before asking"])
def test_heartbeats_that_do_not_count_move_nothing(cube: Configuration, wrong: str) -> None:
    """A heap that waited, a number again and again, another session's, and any without a session."""
    loop = HandLoop(standing_at(cube, 0.0, 14.3))
    loop.ready()
    if wrong != "before asking":
        loop.ask()
    loop.counted = []
    for _ in range(40):
        loop.session += wrong == "of another session"
        loop.number = 0 if wrong == "repeated" else loop.number
        age = 0.35 if wrong == "old" else 0.0
        try:
            loop.beat(age)
            assert wrong == "repeated"
            loop.counted.append(1e-9 * loop.now_ns)
        except OperatorError:
            pass
        loop.go(0.025)
    if wrong == "repeated":  # the first one counted, for its time
        assert loop.counted and moved_after(loop, loop.counted[-1]) < HAND + BRAKE
        assert loop.state is State.READY
    else:
        assert not moved(loop) and loop.state is State.READY
    no_limit_is_broken(loop)


def test_a_daemon_that_hangs_stops_the_arm(cube: Configuration) -> None:
    """The hand holds on, no order comes: the driver judges by the order's age and stops after 300 ms."""
    loop = begun(standing_at(cube, 0.0, 14.3))
    hung = 1e-9 * loop.now_ns
    loop._look = lambda t_ns, sample, plan, state: None  # type: ignore[method-assign,assignment]
    loop._give_order = lambda t_ns: None  # type: ignore[method-assign]
    loop.go(1.0)
    assert HAND - 0.1 < moved_after(loop, hung) < HAND + BRAKE


def test_orders_that_repeat_an_old_heartbeat_do_not_keep_the_arm_moving(cube: Configuration) -> None:
    """A daemon whose clock of heartbeats stands: orders are fresh, the number is not; 300 ms."""
    loop = begun(standing_at(cube, 0.0, 14.3))
    mode = loop._judge.machine.mode(loop.now_ns)
    stood = 1e-9 * loop.now_ns

    def repeated(t_ns: int) -> None:
        hand = np.array((mode.hand[0], mode.hand[1], t_ns))
        loop._mode = dataclasses.replace(mode, t_ns=t_ns, hand=hand)

    loop._look = lambda t_ns, sample, plan, state: None  # type: ignore[method-assign,assignment]
    loop._give_order = repeated  # type: ignore[method-assign]
    loop.go(1.0)
    assert moved_after(loop, stood) < HAND + BRAKE


@pytest.mark.parametrize("direction", [(1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, 1.0)])
def test_a_contact_brakes_the_arm(cube: Configuration, direction: tuple[float, float, float]) -> None:
    """A force that grows at the mock-up while the hand holds on; READY with the force, and it stays."""
    loop = begun(standing_at(cube, 0.0, 14.3), speed_deg_s=10.0)
    touched = 1e-9 * loop.now_ns
    force: Array = 60.0 * np.array(direction)
    loop.controller.operator.push(Push(0, force, 1.0, np.zeros(3)), loop.controller.t)
    loop.hold(1.5)
    assert loop.state is State.READY and loop.reason.startswith("contact: ")
    # 12 N of the half sine after 64 ms, 5 N at most of what the estimate wandered before, smoothed over 7 ms
    assert moved_after(loop, touched) < 0.12 + BRAKE
    no_limit_is_broken(loop)


def test_the_estimate_by_itself_is_no_contact(cube: Configuration) -> None:
    """The longest free way of the tests above at full speed: what the wrench does stays well below."""
    loop = HandLoop(standing_at(cube, 40.0, -2.0, 0.0, 5.0, 10.0, 0.0, 30.0))
    loop.ready()
    loop.ask(10.0)
    largest = 0.0
    loop.holds = True
    while loop.state is not State.READY or largest == 0.0:
        loop.go(0.05)
        largest = max(largest, loop.driver._by_hand._contact.change)
        assert loop.holds or loop.state is State.READY
    assert not loop.reason and 0.0 < largest < 0.75 * cube.approach.contact_force


@pytest.mark.parametrize(("kind", "ends"), [("nan", "not known"), ("saturated", "contact")])
def test_a_wrench_that_cannot_be_brakes_the_arm(cube: Configuration, kind: str, ends: str) -> None:
    """No number, and a sensor at its end: braked in the first cycles."""
    from dataclasses import replace

    from drivers.emulation.disturbances import CALM

    loop = begun(standing_at(cube, 0.0, 14.3))
    began = 1e-9 * loop.now_ns
    loop.controller.disturbances.begin(replace(CALM, wrench=kind, duration=1.0), loop.controller.t)
    loop.hold(0.8)
    assert moved_after(loop, began) < 0.05 + BRAKE
    assert ends in loop.reason or loop.state is State.FAULT, loop.reason
    no_limit_is_broken(loop)


@pytest.mark.parametrize("state", [s for s in State if s is not State.READY])
def test_it_begins_from_ready_only(cube: Configuration, state: State) -> None:
    """Asked for in any other state: refused; the state stays."""
    loop = HandLoop(standing_at(cube, 0.0, 4.0))
    loop.ready()
    if state is State.APPROACHING:
        loop.ask()
        loop.beat()
    elif state is State.CALIBRATING:
        loop = HandLoop(standing_at(cube))
        loop.ready()
        loop.judge.order("calibrate")
        loop.session = json.loads(loop.judge.approaching.granted)["session"]
        loop.beat()
    elif state in (State.FLOATING, State.HOLDING):
        loop.judge.order("float")
        if state is State.HOLDING:
            loop.judge.order("hold")
    elif state is State.STOPPED:
        loop.judge.order("stop")
    else:
        loop.judge.order("fault", "why")
    assert loop.state is state
    with pytest.raises(OperatorError, match=f"approach is refused in {state}"):
        loop.ask()
    assert loop.state is state


def test_stop_and_faults_end_it(cube: Configuration) -> None:
    """An operator's stop brakes at once and stays; a fault of the driver's is FAULT; no float meanwhile."""
    loop = begun(standing_at(cube, 0.0, 14.3))
    with pytest.raises(OperatorError, match="let go first"):
        loop.judge.order("float")
    with pytest.raises(OperatorError, match="nothing floats"):
        loop.judge.order("hold")
    with pytest.raises(OperatorError, match="stop first"):
        loop.judge.order("reset")
    stopped = 1e-9 * loop.now_ns
    loop.judge.order("stop", "by the operator")
    loop.hold(0.5)
    assert loop.state is State.STOPPED and moved_after(loop, stopped) < 0.05 + BRAKE
    other = begun(standing_at(cube, 0.0, 14.3))
    other.driver.fault = "made up"
    other.hold(0.5)
    assert other.state is State.FAULT and not other.driver.moving
    no_limit_is_broken(other)


def test_the_arm_must_stand_where_its_way_was_looked_at(cube: Configuration) -> None:
    """Between asking and holding it was moved: the first heartbeat is refused, and nothing moves."""
    loop = HandLoop(standing_at(cube, 0.0, 14.3))
    loop.ready()
    loop.ask()
    granted = loop.judge.approaching._granted
    begin = (granted.begin[0] + 1e-6, *granted.begin[1:])
    loop.judge.approaching._granted = type(granted)(0, 0, 0, begin, granted.speed)
    with pytest.raises(OperatorError, match="no longer where"):
        loop.beat()
    loop.go(0.3)
    assert not moved(loop) and loop.state is State.READY


def test_a_second_hand_takes_the_session_while_nothing_moves_and_never_after(cube: Configuration) -> None:
    """Of two that asked, the second may hold on; the first one's heartbeats no longer count."""
    loop = HandLoop(standing_at(cube, 0.0, 14.3))
    loop.ready()
    first = loop.ask()["session"]
    second = loop.ask()["session"]
    assert first != second
    loop.session = first
    with pytest.raises(OperatorError, match="another session"):
        loop.beat()
    loop.session = second
    loop.hold(0.3)
    assert loop.state is State.APPROACHING
    with pytest.raises(OperatorError, match="refused in APPROACHING"):
        loop.ask()


def test_where_no_arm_follows_there_is_nothing_to_approach(cube: Configuration) -> None:
    """`run.follow = false`: refused, in the status as well."""
    c = changed(standing_at(cube, 0.0, 4.0), "run", follow=False)
    loop = HandLoop(c)
    loop.ready()
    with pytest.raises(OperatorError, match=r"run\.follow = false"):
        loop.ask()
    assert "run.follow = false" in loop.judge.status()["approach_refused"]
