"""Where the mock-up is and how near it comes to what, against the physics engine."""

import mujoco
import numpy as np
import pytest

from bench.fidelity import changed
from drivers.robot.model import MOCKUP, robot_spec
from hil.configuration import Configuration
from hil.configuration.frames import Frames
from hil.loop.approach.held_cube import HeldCube, distances
from planner.kinematics.arm_bodies import ARM_RADIUS

TILTED = {
    "mount_position": np.array([0.1, -0.2, 0.3]),
    "mount_rotvec": np.array([0.3, -0.2, 0.9]),
    "tcp_position": np.array([0.01, 0.02, 0.05]),
    "tcp_rotvec": np.array([-0.4, 0.2, 0.1]),
}


@pytest.mark.parametrize("tilted", [False, True])
def test_the_corners_are_those_of_the_physics_engine(cube: Configuration, tilted: bool) -> None:
    """A hundred postures, also on a tilted mount with a tilted tool, of a cube of another size."""
    c = changed(cube, "robot", **TILTED) if tilted else cube
    c = changed(c, "mockup", edge=0.22)
    model = robot_spec(c, Frames.from_configuration(c)).compile()
    data = mujoco.MjData(model)
    geom = int(model.body(MOCKUP).geomadr[0])
    held = HeldCube(c)
    rng = np.random.default_rng(5)
    for q in rng.uniform(-2.0, 2.0, (100, 7)):
        data.qpos[:] = q
        mujoco.mj_kinematics(model, data)
        R, size = data.geom_xmat[geom].reshape(3, 3), model.geom_size[geom]
        signs = np.array(np.meshgrid([-1, 1], [-1, 1], [-1, 1], indexing="ij")).reshape(3, -1).T
        expected = data.geom_xpos[geom] + (signs * size) @ R.T
        found = held.corners(q[None])[0]
        assert np.abs(found[np.lexsort(found.T)] - expected[np.lexsort(expected.T)]).max() < 1e-12


def test_distances_are_those_of_the_physics_engine() -> None:
    """Capsules of no thickness to speak of beside a turned cube: MuJoCo's own distance, within 0.1 mm."""
    spec = mujoco.MjSpec()
    spec.worldbody.add_geom(
        name="box", type=mujoco.mjtGeom.mjGEOM_BOX, size=[0.15] * 3, quat=[0.9, 0.3, 0.2, 0.1]
    )
    body = spec.worldbody.add_body(mocap=True)
    thin = 0.01
    body.add_geom(name="link", type=mujoco.mjtGeom.mjGEOM_CAPSULE, size=[thin, 0.2, 0])
    model = spec.compile()
    data = mujoco.MjData(model)
    rng = np.random.default_rng(2)
    compared = 0
    for _ in range(300):
        data.mocap_pos[0] = rng.uniform(-0.6, 0.6, 3)
        quat = rng.normal(size=4)
        data.mocap_quat[0] = quat / np.linalg.norm(quat)
        mujoco.mj_kinematics(model, data)
        expected = mujoco.mj_geomDistance(model, data, 0, 1, 5.0, None)
        axis = data.geom_xmat[1].reshape(3, 3)[:, 2]
        ends = [(data.geom_xpos[1] + side * 0.2 * axis)[None] for side in (-1.0, 1.0)]
        axes = data.geom_xmat[0].reshape(1, 3, 3)
        found = float(distances(*ends, data.geom_xpos[0][None], axes, 0.15)[0]) - thin
        if expected > 0.0:
            compared += 1
            assert found == pytest.approx(expected, abs=1e-4)
        else:
            assert found < 1e-3
    assert compared > 100


def test_each_pair_is_seen(cube: Configuration) -> None:
    """Of a posture that is near to one thing, that one is the nearest, at a distance that is known."""
    held = HeldCube(cube)
    pairs = held.pairs
    stretched = np.zeros(7)
    stretched[1] = np.radians(-90.0)  # the mock-up far out: nothing is near but its own wrist
    found = held.clearances(stretched[None])[0]
    assert found[pairs.index("the forearm")] == pytest.approx(0.078 - ARM_RADIUS, abs=2e-5)
    low = stretched.copy()
    low[1] = np.radians(-118.0)
    q = np.array([stretched, low])
    floors = held.corners(q)[:, :, 2].min(axis=1) + 0.3
    assert held.clearances(q)[:, pairs.index("the floor")] == pytest.approx(floors, abs=1e-12)
    folded = np.radians([0.0, -20.0, 0.0, 120.0, 0.0, 60.0, 0.0])
    assert held.clearances(folded[None])[0, pairs.index("the column")] < found[pairs.index("the column")]
    higher = HeldCube(changed(cube, "approach", floor_depth=0.1))
    moved = higher.clearances(low[None])[0] - held.clearances(low[None])[0]
    assert moved[pairs.index("the floor")] == pytest.approx(-0.2, abs=1e-12)
    wider = HeldCube(changed(cube, "approach", mount_radius=0.25))
    moved = wider.clearances(low[None])[0] - held.clearances(low[None])[0]
    assert moved[pairs.index("the mount")] == pytest.approx(-0.1, abs=1e-12)
