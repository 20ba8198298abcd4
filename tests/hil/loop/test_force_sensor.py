"""A force sensor in the loop: its wrench where the estimate was, and a hammer on all that it can do."""

from collections.abc import Callable

import numpy as np
import pytest

from hil.common.errors import OperatorError
from hil.configuration import Configuration
from hil.configuration.frames import Frames, pose_of
from hil.loop.driver.cycle import Counters
from hil.loop.judging.judge import Evidence, Judge
from hil.loop.judging.state_machine import State
from hil.loop.lockstep import LockStep
from planner.kinematics.forward import flange_pose
from tests.hil.loop.driven import Driven
from tests.hil.loop.sensed import BIAS, Sensed, with_sensor
from tests.hil.robot_states import standing

SLOW = 0.02  # [rad/s]


@pytest.fixture
def floats(cube: Configuration) -> Sensed:
    """A driver that follows a plan with a sensor that is tared."""
    made = Sensed(with_sensor(cube))
    made.rested()
    made.cycle(plan=made.plan(SLOW))
    made.cycle()
    assert made.driver.following and not made.driver.fault
    return made


def followed(driven: Sensed, cycles: int) -> None:
    """Fresh plans for so many cycles."""
    for n in range(cycles):
        driven.cycle(plan=driven.plan(SLOW) if n % 50 == 0 else None)


def test_bias_and_weight_are_taken_out_at_rest_and_in_motion(floats: Sensed) -> None:
    """What is left is noise: within five deviations of a record, at rest and over 0.4 s of motion."""
    assert floats.driver.sensor_missing(floats.t_ns) == ""
    state = floats.driver.sensor_state(floats.t_ns)
    assert state is not None and state.tared and state.lost == 0
    assert state.bias == pytest.approx(BIAS, abs=0.01)
    followed(
        floats, 60
    )  # while it gathers speed the mock-up's inertia is reckoned with, and reads nothing here
    for n in range(200):
        floats.cycle(plan=floats.plan(SLOW) if n % 50 == 0 else None)
        assert np.abs(floats.driver.wrench_object[:3]).max() < 5 * 0.02


def test_a_load_shows_at_the_object_in_its_axes(cube: Configuration) -> None:
    """Closed form: force and torque turned from sensor to object axes, the moment moved to its centre."""
    keys = {"position": np.array([0.01, -0.02, 0.03]), "rotvec": np.array([0.3, 0.2, -0.5])}
    driven = Sensed(with_sensor(cube, **keys))
    driven.rested()
    before = np.mean([driven.seen() for _ in range(60)], axis=0)
    driven.load = np.array([1.0, -2.0, 0.5, 0.1, 0.2, -0.3])
    for _ in range(10):
        driven.seen()
    change = np.mean([driven.seen() for _ in range(60)], axis=0) - before
    T = np.linalg.inv(Frames.from_configuration(cube).T_flange_object) @ pose_of(
        keys["rotvec"], keys["position"]
    )
    force = T[:3, :3] @ driven.load[:3]
    torque = T[:3, :3] @ driven.load[3:] + np.cross(T[:3, 3], force)
    assert change == pytest.approx(np.concatenate((force, torque)), abs=0.02)


def silent(d: Sensed) -> None:
    d.sends = False


def idle(d: Sensed) -> None:
    d.measures = False


def frozen(d: Sensed) -> None:
    d.frozen = True


def broken(d: Sensed) -> None:
    d.status = 0x80000010


def overloaded(d: Sensed) -> None:
    d.load = np.array([0.0, 400.0, 0.0, 0.0, 0.0, 0.0])


def pushed_hard(d: Sensed) -> None:
    d.load = np.array([0.0, 0.0, 255.0, 0.0, 0.0, 0.0])


@pytest.mark.parametrize(
    ("hammer", "words", "most"),
    [
        (silent, "has sent nothing", 11),
        (idle, "measured nothing new", 11),
        (frozen, "the very same six counts", 51),
        (broken, "no data on the serial link", 1),
        (overloaded, "overload", 4),
        (pushed_hard, "no hand's push", 12),
        (Sensed.restart, "its clock is being learned", 1),
    ],
)
def test_a_sensor_that_is_lost_brakes_the_arm(
    floats: Sensed, hammer: Callable[[Sensed], None], words: str, most: int
) -> None:
    """Within its time, in words, along limits; it stays until a reset, whatever the sensor then says."""
    followed(floats, 60)
    hammer(floats)
    assert floats.braked() <= most
    assert words in floats.driver.fault
    floats.assert_within_limits()
    floats.sends = floats.measures = True
    floats.frozen, floats.status, floats.load = False, 0, np.zeros(6)
    for _ in range(100):
        floats.cycle()
    assert words in floats.driver.fault and not floats.driver.moving


@pytest.mark.parametrize("hammer", [silent, idle, broken, overloaded])
def test_before_a_motion_the_same_is_told_and_no_fault(
    cube: Configuration, hammer: Callable[[Sensed], None]
) -> None:
    """In READY it is missing for as long as it lasts; the arm stands anyway."""
    driven = Sensed(with_sensor(cube))
    assert "clock is being learned" in driven.driver.sensor_missing(driven.t_ns)
    driven.rested()
    assert driven.driver.sensor_missing(driven.t_ns) == ""
    hammer(driven)
    driven.rested(0.1)
    assert driven.driver.sensor_missing(driven.t_ns) and not driven.driver.fault
    driven.sends = driven.measures = True
    driven.status, driven.load = 0, np.zeros(6)
    driven.rested(0.1)
    assert driven.driver.sensor_missing(driven.t_ns) == ""


