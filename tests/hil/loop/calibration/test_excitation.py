"""The motion that shows missed inertia: what it keeps, and that it goes where it was laid out."""

import numpy as np
import pytest
from scipy.interpolate import make_interp_spline

from bench.fidelity import changed
from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.configuration.frames import Frames
from hil.loop.calibration.excitation import SHARE, Excitation
from hil.loop.calibration.shape import DURATION, RATE, SWEPT, shape
from hil.wrench.held_body import object_pose
from planner.following.law import stop_into
from planner.following.limits import MotionLimits
from planner.kinematics.arm_model import load_arm_model

STEP = 0.002


def poses(c: Configuration, q: Array) -> Array:
    frames, arm = Frames.from_configuration(c), load_arm_model(c.robot.model).geometry
    return np.array([object_pose(arm, one, frames.T_world_base, frames.T_flange_object) for one in q])


def test_the_shape_goes_from_rest_to_rest_where_it_began() -> None:
    """Place, speed and acceleration zero at both ends; each derivative is that of the one before."""
    s = shape(STEP)
    assert s.shape == (4, round(DURATION / STEP) + 1, 6)
    np.testing.assert_allclose(s[:3, [0, -1]], 0.0, atol=1e-6)
    for k, near in enumerate((1e-6, 1e-4, 1e-2)):  # of the jerk less: it has a kink where the rise is over
        smooth = make_interp_spline(np.arange(s.shape[1]) * STEP, s[k], 7).derivative()
        exact = smooth(np.arange(10, s.shape[1] - 10) * STEP)
        np.testing.assert_allclose(s[k + 1, 10:-10], exact, atol=near * np.abs(s[k + 1]).max())
    for part in (slice(0, 3), slice(3, 6)):
        speed = np.linalg.norm(s[1, :, part], axis=1)
        assert speed.max() == pytest.approx(1.0)
        assert np.median(speed) > 0.9, "it moves at the full speed nearly all the time"


def test_an_offset_that_goes_with_the_pose_cannot_pass_for_inertia() -> None:
    """What of the acceleration is no multiple of the place is worth more than half of it, in every axis."""
    s = shape(STEP)
    assert RATE + SWEPT > 5.0 * (RATE - SWEPT)
    for axis in range(6):
        place, acceleration = s[0, :, axis], s[2, :, axis]
        left = acceleration - place * (place @ acceleration) / (place @ place)
        assert np.linalg.norm(left) > 0.5 * np.linalg.norm(acceleration)


@pytest.mark.parametrize("share", [1.0, 0.4])
def test_caps_and_limits_are_kept_and_nearly_used(cube: Configuration, share: float) -> None:
    """All states of the joints; with weak joints the motion is smaller, and no limit is passed."""
    limits = cube.limits
    c = changed(cube, "limits", acceleration=share * limits.acceleration, jerk=share * limits.jerk)
    model, q = load_arm_model(c.robot.model), np.array(c.robot.start)
    motion, scale = Excitation(c, model).laid_out(q)
    assert motion is not None
    states = motion.states(slice(None))
    np.testing.assert_allclose(states[0][[0, -1]], [q, q], atol=1e-9)
    bounds = MotionLimits.from_configuration(model, c.limits)
    jerk = np.diff(states[2], axis=0) / STEP
    rates, most = (*states[1:], jerk), (bounds.velocity, bounds.acceleration, bounds.jerk)
    used = [np.abs(x).max(axis=0) / bound for x, bound in zip(rates, most, strict=True)]
    assert np.max(used) <= c.limits.command_fraction + 1e-9
    T = poses(c, states[0])
    speed = np.linalg.norm(np.diff(T[:, :3, 3], axis=0), axis=1) / STEP
    D = np.einsum("nji,njk->nik", T[:-1, :3, :3], T[1:, :3, :3])
    spin = np.arccos(np.clip(0.5 * (np.trace(D, axis1=1, axis2=2) - 1.0), -1.0, 1.0)) / STEP
    assert speed.max() <= SHARE * c.stops.max_speed and np.quantile(spin, 0.99) <= SHARE * c.stops.max_spin
    if share == 1.0:
        assert scale > 0.95 and speed.max() > 0.9 * SHARE * c.stops.max_speed
    else:
        assert np.max(used) > 0.9 * c.limits.command_fraction and scale < 1.0


@pytest.mark.parametrize("step", [0.012, 0.020])
def test_at_a_slow_cycle_the_joints_limits_are_kept_too(cube: Configuration, step: float) -> None:
    """Where the joints' jerk bounds the motion: with few states a turn none may be passed over."""
    limits = changed(cube, "limits", jerk=0.4 * cube.limits.jerk)
    c = changed(limits, "fri", sample_time=step)
    model = load_arm_model(c.robot.model)
    motion, scale = Excitation(c, model).laid_out(np.array(c.robot.start))
    assert motion is not None and scale < 0.9
    jerk = np.diff(motion.states(slice(None))[2], axis=0) / step
    assert (np.abs(jerk).max(axis=0) <= c.limits.command_fraction * c.limits.jerk).all()


def test_a_small_set_makes_a_small_motion(cube: Configuration) -> None:
    """Nowhere farther than the share of the set's extent, whatever speeds are certified."""
    c = changed(cube, "stops", half_extent=np.array([0.01, 0.13, 0.13]), swing=np.radians(1.5))
    motion, _ = Excitation(c, load_arm_model(c.robot.model)).laid_out(np.array(c.robot.start))
    assert motion is not None
    T = poses(c, motion.states(slice(None))[0])
    away = np.linalg.norm(T[:, :3, 3] - T[0, :3, 3], axis=1).max()
    tilt = np.arccos(np.clip(T[:, :3, 2] @ T[0, :3, 2], -1.0, 1.0)).max()
    assert 0.6 * SHARE * 0.01 < away <= SHARE * 0.01
    assert tilt <= SHARE * np.radians(1.5)


def test_joints_that_are_too_weak_make_none(cube: Configuration) -> None:
    """Less than a fifth of the motion shows nothing."""
    c = changed(cube, "limits", jerk=0.1 * cube.limits.jerk)
    motion, scale = Excitation(c, load_arm_model(c.robot.model)).laid_out(np.array(c.robot.start))
    assert motion is None and 0.0 < scale < 0.2


def test_the_brake_keeps_the_limits_wherever_it_is_let_go(cube: Configuration) -> None:
    """Differences of the commands over the seam, which are what the guard judges, from every state."""
    model, q = load_arm_model(cube.robot.model), np.array(cube.robot.start)
    motion, _ = Excitation(cube, model).laid_out(q)
    assert motion is not None
    states = motion.states(slice(None))
    limits = MotionLimits.from_configuration(model, cube.limits).scaled(cube.limits.command_fraction)
    worst = np.zeros(7)
    for k in range(2, motion.count - 1):
        commands, state, after = [*states[0][k - 2 : k + 1]], states[:, k].copy(), np.empty((3, 7))
        for _ in range(3):
            stop_into(after, state, limits.bounds, STEP)
            state = after.copy()
            commands.append(state[0])
        worst = np.maximum(worst, np.abs(np.diff(commands, 3, axis=0)).max(axis=0) / STEP**3)
    assert (worst <= 1.01 * limits.jerk).all(), worst / limits.jerk
