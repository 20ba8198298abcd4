"""Curves, pushes and the picture's geometry against closed forms and second libraries."""

import math

import numpy as np
import pytest
from scipy.signal import lfilter, lfilter_zi
from scipy.spatial.transform import Rotation

from hil.analysis.latency.stages import STAGES
from hil.common.geometry import matrix_from_quat, quat_from_rotvec, transform_from
from hil.configuration import Configuration
from hil.configuration.frames import Frames, pose_of
from hil.configuration.schema import Scene
from hil.dashboard.contacts import Contacts, edges_of
from hil.dashboard.pushes import DetectedPushes, Shown, TruePushes, bars
from hil.dashboard.signals import Signals
from hil.dashboard.stage import arrow_of
from hil.dashboard.stage_times import LEAST, StageTimes
from hil.dashboard.window import SPAN
from hil.dashboard.wrench_curves import WrenchCurves
from hil.loop.solids import ArmPicture, angle_between
from hil.messaging.messages import CycleBlock, ImpulseSlice, SimState, TruthBlock
from planner.kinematics.arm_model import load_arm_model
from planner.kinematics.forward import flange_pose
from sim.world.flight.free import NO_DOCKING, NOBODY, NOWHERE

STEP_NS = 2_000_000


def cycle_block(first: int, q: np.ndarray, wrench: np.ndarray | None = None) -> CycleBlock:
    """Cycles from number `first` on, with stamps of 2 ms."""
    n = len(q)
    stamps = (1_000_000_000 + STEP_NS * (first + np.arange(n)))[:, None] + np.arange(6) * 1000
    counts = np.tile(np.array([0, 0, 4, 0, 1]), (n, 1))
    wrench = np.zeros((n, 6)) if wrench is None else wrench
    return CycleBlock(int(stamps[-1, -1]), stamps, counts, q, q, wrench)


def sim_state(t_ns: int, p: np.ndarray, quat: np.ndarray) -> SimState:
    nothing = np.zeros((0, 3), np.int64), np.zeros((0, 6)), 0.0, NOBODY, NOWHERE, False, *NO_DOCKING
    return SimState(t_ns, 1, 0.0, 1.0, p, quat, np.zeros(6), False, 0.0, *nothing)


def test_the_filter_is_scipys(cube: Configuration) -> None:
    """Raw, filtered and derivative equal `lfilter` over all samples, whatever the blocks."""
    wrench = np.random.default_rng(1).normal(size=(500, 6)) * 5.0
    curves = WrenchCurves(cube)
    parts = [curves.take(part) for part in np.split(wrench, [3, 4, 120, 121, 400])]
    raw, filtered, rate = (np.concatenate([part[k] for part in parts]) for k in range(3))
    scaled = wrench / np.repeat([1.0, cube.filter.length], 3)
    a = math.exp(-cube.fri.sample_time / cube.filter.tau)
    b, back = [1.0 - a], [1.0, -a]
    expected, _ = lfilter(b, back, scaled, axis=0, zi=lfilter_zi(b, back)[:, None] * scaled[0])
    change = np.diff(expected, axis=0, prepend=scaled[:1]) / cube.fri.sample_time
    np.testing.assert_allclose(raw, np.linalg.norm(scaled, axis=1))
    np.testing.assert_allclose(filtered, np.linalg.norm(expected, axis=1), atol=1e-10)
    np.testing.assert_allclose(rate, np.linalg.norm(change, axis=1), atol=1e-8)


def test_what_is_no_number_is_left_out_of_the_filter(cube: Configuration) -> None:
    """As the driver does: the filter stands meanwhile, and goes on afterwards as if those had not been."""
    wrench = np.random.default_rng(2).normal(size=(60, 6))
    spoiled = np.insert(wrench, [20] * 5, np.nan, axis=0)
    spoiled[22, 1:] = 0.0  # one axis is enough
    raw, filtered, rate = WrenchCurves(cube).take(spoiled)
    plain = WrenchCurves(cube).take(wrench)
    there = np.r_[0:20, 25:65]
    for found, wanted in zip((raw, filtered, rate), plain, strict=True):
        np.testing.assert_array_equal(found[there], wanted)
    assert (filtered[20:25] == filtered[19]).all() and (rate[20:25] == 0).all() and (raw[20:25] == 0).all()


def test_joints_are_shares_of_their_limits(cube: Configuration) -> None:
    """At the bounds of the robot model less the margin: -100 and 100; in the middle 0."""
    arm = ArmPicture(cube)
    signals = Signals(cube, arm)
    model = load_arm_model(cube.robot.model)
    margin = cube.limits.position_margin
    low, high = model.lower + margin, model.upper - margin
    signals.take(cycle_block(0, np.array([low, low, 0.5 * (low + high), high])))
    shown = signals.joints.curves(1.01)[1:]
    np.testing.assert_allclose(shown.min(axis=1), -100.0, atol=1e-9)
    np.testing.assert_allclose(shown.max(axis=1), 100.0, atol=1e-9)
    assert signals.lost_packets == 4


