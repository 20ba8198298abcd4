"""What a recording shows of an arm is where the arm is."""

import numpy as np
import pytest

from hil.common.geometry import matrix_from_quat
from hil.workbench.driving.solids import arm_solids, unit_frames
from sim.assembly.shapes import mesh_of
from sim.chain.kinematics import body_poses


@pytest.mark.parametrize(
    "name", ["assemblies/lwr4.toml", "assemblies/ur10e.toml", "missions/two_joint_arm.toml"]
)
def test_solids_fill_the_meshes(mission, name):
    """All solids of all units lie within the box around the unit's meshes, but for the corners of bends."""
    from sim.assembly.manipulator import manipulator_of

    manipulator = manipulator_of(mission(name).chain)
    solids = arm_solids(manipulator)
    names, p, quat = unit_frames(manipulator, manipulator.lower, np.eye(4))
    poses = body_poses(manipulator.chain, manipulator.lower)
    for k, unit in enumerate(manipulator.units):
        np.testing.assert_allclose(p[k], poses[k, :3, 3])
        np.testing.assert_allclose(matrix_from_quat(quat[k]), poses[k, :3, :3], atol=1e-12)
        meshes = [mesh_of(b.body).apply_transform(b.T_unit_body) for b in unit if b.body.shapes]
        own = [s for s in solids if s.frame == names[k]]
        assert len(own) >= sum(len(b.body.shapes) for b in unit)
        if meshes:
            low = np.min([m.bounds[0] for m in meshes], axis=0) - 0.02
            high = np.max([m.bounds[1] for m in meshes], axis=0) + 0.02
            assert all((low <= s.p).all() and (s.p <= high).all() and (s.size > 0.0).all() for s in own)
