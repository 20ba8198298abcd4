"""What load data misses is taken out of each sample: against point masses held by the arm."""

import numpy as np
import pytest

from bench.fidelity import changed
from drivers.emulation.arm.second_order_lag import lag_step_into, lag_transition, natural_frequency
from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.configuration.frames import Frames
from hil.configuration.load_stamp import load_stamp
from hil.configuration.schema import FoundLoad
from hil.force.setup import DriveModel
from hil.wrench.held_body import object_pose
from hil.wrench.load.compensation import WINDOW, LoadCompensation
from planner.kinematics.arm_model import load_arm_model
from tests.hil.wrench.load.point_masses import MASSES, PLACES, parameters

STEP_NS = 2_000_000
LATE = round(0.5 * WINDOW / 0.002)  # samples


def with_found(c: Configuration, value: Array, **rest: object) -> Configuration:
    """The configuration in which these ten parameters were found, and what is read at rest."""
    found = FoundLoad.model_construct(
        stamp=load_stamp(c), mass=float(value[0]), mass_interval=0.01, moment=value[1:4],
        moment_interval=np.zeros(3), inertia=value[4:], inertia_interval=np.zeros(6), **rest,
    )  # fmt: skip
    return changed(c, "mockup", found=found)


def joints(c: Configuration, n: int) -> Array:
    """A motion of all joints, a few degrees at 0.7 to 2 Hz, from rest."""
    t = np.arange(n) * 0.002
    u = np.clip(t / 0.3, 0.0, 1.0)[:, None]
    rise = u**3 * (10.0 - 15.0 * u + 6.0 * u * u)
    return np.array(c.robot.start) + 0.03 * rise * np.sin(2.0 * np.pi * np.outer(t, np.linspace(0.7, 2.0, 7)))


def shown(c: Configuration, q: Array) -> Array:
    """The wrench that point masses on the flange show, object axes, shape (n - 2, 6)."""
    frames, arm = Frames.from_configuration(c), load_arm_model(c.robot.model).geometry
    T = np.array([object_pose(arm, one, np.eye(4), frames.T_flange_object) for one in q])
    points = T[:, None, :3, 3] + np.einsum("nij,kj->nki", T[:, :3, :3], PLACES)
    a = np.diff(points, 2, axis=0) / 0.002**2
    force = np.einsum("k,nki->ni", MASSES, a)
    torque = np.einsum("k,nki->ni", MASSES, np.cross(points[1:-1] - T[1:-1, None, :3, 3], a))
    R = T[1:-1, :3, :3]
    return -np.concatenate([np.einsum("nji,nj->ni", R, x) for x in (force, torque)], axis=1)


def taken_out(
    stage: LoadCompensation, q: Array, wrench: Array, stamps: Array, commands: Array | None = None
) -> Array:
    """What is left of wrenches; without commands the arm moves by itself."""
    told = np.repeat(q[:1], len(q), axis=0) if commands is None else commands
    rows = zip(stamps, q, wrench, told, strict=True)
    return np.array([stage.taken_out(int(t), *x) for t, *x in rows])


def test_what_point_masses_show_is_gone(cube: Configuration) -> None:
    """Late by half the window, and by nothing else: all six axes, in any motion of the joints."""
    c = with_found(cube, parameters())
    q = joints(c, 700)
    seen = shown(c, q)
    stage = LoadCompensation(c, load_arm_model(c.robot.model))
    out = taken_out(stage, q[1:-1], seen, 1_000 + np.arange(len(seen)) * STEP_NS)
    left = np.abs((out - seen)[50 + LATE :] + seen[50:-LATE]).max(axis=0)
    assert (left < 0.06 * np.abs(seen).max(axis=0)).all()  # where the motion's jerk steps
    assert np.abs(out[50:]).max() < 0.25 * np.abs(seen).max(), "late by 10 ms only"


def test_with_the_commands_known_nothing_is_late(cube: Configuration) -> None:
    """The same point masses on an arm whose drives follow commands by their lag, two cycles late."""
    c = with_found(cube, parameters())
    u, (lag, damping, delay) = joints(c, 700), (0.01, 0.8, 2)
    q, dq, ddq = u[0].copy(), np.zeros(7), np.zeros(7)
    transition, w = lag_transition(lag, damping, 0.002), natural_frequency(lag, damping)
    measured = [q.copy()]
    for k in range(1, len(u)):
        now, before = (u[max(0, k - 1 - delay - j)] for j in (0, 1))
        lag_step_into(q, dq, ddq, before, now, transition, w, damping)
        measured.append(q.copy())
    q, seen = np.array(measured), shown(c, np.array(measured))
    stage = LoadCompensation(c, load_arm_model(c.robot.model), drive=DriveModel(delay * 0.002, lag, damping))
    out = taken_out(stage, q[1:-1], seen, np.arange(len(seen)) * STEP_NS, u[:-2])
    alone = LoadCompensation(c, load_arm_model(c.robot.model))
    late = taken_out(alone, q[1:-1], seen, np.arange(len(seen)) * STEP_NS)
    assert np.abs(out[50:]).max() < 0.02 * np.abs(seen).max() < 0.2 * np.abs(late[50:]).max()