def test_stages_are_the_differences_of_their_stamps(cube: Configuration) -> None:
    """Cycles whose six stamps lie 1 us apart, and none of the ring: it stays at the least that is drawn."""
    times = StageTimes(cube)
    for first in range(0, 200, 25):
        times.take(cycle_block(first, np.zeros((25, 7))))
    found = dict(zip(STAGES, times.medians(), strict=True))
    assert found["robot_to_driver"] == pytest.approx(0.002)
    for name in ("filter_and_detect", "command_decided", "command_sent"):
        assert found[name] == pytest.approx(0.001)
    assert found["plan_in_effect"] == LEAST


def test_the_arm_is_compared_at_the_instant_of_the_simulations_state(cube: Configuration) -> None:
    """A moving arm, and a simulated object 3 mm and 2 degrees off where it is between two samples."""
    signals = Signals(cube, ArmPicture(cube))
    speed = np.array([0.1, -0.2, 0.1, 0.3, -0.1, 0.2, 0.4])
    model, frames = load_arm_model(cube.robot.model), Frames.from_configuration(cube)
    for first in range(0, 200, 25):
        t = STEP_NS * 1e-9 * (first + np.arange(25))
        for k in range(first, first + 25, 5):
            at = 1e-9 * STEP_NS * (k + 0.5)
            q = cube.robot.start + speed * at
            T = frames.T_world_base @ flange_pose(model.geometry, q) @ frames.T_flange_object
            turned = Rotation.from_matrix(T[:3, :3]) * Rotation.from_rotvec([0.0, math.radians(2.0), 0.0])
            quat = turned.as_quat(scalar_first=True)
            t_ns = 1_000_000_000 + STEP_NS * k + STEP_NS // 2
            signals.take(sim_state(t_ns, T[:3, 3] + np.array([0.0, 0.0, 0.003]), quat))
        signals.take(cycle_block(first, cube.robot.start + t[:, None] * speed))
        signals.turn(0.0)
    mm, degrees = signals.gap.curves(1.4)[1:]
    assert len(mm) > 10
    np.testing.assert_allclose(mm, 3.0, atol=1e-4)
    np.testing.assert_allclose(degrees, 2.0, atol=1e-4)


def test_true_pushes_are_the_integral_of_the_true_force() -> None:
    """Two half-sines of 40 N over 100 ms: 2 F T / pi each, begun where they began."""
    t = np.arange(0.0, 1.0, 0.002)
    force = np.zeros((len(t), 6))
    for start in (0.2, 0.6):
        on = (t >= start) & (t < start + 0.1)
        force[on, 1] = 40.0 * np.sin(math.pi * (t[on] - start) / 0.1)
    pushes = TruePushes()
    for rows in np.array_split(np.arange(len(t)), 13):
        n = len(rows)
        stamps = np.column_stack((1e9 * t[rows] + 1e9, np.zeros(n))).astype(np.int64)
        centre, quat = np.full((n, 3), 0.5), np.tile([1.0, 0.0, 0.0, 0.0], (n, 1))
        zeros = np.zeros(n, np.int64), np.zeros((n, 7)), np.zeros((n, 6))
        pushes.take(TruthBlock(0, zeros[0], stamps, zeros[1], centre, quat, zeros[2], force[rows], 0, ""))
    first, second = pushes.shown()
    for push, start in ((first, 1.2), (second, 1.6)):
        assert push.size == pytest.approx(2.0 * 40.0 * 0.1 / math.pi, rel=1e-3)
        assert push.start == pytest.approx(start, abs=0.003) and push.end == pytest.approx(
            start + 0.1, abs=0.003
        )


def piece(number: int, index: int, revision: int, value: float) -> ImpulseSlice:
    impulse = np.array([value, 0.0, 0.0, 0.0, 0.0, 0.2 * value])
    start = 1_000_000_000 + 100_000_000 * index
    return ImpulseSlice(
        start,
        number,
        index,
        revision,
        False,
        False,
        False,
        False,
        start,
        start + 100_000_000,
        start,
        impulse,
        np.zeros(6),
    )


