"""What there is to see of a base, and where all that it carries is: against the simulation's own frames."""

from pathlib import Path

import numpy as np
from scipy.spatial.transform import Rotation

from hil.common.planar import carried_pose
from hil.configuration import load_configuration
from hil.configuration.frames import Frames
from hil.loop.base_solids import BASE, base_solids
from hil.loop.solids import ArmPicture
from hil.wrench.held_body import object_pose
from planner.kinematics.arm_model import load_arm_model

CONFIGS = Path(__file__).parents[3] / "configs"
POSE = np.array([1.2, -0.7, 2.0])


def test_the_held_object_is_drawn_where_the_loop_has_it() -> None:
    """Arm and base together, by the forward kinematics and the base's own transformation."""
    c = load_configuration(CONFIGS / "platform.toml")
    model, frames, q = load_arm_model(c.robot.model), Frames.from_configuration(c), np.array(c.robot.start)
    T_base = carried_pose(np.ascontiguousarray(frames.T_world_base), POSE)
    T = object_pose(model.geometry, q, T_base, frames.T_flange_object)
    p, quat = ArmPicture(c).held_object(q, POSE)
    np.testing.assert_allclose(p, T[:3, 3], atol=1e-9)
    R = Rotation.from_quat(quat, scalar_first=True).as_matrix()
    np.testing.assert_allclose(R, T[:3, :3], atol=1e-9)


def test_the_deck_goes_with_the_base() -> None:
    """Its frame is the vehicle's, its upper face where the configuration says; the arm's are as before."""
    c = load_configuration(CONFIGS / "platform.toml")
    arm, q = ArmPicture(c), np.array(c.robot.start)
    (deck,) = base_solids(c)
    corners = np.array([deck.p - 0.5 * deck.size, deck.p + 0.5 * deck.size])
    assert c.base.deck is not None
    np.testing.assert_allclose(corners[:, :2], c.base.deck, atol=1e-12)
    assert abs(corners[1, 2] - c.base.deck_height) < 1e-12
    p, quat = arm.poses(q, POSE)
    at = arm.names.index(BASE)
    np.testing.assert_allclose(p[at], [*POSE[:2], 0.0])
    turn = Rotation.from_quat(quat[at], scalar_first=True).as_rotvec()
    np.testing.assert_allclose(turn, [0.0, 0.0, POSE[2]], atol=1e-12)
    still = arm.poses(q)[0]
    np.testing.assert_allclose(arm.poses(q, np.zeros(3))[0], still, atol=1e-12)


def test_without_a_base_nothing_is_added() -> None:
    """The pictures of an arm that stands are what they were."""
    c = load_configuration(CONFIGS / "cube.toml")
    assert base_solids(c) == []
    assert BASE not in ArmPicture(c).names