@pytest.mark.parametrize("weighs", [True, False])
def test_weight_and_offset_are_gone_wherever_it_stands(cube: Configuration, weighs: bool) -> None:
    """Point masses in the field of gravity, and an offset at the tcp that goes with its place."""
    bias, slope = np.array([0.5, -0.3, 0.2, 0.05, 0.02, -0.04]), np.arange(18.0).reshape(6, 3) - 8.0
    tilted = changed(cube, "robot", mount_rotvec=np.radians([0.0, 20.0, 10.0]))
    frames = Frames.from_configuration(tilted)
    arm = load_arm_model(tilted.robot.model)
    down = frames.T_world_base[:3, :3].T @ [0.0, 0.0, -9.81 * weighs]
    c = with_found(
        tilted, parameters(), weighs=weighs, bias=bias[:3] + MASSES.sum() * down, bias_torque=bias[3:],
        slope=slope[:3].ravel(), slope_torque=slope[3:].ravel(),
    )  # fmt: skip
    stage, start = LoadCompensation(c, arm), np.array(c.robot.start)
    origin = object_pose(arm.geometry, start, np.eye(4), frames.T_flange_tcp)[:3, 3]
    for k, turn in enumerate(0.3 * np.random.default_rng(4).uniform(-1.0, 1.0, (5, 7))):
        q = start + turn
        tcp, T = (
            object_pose(arm.geometry, q, np.eye(4), x) for x in (frames.T_flange_tcp, frames.T_flange_object)
        )
        read = bias + slope @ (tcp[:3, 3] - origin)
        force = read[:3] + MASSES.sum() * down
        arms = PLACES @ T[:3, :3].T
        torque = read[3:] + np.cross(tcp[:3, 3] - T[:3, 3], read[:3])
        torque = torque + np.sum(np.cross(arms, MASSES[:, None] * down), axis=0)
        wrench = np.concatenate([T[:3, :3].T @ force, T[:3, :3].T @ torque])
        stamps = 10**9 * k + np.arange(20) * STEP_NS
        out = taken_out(stage, np.tile(q, (20, 1)), np.tile(wrench, (20, 1)), stamps)
        np.testing.assert_allclose(out[-1], 0.0, atol=1e-9)


def test_what_it_adds_to_an_impulse_is_the_change_of_momentum(cube: Configuration) -> None:
    """Over a motion from rest to rest it adds nothing; over half of it mass times the change of speed."""
    c = with_found(cube, np.array([0.5, *np.zeros(9)]))
    n = 400
    t = np.clip(np.linspace(0.0, 1.05, n), 0.0, 1.0)
    s = t**3 * (10.0 - 15.0 * t + 6.0 * t * t)
    q = np.array(c.robot.start) + np.outer(0.08 * s, [0.0, 1.0, 0.0, -1.0, 0.0, 0.5, 0.0])
    stage = LoadCompensation(c, load_arm_model(c.robot.model))
    added = taken_out(stage, q, np.zeros((n, 6)), np.arange(n) * STEP_NS)[:, :3] * 0.002
    frames, arm = Frames.from_configuration(c), load_arm_model(c.robot.model).geometry
    T = np.array([object_pose(arm, one, np.eye(4), frames.T_flange_object) for one in q])
    added = np.einsum("nij,nj->ni", T[:, :3, :3], added)  # all in the axes of the base
    middle = n // 2
    v = (T[middle, :3, 3] - T[middle - 1, :3, 3]) / 0.002
    along = np.linalg.norm(added[: middle + LATE].sum(axis=0))
    assert along == pytest.approx(0.5 * np.linalg.norm(v), rel=0.02)
    assert np.linalg.norm(added.sum(axis=0)) < 0.02 * along


def test_a_gap_tells_nothing_of_the_acceleration(cube: Configuration) -> None:
    """Stamps that jump, or fall back: what was last known holds until the window is full again."""
    c = with_found(cube, parameters())
    q = joints(c, 500)
    for jump in (400_000_000, -300_000_000):
        stage = LoadCompensation(c, load_arm_model(c.robot.model))
        before = taken_out(stage, q[:300], np.zeros((300, 6)), np.arange(300) * STEP_NS)
        moved = q[300:] + 0.3  # the arm is elsewhere: as a step this would be 10^4 m/s2
        after = taken_out(stage, moved, np.zeros((200, 6)), (np.arange(200) + 300) * STEP_NS + jump)
        np.testing.assert_array_equal(after[0], before[-1])
        assert np.abs(after).max() < 2.0 * np.abs(before).max()


def test_single_lost_packets_change_little(cube: Configuration) -> None:
    """The slopes rest on the stamps, and not on counting."""
    c = with_found(cube, parameters())
    q, stamps = joints(c, 600), np.arange(600) * STEP_NS
    stage = LoadCompensation(c, load_arm_model(c.robot.model))
    whole = taken_out(stage, q, np.zeros((600, 6)), stamps)
    kept = np.arange(600) % 7 != 3
    stage = LoadCompensation(c, load_arm_model(c.robot.model))
    thinned = taken_out(stage, q[kept], np.zeros((kept.sum(), 6)), stamps[kept])
    assert np.abs(thinned - whole[kept])[30:].max() < 0.1 * np.abs(whole).max()


def test_without_a_finding_the_wrench_is_left_alone(cube: Configuration) -> None:
    """Not even copied."""
    stage = LoadCompensation(cube, load_arm_model(cube.robot.model))
    wrench = np.arange(6.0)
    assert not stage.active and stage.taken_out(1, np.zeros(7), wrench, np.zeros(7)) is wrench