def test_whoever_floats_without_a_tare_brakes_at_once(cube: Configuration) -> None:
    """Should anybody order it: the driver itself does not move on a wrench that it does not know."""
    fresh = Sensed(with_sensor(cube))
    fresh.load = np.array([70.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    fresh.rested(1.6)
    assert "beyond the mock-up's weight" in fresh.driver.sensor_missing(fresh.t_ns)
    fresh.cycle(plan=fresh.plan(SLOW))
    fresh.cycle()
    assert "beyond the mock-up's weight" in fresh.driver.fault and not fresh.driver.moving


def test_a_wrong_sign_is_never_tared(cube: Configuration) -> None:
    """The weight then counts twice: as far from nothing as two weights and the bias."""
    driven = Sensed(with_sensor(cube, sign=-1))
    driven.rested()
    R = flange_pose(driven._geometry, driven.q)[:3, :3]
    double = np.linalg.norm((2.0 * driven._weight.read(R) + BIAS)[:3])
    assert f"reads {double:.1f} N" in driven.driver.sensor_missing(driven.t_ns)


def test_a_weight_is_not_tared_away_in_ready(cube: Configuration) -> None:
    """It hangs for two seconds and shows to the end, as `zerog check-wrench` needs it."""
    driven = Sensed(with_sensor(cube))
    driven.rested()
    driven.load = np.array([0.0, 0.0, 14.7, 0.0, 0.0, 0.0])
    driven.rested(2.0)
    assert np.linalg.norm(driven.seen()[:3]) == pytest.approx(14.7, abs=0.2)
    state = driven.driver.state(driven.t_ns, Counters())
    assert "more than when it was tared" in state.warning


def test_silence_of_the_sensor_is_no_push(floats: Sensed) -> None:
    """Neither when it goes nor when it comes again is anything reported."""
    followed(floats, 60)
    floats.sends = False
    floats.braked()
    floats.sends = True
    for _ in range(300):
        floats.cycle()
    assert floats.slices == []


def test_what_a_broken_sensor_reads_is_no_push(floats: Sensed) -> None:
    """It says that it is broken and reads 100 N: nothing of that is reported, then or afterwards."""
    followed(floats, 60)
    floats.status, floats.load = 0x80000010, np.array([100.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    floats.braked()
    floats.status, floats.load = 0, np.zeros(6)
    for _ in range(100):
        floats.cycle()
    assert floats.slices == []


def test_without_a_sensor_nothing_of_it_exists(cube: Configuration) -> None:
    """The robot's estimate as ever: no sensor is made, and records that came would change nothing."""
    driven = Driven(cube)
    assert driven.driver._sensing.external is None
    assert driven.driver.sensor_missing(0) == "" and driven.driver.sensor_state(0) is None
    assert LockStep(cube)._controller.sensor is None
    wrench = np.array([1.0, 2.0, 3.0, 0.4, 0.5, 0.6])
    driven.cycle(State.READY, wrench=wrench)
    before = driven.driver.wrench_object.copy()
    driven.driver.sense(Sensed(with_sensor(cube)).records())
    driven.cycle(State.READY, wrench=wrench)
    assert driven.driver.wrench_object == pytest.approx(before)


def test_in_fault_it_is_learned_and_tared_anew(floats: Sensed) -> None:
    """Else no reset could ever help: where something is missing, the fault comes back at once."""
    followed(floats, 60)
    floats.restart()
    floats.braked()
    for _ in range(800):
        floats.cycle(State.FAULT)
    assert floats.driver.sensor_missing(floats.t_ns) == "" and floats.driver.fault
    floats.cycle(State.READY)
    assert not floats.driver.fault


def test_a_sensor_that_began_anew_forgets_its_tare(cube: Configuration) -> None:
    """It was switched off and on, or is another one: a second of its clock, and a block at rest."""
    driven = Sensed(with_sensor(cube))
    driven.rested()
    driven.restart()
    driven.rested(0.1)
    state = driven.driver.sensor_state(driven.t_ns)
    assert state is not None and not state.tared and state.restarts == 1
    driven.rested()
    assert driven.driver.sensor_missing(driven.t_ns) == ""


def test_the_last_reading_of_a_lost_sensor_counts_for_no_other_pose(cube: Configuration) -> None:
    """It is not carried along as the arm turns: the weight of another pose would show as a load."""
    driven = Sensed(with_sensor(cube))
    driven.rested()
    driven.sends = False
    driven.rested(0.1)
    before = driven.driver.wrench_object.copy()
    assert (driven.seen(q_measured=driven.q + 0.3) == before).all()


def test_a_lost_sensor_refuses_a_float_at_once(cube: Configuration) -> None:
    """In the robot's state itself, not a heartbeat later: the packet after `sensor.stale_ms` tells it."""
    driven = Sensed(with_sensor(cube))
    driven.rested()
    state = driven.driver.state(driven.t_ns, Counters())
    assert state.refusal == ""
    judge = Judge(cube)
    judge.step(driven.t_ns, Evidence(robot=standing(cube.robot.start)))
    driven.sends = False
    driven.rested(0.024)
    lost = driven.driver.state(driven.t_ns, Counters()).refusal
    assert "has sent nothing" in lost
    judge.step(driven.t_ns, Evidence(robot=standing(cube.robot.start, refusal=lost)))
    with pytest.raises(OperatorError, match="float is refused: the force sensor"):
        judge.order("float")
