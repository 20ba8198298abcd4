"""Cuts through O-rings and snap fasteners along their motion, for strips of pictures."""

import math

import numpy as np

from hil.common.arrays import Array
from hil.trials.mating.result import Frame
from sim.mating.o_ring import ORing
from sim.mating.snap import SnapFastener, SnapState
from sim.mating.snap_equilibrium import hook_pose

MM = 1e3
ARC = np.linspace(0.0, 0.5 * math.pi, 12)
TURN = np.linspace(0.0, 2.0 * math.pi, 40)
DEEP = 6.0  # [mm] of what is drawn behind a surface


def o_ring_frame(part: ORing, T: Array, load: Array, title: str) -> Frame:
    """Return the cut through piston, ring and hole: depth along, radius across."""
    n = part.numbers
    hole, chamfer, length, section = MM * n.hole, MM * n.chamfer, MM * n.length, MM * n.section
    enter = np.column_stack([-chamfer * np.sin(ARC[::-1]), hole + chamfer * (1.0 - np.cos(ARC[::-1]))])
    leave = np.column_stack([length + chamfer * np.sin(ARC), hole + chamfer * (1.0 - np.cos(ARC))])
    top = hole + chamfer + DEEP
    wall = np.vstack([enter, leave, [[length + chamfer, top], [-chamfer, top]]])
    at, off = -MM * T[2, 3], MM * math.hypot(T[0, 3], T[1, 3])
    moving = []
    for side in (1.0, -1.0):
        fits = hole + chamfer - (chamfer + section) * _cosine(at, length, chamfer + section)
        middle = min(MM * n.groove + section + side * off, fits) - side * off
        ring = np.column_stack(
            [at + section * np.cos(TURN), side * (middle + side * off) + section * np.sin(TURN)]
        )
        moving.append(ring)
    low, high = at - 2.0 * section, at + 2.0 * section
    body = MM * n.groove
    outer = body + 1.6 * section
    piston = [(low - 8.0, outer), (low, outer), (low, body), (high, body), (high, outer), (high + 4.0, outer)]
    both = np.array(piston + [(x, -y) for x, y in piston[::-1]])
    both[:, 1] += off
    touch = np.array([[at, hole]]), np.array([[-load[2], 0.0]])
    return Frame(title, [both, *moving], [wall, wall * [1.0, -1.0]], touch)


def _cosine(depth: float, length: float, radius: float) -> float:
    beyond = max(-depth, depth - length, 0.0)
    return math.sqrt(max(0.0, 1.0 - (beyond / radius) ** 2))


def snap_frame(part: SnapFastener, state: SnapState, T: Array, title: str) -> Frame:
    """Return the cut through hook, support and counterpart: along the motion and across."""
    long, moving = MM * part.numbers.length, []
    edge = np.array([[0.0, 0.0], [long, 0.0], [long, -DEEP], [0.0, -DEEP]])
    resting = [edge]
    for half, deformation in enumerate(state.deformations):
        side = np.array([1.0, -1.0 if half else 1.0])
        pose = hook_pose(T, deformation)
        corners = np.insert(part.numbers.hook, 1, 0.0, axis=1)
        hook = MM * (corners @ pose[:3, :3].T + pose[:3, 3])[:, [0, 2]]
        root = MM * (T[:3, 3] + T[:3, :3] @ np.array([-0.02, 0.0, 0.0]))[[0, 2]]
        up = np.array([0.0, 2.0])
        support = np.array([root, hook[-1], hook[-1] + up, root + up])
        moving += [hook * side, support * side]
        if half:
            resting.append(edge * side)
    touching = state.forces[0] > 0.0
    points = MM * state.points[0][touching][:, [0, 2]]
    forces = np.column_stack([np.zeros(len(points)), state.forces[0][touching]])
    return Frame(title, moving, resting, (points, forces))


def looked_at(phases: list[str], count: int = 6) -> list[int]:
    """Return rows that show the most: the middle of every phase as it comes, then evenly."""
    begins = [k for k in range(len(phases)) if k == 0 or phases[k] != phases[k - 1]]
    ends = [*begins[1:], len(phases)]
    middles = [(a + b) // 2 for a, b in zip(begins, ends, strict=True)]
    if len(middles) > count:
        middles = [middles[round(k)] for k in np.linspace(0, len(middles) - 1, count)]
    return sorted(set(middles))