def test_detected_pushes_count_the_newest_revisions_only() -> None:
    """Two slices of which one is revised, turned to the world by the attitude; one push is taken back."""
    pushes = DetectedPushes(0.2)
    quat = quat_from_rotvec(np.array([0.0, 0.0, math.pi / 2]))
    for item in (
        piece(1, 0, 0, 9.0),
        piece(1, 0, 1, 1.0),
        piece(1, 1, 0, 2.0),
        piece(2, 0, 0, 5.0),
        piece(2, 0, 1, 0.0),
    ):
        pushes.take(item, np.zeros(3), quat)
    (push,) = pushes.shown()
    np.testing.assert_allclose(push.impulse, [0.0, 3.0, 0.0, 0.0, 0.0, 0.6], atol=1e-12)
    assert (push.start, push.end) == pytest.approx((1.0, 1.2))


def test_bars_are_as_wide_and_high_as_their_pushes() -> None:
    """The area under a bar is its duration times its size, to one step of the grid at either end."""
    push = Shown(95.0, 95.5, np.array([0.0, 0.0, 3.0, 0.0, 0.0, 0.0]), np.zeros(3))
    shown = bars(100.0, [push])
    assert shown.max() == 3.0
    assert shown.sum() * SPAN / (len(shown) - 1) == pytest.approx(1.5, abs=3.0 * 0.05)
    assert not bars(100.0 + SPAN, [push]).any() and not bars(90.0, [push]).any()


def test_the_arrow_lies_on_the_line_of_action() -> None:
    """A push at a point of the mock-up: the arrow points along the force, and its line meets the point."""
    generator = np.random.default_rng(3)
    for _ in range(20):
        centre, force, point = generator.normal(size=(3, 3))
        push = Shown(0.0, 0.1, np.concatenate((force, np.cross(point - centre, force))), centre)
        tail, head = arrow_of(push, 0.15)
        np.testing.assert_allclose(np.cross(head - tail, force), 0.0, atol=1e-9)
        assert (head - tail) @ force > 0.0
        np.testing.assert_allclose(np.cross(point - head, force), 0.0, atol=1e-9)


def test_twelve_edges_of_a_box() -> None:
    """Each is parallel to an axis and as long as the box, and every corner ends three of them."""
    low, high = np.array([0.0, -1.0, 2.0]), np.array([1.0, 1.0, 5.0])
    edges = edges_of(low, high)
    lengths = np.sort(np.linalg.norm(edges[:, 1] - edges[:, 0], axis=1))
    np.testing.assert_allclose(lengths, [1.0] * 4 + [2.0] * 4 + [3.0] * 4)
    corners, counts = np.unique(edges.reshape(-1, 3), axis=0, return_counts=True)
    assert len(corners) == 8 and (counts == 3).all()


def test_contacts_with_stops_and_walls(cube: Configuration, root) -> None:
    """On a face of the stops' box there is one; in a room one where the cube's faces meet a wall."""
    stops = cube.stops
    level = np.array([1.0, 0.0, 0.0, 0.0])
    contacts = Contacts(cube)
    assert len(contacts.points(stops.centre, level)) == 0
    beyond = stops.centre + np.array([0.0, stops.half_extent[1] + 0.01, 0.0])
    (point,) = contacts.points(beyond, level)
    np.testing.assert_allclose(point, stops.centre + np.array([0.0, stops.half_extent[1], 0.0]))
    scene = Scene(file=root / "configs/scenes/room.xml")  # its left wall begins at y = 0.6 m
    room = cube.model_copy(update={"scene": scene, "stops": stops.model_copy(update={"enabled": False})})
    walled, half = Contacts(room), 0.15
    assert len(walled.points(np.array([0.8, 0.59 - half, 0.2]), level)) == 0
    touching = walled.points(np.array([0.8, 0.599 - half, 0.2]), level)
    assert len(touching) >= 3
    np.testing.assert_allclose(touching[:, 1], 0.6, atol=0.002)
    assert (np.abs(touching[:, [0, 2]] - [0.8, 0.2]) < half + 0.002).all()


def test_frames_are_those_of_the_kernels() -> None:
    """The poses that are computed without kernels equal the kernels' own, small angles and none as well."""
    generator = np.random.default_rng(5)
    for size in (0.0, 1e-9, 1e-4, 1.0, math.pi):
        rotvec, position = size * generator.normal(size=3), generator.normal(size=3)
        expected = transform_from(matrix_from_quat(quat_from_rotvec(rotvec)), position)
        np.testing.assert_allclose(pose_of(rotvec, position), expected, atol=1e-14)


def test_the_angle_between_attitudes() -> None:
    """Equal to SciPy's magnitude of the rotation between them, whatever the quaternions' signs."""
    turns = Rotation.random(20, random_state=7)
    for a, b in zip(turns[:10], turns[10:], strict=True):
        found = angle_between(-a.as_quat(scalar_first=True), b.as_quat(scalar_first=True))
        assert found == pytest.approx((a.inv() * b).magnitude(), abs=1e-12)
