"""Cuts through pegs and their holes along the motion, for strips of pictures."""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from hil.common.arrays import Array
from hil.trials.mating.result import Frame
from hil.trials.mating.robot_schema import RectangularPegExperiment, RoundPegExperiment
from sim.insertion.insertion import InsertionRun
from sim.mating.peg_schema import RectangularPegSection, RoundPegSection

MM = 1e3
ARC = np.linspace(0.0, 0.5 * math.pi, 12)
TOUCHING = 1e-3  # [N] above which a contact is one
DEEP, BLOCK = 80.0, 12.0  # [mm] of what is drawn of a hole, and of its wall


def peg_frame(
    experiment: RoundPegExperiment | RectangularPegExperiment, run: InsertionRun, phases: Sequence[str],
    series: Mapping[str, Array], row: int,
) -> Frame:  # fmt: skip
    """Return the parts at a row: depth along, the plane of the larger offset across."""
    along_y = abs(experiment.offset_y) >= abs(experiment.offset_z)
    axis, pegs = (1 if along_y else 2), experiment.pegs
    tilt = -series["tilt_z_rad"][row] if along_y else series["tilt_y_rad"][row]
    middle = series["across_y_mm" if along_y else "across_z_mm"][row]
    moving = turned(peg_outline(pegs, axis), tilt) + np.array([series["depth_mm"][row], middle])
    touching = run.rows.normals[row] > TOUCHING
    points, normals = MM * run.rows.points[row][touching], run.rows.normals[row][touching]
    if isinstance(experiment, RoundPegExperiment):
        at = np.column_stack([-points[:, 2], -points[:, 1 if along_y else 0]])
    else:
        at = points[:, [0, axis]]
    push = np.column_stack([np.zeros(len(at)), -np.sign(at[:, 1]) * normals])
    title = f"{series['depth_mm'][row]:.1f} mm, {phases[row] or 'apart'}"
    return Frame(title, [moving], hole_outline(pegs, axis), (at, push))


def turned(outline: Array, tilt: float) -> Array:
    """Return an outline, shape (n, 2), turned by an angle [rad] from along to across."""
    c, s = math.cos(tilt), math.sin(tilt)
    return outline @ np.array([[c, -s], [s, c]])


def peg_outline(pegs: RoundPegSection | RectangularPegSection, axis: int) -> Array:
    """Return a peg's outline about the middle of its bottom [mm], shape (n, 2); axis: 1 is y, 2 is z."""
    if isinstance(pegs, RectangularPegSection):
        half, cut = (
            MM * 0.5 * (pegs.peg_y, pegs.peg_z)[axis - 1],
            MM * pegs.chamfer,
        )
        upper = [(-DEEP - BLOCK, half), (-cut, half), (0.0, half - cut)]
    else:
        radius, r = MM * 0.5 * pegs.peg, MM * pegs.peg_chamfer
        upper = [
            (-DEEP - BLOCK, radius),
            *zip(-r * (1.0 - np.sin(ARC)), radius - r * (1.0 - np.cos(ARC)), strict=True),
        ]
    return np.array([*upper, *((x, -y) for x, y in upper[::-1])], dtype=float)


def hole_outline(pegs: RoundPegSection | RectangularPegSection, axis: int) -> list[Array]:
    """Return both walls of its hole [mm], each (n, 2)."""
    if isinstance(pegs, RectangularPegSection):
        half = MM * 0.5 * (pegs.hole_y, pegs.hole_z)[axis - 1]
        inner = [(0.0, half), (DEEP, half)]
    else:
        half, r = MM * 0.5 * pegs.hole, MM * pegs.hole_chamfer
        arc = [(-r * math.sin(a), half + r * (1.0 - math.cos(a))) for a in ARC[::-1]]
        inner = [*arc, (DEEP, half)]
    top = inner[0][1] + BLOCK
    wall = np.array([*inner, (DEEP, top), (inner[0][0], top)], dtype=float)
    return [wall, wall * [1.0, -1.0]]
