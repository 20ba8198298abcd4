"""The virtual operator: pushes are what was asked for, and the records tell the truth."""

import csv
from pathlib import Path

import numpy as np
import pytest

from drivers.emulation.operator.half_sine import HalfSinePush, impulse_of, peak_of
from drivers.emulation.operator.pushes_in_wrench import rest_level
from drivers.emulation.operator.random_pushes import RandomPushSource
from drivers.emulation.operator.replayed_wrench import ReplayedWrench
from drivers.emulation.operator.virtual_operator import VirtualOperator
from hil.common.errors import ConfigurationError, RecordingError
from hil.common.geometry import matrix_from_quat, quat_from_rotvec
from hil.messaging.messages import Push
from hil.wrench.recorded.reading import read_recording
from tests.drivers.emulation.loops import configured

H = 1e-3


def pose(p=(0.0, 0.0, 0.0), rotvec=(0.0, 0.0, 0.0)) -> np.ndarray:
    T = np.eye(4)
    T[:3, :3] = matrix_from_quat(quat_from_rotvec(np.array(rotvec, dtype=float)))
    T[:3, 3] = p
    return T


def stepped(operator: VirtualOperator, until: float, T_of=lambda t: pose()):
    """Step to `until`; return the wrenches at the ends of the steps."""
    wrenches = []
    for k in range(round(until / H)):
        operator.step(k * H, (k + 1) * H, T_of((k + 1) * H), np.zeros(6))
        wrenches.append(operator.wrench_world)
    return np.array(wrenches)


def test_a_push_that_has_begun_is_finished_while_the_operator_rests():
    """Rest in the middle of a push: its impulse is whole; the next one waits for the end of the rest."""
    pushes = [{"time_s": t, "force_n": [10.0, 0.0, 0.0], "duration_ms": 100.0} for t in (0.05, 0.2)]
    operator = VirtualOperator(configured(operator={"push": pushes}), 1)
    operator.start(0.0)
    for k in range(1000):
        operator.resting = 100 <= k < 700
        operator.step(k * H, (k + 1) * H, pose(), np.zeros(6))
    first, second = operator.records
    np.testing.assert_allclose(first.impulse_world[0], impulse_of(10.0, 0.1), rtol=1e-12)
    assert (first.t_start, second.t_start) == pytest.approx((0.05, 0.2 + 0.6), abs=1e-9)


