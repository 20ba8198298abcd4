"""Cuts through both bolts of a gripper and their holes, for strips of pictures: y across, the ring below."""

from collections.abc import Sequence

import numpy as np

from hil.common.arrays import Array
from hil.trials.mating.peg_frames import MM, TOUCHING, hole_outline, peg_outline, turned
from hil.trials.mating.result import Frame
from hil.trials.mating.robot_schema import CombinedExperiment
from hil.trials.mating.sections import o_ring_frame
from sim.insertion.insertion import InsertionRun
from sim.mating.o_ring import ORing

Y = 1


def combined_frame(
    experiment: CombinedExperiment, run: InsertionRun, phases: Sequence[str], row: int
) -> Frame:
    """Return both bolts at a row.

    A stiff contact's force is shown by its part across; the ring is cut in the plane of its own offset.
    """
    half, pose = 0.5 * MM * experiment.apart, run.rows.poses[row]
    at = MM * pose[:2, 3] + np.array([0.0, half])
    bolt = turned(peg_outline(experiment.pegs, Y), -pose[1, 0]) + at
    walls = [wall + np.array([0.0, half]) for wall in hole_outline(experiment.pegs, Y)]
    touching = run.rows.normals[row] > TOUCHING
    points, normals = MM * run.rows.points[row][touching][:, [0, Y]], run.rows.normals[row][touching]
    pushes = np.column_stack([np.zeros(len(points)), -np.sign(points[:, 1]) * normals])
    ring, aside = _ring(experiment, run, row), np.array([0.0, half])
    return Frame(
        f"{MM * pose[0, 3]:.1f} mm, {phases[row] or 'apart'}",
        [bolt, *(outline - aside for outline in ring.moving)],
        [*walls, *(outline - aside for outline in ring.resting)],
        (np.vstack([points + aside, ring.forces[0] - aside]), np.vstack([pushes, ring.forces[1]])),
    )


def _ring(experiment: CombinedExperiment, run: InsertionRun, row: int) -> Frame:
    """Return the ring's own cut where it is; friction has its direction from the way it comes."""
    T, twist = np.eye(4), np.zeros(6)
    T[:3, 3] = run.places[row, 0]
    near = slice(max(0, row - 1), row + 2)
    twist[2] = _slope(run.t[near], run.places[near, 0, 2])
    return o_ring_frame(ORing(experiment.o_ring), T, twist, "")


def _slope(t: Array, x: Array) -> float:
    return float((x[-1] - x[0]) / (t[-1] - t[0])) if len(t) > 1 else 0.0
