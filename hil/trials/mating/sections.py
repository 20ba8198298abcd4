"""Cuts through O-rings and snap fasteners along their motion, for strips of pictures."""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from hil.common.arrays import Array
from hil.trials.mating.result import Frame, MatingResult
from sim.mating.o_ring import ORing
from sim.mating.o_ring_load import FREE, RingNumbers, ring_load, slope_at
from sim.mating.snap import SnapFastener, SnapState
from sim.mating.snap_equilibrium import hook_pose

MM = 1e3
ARC = np.linspace(0.0, 0.5 * math.pi, 12)
TURN = np.linspace(0.0, 2.0 * math.pi, 40)
DEEP = 6.0  # [mm] of what is drawn behind a surface


def pictured(result: MatingResult, drawn: Callable[[int], Frame]) -> MatingResult:
    """Return a result with its parts drawn at any row, and a strip of them."""
    strip = [drawn(row) for row in looked_at(list(result.phases))]
    return replace(result, frames=strip, drawn=drawn)


def o_ring_frame(part: ORing, T: Array, twist: Array, title: str) -> Frame:
    """Return the cut through piston, ring and hole: depth along, radius across; a force by half ring."""
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
    return Frame(title, [both, *moving], [wall, wall * [1.0, -1.0]], _halves(n, T, twist))


def _halves(ring: RingNumbers, T: Array, twist: Array) -> tuple[Array, Array]:
    """Return where both halves of a ring touch in the plane of its offset, and what each carries there."""
    towards, points, forces = math.atan2(T[1, 3], T[0, 3]), [], []
    _, k, sine, cosine = slope_at(ring, -T[2, 3])
    touch = np.array([-T[2, 3] + k * ring.section * sine, ring.hole + ring.chamfer * (1.0 - cosine)])
    for side in (1.0, -1.0):
        middle = towards if side > 0.0 else towards + math.pi
        load, phase, _ = ring_load(ring._replace(arcs=_facing(ring.arcs, middle)), T, twist)
        if phase != FREE and load.any():
            across = load[0] * math.cos(towards) + load[1] * math.sin(towards)
            points.append(MM * touch * [1.0, side])
            forces.append([-load[2], across])
    return np.array(points).reshape(-1, 2), np.array(forces).reshape(-1, 2)


def _facing(arcs: Array, middle: float) -> Array:
    """Return what of arcs lies within a right angle of a direction [rad], shape (n, 2)."""
    low, high = middle - 0.5 * math.pi, middle + 0.5 * math.pi
    shifted = np.vstack([arcs + 2.0 * math.pi * turn for turn in (-2, -1, 0, 1, 2)])
    clipped = np.clip(shifted, low, high)
    return clipped[clipped[:, 1] > clipped[:, 0]]


def _cosine(depth: float, length: float, radius: float) -> float:
    beyond = max(-depth, depth - length, 0.0)
    return math.sqrt(max(0.0, 1.0 - (beyond / radius) ** 2))


def snap_frame(part: SnapFastener, state: SnapState, T: Array, load: Array, title: str) -> Frame:
    """Return the cut through hook, support and counterpart: along the motion and across.

    Two halves grip a counterpart between them that is drawn as thick as it need be.
    """
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
        moving += [_placed(hook * side, half), _placed(support * side, half)]
        if half:
            resting.append(_placed(edge * side, half))
    return Frame(title, moving, resting, _touches(part, state, load))


def _placed(points: Array, half: int) -> Array:
    """Return where a half is drawn [mm]: the second one on the other side of the counterpart."""
    return points - np.array([0.0, 2.0 * DEEP * half])


def _touches(part: SnapFastener, state: SnapState, load: Array) -> tuple[Array, Array]:
    """Return where each hook touches and the force there: across, what bends it; along, its share."""
    points, forces = [], []
    for half, deformation in enumerate(state.deformations):
        normal = state.forces[half]
        if not (normal > 0.0).any():
            continue
        side = -1.0 if half else 1.0
        points.append(_placed(MM * (normal @ state.points[half] / normal.sum())[[0, 2]], half))
        forces.append([load[0] / len(state.deformations), side * (part.numbers.K @ deformation)[2]])
    return np.array(points).reshape(-1, 2), np.array(forces).reshape(-1, 2)


def looked_at(phases: list[str], count: int = 6) -> list[int]:
    """Return rows that show the most: the middle of every phase as it comes, then evenly."""
    begins = [k for k in range(len(phases)) if k == 0 or phases[k] != phases[k - 1]]
    ends = [*begins[1:], len(phases)]
    middles = [(a + b) // 2 for a, b in zip(begins, ends, strict=True)]
    if len(middles) > count:
        middles = [middles[round(k)] for k in np.linspace(0, len(middles) - 1, count)]
    return sorted(set(middles))
