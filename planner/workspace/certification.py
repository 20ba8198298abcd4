"""Certified stops: a set that the arm can serve everywhere without a change of configuration.

For one branch, the intervals of arm angle that keep limits, singularities and clearances are flooded
over the set on a coarse grid and again on a denser one; then the joint speeds bound the object's.
Numerical evidence on a grid, not a proof.
"""

from dataclasses import dataclass

import numpy as np

from hil.common.arrays import Array, IntArray
from hil.configuration import Configuration
from planner.kinematics.arm_model import ArmModel
from planner.kinematics.inverse import BRANCHES, arm_angle_and_branch, solve_into
from planner.workspace.grid import COARSE, DENSE, Flood, Grid, Report, Resolution, floods
from planner.workspace.set_geometry import WorkspaceSet
from planner.workspace.speed import speeds_into

SPEED_BUDGET = 1024  # poses between two reports


@dataclass(frozen=True, eq=False)
class SpeedCaps:
    """How fast the object may be at every pose, relative to the stops' `max_speed` and `max_spin`.

    Attributes:
        factor: on both at once, at the best arm angle of the pose's interval, shape (n,).
        best: step of that arm angle, shape (n,).
        joint: the joint that bounds it, shape (n,).
    """

    factor: Array
    best: IntArray
    joint: IntArray

    @property
    def smallest(self) -> float:
        """Factor that holds at every pose."""
        return float(np.min(self.factor))


@dataclass(frozen=True, eq=False)
class Certificate:
    """A set whose poses are connected on both grids, and the speeds allowed there.

    Attributes:
        coarse: the flood of the coarse grid.
        dense: the flood of the denser grid, same branch.
        speeds: caps on the denser grid.
        q_start: joints at the set's middle, arm angle in the middle of its interval [rad], shape (7,).
    """

    coarse: Flood
    dense: Flood
    speeds: SpeedCaps
    q_start: Array


def certify(
    configuration: Configuration,
    model: ArmModel,
    report: Report,
    coarse: Resolution = COARSE,
    dense: Resolution = DENSE,
) -> Certificate | Flood:
    """Return the certificate of a configuration's stops, or the flood that failed last of all.

    The certificate may still allow less speed than the stops ask for: look at `speeds.smallest`.
    """
    workspace = WorkspaceSet.from_configuration(configuration)
    grid, dense_grid = Grid.over(workspace, model, coarse), Grid.over(workspace, model, dense)
    failed: list[Flood] = []
    best: Certificate | None = None
    for branch in branch_order(configuration, model):
        connected, fine = _connected(grid, dense_grid, branch, report, failed)
        if connected is None or fine is None:
            continue
        speeds = speed_caps(fine, configuration, model, report)
        found = Certificate(connected, fine, speeds, middle_joints(fine))
        if speeds.smallest >= 1.0:
            return found
        if best is None or speeds.smallest > best.speeds.smallest:
            best = found
    return best if best is not None else max(failed, key=_progress)


def own_branch(configuration: Configuration, model: ArmModel) -> int:
    """Return the branch of the start configuration, 0 to 7."""
    _, branch = arm_angle_and_branch(model.lengths, model.signs, configuration.robot.start)
    return branch


def branch_order(configuration: Configuration, model: ArmModel) -> list[int]:
    """Return all branches, that of the start configuration first."""
    first = own_branch(configuration, model)
    return [first] + [branch for branch in range(BRANCHES) if branch != first]


def speed_caps(flood: Flood, configuration: Configuration, model: ArmModel, report: Report) -> SpeedCaps:
    """Return how fast the object may be at every pose of a complete flood."""
    grid, stops = flood.grid, configuration.stops
    velocity = np.minimum(model.velocity, configuration.limits.velocity)
    velocity = velocity * configuration.planner.speed_fraction
    n = grid.size
    factor, best, joint = np.empty(n), np.empty(n, np.int64), np.empty(n, np.int64)
    for first in range(0, n, SPEED_BUDGET):
        speeds_into(
            factor,
            best,
            joint,
            first,
            min(first + SPEED_BUDGET, n),
            grid.arm,
            grid.geometry,
            grid.shape,
            grid.arm_angles,
            flood.branch,
            flood.low,
            flood.high,
            stops.max_speed,
            stops.max_spin,
            velocity,
        )
        report("speeds", min(first + SPEED_BUDGET, n) / n)
    return SpeedCaps(factor, best, joint)


def middle_joints(flood: Flood) -> Array:
    """Return the joints (7,) [rad] of the pose in the middle, in the middle of its interval."""
    grid = flood.grid
    angle = flood.arm_angle(0.5 * (flood.low[grid.centre] + flood.high[grid.centre]))
    T_base_flange = grid.pose(grid.centre) @ grid.geometry.T_object_flange
    q = np.zeros(7)
    solve_into(q, grid.arm.lengths, grid.arm.signs, T_base_flange, angle, flood.branch, q)
    return q


def _connected(
    grid: Grid, dense_grid: Grid, branch: int, report: Report, failed: list[Flood]
) -> tuple[Flood | None, Flood | None]:
    """Return complete floods of both grids, or notes what failed."""
    for flood in floods(grid, branch, f"branch {branch}, coarse grid", report):
        if not flood.complete:
            failed.append(flood)
            continue
        for fine in floods(dense_grid, branch, f"branch {branch}, denser grid", report):
            if fine.complete:
                return flood, fine
            failed.append(fine)
    return None, None


def _progress(flood: Flood) -> tuple[int, float]:
    return flood.grid.size if flood.reached else 0, flood.reached / flood.grid.size
