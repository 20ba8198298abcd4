"""Joints, speeds and accelerations of a plan reproduce the object's path, at the nodes and between."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from hil.configuration.frames import Frames
from planner.branches.bounds import bounds_within
from planner.branches.joint_path import (
    FEASIBLE,
    LIMIT,
    flange_path,
    follow,
    joint_accelerations,
    joint_speed_into,
    poses_at,
)
from planner.branches.path_planner import PathPlanner
from planner.kinematics.arm_model import load_arm_model
from planner.kinematics.forward import flange_pose, jacobian
from planner.kinematics.inverse import arm_angle_and_branch
from tests.planner.branches.object_paths import STEP, prediction_of, quintic, soft_path

CENTRE = np.array([0.78, 0.0, 0.18])
START = np.deg2rad([0.0, -60.0, 0.0, 90.0, 0.0, 60.0, 0.0])


def pose_error(T, p, quat):
    """Distance [m] and angle [rad] between a pose and a place with orientation."""
    R = Rotation.from_quat(quat, scalar_first=True).as_matrix()
    chord = np.linalg.norm(T[:3, :3] - R) / (2 * np.sqrt(2))
    return np.linalg.norm(T[:3, 3] - p), 2 * np.arcsin(chord)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_quintic_between_nodes_follows_free_flight_and_soft_contacts(cube, seed):
    """Forward kinematics of the interpolated joints: within 0.05 mm and 0.005 degrees everywhere."""
    model = load_arm_model(cube.robot.model)
    frames = Frames.from_configuration(cube)
    planner = PathPlanner(model, cube)

    def path(t):
        return soft_path(t, CENTRE, seed)

    for s in (0.0, 1.5, 3.0):
        plan = planner.step(prediction_of(path, s, epoch=round(s * 2)), START)
        assert plan.policy == "RUN"
        for i in range(len(plan.q) - 1):
            for u in (0.0, 0.21, 0.5, 0.83):
                a, b = ((plan.q[k], plan.dq[k], plan.ddq[k]) for k in (i, i + 1))
                q = quintic(a, b, STEP, u)
                T = frames.T_world_base @ flange_pose(model.lengths, model.signs, q) @ frames.T_flange_object
                p, quat, _ = path(np.array([s + STEP * (i + u)]))
                distance, angle = pose_error(T, p[0], quat[0])
                assert distance < 5e-5 and np.rad2deg(angle) < 0.005, (i, u)


@pytest.fixture(scope="module")
def bounds(cube):
    """Of the arm, 0.1 rad within its position limits."""
    model = load_arm_model(cube.robot.model)
    return bounds_within(model, model.velocity, 0.1)


def followed(bounds, rows):
    """What `follow` makes of the poses of joints that all have the first one's arm angle."""
    T = np.array([flange_pose(bounds.lengths, bounds.signs, row) for row in rows])
    q, arm_angles = np.full(rows.shape, np.nan), np.empty(len(rows))
    angle, _ = arm_angle_and_branch(bounds.lengths, bounds.signs, rows[0])
    count, fault = follow(q, arm_angles, bounds, T, (np.full(9, angle), -1, 0.1), (0.0, STEP), rows[0])
    return q[:count], count, fault


@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_following_ends_at_a_position_limit(bounds, side):
    """The flange turns about its own axis: A7 goes on by 0.01 rad a pose, and five poses are within."""
    rows = np.tile(np.deg2rad([10.0, -40.0, 20.0, 80.0, -30.0, 50.0, 0.0]), (12, 1))
    limit = bounds.upper[6] if side > 0.0 else bounds.lower[6]
    rows[:, 6] = limit + side * (0.01 * np.arange(12) - 0.045)
    q, count, fault = followed(bounds, rows)
    assert (count, fault) == (5, LIMIT)
    assert q == pytest.approx(rows[:5], abs=1e-9)


@pytest.mark.parametrize("joint", [1, 5])
def test_following_crosses_a_straight_joint(bounds, joint):
    """A2 or A6 bends from -19 to 19 degrees: all other joints stay as they are, none turns half round."""
    rows = np.tile(np.deg2rad([0.0, -40.0, 0.0, 80.0, -30.0, 50.0, 10.0]), (40, 1))
    rows[:, joint] = np.deg2rad(np.linspace(-19.0, 19.0, 40))
    q, count, fault = followed(bounds, rows)
    assert (count, fault) == (40, FEASIBLE)
    assert q == pytest.approx(rows, abs=1e-9)


def test_a_joint_half_a_turn_round_has_its_speed(bounds):
    """A7 stands at 180 degrees, where solutions jump by a turn, and turns with 0.5 rad/s."""
    q = np.array([0.2, -0.7, 0.3, 1.4, -0.5, 0.9, np.pi])
    T = flange_pose(bounds.lengths, bounds.signs, q)
    angle, _ = arm_angle_and_branch(bounds.lengths, bounds.signs, q)
    twist, dq = np.r_[np.zeros(3), 0.5 * bounds.signs[6] * T[:3, 2]], np.empty(7)
    joint_speed_into(dq, q, bounds, T, twist, (np.full(9, angle), -1, 0.1), 0.25)
    assert dq == pytest.approx([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5], abs=1e-8)


