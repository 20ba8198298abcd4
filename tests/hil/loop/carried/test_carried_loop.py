"""An arm on a platform in lock-step: where the object is in the world, and how a base fails."""

from pathlib import Path

import numpy as np
import pytest

from hil.common.errors import ConfigurationError, OperatorError
from hil.configuration import load_configuration
from hil.loop.driver.core import DriverCore
from hil.loop.judging.state_machine import State
from hil.loop.lockstep import LockStep
from hil.loop.trace.recorder import Trace
from planner.kinematics.arm_model import load_arm_model

CONFIG = Path(__file__).parents[4] / "configs" / "platform.toml"
SETTLED = 1000  # rows
QUICK = "object.initial_velocity_mm_s=[65.0,30.0,0.0]"


def errors_mm(trace: Trace) -> np.ndarray:
    """How far the object really is from where the simulation has it [mm]."""
    return 1e3 * np.linalg.norm(trace.p_world_object_arm - trace.p_world_object_sim, axis=1)


def floated(loop: LockStep, duration: float) -> None:
    """Turn until it has floated for so long."""
    while not loop.floated_for(duration):
        loop.turn()


def test_the_object_is_where_it_is_simulated_and_the_base_follows() -> None:
    """In five seconds of drift: 0.7 mm rms, 2.5 mm at most, and the base went along; nothing was felt."""
    loop = LockStep(load_configuration(CONFIG))
    trace = loop.run(5.0)
    wrong = errors_mm(trace)[SETTLED:]
    assert np.sqrt(np.mean(wrong**2)) < 0.7
    assert wrong.max() < 2.5
    assert loop.fault == ""
    assert loop.base is not None
    assert abs(loop.base.vehicle.motion[0, 2]) > 0.2
    assert len(trace.slice_t) == 0


def test_a_base_whose_link_is_lost_holds_the_object() -> None:
    """No pose for 100 ms: object time stands, with the reason, and goes on when poses come again."""
    loop = LockStep(load_configuration(CONFIG))
    floated(loop, 2.0)
    assert loop.base is not None
    loop.base.vehicle.silent = True
    floated(loop, 3.0)
    machine = loop.judge.machine
    assert machine.state is State.HOLDING
    assert "link is lost" in machine.reason
    loop.base.vehicle.silent = False
    loop.base.vehicle.measured_age = 0.02
    floated(loop, 5.0)
    assert loop.judge.machine.state is State.FLOATING


def test_poses_that_come_late_are_no_push() -> None:
    """None for 150 ms: the vehicle brakes and hurries after its path, as no plan says; nothing is felt.

    What is felt beside the sensor's own noise (0.2 N) comes to less than a third of the level floor, 2.5 N.
    """
    loop = LockStep(load_configuration(CONFIG, ["base.emulated.noise_mm_s=0", QUICK]))
    base, sensing, felt, held = loop.base, loop._driver._sensing, [], False
    assert base is not None
    floated(loop, 3.0)
    while not loop.floated_for(3.6):
        base.vehicle.silent = loop.floated_s < 3.15
        if not base.vehicle.silent:
            base.vehicle.measured_age = 0.02
        loop.turn()
        held |= loop.judge.machine.state is State.HOLDING
        felt.append(sensing.wrench_object[:3] - sensing.faked[:3])
    assert held and loop.judge.machine.state is State.FLOATING
    assert np.linalg.norm(felt, axis=1).max() < 2.5 / 3.0


def test_a_base_whose_pose_is_no_number_holds_the_object() -> None:
    """As if it did not know where it is: nothing that is not finite goes on to arm or vehicle."""
    loop = LockStep(load_configuration(CONFIG))
    floated(loop, 2.0)
    assert loop.base is not None
    told = loop.base.hear

    def broken(t_ns: int, taken: int) -> None:
        loop.base.vehicle.measured[0] = np.nan
        told(t_ns, taken)

    loop.base.hear = broken
    floated(loop, 3.0)
    assert loop.judge.machine.state is State.HOLDING and loop.fault == ""
    assert "does not know where it is" in loop.judge.machine.reason
    assert np.isfinite(loop.base.vehicle.motion).all() and np.isfinite(loop.base.arm.pose).all()


