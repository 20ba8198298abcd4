"""The set's geometry, the slacks and the joint rates, each against an independent oracle."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from hil.common.geometry import matrix_from_quat, quat_from_matrix, quat_from_rotvec, transform_from
from hil.configuration import Configuration
from planner.kinematics.arm_model import ArmModel, load_arm_model
from planner.kinematics.forward import flange_pose, jacobian
from planner.kinematics.inverse import arm_angle_and_branch, solve_into
from planner.workspace.flood import coordinates
from planner.workspace.set_geometry import WorkspaceSet, object_pose_at, speed_shares
from planner.workspace.slack import arm_bounds, distance_to_box
from planner.workspace.speed import joint_rates
from sim.world.stops import pack_stops, swing_twist

SHAPE = np.array([7, 5, 5, 5, 7, 5])


@pytest.fixture(scope="module")
def model(cube: Configuration) -> ArmModel:
    return load_arm_model(cube.robot.model)


@pytest.fixture(scope="module")
def tilted(cube: Configuration) -> Configuration:
    """A mount, a tool and an object placement that are all oblique: twist is not A7's alone."""
    robot = cube.robot.model_copy(
        update={"mount_position": np.array([0.1, -0.2, 0.3]), "mount_rotvec": np.array([0.1, 0.2, 0.4])}
    )
    body = cube.object.model_copy(update={"rotvec": np.array([0.05, -0.1, 0.3])})
    stops = cube.stops.model_copy(update={"axis_pitch": 0.3, "axis_yaw": 0.4})
    return cube.model_copy(update={"robot": robot, "object": body, "stops": stops})


def test_poses_have_the_swing_and_twist_that_the_world_measures(tilted: Configuration) -> None:
    """The grid's coordinates mean what the world's stops mean by centre, swing and twist."""
    geometry = WorkspaceSet.from_configuration(tilted).geometry()
    packed = pack_stops(tilted.stops, tilted.object.inertia)
    rng = np.random.default_rng(1)
    T_world_base = np.linalg.inv(geometry.T_base_world)
    for u in rng.uniform(-1.0, 1.0, (50, 6)):
        T = T_world_base @ object_pose_at(geometry, u)
        swing, twist = swing_twist(quat_from_matrix(T[:3, :3]), packed)
        assert T[:3, 3] == pytest.approx(geometry.centre + geometry.half_extent * u[:3], abs=1e-12)
        assert swing == pytest.approx(geometry.swing * max(abs(u[3]), abs(u[4])), abs=1e-9)
        assert twist == pytest.approx(geometry.twist * u[5], abs=1e-9)


def test_twist_turns_the_object_about_its_own_axis(tilted: Configuration) -> None:
    """At any twist the axis points where the two swing coordinates have it, along their ray, ring by ring."""
    geometry = WorkspaceSet.from_configuration(tilted).geometry()
    nominal = Rotation.from_quat(geometry.quat, scalar_first=True)
    R_world_base = geometry.T_base_world[:3, :3].T
    for a, b, c in np.random.default_rng(2).uniform(-1.0, 1.0, (50, 3)):
        ray = geometry.swing * max(abs(a), abs(b)) * np.array([a, b, 0.0]) / math.hypot(a, b)
        wanted = nominal * Rotation.from_rotvec(ray) * Rotation.from_rotvec([0.0, 0.0, geometry.twist * c])
        T = object_pose_at(geometry, np.array([0.0, 0.0, 0.0, a, b, c]))
        np.testing.assert_allclose(R_world_base @ T[:3, :3], wanted.as_matrix(), atol=1e-12)


def test_grid_has_points_on_the_stops_and_where_a_body_comes_to_rest(cube: Configuration) -> None:
    """Second point of an axis: the stop; first: speed times contact time over pi beyond it."""
    workspace = WorkspaceSet.from_configuration(cube)
    geometry = workspace.geometry()
    stride = int(np.prod(SHAPE[1:]))
    u = np.array([coordinates(k * stride, SHAPE, geometry.inner)[0] for k in range(SHAPE[0])])
    half = geometry.half_extent[0] * np.abs(u)
    stops = cube.stops
    reach = stops.half_extent[0] + stops.max_speed * stops.contact_time / math.pi
    assert half[[0, 6]] == pytest.approx(reach, abs=1e-12)
    assert half[[1, 5]] == pytest.approx(stops.half_extent[0], abs=1e-12)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.floats(-1.0, 1.0), min_size=3, max_size=3))