def test_speeds_move_the_object_as_its_twist_says(cube):
    """The Jacobian of the object's centre times the joint speeds is the predicted twist."""
    model, frames = load_arm_model(cube.robot.model), Frames.from_configuration(cube)
    prediction = prediction_of(lambda t: soft_path(t, CENTRE, 4), 0.0)
    plan = PathPlanner(model, cube).step(prediction, START)
    for i in range(0, len(plan.q), 5):
        J = jacobian(model.lengths, model.signs, plan.q[i], frames.T_flange_object)
        assert J @ plan.dq[i] == pytest.approx(prediction.twist_world_object[i], abs=1e-7)


def test_flange_path_is_rigid(cube):
    """Flange poses carry the object's by the fixed frames; twists are the poses' rates (differences)."""
    frames = Frames.from_configuration(cube)
    T_base_world = np.eye(4)
    T_base_world[:3, :3] = Rotation.from_rotvec([0.2, -0.4, 1.0]).as_matrix()
    T_base_world[:3, 3] = [0.3, -0.2, 0.5]
    T_object_flange = np.linalg.inv(frames.T_flange_object)
    t = 0.05 + np.array([-1e-5, 0.0, 1e-5])
    p, quat, twist = soft_path(t, CENTRE, 1)
    T, flange_twist = flange_path(p, quat, twist, T_base_world, T_object_flange)
    for i in range(3):
        T_world_object = np.eye(4)
        T_world_object[:3, :3] = Rotation.from_quat(quat[i], scalar_first=True).as_matrix()
        T_world_object[:3, 3] = p[i]
        assert T[i] == pytest.approx(T_base_world @ T_world_object @ T_object_flange, abs=1e-14)
    rate = (T[2] - T[0]) / 2e-5
    spin = rate[:3, :3] @ T[1, :3, :3].T
    assert rate[:3, 3] == pytest.approx(flange_twist[1, :3], abs=1e-8)
    assert [spin[2, 1], spin[0, 2], spin[1, 0]] == pytest.approx(flange_twist[1, 3:], abs=1e-8)
    carried = poses_at(T[1:2], flange_twist[1:2], t[1], STEP, np.array([t[2]]))
    assert carried[0] == pytest.approx(T[2], abs=1e-10)


def test_accelerations_are_of_fourth_order():
    """On sines the error falls by 16 when the step is halved, at the ends by 8 at least."""
    errors = []
    for h in (0.04, 0.02):
        t = h * np.arange(30)[:, None] + 0.1 * np.arange(7)
        q, dq = np.sin(3 * t), 3 * np.cos(3 * t)
        ddq = np.empty_like(q)
        joint_accelerations(ddq, q, dq, h, np.zeros(30, dtype=np.bool_))
        difference = np.abs(ddq + 9 * np.sin(3 * t)).max(axis=1)
        errors.append((difference[1:-1].max(), max(difference[0], difference[-1])))
    assert errors[0][0] / errors[1][0] > 14
    assert errors[0][1] / errors[1][1] > 8


def test_accelerations_do_not_look_across_a_bounce():
    """Two parabolas that meet with a kink: both accelerations are exact on their own side."""
    h, n, kink = 0.02, 20, 8
    t = h * np.arange(n)[:, None] * np.ones(7)
    t_kink = h * (kink + 0.4)
    behind = np.where(t > t_kink, 1.0, 0.0)
    q = 0.3 * t**2 + behind * (2.0 * (t - t_kink) - 0.5 * (t - t_kink) ** 2)
    dq = 0.6 * t + behind * (2.0 - (t - t_kink))
    breaks = np.zeros(n, dtype=np.bool_)
    breaks[kink] = True
    ddq = np.empty_like(q)
    joint_accelerations(ddq, q, dq, h, breaks)
    assert ddq == pytest.approx(0.6 - behind, abs=1e-9)


def test_accelerations_between_two_bounces():
    """Two nodes by themselves take the cubic through them, exact on a cubic; a node by itself takes none."""
    h, t = 0.02, 0.02 * np.arange(4)[:, None] + 0.3 * np.arange(7)
    q, dq = 0.5 * t**3 - t**2 + 2.0 * t, 1.5 * t**2 - 2.0 * t + 2.0
    ddq = np.full_like(q, np.nan)
    joint_accelerations(ddq, q, dq, h, np.array([True, False, True, False]))
    assert ddq[1:3] == pytest.approx(3.0 * t[1:3] - 2.0, abs=1e-9)
    assert not ddq[[0, 3]].any()
