"""What the driver judges for itself before and while a hand's order moves the arm: no daemon is believed."""

import dataclasses

import numpy as np
import pytest

from bench.fidelity import changed
from hil.configuration import Configuration
from hil.loop.approach.caps import JOINT_SPEED
from hil.loop.approach.permit import Permit
from hil.loop.judging.approaching import ARRIVED
from hil.loop.judging.state_machine import Machine, State
from hil.messaging.messages import Mode
from tests.hil.loop.driven import Driven

MS = 1_000_000
SPEED = 0.04


class Ordered(Driven):
    """A driver whose arm stands beside its start pose, ordered by hand."""

    def __init__(self, configuration: Configuration) -> None:
        self.order: Mode | None = None
        away = np.array(configuration.robot.start) - np.radians([0.0, 5.0, 0.0, 0.0, 0.0, 0.0, 3.0])
        self.away = away
        super().__init__(changed(configuration, "robot", start=away))
        self.driver = type(self.driver)(configuration, self.model)
        self.count, self.t, self.commands = 0, [], []
        for _ in range(100):
            self.cycle(State.READY)
        assert not self.moved

    def mode(self, state: State, epoch: int = 1) -> Mode:
        return self.order or super().mode(state, epoch)

    def hand(
        self, session: int = 1, number: int = 1, beat_ms: float = 0.0, age_ms: float = 0.0, **changes
    ) -> Mode:
        """An order of APPROACHING, of so long ago, whose heartbeat is of so long ago."""
        permit = Permit(session, number, self.t_ns - round(beat_ms * MS), tuple(self.q.tolist()), SPEED)
        permit = dataclasses.replace(permit, **changes)
        return Machine(State.APPROACHING, 1, permit=permit).mode(self.t_ns - round(age_ms * MS))

    def held(self, seconds: float, **changes) -> None:
        """Orders with fresh heartbeats, numbered, for a while."""
        begin = tuple(self.q.tolist())
        for k in range(round(seconds / self.dt)):
            self.order = self.hand(number=k + 1, **({"begin": begin} | changes))
            self.cycle()
        self.order = None

    @property
    def moved(self) -> bool:
        return bool(np.ptp(np.array(self.commands), axis=0).any())

    @property
    def end(self) -> str:
        return self.driver.state(self.t_ns, _counters()).approach_end


def _counters():
    from hil.loop.driver.cycle import Counters

    return Counters()


def test_a_hand_that_holds_brings_the_arm_to_the_start_pose(cube: Configuration) -> None:
    """The state of the robot tells session and end; limits are kept; it follows nothing."""
    d = Ordered(cube)
    d.held(4.0)
    state = d.driver.state(d.t_ns, _counters())
    assert (d.q == cube.robot.start).all() and state.approach_session == 1 and state.approach_end == ARRIVED
    assert not state.following and not state.fault and not d.driver.moving
    d.assert_within_limits()


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"begin": tuple(np.zeros(7))}, "not where its way"),
        ({"begin": ()}, "not where its way"),
        ({"begin": (float("nan"),) * 7}, "not where its way"),
        ({"speed": 0.0}, "speed"),
        ({"speed": float("nan")}, "speed"),
        ({"speed": 1.001 * JOINT_SPEED}, "speed"),
        ({"beat_ms": 301.0}, "hand is off"),
        ({"beat_ms": -301.0}, "hand is off"),
        ({"age_ms": 301.0}, "order is old"),
        ({"age_ms": -301.0}, "order is old"),
    ],
)
def test_nothing_begins_unless_all_is_as_it_must_be(cube: Configuration, changes: dict, why: str) -> None:
    """Begin, speed, age of the order and of the heartbeat; the session is over, whatever comes later."""
    d = Ordered(cube)
    d.order = d.hand(**changes)
    d.cycle()
    assert why in d.end and not d.moved
    for k in range(200):
        d.order = d.hand(number=k + 2)
        d.cycle()
    assert not d.moved


@pytest.mark.parametrize("before", [s for s in State if s not in (State.READY, State.APPROACHING)])
def test_the_state_before_must_be_ready(cube: Configuration, before: State) -> None:
    """Whatever else it was: nothing begins; after READY another session does."""
    d = Ordered(cube)
    d.cycle(before)
    d.held(0.2)
    assert "not READY" in d.end and not d.moved
    d.cycle(State.READY)
    d.held(0.2, session=2)
    assert d.moved


def test_a_driver_that_begins_anew_does_not_take_up_an_approach(cube: Configuration) -> None:
    """It has seen no READY: the first order it hears is one to approach."""
    d = Ordered(cube)
    d.driver = type(d.driver)(cube, d.model)
    d.held(0.5)
    assert "not READY" in d.end and not d.moved


