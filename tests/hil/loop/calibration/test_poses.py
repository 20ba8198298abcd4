"""The poses at which the load is weighed: where they are, and that arm and set bear the way between them."""

import numpy as np
import pytest

from bench.fidelity import changed
from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.loop.calibration.poses import LEG, LEGS, REST, VISITED, Poses, Visit
from hil.loop.plain_kinematics import held_frame, held_frames
from planner.following.limits import MotionLimits
from planner.kinematics.arm_model import load_arm_model
from tests.hil.loop.calibration.test_excitation import poses

SHARE = 0.8  # of the certified caps, and of the set's extent, that may be used


def laid_out(c: Configuration) -> tuple[Visit, Array]:
    visit, refusal = Poses(c, load_arm_model(c.robot.model)).laid_out(np.array(c.robot.start))
    assert visit is not None, refusal
    return visit, visit.states(slice(None))


def test_it_stands_in_twelve_poses_and_comes_back(cube: Configuration) -> None:
    """Nothing moves in the rests; first and last state are the begin; derivatives are those of the way."""
    visit, states = laid_out(cube)
    assert states.shape == (3, visit.count, 7) and visit.count == round(VISITED / 0.002) + 1
    np.testing.assert_array_equal(states[0, [0, -1]], [cube.robot.start, cube.robot.start])
    for k in range(LEGS):
        begin = k * (REST + LEG)
        rest = states[:, round(begin / 0.002) + 1 : round((begin + REST) / 0.002)]
        assert not np.diff(rest[0], axis=0).any() and not rest[1:].any()
    for order, near in ((1, 2e-6), (2, 2e-5)):
        slope = (states[order - 1, 2:] - states[order - 1, :-2]) / 0.004
        assert np.abs(slope - states[order, 1:-1]).max() < 500.0 * near * np.abs(states[order]).max()


@pytest.mark.parametrize("spin", [1.0, 0.4])
def test_caps_set_and_limits_are_kept(cube: Configuration, spin: float) -> None:
    """Speed and spin within the share, and nearly used; a slower cap makes smaller poses, not longer ways."""
    c = changed(cube, "stops", max_spin=spin * cube.stops.max_spin)
    _, states = laid_out(c)
    bounds = MotionLimits.from_configuration(load_arm_model(c.robot.model), c.limits)
    jerk = np.diff(states[2], axis=0) / 0.002
    for rate, most in zip(
        (*states[1:], jerk), (bounds.velocity, bounds.acceleration, bounds.jerk), strict=True
    ):
        assert (np.abs(rate).max(axis=0) <= c.limits.command_fraction * most).all()
    T = poses(c, states[0])
    speed = np.linalg.norm(np.diff(T[:, :3, 3], axis=0), axis=1).max() / 0.002
    D = np.einsum("nji,njk->nik", T[:-1, :3, :3], T[1:, :3, :3])
    twice = np.stack([D[:, 2, 1] - D[:, 1, 2], D[:, 0, 2] - D[:, 2, 0], D[:, 1, 0] - D[:, 0, 1]])
    turning = np.linalg.norm(0.5 * twice, axis=0).max() / 0.002
    assert speed <= SHARE * c.stops.max_speed and 0.85 * SHARE < turning / c.stops.max_spin <= SHARE
    tilt = np.arccos(np.clip(T[:, :3, 2] @ T[0, :3, 2], -1.0, 1.0)).max()
    assert tilt <= SHARE * c.stops.swing


def test_a_small_set_makes_small_poses(cube: Configuration) -> None:
    c = changed(cube, "stops", half_extent=np.array([0.01, 0.13, 0.13]), twist=np.radians(9.0))
    visit, _ = laid_out(c)
    T = poses(c, visit.stations)
    assert np.abs(T[:, :3, 3] - T[0, :3, 3]).max() <= SHARE * 0.01
    turned = np.arctan2((T[:, :3, 0] @ T[0, :3, 1]), (T[:, :3, 0] @ T[0, :3, 0]))
    assert 0.5 * SHARE * 9.0 < np.degrees(np.abs(turned).max()) <= SHARE * 9.0 + 0.5


def test_offset_slope_drift_and_weight_stand_apart(cube: Configuration) -> None:
    """Twist, tilts, shifts and time over the rests: no combination of them is nearly nothing."""
    visit, _ = laid_out(cube)
    T = poses(cube, visit.stations[:-1])
    relative = np.einsum("ji,njk->nik", T[0, :3, :3], T[:, :3, :3])
    columns = [
        np.ones(LEGS), *(T[:, :3, 3] - T[0, :3, 3]).T, relative[:, 0, 2], relative[:, 1, 2],
        relative[:, 1, 0], np.linspace(-1.0, 1.0, LEGS),
    ]  # fmt: skip
    A = np.column_stack([x / np.linalg.norm(x) for x in columns])
    assert np.linalg.svd(A, compute_uv=False)[-1] > 0.25


def test_what_the_arm_cannot_reach_or_do_is_refused(cube: Configuration) -> None:
    """Poses out of reach, and joints too weak for the ways between them."""
    model, start = load_arm_model(cube.robot.model), np.array(cube.robot.start)
    stretched = start.copy()
    stretched[3] = 0.0
    visit, why = Poses(cube, model).laid_out(stretched)
    assert visit is None and "cannot be reached" in why
    weak = changed(cube, "limits", jerk=0.02 * cube.limits.jerk)
    visit, why = Poses(weak, model).laid_out(start)
    assert visit is None and "the joints' limits allow 0." in why


def test_many_frames_at_once_are_those_of_each(cube: Configuration) -> None:
    """Axes, place and Jacobian, bit for bit but for rounding; the Jacobian is the slope of the place."""
    model, rng = load_arm_model(cube.robot.model), np.random.default_rng(1)
    q, T = rng.uniform(-1.5, 1.5, (5, 7)), np.eye(4)
    T[:3, 3] = [0.1, -0.2, 0.3]
    found = held_frames(model, q, T)
    for k, one in enumerate(q):
        for many, single in zip(found, held_frame(model, one, T), strict=True):
            np.testing.assert_allclose(many[k], single, atol=1e-12)
