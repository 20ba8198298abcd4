"""One flood of a set on a grid, branch by branch, and what it found."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from hil.common.arrays import Array, IntArray
from planner.kinematics.arm_model import ArmModel
from planner.workspace.flood import (
    FINISHED,
    GOING,
    HEAD,
    MIN_WIDTH,
    NEIGHBOUR,
    NONE_ALLOWED,
    POSE,
    TAIL,
    TOO_NARROW,
    coordinates,
    flood_into,
    intervals,
)
from planner.workspace.set_geometry import SetGeometry, WorkspaceSet, object_pose_at
from planner.workspace.slack import ArmBounds, allowed_into, arm_bounds

Report = Callable[[str, float], None]  # what is going on, and the share of it that is done
BUDGET = 512  # poses between two reports


@dataclass(frozen=True)
class Resolution:
    """Points of a grid along each axis of the centre, of swing, of twist; and of the arm angle's circle."""

    centre: int
    swing: int
    twist: int
    arm_angles: int


COARSE = Resolution(centre=5, swing=5, twist=5, arm_angles=48)
DENSE = Resolution(centre=7, swing=7, twist=7, arm_angles=72)


@dataclass(frozen=True, eq=False)
class Grid:
    """A set with its points, for the kernels.

    Attributes:
        workspace: the set.
        arm: the arm and its bounds.
        geometry: the set for the kernels.
        shape: points along centre (3), swing (2) and twist, shape (6,).
        arm_angles: all round the circle [rad], shape (m,).
    """

    workspace: WorkspaceSet
    arm: ArmBounds
    geometry: SetGeometry
    shape: IntArray
    arm_angles: Array

    @classmethod
    def over(cls, workspace: WorkspaceSet, model: ArmModel, resolution: Resolution) -> "Grid":
        """Return the grid; where twist turns A7 alone it needs no points of its own."""
        twist = 1 if workspace.twist_is_a7 else resolution.twist
        m = resolution.arm_angles
        return cls(
            workspace=workspace,
            arm=arm_bounds(model, workspace),
            geometry=workspace.geometry(),
            shape=np.array([resolution.centre] * 3 + [resolution.swing] * 2 + [twist]),
            arm_angles=2.0 * np.pi * np.arange(m) / m - np.pi,
        )

    @property
    def size(self) -> int:
        """Number of poses."""
        return int(np.prod(self.shape))

    @property
    def centre(self) -> int:
        """Index of the pose in the middle."""
        return self.size // 2

    @property
    def step(self) -> float:
        """Of the arm angle [rad]."""
        return 2.0 * np.pi / len(self.arm_angles)

    def pose(self, index: int) -> Array:
        """Return T_base_object (4, 4) of a pose."""
        return object_pose_at(self.geometry, coordinates(index, self.shape, self.geometry.inner))


@dataclass(frozen=True, eq=False)
class Flood:
    """What a flood of one branch from one interval came to.

    Attributes:
        grid: what was flooded.
        branch: 0 to 7.
        low: first step of every pose's interval of arm angles, shape (n,).
        high: last step, shape (n,); where the flood did not come, `high < low`.
        status: `FINISHED`, or what failed.
        pose: where it failed, or -1.
        neighbour: the pose from which it came there, or -1.
        reached: number of poses reached.
    """

    grid: Grid
    branch: int
    low: IntArray
    high: IntArray
    status: int
    pose: int
    neighbour: int
    reached: int

    @property
    def complete(self) -> bool:
        """Whether all poses are connected."""
        return self.status == FINISHED

    @property
    def width(self) -> Array:
        """Width of every pose's interval of arm angles [rad], shape (n,)."""
        return np.multiply(self.high - self.low, self.grid.step, dtype=np.float64)

    def arm_angle(self, step: float) -> float:
        """Return the arm angle [rad] at a step of this flood's unwound count, within [-pi, pi)."""
        return float((step * self.grid.step) % (2.0 * np.pi) - np.pi)


def floods(grid: Grid, branch: int, stage: str, report: Report) -> Iterator[Flood]:
    """Yield the floods of one branch, one from each interval of the pose in the middle, widest first."""
    allowed = np.empty(len(grid.arm_angles), np.bool_)
    allowed_into(allowed, grid.arm, grid.geometry, grid.pose(grid.centre), grid.arm_angles, branch)
    runs = sorted(intervals(allowed).tolist(), key=lambda run: run[0] - run[1])
    wide = [run for run in runs if (run[1] - run[0]) * grid.step >= MIN_WIDTH - 1e-9]
    if not wide:
        nothing = np.full(grid.size, -1), np.full(grid.size, -2)
        status = TOO_NARROW if runs else NONE_ALLOWED
        yield Flood(grid, branch, *nothing, status=status, pose=grid.centre, neighbour=-1, reached=0)
    for first, last in wide:
        yield _flood(grid, branch, first, last, stage, report)


def _flood(grid: Grid, branch: int, first: int, last: int, stage: str, report: Report) -> Flood:
    low, high = np.full(grid.size, -1), np.full(grid.size, -2)
    order, record = np.empty(grid.size, np.int64), np.array([0, 1, -1, -1])
    low[grid.centre], high[grid.centre], order[0] = first, last, grid.centre
    status = GOING
    while status == GOING:
        status = flood_into(
            low, high, order, record, grid.arm, grid.geometry, grid.shape, grid.arm_angles, branch, BUDGET
        )
        report(stage, record[HEAD] / grid.size)
    failed = status != FINISHED
    return Flood(
        grid=grid,
        branch=branch,
        low=low,
        high=high,
        status=status,
        pose=int(record[POSE]) if failed else -1,
        neighbour=int(record[NEIGHBOUR]) if failed else -1,
        reached=int(record[TAIL]),
    )
