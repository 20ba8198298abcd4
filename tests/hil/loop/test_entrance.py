"""Floating from where the stops would hurl the object is refused, on every way into it."""

import dataclasses
import math
from pathlib import Path

import numpy as np
import pytest

from bench.fidelity import changed
from hil.common.arrays import Array
from hil.common.errors import OperatorError
from hil.common.geometry import quat_from_matrix, quat_from_rotvec, quat_multiply
from hil.configuration import Configuration, load_configuration
from hil.configuration.frames import Frames
from hil.configuration.stops_axis import nominal_quat
from hil.loop.judging.entrance import Entrance
from hil.loop.judging.held_pose import HeldPose
from hil.loop.judging.judge import Evidence, Judge
from hil.loop.judging.outside_set import outside_set, place_of
from hil.loop.judging.state_machine import State
from hil.loop.lockstep import LockStep
from hil.wrench.held_body import object_pose
from planner.kinematics.arm_model import load_arm_model
from sim.world.body import body_state, body_twist, pack_body, step_body
from sim.world.motion import LAST_CAPPED, apply_slice_into
from sim.world.stops import RATE, pack_stops, spin_potential, stored_speed_squared, swing_twist
from tests.hil.robot_states import standing

CONFIGS = Path(__file__).resolve().parents[3] / "configs"
TILTED = {
    "mount_position": np.array([0.1, -0.2, 0.3]),
    "mount_rotvec": np.array([0.3, -0.2, 0.9]),
    "tcp_position": np.array([0.01, 0.02, 0.05]),
    "tcp_rotvec": np.array([-0.4, 0.2, 0.1]),
}
NONE = np.zeros(6)


def shifted(c: Configuration, millimetres: float, axis: int = 0) -> Configuration:
    """The configuration whose box ends so many millimetres short of where the object is held."""
    held = HeldPose(c).at(c.robot.start)[0]
    centre = c.stops.centre.copy()
    centre[axis] = held[axis] + c.stops.half_extent[axis] + 1e-3 * millimetres
    return changed(c, "stops", centre=centre)


def poses(c: Configuration, count: int) -> list[tuple[Array, Array]]:
    """Poses about the stops, some inside, some far beyond."""
    rng = np.random.default_rng(7)
    found = []
    for _ in range(count):
        p = c.stops.centre + 2.0 * c.stops.half_extent * rng.uniform(-1.0, 1.0, 3)
        turn = quat_multiply(
            quat_from_rotvec(np.append(rng.normal(size=2) * c.stops.swing, 0.0)),
            quat_from_rotvec(np.array([0.0, 0.0, c.stops.twist * rng.uniform(-1.3, 1.3)])),
        )
        found.append((p, quat_multiply(nominal_quat(c.stops), turn)))
    return found


@pytest.mark.parametrize("tilted", [False, True])
def test_the_held_pose_is_that_of_the_kernel(cube: Configuration, tilted: bool) -> None:
    """Two hundred postures, also on a tilted mount with a tilted tool."""
    c = changed(cube, "robot", **TILTED) if tilted else cube
    c = changed(c, "object", rotvec=np.array([0.2, 0.1, -0.3])) if tilted else c
    frames, model, held = Frames.from_configuration(c), load_arm_model(c.robot.model), HeldPose(c)
    for q in np.random.default_rng(3).uniform(-2.0, 2.0, (200, 7)):
        T = object_pose(model.geometry, q, frames.T_world_base, frames.T_flange_object)
        p, quat = held.at(q)
        assert np.allclose(p, T[:3, 3], atol=1e-13), q
        expected = quat_from_matrix(np.ascontiguousarray(T[:3, :3]))
        assert abs(abs(float(quat @ expected)) - 1.0) < 1e-13, q


def test_the_place_is_that_of_the_kernels(cube: Configuration) -> None:
    """Depths in the box, swing and twist, with a stops' axis that is pitched and turned."""
    c = changed(cube, "stops", axis_pitch=0.4, axis_yaw=-1.1)
    packed = pack_stops(c.stops, c.object.inertia)
    for p, quat in poses(c, 200):
        swing, twist = swing_twist(quat, packed)
        place = place_of(p, quat, c.stops)
        assert abs(place.swing + c.stops.swing - swing) < 1e-9
        assert abs(place.twist + c.stops.twist - abs(twist)) < 1e-9
        assert place.turned * twist >= 0.0
        depth = np.maximum(place.box, 0.0)
        assert abs(float(packed[RATE] ** 2 * depth @ depth) - stored_speed_squared(p, packed)) < 1e-12
        assert place.inside == (stored_speed_squared(p, packed) + spin_potential(quat, packed) == 0.0)


