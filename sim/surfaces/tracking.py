"""The right one among the roots of the contact equations, found once and kept along a motion."""

import math
from collections.abc import Iterator

import numpy as np

from hil.common.arrays import Array
from sim.surfaces.shape import R, normal_of, shape_at
from sim.surfaces.surface import CONE, CYLINDER, ELLIPSOID, PLANE, SPHERE, TORUS, Surface
from sim.surfaces.touching import Touch, touch

SEEDS = 12  # points along a whole turn from which roots are looked for
BEGINNINGS = 24  # pairs of points, the nearest that look at each other, from which Newton's method begins
STEEP = 1.0  # [rad] from the equator at which another chart of a sphere or ellipsoid serves better
SPREAD = 10.0  # of a patch without end: so many sizes of the surface are searched


def nearest_touch(first: Surface, T_first: Array, second: Surface, T_second: Array) -> Touch | None:
    """Return the touch with n1 . n2 = -1 and the smallest distance; None when there is none in the patches.

    Args:
        first: surface of the one part.
        T_first: the part's pose, shape (4, 4).
        second: surface of the other.
        T_second: its part's pose, shape (4, 4).
    """
    found = [
        touch(first, T_first, second, T_second, x) for x in _beginnings(first, T_first, second, T_second)
    ]
    right = [one for one in found if one.converged and one.opposite]
    # a thin edge looks at another from both sides of it: apart, if both are as near
    return min(right, key=lambda one: (round(abs(one.gap), 12), one.gap < 0.0), default=None)


def kept_touch(first: Surface, T_first: Array, second: Surface, T_second: Array, last: Touch) -> Touch | None:
    """Return the root that continues the last one; when it is lost, the nearest; None when there is none.

    A root is lost when its normals no longer look at each other, or when it has left a patch.
    """
    now = touch(first, T_first, second, T_second, last.x)
    if now.converged and now.opposite:
        return now
    return nearest_touch(first, T_first, second, T_second)


def best_chart(surface: Surface, T_part: Array, direction: Array) -> Surface:
    """Return a sphere or ellipsoid with its poles away from a direction (3,) in the outer frame; others stay.

    At a pole the parameters of equation 15 have no tangent u: there the same surface is described about
    another of its axes.
    """
    if surface.kind not in (SPHERE, ELLIPSOID):
        return surface
    own = (T_part[:3, :3] @ surface.T_part_surface[:3, :3]).T @ direction
    if abs(own[2]) < math.sin(STEEP) * float(np.linalg.norm(own)):
        return surface
    turn = np.eye(4)
    turn[:3, :3] = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    a, b, c = surface.size
    size = surface.size if surface.kind == SPHERE else np.array([b, c, a])
    return surface._replace(T_part_surface=surface.T_part_surface @ turn, size=size)


def _beginnings(first: Surface, T_first: Array, second: Surface, T_second: Array) -> list[Array]:
    """Return for the nearest points of the first surface the nearest of the second that they look at."""
    one, two = list(_seeds(first, T_first)), list(_seeds(second, T_second))
    points, normals = np.array([p for _, p, _ in two]), np.array([n for _, _, n in two])
    found: list[tuple[float, Array]] = []
    for x, p, n in one:
        far = np.where(normals @ n < -0.5, np.linalg.norm(points - p, axis=1), np.inf)
        k = int(np.argmin(far))
        if far[k] < np.inf:
            found.append((float(far[k]), np.concatenate([x, two[k][0]])))
    return [x for _, x in sorted(found, key=lambda pair: pair[0])[:BEGINNINGS]]


def _seeds(surface: Surface, T_part: Array) -> Iterator[tuple[Array, Array, Array]]:
    """Yield parameters, point and normal over the patch."""
    size = float(surface.size.max()) or 1.0
    round_u, round_v = surface.kind != PLANE, surface.kind not in (PLANE, CYLINDER, CONE)
    for u in _spaced(surface.bounds[0], math.pi if round_u else SPREAD * size, round_u):
        turn = math.pi if surface.kind == TORUS else 0.45 * math.pi
        for v in _spaced(surface.bounds[1], turn if round_v else SPREAD * size, surface.kind == TORUS):
            shape = shape_at(surface, T_part, u, v)
            yield np.array([u, v]), shape[R], normal_of(shape, surface.outward)


def _spaced(bounds: Array, half: float, closed: bool) -> Array:
    """Return points over a range; an endless one is cut at +-half."""
    low, high = (b if math.isfinite(b) else math.copysign(half, b) for b in bounds)
    return np.linspace(low, high, SEEDS, endpoint=not (closed and high - low >= 2.0 * half - 1e-12))
