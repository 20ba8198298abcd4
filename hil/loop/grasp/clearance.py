"""How near a second arm comes to the first one and to the mock-up: links are capsules, that a cube."""

import math

import numpy as np

from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.configuration.frames import Frames
from hil.loop.grasp.second_arm import Posture, SecondArm, arm_segments
from planner.kinematics.arm_model import ArmModel
from planner.kinematics.forward import flange_pose

SEARCH_STEPS = 26  # of the nearest point of a segment to the cube: (2/3)^26 of its length


def segment_distance(a: Array, b: Array, c: Array, d: Array) -> float:
    """Return how far the segments a-b and c-d are from each other [m], all (3,).

    theory: the least of a convex square over the unit square: inside where the gradient vanishes there, else
    on one of its four edges.
    """
    u, v, w = b - a, d - c, a - c
    uu, uv, vv, uw, vw = float(u @ u), float(u @ v), float(v @ v), float(u @ w), float(v @ w)
    candidates = []
    for t in (0.0, 1.0):  # an end of the second, any point of the first, and the other way round
        s = (t * uv - uw) / uu if uu > 0.0 else 0.0
        candidates.append((min(1.0, max(0.0, s)), t))
        s = (vw + t * uv) / vv if vv > 0.0 else 0.0
        candidates.append((t, min(1.0, max(0.0, s))))
    determinant = uu * vv - uv * uv
    if determinant > 1e-12 * uu * vv:
        s, t = (uv * vw - vv * uw) / determinant, (uu * vw - uv * uw) / determinant
        if 0.0 <= s <= 1.0 and 0.0 <= t <= 1.0:
            candidates.append((s, t))
    return min(math.sqrt(float(np.sum((w + s * u - t * v) ** 2))) for s, t in candidates)


class Clearance:
    """How near the two arms come to each other, and the second one to the mock-up."""

    def __init__(self, configuration: Configuration, model: ArmModel, second: SecondArm) -> None:
        """Look at both arms of a run."""
        frames = Frames.from_configuration(configuration)
        self._model, self._second = model, second
        self._T_world_base, self._T_flange_object = frames.T_world_base, frames.T_flange_object
        edge = configuration.mockup.edge
        self._T_flange_cube = frames.T_flange_tcp.copy()
        self._T_flange_cube[:3, 3] += 0.5 * edge * frames.T_flange_tcp[:3, 2]
        self._half = 0.5 * edge

    def between(self, q: Array, T_world_tip: Array, posture: Posture) -> tuple[float, str]:
        """Return the least distance [m] and between what it is, for the first arm's joints (7,)."""
        q_second = self._second.joints(T_world_tip, posture)
        if q_second is None:
            return math.inf, "out of reach"
        first = arm_segments(self._model, q, self._T_world_base)
        second = self._second.segments(q_second, T_world_tip)
        names = [body.name for body in self._model.bodies]
        least, pair = math.inf, ""
        for i, (a, b, r) in enumerate(first):
            for j, (c, d, s) in enumerate(second):
                gap = segment_distance(a, b, c, d) - r - s
                if gap < least:
                    least, pair = gap, f"{names[i]} and {([*names, 'the hand'])[j]} of the second arm"
        cube = self._T_world_base @ flange_pose(self._model.geometry, q) @ self._T_flange_cube
        for j, (c, d, s) in enumerate(second):
            gap = _box_distance(cube, self._half, c, d) - s
            if gap < least:
                least, pair = gap, f"the mock-up and {([*names, 'the hand'])[j]} of the second arm"
        return least, pair


def _box_distance(T: Array, half: float, a: Array, b: Array) -> float:
    """Return how far a segment is from a cube [m], by thirds: it is convex along the segment."""
    p, way = T[:3, :3].T @ (a - T[:3, 3]), T[:3, :3].T @ (b - a)
    low, high = 0.0, 1.0

    def square(s: float) -> float:
        beyond = np.maximum(np.abs(p + s * way) - half, 0.0)
        return float(beyond @ beyond)

    for _ in range(SEARCH_STEPS):
        first, second = (2.0 * low + high) / 3.0, (low + 2.0 * high) / 3.0
        if square(first) <= square(second):
            high = second
        else:
            low = first
    return math.sqrt(square(0.5 * (low + high)))
