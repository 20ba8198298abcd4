"""The picture of the second arm: links end where its tip is, pads stand where they are told to."""

from pathlib import Path

import numpy as np
import pytest

from hil.common.poses import quat_of
from hil.configuration import load_configuration
from hil.loop.grasp.plan_check import checked_plan
from hil.loop.second_solids import HAND, PADS, SecondPicture
from hil.loop.solid import turned
from hil.messaging.grasp_messages import PartnerWords
from planner.kinematics.arm_model import load_arm_model

C = load_configuration(Path(__file__).parents[4] / "configs" / "two_arms.toml")


def test_links_end_where_the_tip_is():
    """By the physics engine's own kinematics from the mount, beside the closed form's joints."""
    picture, checked = SecondPicture(C), checked_plan(C, load_arm_model(C.robot.model))
    T = np.eye(4)
    T[:3, :3] = np.array([[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]])
    T[:3, 3] = 1.05, 0.02, 0.16
    q = checked.arm.joints(T, checked.posture)
    words = PartnerWords(0, T[:3, 3], quat_of(T), q, 0.02, np.zeros(2), False, "", "")
    p, quat = picture.poses(words)
    hand = picture.names.index(HAND)
    last = hand - 1  # the last link: its z leads to the tip
    ahead = turned(quat[last], np.array([0.0, 0.0, 1.0]))
    assert ahead == pytest.approx(T[:3, 2], abs=1e-6)
    assert np.cross(p[hand] - p[last], ahead) == pytest.approx(np.zeros(3), abs=1e-6)
    pads = [p[picture.names.index(name)] for name in PADS]
    assert pads[0] - pads[1] == pytest.approx([0.0, 0.04, 0.0], abs=1e-9)
    assert {solid.frame for solid in picture.solids} <= {*picture.names, "mockup"}
