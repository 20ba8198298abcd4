"""Cuts through pegs and their holes along the motion, for strips of pictures."""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from hil.common.arrays import Array
from hil.trials.mating.result import Frame
from hil.trials.mating.robot_schema import RectangularPegExperiment, RoundPegExperiment
from hil.trials.mating.sections import looked_at
from sim.insertion.insertion import InsertionRun

MM = 1e3
ARC = np.linspace(0.0, 0.5 * math.pi, 12)
DEEP, BLOCK = 60.0, 12.0  # [mm] of what is drawn of a hole, and of its wall


def peg_frames(
    experiment: RoundPegExperiment | RectangularPegExperiment, run: InsertionRun, phases: Sequence[str],
    series: Mapping[str, Array],
) -> list[Frame]:  # fmt: skip
    """Return the strip: depth along, the plane of the larger offset across."""
    along_y = abs(experiment.offset_y) >= abs(experiment.offset_z)
    axis, frames = (1 if along_y else 2), []
    rounded = isinstance(experiment, RoundPegExperiment)
    for k in looked_at(list(phases)) if len(run.t) else []:
        tilt = -series["tilt_z_rad"][k] if along_y else series["tilt_y_rad"][k]
        middle = series["across_y_mm" if along_y else "across_z_mm"][k]
        outline = _peg(experiment, axis)
        turned = outline @ np.array([[math.cos(tilt), -math.sin(tilt)], [math.sin(tilt), math.cos(tilt)]])
        moving = turned + np.array([series["depth_mm"][k], middle])
        touching = run.rows.normals[k] > 1e-3
        points = MM * run.rows.points[k][touching]
        at = (
            np.column_stack([-points[:, 2], -points[:, 1 if along_y else 0]])
            if rounded
            else points[:, [0, axis]]
        )
        push = np.column_stack([np.zeros(len(at)), -np.sign(at[:, 1]) * run.rows.normals[k][touching]])
        title = f"{series['depth_mm'][k]:.1f} mm, {phases[k] or 'apart'}"
        frames.append(Frame(title, [moving], _hole(experiment, axis), (at, push)))
    return frames


def _peg(experiment: RoundPegExperiment | RectangularPegExperiment, axis: int) -> Array:
    """Return the outline about the middle of the bottom."""
    if isinstance(experiment, RectangularPegExperiment):
        half, cut = (
            MM * 0.5 * (experiment.pegs.peg_y, experiment.pegs.peg_z)[axis - 1],
            MM * experiment.pegs.chamfer,
        )
        upper = [(-DEEP - BLOCK, half), (-cut, half), (0.0, half - cut)]
    else:
        radius, r = MM * 0.5 * experiment.pegs.peg, MM * experiment.pegs.peg_chamfer
        upper = [
            (-DEEP - BLOCK, radius),
            *zip(-r * (1.0 - np.sin(ARC)), radius - r * (1.0 - np.cos(ARC)), strict=True),
        ]
    return np.array([*upper, *((x, -y) for x, y in upper[::-1])], dtype=float)


def _hole(experiment: RoundPegExperiment | RectangularPegExperiment, axis: int) -> list[Array]:
    """Return both walls."""
    if isinstance(experiment, RectangularPegExperiment):
        half = MM * 0.5 * (experiment.pegs.hole_y, experiment.pegs.hole_z)[axis - 1]
        inner = [(0.0, half), (DEEP, half)]
    else:
        half, r = MM * 0.5 * experiment.pegs.hole, MM * experiment.pegs.hole_chamfer
        arc = [(-r * math.sin(a), half + r * (1.0 - math.cos(a))) for a in ARC[::-1]]
        inner = [*arc, (DEEP, half)]
    top = inner[0][1] + BLOCK
    wall = np.array([*inner, (DEEP, top), (inner[0][0], top)], dtype=float)
    return [wall, wall * [1.0, -1.0]]
