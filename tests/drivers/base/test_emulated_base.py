"""The emulated vehicle: dead time, lag, bounds, slip, late poses; and what it is told."""

import math
from pathlib import Path

import numpy as np
import pytest

from drivers.base.command import BaseCommand
from drivers.base.emulated_base import GRID, EmulatedBase
from hil.configuration import load_configuration

CONFIG = Path(__file__).parents[3] / "configs" / "platform.toml"
EXACT = ["base.emulated={slip=0.0,noise_mm_s=0.0,pose_noise_mm=0.0,heading_noise_deg=0.0}"]
SOFT = ["base.max_acceleration_mm_s2=5000.0", "base.max_turn_acceleration_deg_s2=360.0"]
LONG = 1e3  # [s] in which any speed is reached


def base_of(*settings):
    """An emulated base."""
    return EmulatedBase(load_configuration(CONFIG, list(settings)), 1)


def driven(base, command, duration):
    """The base's speeds after each step under a command that stands."""
    speeds = []
    for _ in range(round(duration / GRID)):
        base.step(np.array(command, float))
        speeds.append(base.motion[1].copy())
    return np.array(speeds)


def test_a_step_comes_after_the_dead_time_and_through_the_lag():
    """u (1 - exp(-(t - delay) / lag)), to the first order of the grid."""
    speeds = driven(base_of(*EXACT, *SOFT), (0.1, 0.0, 0.1), 0.5)
    t = GRID * np.arange(1, len(speeds) + 1)
    expected = 0.1 * (1.0 - np.exp(-np.maximum(t - 0.1, 0.0) / 0.08))
    np.testing.assert_allclose(speeds[:, 0], expected, atol=1.5e-3)
    np.testing.assert_allclose(speeds[:, 2], expected, atol=1.5e-3)
    assert (speeds[:99] == 0.0).all()


def test_bounds_hold_in_any_direction():
    """The acceleration of x and y together is the vehicle's, however hard it is told to go."""
    base = base_of(*EXACT)
    speeds = driven(base, (0.5, 0.5, 3.0), 0.6)
    straight = np.linalg.norm(np.diff(speeds[:, :2], axis=0), axis=1) / GRID
    assert straight.max() == pytest.approx(0.5, rel=1e-6)
    assert np.abs(np.diff(speeds[:, 2])).max() / GRID == pytest.approx(base_turn(), rel=1e-6)


def base_turn():
    """The configured bound of the heading's acceleration."""
    return load_configuration(CONFIG).base.max_turn_acceleration


def test_slip_is_unseen_by_odometry_and_seen_from_outside():
    """One per cent of the way is missing in what the wheels tell."""
    slips = (
        "base.emulated={slip=0.01,noise_mm_s=0.0,pose_noise_mm=0.0,heading_noise_deg=0.0,pose_delay_ms=0.0}"
    )
    wheels, outside = base_of(slips, 'base.pose_source="odometry"'), base_of(slips)
    for base in (wheels, outside):
        driven(base, (0.1, 0.0, 0.0), 10.0)
    assert wheels.motion[0, 0] / wheels.measured[0, 0] == pytest.approx(1.01, rel=1e-3)
    assert outside.measured[0, 0] == pytest.approx(outside.motion[0, 0], rel=1e-3)


def test_poses_come_late_and_noise_has_its_size():
    """At 0.1 m/s a pose of 20 ms ago is 2 mm behind; the restless speed has its rms and no jumps."""
    base = base_of(*EXACT)
    driven(base, (0.1, 0.0, 0.0), 1.0)
    assert base.motion[0, 0] - base.measured[0, 0] == pytest.approx(0.1 * base.measured_age, rel=0.06)
    restless = base_of("base.emulated={slip=0.0,noise_mm_s=3.0}")
    speeds = driven(restless, (0.0, 0.0, 0.0), 200.0)
    assert np.sqrt(np.mean(speeds[:, 0] ** 2)) == pytest.approx(0.003, rel=0.25)
    assert np.abs(np.diff(speeds[:, 0])).max() / GRID < 0.3


def test_a_base_that_is_left_alone_brakes_within_its_bounds():
    """The emergency stop: from 0.4 m/s and 0.3 rad/s to rest at the largest acceleration, v^2 / 2A later."""
    c = load_configuration(CONFIG).base
    commands, pose, way = BaseCommand(c), np.zeros(3), 0.0
    motion = np.zeros((3, 3))
    motion[1] = [0.4, 0.0, 0.3]
    commands.follow(motion, motion, pose, LONG)
    while commands.velocity.any():
        before = commands.velocity
        after = commands.brake(GRID)
        assert abs(after[0] - before[0]) <= c.max_acceleration * GRID * (1.0 + 1e-9)
        way += after[0] * GRID
    assert way == pytest.approx(0.4**2 / (2.0 * c.max_acceleration), rel=0.01)


def test_a_pose_that_jumps_makes_no_command_jump() -> None:
    """A metre off at once: the command changes by what the vehicle can follow, a cycle after another."""
    c = load_configuration(CONFIG).base
    commands, before, still = BaseCommand(c), np.zeros(3), np.zeros((3, 3))
    for n in range(200):
        pose = np.array([0.0, 0.0, 0.0] if n % 100 < 50 else [1.0, -1.0, 2.0])
        after = commands.follow(still, still, pose, 0.002)
        change = after - before
        assert math.hypot(*change[:2]) <= 0.002 * c.max_acceleration * (1.0 + 1e-9)
        assert abs(change[2]) <= 0.002 * c.max_turn_acceleration * (1.0 + 1e-9)
        before = after.copy()
    assert before.any()


@pytest.mark.parametrize("which", [0, 1, 2])
def test_what_is_no_number_brakes_and_leaves_no_trace(which: int) -> None:
    """Path now, path ahead, or pose: it slows down within its limits, and follows again afterwards."""
    c = load_configuration(CONFIG).base
    commands, far = BaseCommand(c), np.full((3, 3), 0.1)
    for _ in range(300):
        before = commands.follow(far, far, np.zeros(3), 0.002)
    given = [far, far, np.zeros(3)]
    given[which] = np.full_like(given[which], np.nan)
    after = commands.follow(*given, 0.002)
    assert np.isfinite(after).all()
    assert math.hypot(*before[:2]) > math.hypot(*after[:2]) > 0.0
    assert math.hypot(*(before - after)[:2]) <= 0.002 * c.max_acceleration * (1.0 + 1e-9)
    assert (commands.follow(far, far, np.zeros(3), 0.002) != after).any()


def test_commands_keep_the_vehicles_bounds():
    """However far it is off its path: speed in any direction, and turn."""
    c = load_configuration(CONFIG).base
    command = BaseCommand(c).follow(np.full((3, 3), 3.0), np.full((3, 3), 3.0), np.zeros(3), LONG)
    assert math.hypot(*command[:2]) == pytest.approx(c.max_speed)
    assert command[2] == pytest.approx(c.max_turn)
    rail = load_configuration(CONFIG, ['base.kind="rail"']).base
    command = BaseCommand(rail).follow(np.full((3, 3), 0.1), np.full((3, 3), 0.1), np.zeros(3), LONG)
    assert abs(command[0]) < 1e-12
    assert command[2] == 0.0
