"""Where the mock-up is along a way of the arm, and how near it comes to arm, mount and floor.

In plain arrays, for the daemon loads no compiled code. All along a way at once: rows are its samples. The
mock-up is the cube of the robot's model (`drivers.robot.model`): the middle of a face sits at the tcp.
"""

import itertools

import numpy as np

from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.configuration.frames import Frames
from planner.kinematics.arm_model import ArmModel, load_arm_model

SEARCH_STEPS = 26  # of the nearest point of a link to the cube: (2/3)^26 of its length, 10 um
GROUND = ("the mount", "the floor")


class HeldCube:
    """The mock-up on the arm.

    Attributes:
        pairs: what it is judged against, in words: the arm's bodies, mount and floor.
        unjudged: why it cannot be judged against the arm; empty if it can.
    """

    def __init__(self, configuration: Configuration) -> None:
        """Read the arm's model.

        Raises:
            RobotModelError: it cannot be used.
        """
        c, frames = configuration, Frames.from_configuration(configuration)
        self._model: ArmModel = load_arm_model(c.robot.model)
        self.pairs = (*(body.name for body in self._model.bodies), *GROUND)
        self.unjudged = self._model.unjudged
        self._world = frames.T_world_base
        self._half = 0.5 * c.mockup.edge
        self._T_flange_object = frames.T_flange_object
        self._flange_cube = frames.T_flange_tcp.copy()
        self._flange_cube[:3, 3] += self._half * frames.T_flange_tcp[:3, 2]
        signs = np.array(list(itertools.product((-1.0, 1.0), repeat=3)))
        self._corners = self._flange_cube[:3, 3] + self._half * signs @ self._flange_cube[:3, :3].T
        self._mount_radius = c.approach.mount_radius
        self._floor = float(c.robot.mount_position[2]) - c.approach.floor_depth

    def corners(self, q: Array) -> Array:
        """Return the corners in the world [m], shape (n, 8, 3), at joint positions [rad], shape (n, 7)."""
        R, p = self._frames(q)[-1]
        return p[:, None, :] + np.einsum("nij,kj->nki", R, self._corners)

    def object_poses(self, q: Array) -> tuple[Array, Array]:
        """Return attitude (n, 3, 3) and centre [m], (n, 3), of the object in the world; `q` as above."""
        R, p = self._frames(q)[-1]
        held = self._T_flange_object
        return R @ held[:3, :3], p + R @ held[:3, 3]

    def clearances(self, q: Array) -> Array:
        """Return how far the cube is from each of `pairs` [m], shape (n, m); negative: within it.

        `q` are joint positions [rad], shape (n, 7).
        """
        frames, bodies = self._frames(q), self._model.bodies
        R, p = frames[-1]
        centre = p + R @ self._flange_cube[:3, 3]
        axes = R @ self._flange_cube[:3, :3]
        base = np.broadcast_to(self._world[:3, 3], p.shape)
        foot = base.copy()
        foot[:, 2] = self._floor
        found = np.empty((len(q), len(self.pairs)))
        for i, body in enumerate(bodies):
            R_link, p_link = frames[body.link]
            start, end = p_link + R_link @ body.start, p_link + R_link @ body.end
            found[:, i] = distances(start, end, centre, axes, self._half) - body.radius
        found[:, -2] = distances(base, foot, centre, axes, self._half) - self._mount_radius
        found[:, -1] = self.corners(q)[:, :, 2].min(axis=1) - self._floor
        return found

    def _frames(self, q: Array) -> list[tuple[Array, Array]]:
        """Return axes (n, 3, 3) and place (n, 3) of base, links and flange in the world."""
        n, chain = len(q), self._model.chain
        R = np.broadcast_to(self._world[:3, :3], (n, 3, 3))
        p = np.broadcast_to(self._world[:3, 3], (n, 3))
        frames = [(R, p)]
        for j, placement in enumerate(chain.placements):
            p = p + R @ placement[:3, 3]
            R = R @ placement[:3, :3] @ _turns(q[:, j], chain.axes[j])
            frames.append((R, p))
        frames.append((R @ chain.T_last_tip[:3, :3], p + R @ chain.T_last_tip[:3, 3]))
        return frames


def distances(start: Array, end: Array, centre: Array, axes: Array, half: float) -> Array:
    """Return how far segments are from cubes [m], shape (n,), by thirds: it is convex along a segment.

    Args:
        start: of the segments [m], shape (n, 3).
        end: the same.
        centre: of the cubes [m], shape (n, 3).
        axes: of the cubes, as columns, shape (n, 3, 3).
        half: half the cubes' edge [m].
    """
    local = np.einsum("nij,ni->nj", axes, start - centre)
    along = np.einsum("nij,ni->nj", axes, end - start)
    low, high = np.zeros(len(local)), np.ones(len(local))
    for _ in range(SEARCH_STEPS):
        first, second = (2.0 * low + high) / 3.0, (low + 2.0 * high) / 3.0
        left = _square_outside(local, along, first, half) <= _square_outside(local, along, second, half)
        low, high = np.where(left, low, first), np.where(left, second, high)
    return np.asarray(np.sqrt(_square_outside(local, along, 0.5 * (low + high), half)))


def _square_outside(local: Array, along: Array, u: Array, half: float) -> Array:
    beyond = np.maximum(np.abs(local + u[:, None] * along) - half, 0.0)
    return np.asarray((beyond * beyond).sum(axis=1))


def _turns(angle: Array, axis: Array) -> Array:
    """Return rotations about an axis (3,) by angles [rad], shape (n,), as matrices (n, 3, 3)."""
    x, y, z = axis
    along, across = np.outer(axis, axis), np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    c, s = np.cos(angle)[:, None, None], np.sin(angle)[:, None, None]
    return np.asarray(along + c * (np.eye(3) - along) + s * across)
