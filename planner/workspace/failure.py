"""Why a set cannot be certified, in words, and how much smaller it would have to be."""

import math

import numpy as np

from planner.kinematics.arm_model import ArmModel
from planner.workspace.flood import NONE_ALLOWED, TOO_FAR, TOO_NARROW, coordinates
from planner.workspace.grid import COARSE, Flood, Grid, Resolution, floods
from planner.workspace.set_geometry import WorkspaceSet
from planner.workspace.slack import SLACKS, slack_name, slacks_into

BISECTIONS = 6
SMALLEST = 0.05  # factor on box and swing that is still worth proposing


def pose_text(grid: Grid, index: int) -> str:
    """Return where a pose of the grid lies: centre in world, swing and its direction, twist."""
    u, geometry = coordinates(index, grid.shape, grid.geometry.inner), grid.geometry
    p_mm = 1e3 * (geometry.centre + geometry.half_extent * u[:3])
    swing = geometry.swing * max(abs(u[3]), abs(u[4]))
    text = f"centre ({p_mm[0]:.0f}, {p_mm[1]:.0f}, {p_mm[2]:.0f}) mm, swing {math.degrees(swing):.1f} deg"
    if swing > 0.0:
        text += f" towards {math.degrees(math.atan2(u[4], u[3])):.0f} deg"
    if grid.workspace.twist_is_a7:
        return text + f", twist within +-{math.degrees(grid.workspace.full_twist):.1f} deg"
    return text + f", twist {math.degrees(geometry.twist * u[5]):.1f} deg"


def failure_text(flood: Flood) -> str:
    """Return which pose stopped a flood, and which limit, by how much."""
    grid = flood.grid
    where = f"branch {flood.branch}: at {pose_text(grid, flood.pose)} (stops with their softness)"
    if flood.status == TOO_FAR:
        return f"{where} the joints turn too far between neighbouring poses to be called continuous"
    what, amount = tightest(flood)
    if flood.status == NONE_ALLOWED:
        return f"{where} no arm angle is allowed: {what} missed by {amount}"
    if flood.status == TOO_NARROW:
        return f"{where} the interval of arm angles is too narrow: {what} within {amount}"
    return f"{where} the arm angles do not go on from the pose beside it: {what} missed by {amount}"


def tightest(flood: Flood) -> tuple[str, str]:
    """Return the bound that stands in the way at the arm angle that comes nearest, and by how much.

    Where the flood came from a neighbour, its interval of arm angles is looked at; a metre of
    clearance counts as a radian.
    """
    grid, n = flood.grid, len(flood.grid.arm_angles)
    steps = range(n)
    if flood.neighbour >= 0:
        steps = range(int(flood.low[flood.neighbour]), int(flood.high[flood.neighbour]) + 1)
    T_base_object = grid.pose(flood.pose)
    T_base_flange = T_base_object @ grid.geometry.T_object_flange
    slacks, q, best = np.empty(SLACKS), np.empty(7), np.full(SLACKS, -np.inf)
    for step in steps:
        angle = grid.arm_angles[step % n]
        half = grid.geometry.mockup_half
        if not slacks_into(slacks, q, grid.arm, T_base_object, T_base_flange, half, angle, flood.branch):
            wrist = T_base_flange[:3, 3] - grid.arm.lengths[3] * T_base_flange[:3, 2]
            wrist[2] -= grid.arm.lengths[0]
            away = float(np.linalg.norm(wrist)) - float(np.sum(grid.arm.lengths[1:3]))
            return "reach of shoulder to wrist", f"{1e3 * away:.0f} mm"
        if np.min(slacks) > np.min(best):
            best = slacks.copy()
    index = int(np.argmin(best))
    amount = abs(best[index])
    return slack_name(index), f"{math.degrees(amount):.1f} deg" if index < 10 else f"{1e3 * amount:.0f} mm"


def largest_factor(workspace: WorkspaceSet, model: ArmModel, resolution: Resolution = COARSE) -> float:
    """Return the largest factor on box and swing whose set is connected on a coarse grid; 0 for none."""
    if not is_connected(workspace.scaled(SMALLEST), model, resolution):
        return 0.0
    low, high = SMALLEST, 1.0
    for _ in range(BISECTIONS):
        middle = 0.5 * (low + high)
        if is_connected(workspace.scaled(middle), model, resolution):
            low = middle
        else:
            high = middle
    return low


def is_connected(workspace: WorkspaceSet, model: ArmModel, resolution: Resolution) -> bool:
    """Return whether one branch's intervals connect the whole set on one grid."""
    grid = Grid.over(workspace, model, resolution)
    return any(flood.complete for branch in range(8) for flood in floods(grid, branch, "", lambda *_: None))