def test_the_verdict_is_that_of_the_certified_cap(cube: Configuration) -> None:
    """What a push from rest could not give the object there without being cut may not be asked for either."""
    c = changed(cube, "object", inertia=np.array([2.0, 3.0, 4.0]))
    stops, body = pack_stops(c.stops, c.object.inertia), pack_body(c.object)
    caps = np.array([c.stops.max_speed, c.stops.max_spin])
    rng, refused = np.random.default_rng(5), 0
    for p, quat in poses(c, 400):
        p = c.stops.centre + 0.52 * (p - c.stops.centre)  # near the bounds
        row = np.zeros(15)
        row[:13] = body_state(p, quat, NONE, body)
        item = np.zeros(8)
        item[1:7] = rng.normal(size=6) * [3, 3, 3, 0.6, 0.6, 0.6]
        item[7] = 1.0
        free = row.copy()
        apply_slice_into(free, item, body, stops, np.full(2, 1e9))
        asked = body_twist(free, body)
        apply_slice_into(row, item, body, stops, caps)
        verdict = outside_set(p, quat, asked, c.stops, c.object)
        assert (verdict is not None) == (row[LAST_CAPPED] == 1.0), (p, quat, asked)
        refused += verdict is not None
    assert 50 < refused < 350


@pytest.mark.parametrize("depth", [0.005, 0.02, 0.04])
def test_what_is_foretold_is_what_the_stops_do(cube: Configuration, depth: float) -> None:
    """Let go at rest beyond the box and the swing stop, the object comes at the speed and spin foretold."""
    c = changed(cube, "object", inertia=np.array([3.0, 3.0, 3.0]))
    p = c.stops.centre + np.array([c.stops.half_extent[0] + depth, 0.0, -c.stops.half_extent[2] - depth])
    turn = quat_from_rotvec(np.array([c.stops.swing + 5.0 * depth, 0.0, 0.0]))
    quat = quat_multiply(nominal_quat(c.stops), turn)
    tight = changed(c, "stops", max_speed=1e-6, max_spin=1e-6).stops
    verdict = outside_set(p, quat, NONE, tight, c.object)
    assert verdict is not None
    packed, body = pack_stops(c.stops, c.object.inertia), pack_body(c.object)
    state, most = body_state(p, quat, NONE, body), np.zeros(2)
    for _ in range(300):
        state = step_body(state, body, packed, NONE, 1e-3)
        twist = body_twist(state, body)
        most = np.maximum(most, [np.linalg.norm(twist[:3]), np.linalg.norm(twist[3:])])
    assert np.allclose(most, verdict.coming, rtol=1e-3)


def test_a_motion_inside_is_allowed_up_to_the_certified_speed(cube: Configuration) -> None:
    """Exactly the cap may be asked for, a millionth more not; what is no number is refused."""
    p, quat = HeldPose(cube).at(cube.robot.start)
    for cap, axis in ((cube.stops.max_speed, 1), (cube.stops.max_spin, 4)):
        twist = np.zeros(6)
        twist[axis] = cap
        assert outside_set(p, quat, twist, cube.stops, cube.object) is None
        assert outside_set(p, quat, twist * (1.0 + 1e-6), cube.stops, cube.object) is not None
    for where in (p * np.nan, p):
        twist = np.full(6, np.nan if where is p else 0.0)
        assert outside_set(where, quat, twist, cube.stops, cube.object) is not None


def test_the_refusal_says_how_far_outside_in_which_direction_and_what_would_come(
    real_arm: Configuration,
) -> None:
    """A real arm's stops 20 mm beside where it stands: 20 mm along -x, 209 mm/s of 70 certified."""
    c = shifted(real_arm, 20.0)
    judge = Judge(c)
    judge.step(0, Evidence(robot=standing(c.robot.start)))
    with pytest.raises(OperatorError) as refusal:
        judge.order("float", "[0.03, 0, 0, 0, 0, 0.1]")
    text = str(refusal.value)
    coming = 1e3 * math.hypot(0.03, 0.02 * math.pi / c.stops.contact_time)
    for words in (
        "float is refused: the object is held outside the stops by 20.0 mm along -x;",
        "30.0 mm/s and 5.73 deg/s asked for",
        f"would become {coming:.1f} mm/s",
        "certified are 70.0 mm/s and 13.00 deg/s",
    ):
        assert words in text
    assert judge.machine.state is State.READY and judge.machine.epoch == 0


