"""Chains for tests: random ones, and the same built in pinocchio from the numbers alone."""

from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from sim.chain.serial_chain import SerialChain, serial_chain

GRAVITY = np.array([0.3, -0.2, -9.81])


def random_pose(rng: np.random.Generator, scale: float = 0.4) -> np.ndarray:
    """A pose (4, 4) of any direction, within `scale` [m]."""
    T = np.eye(4)
    T[:3, :3] = Rotation.random(rng=rng).as_matrix()
    T[:3, 3] = rng.uniform(-scale, scale, 3)
    return T


def random_inertia(rng: np.random.Generator, mass: float) -> np.ndarray:
    """Of a cloud of points, so that it is one of a body (3, 3)."""
    points = rng.normal(scale=0.1, size=(5, 3))
    points -= points.mean(axis=0)
    return mass / 5 * sum(np.eye(3) * (p @ p) - np.outer(p, p) for p in points)


def random_chain(rng: np.random.Generator, joints: int, armatures: bool = True) -> SerialChain:
    """Joints that turn or slide about any axis, bodies anywhere."""
    masses = rng.uniform(0.2, 5.0, joints + 1)
    return serial_chain(
        linear=[bool(value) for value in rng.random(joints) < 0.3],
        placements=[random_pose(rng) for _ in range(joints)],
        axes=[rng.normal(size=3) for _ in range(joints)],
        T_last_tip=random_pose(rng),
        masses=masses.tolist(),
        centres=[rng.uniform(-0.2, 0.2, 3) for _ in range(joints + 1)],
        inertias=[random_inertia(rng, mass) for mass in masses],
        armatures=rng.uniform(0.0, 0.5, joints).tolist() if armatures else None,
    )


def pinocchio_model(chain: SerialChain, gravity: np.ndarray = GRAVITY) -> Any:
    """The same chain in pinocchio; its last frame, `tip`, is the tip."""
    import pinocchio as pin

    model, parent = pin.Model(), 0
    model.gravity.linear = gravity
    for i in range(len(chain.linear)):
        kind = pin.JointModelPrismaticUnaligned if chain.linear[i] else pin.JointModelRevoluteUnaligned
        placement = pin.SE3(chain.placements[i])
        parent = model.addJoint(parent, kind(np.array(chain.axes[i])), placement, f"J{i + 1}")
        body = pin.Inertia(
            chain.masses[i + 1], np.array(chain.centres[i + 1]), np.array(chain.inertias[i + 1])
        )
        model.appendBodyToJoint(parent, body, pin.SE3.Identity())
    model.armature = np.array(chain.armatures)
    model.addFrame(pin.Frame("tip", parent, 0, pin.SE3(np.array(chain.T_last_tip)), pin.FrameType.OP_FRAME))
    return model
