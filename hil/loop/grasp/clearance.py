"""How near a second arm comes to the first one and to the mock-up: links are capsules, that a cube."""

import numpy as np

from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.configuration.frames import Frames
from hil.loop.grasp.second_arm import SecondArm, arm_segments
from planner.kinematics.arm_model import ArmModel
from planner.kinematics.forward import flange_pose

SEARCH_STEPS = 26  # of the nearest point of a segment to the cube: (2/3)^26 of its length


def segment_distances(a: Array, b: Array, c: Array, d: Array) -> Array:
    """Return how far segments a-b (n, 3) are from segments c-d (m, 3) [m], shape (n, m).

    theory: the least of a convex square over the unit square: inside where the gradient vanishes there, else
    on one of its four edges.
    """
    u, v, w = (b - a)[:, None], (d - c)[None], a[:, None] - c[None]
    uu, vv = np.sum(u * u, axis=2), np.sum(v * v, axis=2)
    uv, uw, vw = np.sum(u * v, axis=2), np.sum(u * w, axis=2), np.sum(v * w, axis=2)
    none = np.zeros_like(uv)
    per_u = np.divide(1.0, uu, out=none.copy(), where=np.broadcast_to(uu > 0.0, none.shape))
    per_v = np.divide(1.0, vv, out=none.copy(), where=np.broadcast_to(vv > 0.0, none.shape))
    candidates = []
    for end in (0.0, 1.0):  # an end of the one, any point of the other
        candidates.append((np.clip((end * uv - uw) * per_u, 0.0, 1.0), none + end))
        candidates.append((none + end, np.clip((vw + end * uv) * per_v, 0.0, 1.0)))
    determinant = uu * vv - uv * uv
    crosses = determinant > 1e-12 * uu * vv
    per = np.divide(1.0, determinant, out=none.copy(), where=crosses)
    s, t = (uv * vw - vv * uw) * per, (uu * vw - uv * uw) * per
    candidates.append((np.clip(s, 0.0, 1.0), np.clip(t, 0.0, 1.0)))  # no nearer than what is nearest
    ways = [w + s[..., None] * u - t[..., None] * v for s, t in candidates]
    nearest: Array = np.sqrt(np.min([np.sum(way * way, axis=2) for way in ways], axis=0))
    return nearest


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

    def between(self, q: Array, q_second: Array, T_world_tip: Array) -> tuple[float, str]:
        """Return the least distance [m] and between what it is.

        Args:
            q: the first arm's joints [rad], (7,).
            q_second: the second one's, (7,).
            T_world_tip: where its tip is, (4, 4).
        """
        first = arm_segments(self._model, q, self._T_world_base)
        second = self._second.segments(q_second, T_world_tip)
        names = [body.name for body in self._model.bodies]
        a, b, r = (np.array(part) for part in zip(*first, strict=True))
        c, d, s = (np.array(part) for part in zip(*second, strict=True))
        gaps = segment_distances(a, b, c, d) - r[:, None] - s
        i, j = np.unravel_index(int(np.argmin(gaps)), gaps.shape)
        cube = self._T_world_base @ flange_pose(self._model.geometry, q) @ self._T_flange_cube
        beside = _box_distances(cube, self._half, c, d) - s
        k = int(np.argmin(beside))
        seconds = [*names, "the hand"]
        if beside[k] < gaps[i, j]:
            return float(beside[k]), f"the mock-up and {seconds[k]} of the second arm"
        return float(gaps[i, j]), f"{names[i]} and {seconds[j]} of the second arm"


def _box_distances(T: Array, half: float, a: Array, b: Array) -> Array:
    """Return how far segments (n, 3) are from a cube [m], (n,), by thirds: it is convex along each."""
    p, way = (a - T[:3, 3]) @ T[:3, :3], (b - a) @ T[:3, :3]
    low, high = np.zeros(len(a)), np.ones(len(a))

    def square(share: Array) -> Array:
        beyond = np.maximum(np.abs(p + share[:, None] * way) - half, 0.0)
        return np.asarray(np.sum(beyond * beyond, axis=1))

    for _ in range(SEARCH_STEPS):
        first, second = (2.0 * low + high) / 3.0, (low + 2.0 * high) / 3.0
        nearer = square(first) <= square(second)
        low, high = np.where(nearer, low, first), np.where(nearer, second, high)
    return np.sqrt(square(0.5 * (low + high)))
