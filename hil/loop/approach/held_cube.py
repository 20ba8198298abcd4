"""Where the mock-up is along a way of the arm, and how near it comes to arm, mount and floor.

In plain arrays, for the daemon loads no compiled code. All along a way at once: rows are its samples. The
mock-up is the cube of the robot's model (`drivers.robot.model`): the middle of a face sits at the tcp.
"""

import itertools

import numpy as np

from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.configuration.frames import Frames
from planner.kinematics.arm_model import ARM_RADIUS, ArmModel, load_arm_model

SEARCH_STEPS = 26  # of the nearest point of a link to the cube: (2/3)^26 of its length, 10 um
PAIRS = ("the column", "the upper arm", "the forearm", "the mount", "the floor")


class HeldCube:
    """The mock-up on the arm."""

    def __init__(self, configuration: Configuration) -> None:
        """Read the arm's model.

        Raises:
            RobotModelError: it cannot be used.
        """
        c, frames = configuration, Frames.from_configuration(configuration)
        self._model: ArmModel = load_arm_model(c.robot.model)
        self._world = frames.T_world_base
        self._half = 0.5 * c.mockup.edge
        self._flange_cube = frames.T_flange_tcp.copy()
        self._flange_cube[:3, 3] += self._half * frames.T_flange_tcp[:3, 2]
        signs = np.array(list(itertools.product((-1.0, 1.0), repeat=3)))
        self._corners = self._flange_cube[:3, 3] + self._half * signs @ self._flange_cube[:3, :3].T
        self._mount_radius = c.approach.mount_radius
        self._floor = float(c.robot.mount_position[2]) - c.approach.floor_depth

    def corners(self, q: Array) -> Array:
        """Return the corners in the world [m], shape (n, 8, 3), at joint positions [rad], shape (n, 7)."""
        _, R, p = self._arm(q)
        return p[:, None, :] + np.einsum("nij,kj->nki", R, self._corners)

    def clearances(self, q: Array) -> Array:
        """Return how far the cube is from each of `PAIRS` [m], shape (n, 5); negative: within it.

        `q` are joint positions [rad], shape (n, 7).
        """
        (shoulder, elbow, wrist), R, p = self._arm(q)
        centre = p + R @ self._flange_cube[:3, 3]
        axes = R @ self._flange_cube[:3, :3]
        base = np.broadcast_to(self._world[:3, 3], p.shape)
        foot = base.copy()
        foot[:, 2] = self._floor
        found = np.empty((len(q), len(PAIRS)))
        links = (base, shoulder), (shoulder, elbow), (elbow, wrist)
        for i, (start, end) in enumerate(links):
            found[:, i] = distances(start, end, centre, axes, self._half) - ARM_RADIUS
        found[:, 3] = distances(base, foot, centre, axes, self._half) - self._mount_radius
        found[:, 4] = self.corners(q)[:, :, 2].min(axis=1) - self._floor
        return found

    def _arm(self, q: Array) -> tuple[list[Array], Array, Array]:
        """Return shoulder, elbow and wrist, each (n, 3), and the flange: axes (n, 3, 3), place (n, 3)."""
        n, lengths = len(q), self._model.lengths
        R = np.broadcast_to(self._world[:3, :3], (n, 3, 3))
        p = self._world[:3, 3] + lengths[0] * R[:, :, 2]
        points = [p]
        for j in range(7):
            angle = self._model.signs[j] * q[:, j]
            R = R @ _turns(angle, about_z=j % 2 == 0)
            if j % 2 != 0:
                p = p + lengths[(j + 1) // 2] * R[:, :, 2]
                points.append(p)
        return points[:3], R, p


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


def _turns(angle: Array, about_z: bool) -> Array:
    """Return rotations about z or y by angles [rad], shape (n,), as matrices (n, 3, 3)."""
    c, s = np.cos(angle), np.sin(angle)
    R = np.zeros((len(angle), 3, 3))
    first, second = (0, 1) if about_z else (2, 0)
    other = 2 if about_z else 1
    R[:, other, other] = 1.0
    R[:, first, first] = R[:, second, second] = c
    R[:, second, first], R[:, first, second] = s, -s
    return R