def test_swing_and_twist_beyond_are_told(cube: Configuration) -> None:
    """By how many degrees, twist with its sign."""
    turn = quat_multiply(
        quat_from_rotvec(np.array([0.0, cube.stops.swing + math.radians(2.0), 0.0])),
        quat_from_rotvec(np.array([0.0, 0.0, -cube.stops.twist - math.radians(3.0)])),
    )
    place = place_of(cube.stops.centre, quat_multiply(nominal_quat(cube.stops), turn), cube.stops)
    assert place.words() == "outside the stops by swing 2.00 deg, twist -3.00 deg"


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_floating_from_outside_the_set_is_refused(cube: Configuration, axis: int) -> None:
    """On every order: as configured, with a motion, at rest; a millimetre and less motion are let through."""
    c = changed(cube, "object", initial_velocity=np.array([100.0, 0.0, 0.0]) * 1e-3)
    for depth, argument, allowed in (
        (20.0, "", False),
        (20.0, "[0, 0, 0, 0, 0, 0]", False),
        (13.0, "", False),  # 136 mm/s come back, 100 are configured, 150 certified
        (13.0, "[0.0, 0.06, 0, 0, 0, 0]", True),
        (13.0, "[0.0, 0.07, 0, 0, 0, 0]", False),
        (1.0, "", True),
    ):
        judge = Judge(shifted(c, depth, axis))
        judge.step(0, Evidence(robot=standing(c.robot.start)))
        if allowed:
            assert judge.order("float", argument).state is State.FLOATING
            continue
        with pytest.raises(OperatorError, match="outside the stops"):
            judge.order("float", argument)
        assert judge.machine.state is State.READY


def test_a_drawn_motion_of_an_experiment_counts(cube: Configuration) -> None:
    """A series' own velocity, of the very floating that would begin, is what is judged."""
    pushes = load_configuration(CONFIGS / "pushes.toml")
    c = shifted(changed(pushes, "experiments", max_speed=0.145), 5.0)  # 52 mm/s come back: 141 may be drawn
    entrance = Entrance(c)
    robot = standing(c.robot.start)
    refused = [bool(entrance.refusal(robot, epoch, ())) for epoch in range(1, 400)]
    assert 0 < sum(refused) < 60


def test_what_is_not_known_is_not_floated(cube: Configuration) -> None:
    """READY without a word of the driver's: refused."""
    judge = Judge(cube)
    judge.step(0, Evidence())
    with pytest.raises(OperatorError, match="not known"):
        judge.order("float")


def test_without_stops_or_an_arm_that_follows_nothing_is_judged(cube: Configuration) -> None:
    """tumble.toml floats from anywhere: its object meets no stop, and no arm follows it."""
    tumble = load_configuration(CONFIGS / "tumble.toml")
    for c in (
        tumble,
        changed(shifted(cube, 50.0), "run", follow=False),
        changed(cube, "stops", enabled=False),
    ):
        judge = Judge(c)
        judge.step(0, Evidence())
        assert judge.order("float").state is State.FLOATING
        assert judge.status()["stops_mm"] is None


def test_floating_on_from_holding_is_not_judged(cube: Configuration) -> None:
    """No motion begins there: the object's own goes on, wherever it is."""
    judge = Judge(cube)
    judge.step(0, Evidence(robot=standing(cube.robot.start)))
    judge.order("float")
    judge.order("hold")
    judge.step(0, Evidence(robot=standing(cube.robot.start + 0.3)))
    assert judge.order("float").state is State.FLOATING


def test_the_status_says_how_far_the_stops_are_before_floating(cube: Configuration) -> None:
    """Margins inside (negative), depths outside, and nothing while it floats."""
    judge = Judge(cube)
    judge.step(0, Evidence(robot=standing(cube.robot.start)))
    status = judge.status()
    margins = place_of(*HeldPose(cube).at(cube.robot.start), cube.stops)
    assert status["stops_inside"] and status["float_refused"] == status["motion_refused"] == ""
    assert np.allclose(status["stops_mm"], 1e3 * np.array(margins.box), atol=0.01)
    assert status["stops_words"].startswith("inside the stops by")
    judge.step(1, Evidence(robot=standing(cube.robot.start + np.array([0.2, 0, 0, 0, 0, 0, 0]))))
    status = judge.status()
    assert not status["stops_inside"] and max(status["stops_mm"]) > 0.0
    assert "outside the stops" in status["float_refused"] and "outside the stops" in status["motion_refused"]
    judge.machine = dataclasses.replace(judge.machine, state=State.FLOATING)
    assert judge.status()["stops_mm"] is None


def test_lock_step_refuses_to_float_outside(cube: Configuration) -> None:
    """The loop ends with the words of the refusal before anything moves."""
    loop = LockStep(shifted(cube, 20.0))
    with pytest.raises(OperatorError, match=r"20\.0 mm along -x"):
        loop.run(1.0)
    assert not loop._driver.moving


def test_a_series_that_was_stopped_does_not_float_again(cube: Configuration) -> None:
    """An operator's stop holds also in the moment between two experiments."""
    c = load_configuration(CONFIGS / "pushes.toml")
    judge = Judge(c)
    robot = standing(c.robot.start)
    judge.step(0, Evidence(robot=robot))
    judge.order("float")
    judge.experiments._due_ns = 5
    assert judge.step(5, Evidence(robot=robot, moving=True)).state is State.STOPPED
    judge.order("stop", "by the operator")
    assert judge.step(6, Evidence(robot=robot)).state is State.STOPPED