def test_springs_share_out_the_kinetic_energy(cube: Configuration, u: list[float]) -> None:
    """Speed share squared plus the springs' energy share is one wherever a body can be."""
    workspace = WorkspaceSet.from_configuration(cube)
    geometry = workspace.geometry()
    depth = np.maximum(np.abs(u) * geometry.half_extent - workspace.half_extent, 0.0)
    rate = math.pi / cube.stops.contact_time
    left = cube.stops.max_speed**2 - np.sum((rate * depth) ** 2)
    speed, spin = speed_shares(geometry, np.array([*u, 0.0, 0.0, 0.0]))
    assert speed**2 == pytest.approx(max(left, 0.0) / cube.stops.max_speed**2, abs=1e-9)
    assert spin == 1.0


def test_distance_to_box_is_that_of_the_nearest_point() -> None:
    """The search by thirds agrees with 20001 points of the segment."""
    rng = np.random.default_rng(2)
    for _ in range(200):
        T = transform_from(matrix_from_quat(quat_from_rotvec(rng.normal(0.0, 1.0, 3))), rng.normal(0, 0.3, 3))
        start, end, half = rng.normal(0.0, 0.5, 3), rng.normal(0.0, 0.5, 3), rng.uniform(0.05, 0.3)
        points = start + np.linspace(0.0, 1.0, 20001)[:, None] * (end - start)
        outside = np.maximum(np.abs((points - T[:3, 3]) @ T[:3, :3]) - half, 0.0)
        nearest = np.min(np.linalg.norm(outside, axis=1))
        assert distance_to_box(start, end, T, half) == pytest.approx(nearest, abs=3e-3)


def test_joint_rates_move_the_object_and_rest_the_arm_angle(tilted: Configuration, model: ArmModel) -> None:
    """Jacobian times rates is the identity, and a step along them leaves the arm angle as it was."""
    workspace = WorkspaceSet.from_configuration(tilted)
    geometry, arm = workspace.geometry(), arm_bounds(model, workspace)
    T_flange_object = np.linalg.inv(geometry.T_object_flange)
    rng = np.random.default_rng(3)
    for _ in range(20):
        q = rng.uniform(0.2, 1.0, 7) * rng.choice([-1.0, 1.0], 7)
        T_base_flange = flange_pose(model.geometry, q)
        angle, branch = arm_angle_and_branch(arm.lengths, arm.signs, q)
        rates = joint_rates(arm, geometry, T_base_flange @ T_flange_object, angle, branch)
        J = jacobian(model.geometry, q, T_flange_object)
        assert J @ rates == pytest.approx(np.eye(6), abs=1e-6)
        twist = rng.normal(0.0, 1.0, 6)
        moved, _ = arm_angle_and_branch(arm.lengths, arm.signs, q + 1e-6 * rates @ twist)
        still = (moved - angle + math.pi) % (2.0 * math.pi) - math.pi
        assert abs(still) < 1e-9


def test_twist_turns_a7_alone_only_where_the_axes_agree(
    cube: Configuration, tilted: Configuration, model: ArmModel
) -> None:
    """Where the set says so, a twisted pose differs in A7 alone, by the twist."""
    assert not WorkspaceSet.from_configuration(tilted).twist_is_a7
    workspace = WorkspaceSet.from_configuration(cube)
    assert workspace.twist_is_a7
    geometry, arm = workspace.geometry(), arm_bounds(model, workspace)
    T = object_pose_at(geometry, np.array([0.3, -0.2, 0.5, 0.4, -0.7, 0.0]))
    twisted = T.copy()
    twisted[:3, :3] = T[:3, :3] @ matrix_from_quat(quat_from_rotvec(np.array([0.0, 0.0, 0.5])))
    q, q_twisted = np.zeros(7), np.zeros(7)
    assert solve_into(q, arm.lengths, arm.signs, T @ geometry.T_object_flange, 3.0, 4, q)
    assert solve_into(q_twisted, arm.lengths, arm.signs, twisted @ geometry.T_object_flange, 3.0, 4, q)
    assert np.abs(q_twisted - q) == pytest.approx([0.0] * 6 + [0.5], abs=1e-9)
