"""The second arm's joints and clearances: proofs by forward kinematics and by brute force."""

from pathlib import Path

import numpy as np
import pytest

from hil.common.errors import ConfigurationError
from hil.configuration import load_configuration
from hil.loop.grasp.clearance import Clearance, segment_distances
from hil.loop.grasp.plan_check import begun_as_configured, checked_plan
from hil.loop.grasp.second_arm import SecondArm
from planner.kinematics.arm_model import load_arm_model
from planner.kinematics.forward import flange_pose

CONFIG = Path(__file__).parents[4] / "configs" / "two_arms.toml"
C = load_configuration(CONFIG)
MODEL = load_arm_model(C.robot.model)


def test_its_joints_bring_the_tip_to_its_pose():
    """Forward kinematics from the mount on, with the tool, gives the pose asked for."""
    checked = checked_plan(C, MODEL)
    T = np.eye(4)
    T[:3, :3] = np.array([[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]])
    T[:3, 3] = 1.05, 0.02, 0.16
    q = checked.arm.joints(T, checked.posture)
    assert q is not None
    flange = np.diag([-1.0, -1.0, 1.0, 1.0]) @ flange_pose(
        MODEL.geometry, q
    )  # half a turn about the vertical
    flange[0, 3] += 1.74
    assert flange[:3, 3] + 0.1 * flange[:3, 2] == pytest.approx(T[:3, 3], abs=1e-9)
    assert flange[:3, :3] == pytest.approx(T[:3, :3], abs=1e-9)


def distance(a, b, c, d):
    """Return how far two segments are from each other."""
    return segment_distances(a[None], b[None], c[None], d[None])[0, 0]


def test_segments_are_as_far_apart_as_their_nearest_points():
    """Against a grid of points on both, parallel and touching ones too."""
    rng = np.random.default_rng(5)
    s = np.linspace(0.0, 1.0, 401)[:, None]
    for n in range(60):
        a, b, c, d = rng.uniform(-1.0, 1.0, (4, 3))
        if n % 6 == 0:
            d = c + 0.7 * (b - a)
        first, second = a + s * (b - a), c + s * (d - c)
        brute = np.linalg.norm(first[:, None] - second[None], axis=2).min()
        assert distance(a, b, c, d) == pytest.approx(brute, abs=6e-3), (a, b, c, d)
        assert distance(a, b, c, d) <= brute + 1e-9
    assert distance(a, a, a, b) == 0.0


def test_the_shipped_plan_has_room():
    """Within reach, and the arms apart."""
    checked = checked_plan(C, MODEL)
    assert checked.posture.margin > np.deg2rad(2.0)
    assert checked.clearance > C.grasp.clearance


def test_a_plan_out_of_reach_is_refused_with_the_way():
    """By how far the wrist would be from the shoulder."""
    c = load_configuration(CONFIG, ["partner.mount_position_mm=[2300.0,0.0,0.0]"])
    with pytest.raises(
        ConfigurationError, match=r"out of the partner's reach: .* mm from the shoulder, 790 at most"
    ):
        checked_plan(c, MODEL)


def test_two_arms_in_each_others_way_are_refused_with_the_distance():
    """Where the second one stands behind the first."""
    c = load_configuration(CONFIG, ["grasp.clearance_mm=120.0"])
    with pytest.raises(
        ConfigurationError, match=r"come within \d+ mm of each other, grasp.clearance_mm = 120"
    ):
        checked_plan(c, MODEL)


def test_clearance_sees_the_mock_up_and_falls_with_the_way_into_it():
    """A tip that goes into the cube is negatively apart by its hand's radius."""
    arm = SecondArm(C, MODEL)
    checked = checked_plan(C, MODEL)
    look = Clearance(C, MODEL, arm)
    q = np.array(C.robot.start)
    T = np.eye(4)
    T[:3, :3] = np.array([[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]])
    gaps = []
    for x in (1.06, 1.0, 0.95):
        T[:3, 3] = x, 0.0, 0.15
        gaps.append(look.between(q, arm.joints(T, checked.posture), T)[0])
    assert gaps == sorted(gaps, reverse=True)
    assert gaps[0] == pytest.approx(1.06 + 0.03 - 0.94 - 0.05, abs=2e-3)


def test_a_plan_is_looked_at_where_the_first_arm_follows_the_object():
    """The hand at the bar is 40 mm from the mock-up's face, wherever that has drifted to."""
    begun = begun_as_configured(C, MODEL)
    for drift in (begun.twist, np.array([0.0, 0.02, 0.0, 0.0, 0.0, 0.0])):
        checked = checked_plan(C, MODEL, begun._replace(twist=drift))
        assert checked.clearance == pytest.approx(0.21 - 0.15 + 0.03 - 0.05, abs=3e-3)
        assert "the mock-up" in checked.pair


def test_a_plan_that_begins_elsewhere_has_a_way_there():
    """From 0.1 m off: as long as its speed needs; turned back at the stops the object stays in its room."""
    begun = begun_as_configured(C, MODEL)
    tip = begun.T_world_object @ C.grasp.T_object_tool
    tip[:3, 3] += tip[:3, :3] @ np.array([0.0, 0.102, -0.13])
    checked = checked_plan(C, MODEL, begun._replace(T_world_tip=tip))
    assert checked.plan.duration - checked.asked.duration == pytest.approx(1.875 * 0.1 / checked.asked.speed)
    room = np.array([begun.T_world_object[:3, 3] - 0.05, begun.T_world_object[:3, 3] + 0.05])
    back = begun._replace(twist=np.array([0.01, 0.0, -0.02, 0.0, 0.0, 0.0]), room=room)
    middle = begun.T_world_object[:3, 3]
    assert back.drifted(8.0)[:3, 3] - middle == pytest.approx([0.02, 0.0, 0.04], abs=1e-12)