def test_a_driver_with_a_fault_does_not_begin(cube: Configuration) -> None:
    """Until it is reset; the session says why."""
    d = Ordered(cube)
    d.driver.fault = "made up"
    d.held(0.2)
    assert d.end == "made up" and not d.moved


def test_an_arm_that_moves_does_not_begin(cube: Configuration) -> None:
    """It floated a moment ago and still comes to rest."""
    d = Ordered(cube)
    d.floated(100)
    d.cycle(State.READY)
    assert d.driver.moving
    d.held(0.3)
    assert "does not stand" in d.end and not d.driver.moving


@pytest.mark.parametrize("missing", ["orders", "heartbeats", "numbers", "state", "session"])
def test_what_ends_while_it_moves_brakes_the_arm(cube: Configuration, missing: str) -> None:
    """No order any more, old heartbeats, an old number, another state, another session: at rest in time."""
    d = Ordered(cube)
    d.held(0.5)
    assert d.driver.moving
    begin = tuple(d.away.tolist())
    last, at_ns, rest_ns = d.hand(number=1000, begin=begin), d.t_ns, 0
    for _ in range(400):
        now = {
            "orders": last,
            "heartbeats": d.hand(number=2000 + d.count, beat_ms=1e-6 * (d.t_ns - at_ns), begin=begin),
            "numbers": d.hand(number=1000, begin=begin),
            "state": super(Ordered, d).mode(State.READY),
            "session": d.hand(session=2, number=d.count, begin=begin),
        }[missing]
        d.order = now
        d.cycle()
        if d.driver.moving:
            rest_ns = d.t_ns
    at_once = missing in ("state", "session")
    assert not d.driver.moving and rest_ns - at_ns < ((0 if at_once else 300) + 100) * MS
    assert at_once or rest_ns - at_ns > 250 * MS
    d.assert_within_limits()


def test_a_corner_that_would_be_too_fast_brakes_the_arm(cube: Configuration) -> None:
    """A daemon that did not scale the speed: no command passes 50 mm/s at any corner; it stands."""
    from hil.loop.approach.held_cube import HeldCube

    d = Ordered(cube)
    d.away = d.q
    d.held(3.0, speed=JOINT_SPEED)
    assert "corner of the mock-up would move at" in d.end and not d.driver.moving
    corners = HeldCube(cube).corners(np.array(d.commands))
    assert np.linalg.norm(np.diff(corners, axis=0), axis=2).max() / d.dt <= 0.05
    assert (d.q != cube.robot.start).any()
    d.assert_within_limits()


def test_a_new_session_of_the_robot_ends_it(cube: Configuration) -> None:
    """The controller began anew: nothing of the way before goes out, and nothing goes on by itself."""
    d = Ordered(cube)
    d.held(0.5)
    place = d.q
    d.order = d.hand(number=5000, begin=tuple(d.away.tolist()))
    d.cycle(new_session=True)
    for k in range(200):
        d.order = d.hand(number=5001 + k, begin=tuple(d.away.tolist()))
        d.cycle()
    assert (d.q == place).all() and d.end


def test_a_contact_is_no_fault_and_what_no_hand_exerts_is_one(cube: Configuration) -> None:
    """Both brake in the first cycles; the harder one is a fault of the driver's besides."""
    for size, fault in ((30.0, False), (400.0, True)):
        d = Ordered(cube)
        d.held(0.5)
        begin = tuple(d.away.tolist())
        for k in range(100):
            d.order = d.hand(number=5000 + k, begin=begin)
            d.cycle(wrench=np.array([size, 0.0, 0.0, 0.0, 0.0, 0.0]))
        assert not d.driver.moving and "contact" in d.end
        assert ("no hand's push" in d.driver.fault) is fault
        d.assert_within_limits()


def test_packets_that_are_lost_do_not_slow_the_brake(cube: Configuration) -> None:
    """Every third packet is lost: the way's time goes on by the robot's own count, limits are kept."""
    d = Ordered(cube)
    begin = tuple(d.q.tolist())
    for k in range(300):
        d.order = d.hand(number=k + 1, begin=begin)
        d.count += k % 3 == 0
        d.cycle()
    travelled = np.abs(d.q - d.away).max()
    assert travelled == pytest.approx(SPEED * 400 * d.dt, rel=0.15)
    d.order = None
    for _ in range(100):
        d.cycle(State.READY)
    assert not d.driver.moving and not d.driver.fault