@pytest.mark.parametrize("duration", [0.03, 0.0777, 0.2])
def test_a_half_sine_gives_two_t_f_over_pi(duration):
    """The recorded impulse is the closed form to rounding, whatever the grid; so is the sum of samples."""
    c = configured(
        operator={
            "push": [
                {
                    "time_s": 0.0123,
                    "force_n": [20.0, -10.0, 5.0],
                    "duration_ms": 1e3 * duration,
                    "point_mm": [0, 100.0, 0],
                }
            ]
        }
    )
    operator = VirtualOperator(c, 1)
    operator.start(0.0)
    wrenches = stepped(operator, 0.4)
    force = np.array([20.0, -10.0, 5.0])
    expected = 2.0 * duration / np.pi * np.concatenate((force, np.cross([0, 0.1, 0], force)))
    (record,) = operator.records
    np.testing.assert_allclose(record.impulse_world, expected, rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(wrenches.sum(0) * H, expected, rtol=5e-3, atol=1e-12)
    assert (record.t_start, record.t_end) == pytest.approx((0.0123, 0.0123 + duration))
    assert impulse_of(peak_of(1.7, duration), duration) == pytest.approx(1.7)


def test_the_point_moves_with_the_body_and_the_force_keeps_its_direction():
    """On a body turning at 2 rad/s the recorded angular impulse is the integral of r(t) x F(t)."""
    point, force, duration = np.array([0.1, 0.02, -0.03]), np.array([0.0, 30.0, 10.0]), 0.2
    push = HalfSinePush(0.0, force, duration, point)

    def rotation(t):
        return np.ascontiguousarray(pose(rotvec=(0.4, 0.0, 2.0 * t))[:3, :3])

    for k in range(250):
        push.accumulate(k * H, (k + 1) * H, rotation((k + 0.5) * H))
    t = np.linspace(0.0, duration, 4_001)
    torque = (
        np.array([np.cross(rotation(x) @ point, force) for x in t]) * np.sin(np.pi * t / duration)[:, None]
    )
    np.testing.assert_allclose(push.impulse[3:], np.trapezoid(torque, t, axis=0), atol=1e-6)
    np.testing.assert_allclose(push.impulse[:3], impulse_of(1.0, duration) * force, rtol=1e-12)


def test_pushes_by_message_and_script_add_up_and_wait_for_the_start():
    """Before `start` the script is silent; a message pushes at once; both wrenches add."""
    c = configured(operator={"push": [{"time_s": 0.05, "force_n": [10.0, 0, 0], "duration_ms": 100.0}]})
    operator = VirtualOperator(c, 1)
    assert not stepped(operator, 0.2).any() and not operator.started
    operator.start(0.3)
    operator.push(Push(0, np.array([0.0, 4.0, 0.0]), 0.1, np.zeros(3)), 0.35)
    for k in range(300, 500):
        operator.step(k * H, (k + 1) * H, pose(), np.zeros(6))
        if k == 399:
            np.testing.assert_allclose(operator.wrench_world[:3], [10.0, 4.0, 0.0], atol=1e-6)
    assert len(operator.records) == 2


def test_random_pushes_keep_their_bounds_and_times():
    """Impulse, duration, peak, lever and gaps lie within the keys; the same seed draws the same."""
    c = configured(operator={"random": {"count": 200, "peak_n": 60.0, "lever_mm": 80.0, "steer": False}})
    keys = c.operator.random
    drawn = []
    for _ in range(2):
        source = RandomPushSource(c, keys, 9)
        gaps = np.diff(source.times)
        assert source.times[0] == keys.first and len(source.times) == 200
        assert gaps.min() >= keys.gap and gaps.max() <= keys.gap + keys.gap_spread
        drawn.append([source.push(t, pose(), np.zeros(6)) for t in source.times])
    directions = []
    for push, again in zip(*drawn, strict=True):
        peak = push.peak_wrench(np.eye(3))
        assert np.array_equal(peak, again.peak_wrench(np.eye(3)))
        force, duration = np.linalg.norm(peak[:3]), push.t_end - push.t_start
        assert force <= 60.0 * (1 + 1e-12)
        assert keys.duration_min - 1e-9 <= duration <= keys.duration_max + 1e-9
        assert keys.impulse_min - 1e-9 <= impulse_of(force, duration) <= keys.impulse_max + 1e-9
        assert np.linalg.norm(push._point) <= 0.08
        directions.append(peak[:3] / force)
    mean = np.mean(directions, axis=0)
    assert np.linalg.norm(mean) < 0.2  # 200 uniform directions: 0.07 expected


def test_steered_pushes_keep_a_free_body_slow_and_near_its_stops_centre():
    """200 steered pushes on a body that moves only by them: half as fast as unsteered, a tenth as far."""
    results = []
    for steer in (True, False):
        c = configured(operator={"random": {"count": 200, "steer": steer}})
        source = RandomPushSource(c, c.operator.random, 2)
        T, twist, speeds, ways = pose(c.stops.centre), np.zeros(6), [], []
        for t in source.times:
            push = source.push(t, T, twist)
            share = impulse_of(1.0, push.t_end - push.t_start)
            twist[:3] += share * push.peak_wrench(T[:3, :3].copy())[:3] / c.object.mass
            T[:3, 3] += 2.25 * twist[:3]
            speeds.append(np.linalg.norm(twist[:3]))
            ways.append(np.linalg.norm(T[:3, 3] - c.stops.centre))
        results.append((np.mean(speeds), np.max(ways)))
    assert results[0][0] < 0.5 * results[1][0]
    assert results[0][1] < 0.1 * results[1][1]


def test_random_pushes_that_cannot_keep_the_peak_are_refused():
    """The text names the keys and the force that would be needed."""
    c = configured(operator={"random": {"count": 1, "impulse_min_n_s": 50.0, "impulse_max_n_s": 60.0}})
    with pytest.raises(ConfigurationError, match=r"peak of 393 N; peak_n = 60"):
        VirtualOperator(c, 1)


def test_a_replayed_wrench_is_interpolated_and_integrated_exactly():
    """Values between samples are linear, the integral is the trapezoid rule's, zero outside."""
    rng = np.random.default_rng(3)
    t = np.cumsum(rng.uniform(0.004, 0.02, 50))
    w = rng.normal(size=(50, 6))
    replay = ReplayedWrench(t, w)
    for x in rng.uniform(t[0], t[-1], 40):
        np.testing.assert_allclose(replay.at(x), [np.interp(x, t, w[:, i]) for i in range(6)], atol=1e-12)
    np.testing.assert_allclose(replay.impulse(-1.0, 9.0), np.trapezoid(w, t, axis=0), atol=1e-12)
    a, b = t[0] + 0.003, t[20] + 0.001
    fine = np.linspace(a, b, 40_001)
    np.testing.assert_allclose(
        replay.impulse(a, b), np.trapezoid([replay.at(x) for x in fine], fine, axis=0), atol=1e-7
    )
    assert not replay.at(t[0] - 1e-6).any() and not replay.at(t[-1] + 1e-6).any()


@pytest.mark.parametrize(
    ("t", "w", "words"),
    [
        ([0.0], np.zeros((1, 6)), "at least 2"),
        ([0.0, 0.1, 0.1], np.zeros((3, 6)), "increase"),
        ([0.0, 0.1], np.full((2, 6), np.nan), "finite"),
        ([0.0, 0.1], np.zeros((2, 3)), "expected"),
    ],
)
def test_a_recording_that_cannot_be_replayed_is_refused(t, w, words):
    """Too short, time standing still, not finite, wrong shape."""
    with pytest.raises(RecordingError, match=words):
        ReplayedWrench(np.array(t), w)


def test_a_replayed_wrench_acts_at_the_centre_from_the_operators_start():
    """It is added to the wrench in world axes, whatever the object's orientation."""
    replay = ReplayedWrench(np.array([0.0, 0.1]), np.tile([1.0, 2, 3, 0.1, 0.2, 0.3], (2, 1)))
    operator = VirtualOperator(configured(), 1, replay)
    assert not stepped(operator, 0.02).any()
    operator.start(0.05)
    wrenches = stepped(operator, 0.2, lambda t: pose(rotvec=(1.0, 0, 0)))
    t = (np.arange(200) + 1) * H
    inside = (t > 0.051) & (t < 0.149)
    np.testing.assert_allclose(wrenches[inside], np.tile([1.0, 2, 3, 0.1, 0.2, 0.3], (inside.sum(), 1)))
    assert not wrenches[t > 0.151].any()


def half_sines(*pushes: tuple[float, float, float, int]) -> tuple[np.ndarray, np.ndarray]:
    """Ten seconds at 500 Hz with noise of 0.05 N and pushes of (start, duration, impulse, axis)."""
    t = 0.002 * np.arange(5000)
    w = np.random.default_rng(4).normal(0.0, [0.05] * 3 + [0.005] * 3, (5000, 6))
    for start, duration, impulse, axis in pushes:
        u = np.clip((t - start) / duration, 0.0, 1.0)
        w[:, axis] += impulse * np.pi / (2.0 * duration) * np.sin(np.pi * u)
    return t, w


PUSHED = [(1.0, 0.05, 0.4, 0), (2.5, 0.2, -3.0, 1), (2.9, 0.1, 1.27, 2), (6.0, 1.5, 20.0, 0)]


def test_the_pushes_in_a_recording_are_the_truth():
    """Starts, ends and impulses against the half-sines that were added; records as they end, and while."""
    t, w = half_sines(*PUSHED)
    replay = ReplayedWrench(t, w)
    assert len(replay.pushes) == len(PUSHED)
    for found, (start, duration, impulse, axis) in zip(replay.pushes, PUSHED, strict=True):
        assert abs(found.start - start) < 0.03 * duration + 0.012
        assert abs(found.end - start - duration) < 0.03 * duration + 0.012
        assert found.impulse[axis] == pytest.approx(impulse, rel=0.003, abs=0.004)
        assert abs(found.peak[axis]) == pytest.approx(abs(impulse) * np.pi / 2 / duration, rel=0.02)
    operator = VirtualOperator(configured(), 1, replay)
    operator.start(0.5)
    for k in range(4000):
        operator.step(k * 0.001, (k + 1) * 0.001, np.eye(4), np.zeros(6))
        if k == 3050:  # 2.55 s of the recording
            assert operator.under_way == pytest.approx(0.5 + replay.pushes[1].start)
    assert operator.under_way == np.inf
    assert [record.t_start for record in operator.records] == pytest.approx(
        [0.5 + push.start for push in replay.pushes[:3]]
    )
    np.testing.assert_array_equal(operator.records[1].impulse_world, replay.pushes[1].impulse)


def test_a_replay_acts_instead_of_the_configured_pushes():
    """Neither scripted nor random ones begin; one that is asked for still does."""
    pushes = {"push": [{"time_s": 0.05, "force_n": [9.0, 0, 0], "duration_ms": 50.0, "point_mm": [0, 0, 0]}]}
    random = {"random": {"count": 3, "first_s": 0.02}}
    t, w = 0.01 * np.arange(100), np.zeros((100, 6))
    operator = VirtualOperator(configured(operator=pushes | random), 1, ReplayedWrench(t, w))
    operator.start(0.0)
    assert not stepped(operator, 0.5).any() and not operator.records
    operator.push(Push(0, np.array([5.0, 0.0, 0.0]), 0.05, np.zeros(3)), 0.5)
    for k in range(500, 600):
        operator.step(k * 0.001, (k + 1) * 0.001, np.eye(4), np.zeros(6))
    assert len(operator.records) == 1


def test_offset_and_noise_are_those_of_the_first_quiet_stretch():
    """Whatever the offset is, and where a recording begins in a push as well."""
    offset = np.array([3.0, -2.0, 25.0, 0.2, 0.1, -0.3])
    for first in (1.0, -0.04):
        t, w = half_sines((first, 0.1, 2.0, 0))
        found, deviation = rest_level(t, w + offset)
        np.testing.assert_allclose(found, offset, atol=0.03)
        assert deviation == pytest.approx(np.sqrt(3 * 0.05**2 + 3 * 0.025**2), rel=0.3)


RECORDED = Path(__file__).resolve().parents[4] / "shared" / "data" / "ft"


@pytest.mark.skipif(not RECORDED.is_dir(), reason=f"no recordings in {RECORDED}")
@pytest.mark.parametrize("name", ["franka_touch_f3_wrench_200hz.csv", "franka_touch_c6_wrench_200hz.csv"])
def test_touches_of_a_real_arm_are_found_by_their_labels(name):
    """Fifteen touches that an instrumented glove told of: nearly all are pushes, and every push is one."""
    with (RECORDED / name).open(newline="") as file:
        rows = list(csv.DictReader(file))
    t, contact = (np.array([float(row[key]) for row in rows]) for key in ("t_s", "contact"))
    recording = read_recording(RECORDED / name)
    begin, end = t[1:][np.diff(contact) > 0], t[1:][np.diff(contact) < 0]
    offset, _ = rest_level(recording.t, recording.wrench)
    pushes = ReplayedWrench(recording.t, recording.wrench - offset).pushes
    touched = [bool(np.any((push.start < end) & (push.end > begin))) for push in pushes]
    assert all(touched) and 14 <= len(pushes) <= 15


def test_a_push_with_ripple_is_one():
    """Ripple of 0.3 N on a long push, as fingers give it, begins no other push."""
    t, w = half_sines((1.0, 1.0, 6.0, 0))
    w[:, 0] += np.where((t > 1.1) & (t < 1.9), 0.3 * np.sin(2.0 * np.pi * 12.0 * t), 0.0)
    (push,) = ReplayedWrench(t, w).pushes
    assert push.impulse[0] == pytest.approx(6.0, rel=0.01)