def test_a_pose_that_jumps_moves_neither_arm_nor_vehicle() -> None:
    """A metre off for a second: the object holds with the reason, the arm stays where it was, all goes on."""
    loop = LockStep(load_configuration(CONFIG))
    floated(loop, 2.0)
    assert loop.base is not None
    told, at = loop.base.hear, loop.base.vehicle.motion[0].copy()

    def jumped(t_ns: int, taken: int) -> None:
        loop.base.vehicle.measured[0, 0] += 1.0
        told(t_ns, taken)

    loop.base.hear = jumped
    q = loop._driver.q_command.copy()
    floated(loop, 3.0)
    assert loop.judge.machine.state is State.HOLDING and loop.fault == ""
    assert "the base's pose jumps by" in loop.judge.machine.reason
    assert np.abs(loop._driver.q_command - q).max() < 0.1
    assert np.linalg.norm(loop.base.vehicle.motion[0] - at) < 0.2
    loop.base.hear = told
    floated(loop, 5.0)
    assert loop.judge.machine.state is State.FLOATING and loop.fault == ""


def test_nothing_begins_on_a_base_that_is_not_known() -> None:
    """Not heard, lost, or elsewhere than its floor allows the object to be: float is refused in words."""
    loop = LockStep(load_configuration(CONFIG), operator=lambda t_ns, judge: None)
    base = loop.base
    assert base is not None
    told = base.hear

    def turned(count: int) -> None:
        for _ in range(count):
            loop.turn()

    base.hear = lambda t_ns, taken: None
    turned(400)
    assert loop.judge.machine.state is State.STOPPED
    assert "has not been heard yet" in loop.judge.machine.reason
    base.hear = told
    turned(200)
    assert loop.judge.machine.state is State.READY
    base.vehicle.silent = True
    turned(100)
    assert "link is lost" in loop.judge.machine.reason
    base.vehicle.silent, base.vehicle.measured_age = False, 0.02
    base.vehicle.stand_at(np.array([1.9, 0.0, 0.0]))
    turned(100)
    with pytest.raises(OperatorError, match="mm outside its room along x"):
        loop.judge.order("float")
    base.vehicle.stand_at(np.array([0.2, 0.0, 0.0]))
    base.vehicle._wheels[0, 1] = 0.5  # somebody moves it
    turned(100)
    with pytest.raises(OperatorError, match="the base moves at"):
        loop.judge.order("float")
    turned(1000)
    loop.judge.order("float")


def test_a_fault_of_the_driver_brakes_the_vehicle_in_the_same_cycle() -> None:
    """Before the supervisor has ordered anything: its command falls by what the vehicle can brake."""
    loop = LockStep(load_configuration(CONFIG))
    floated(loop, 2.0)
    assert loop.base is not None
    before = np.linalg.norm(loop.base.command[:2])
    loop._driver._suspect("by a test")
    loop.turn()
    cut = loop._c.base.max_acceleration * loop._c.fri.sample_time
    assert np.linalg.norm(loop.base.command[:2]) == pytest.approx(before - cut, rel=1e-6)


def test_a_base_that_stands_although_it_is_told_to_move_is_a_fault() -> None:
    """First it is too far off its path and object time stands, then it is a fault: nothing moves any more."""
    loop = LockStep(load_configuration(CONFIG))
    floated(loop, 2.0)
    assert loop.base is not None
    loop.base.vehicle.stuck = True
    held = 0
    while not loop.floated_for(7.0) and not loop.fault:
        loop.turn()
        held += loop.judge.machine.state is State.HOLDING
    assert held > 100
    assert "does not move although it is told to" in loop.fault


def test_nobody_drives_a_base_unawares() -> None:
    """A driver that is told of no base takes no configuration with one."""
    c = load_configuration(CONFIG)
    with pytest.raises(ConfigurationError, match="by `zerog run`, `simulate` and `soak` alone"):
        DriverCore(c, load_arm_model(c.robot.model))


def test_a_stop_is_no_fault_of_the_base() -> None:
    """Stopped, the base brakes and has no path to be off; reset, it floats again from where it stands."""
    loop = LockStep(load_configuration(CONFIG))
    floated(loop, 1.5)
    loop.judge.order("stop", "by a test")
    floated(loop, 4.0)
    assert loop.fault == ""
    assert loop.judge.machine.state is State.STOPPED
    assert loop.base is not None
    assert np.abs(loop.base.vehicle.motion[1]).max() < 0.02
    loop.judge.order("reset")
    floated(loop, 5.5)
    assert loop.judge.machine.state is State.FLOATING


def test_without_a_base_its_keys_change_nothing() -> None:
    """An arm that stands moves as it did, to the last bit, whatever stands in [base]."""
    cube = CONFIG.with_name("cube.toml")
    keys = [
        "base.delay_ms=200",
        "base.max_speed_mm_s=50",
        "base.correction_rad_s=5",
        "base.heading_reserve_deg=2",
    ]
    runs = [LockStep(load_configuration(cube, given)).run(0.6) for given in ([], keys)]
    for name in ("q_command", "p_world_object_sim", "p_world_object_arm", "wrench_measured"):
        np.testing.assert_array_equal(getattr(runs[0], name), getattr(runs[1], name))
