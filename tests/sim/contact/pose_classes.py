"""Six classes of poses of a pin at a holed box, drawn from the ranges that stand here.

Each function draws one pose: both ends of the axis in the hole's frame [m]. Poses with the axis in the
material are drawn anew, but for those around the box.
"""

from collections.abc import Callable

import numpy as np

from hil.common.arrays import Array
from tests.sim.contact.surface_oracle import along

R, H, AX, AY, C = 0.0175, 0.045, 0.05, 0.06, 0.070  # [m]
HOLE = np.array([R, H, AX, AY, C])
RADIUS = (0.012, 0.01748)  # [m] of the pin, the last with 20 um of clearance
DEPTH = (-0.0005, 0.0015)  # [m] by which the pin overlaps what it is placed at; negative: a gap
LONG = (0.06, 0.10)  # [m] of the axis
SHORT = (0.010, 0.030)  # of a pin that is wholly inside

Pose = tuple[Array, Array]
UP = np.array([0.0, 0.0, 1.0])


def unit(v: Array) -> Array:
    return v / np.linalg.norm(v)


def radial(angle: float) -> Array:
    return np.array([np.cos(angle), np.sin(angle), 0.0])


def near_upright(rng: np.random.Generator, spread: float) -> Array:
    """A direction out of the hole whose slopes have this standard deviation."""
    return unit(np.array([rng.normal(0.0, spread), rng.normal(0.0, spread), 1.0]))


def wholly_inside(rng: np.random.Generator, r: float) -> Pose:
    """Both ends below the opening, from the bottom to the top of the wall, slopes of 0.02."""
    length = rng.uniform(*SHORT)
    p = (R - r + rng.uniform(*DEPTH)) * radial(rng.uniform(0.0, 2.0 * np.pi))
    p[2] = rng.uniform(-H - (R - r) - DEPTH[1], -length)
    return p, p + length * near_upright(rng, 0.02)


def inserted_and_tilted(rng: np.random.Generator, r: float) -> Pose:
    """The tip anywhere in the hole, the rest outside, slopes of 0.03."""
    p = rng.uniform(0.0, R - r + DEPTH[1]) * radial(rng.uniform(0.0, 2.0 * np.pi))
    p[2] = rng.uniform(-H, -0.002)
    return p, p + rng.uniform(*LONG) * near_upright(rng, 0.03)


def tip_at_the_rim(rng: np.random.Generator, r: float) -> Pose:
    """The tip's centre at -10 to 100 degrees over the rim, slopes of 0.4."""
    lift, d = rng.uniform(-0.17, 1.75), r - rng.uniform(*DEPTH)
    p = (R - d * np.cos(lift)) * radial(rng.uniform(0.0, 2.0 * np.pi)) + d * np.sin(lift) * UP
    return p, p + rng.uniform(*LONG) * near_upright(rng, 0.4)


def leaning_on_the_rim(rng: np.random.Generator, r: float) -> Pose:
    """A point between 0.1 and 0.9 of the body touches the rim, in any direction across its tangent."""
    angle, lift, d = rng.uniform(0.0, 2.0 * np.pi), rng.uniform(0.0, 0.5 * np.pi), r - rng.uniform(*DEPTH)
    e, length = radial(angle), rng.uniform(*LONG)
    outward = -np.cos(lift) * e + np.sin(lift) * UP
    tangent = np.cross(UP, e)
    turn = rng.normal(0.0, 0.8)
    along = np.cos(turn) * np.cross(outward, tangent) + np.sin(turn) * tangent
    middle, t = R * e + d * outward, rng.uniform(0.1, 0.9)
    return middle - t * length * along, middle + (1.0 - t) * length * along


def lying_on_top(rng: np.random.Generator, r: float) -> Pose:
    """On the top face, partly over hole and outer edges; half of them level, half with slopes of 0.3."""
    p = np.array([rng.uniform(-0.06, 0.06), rng.uniform(-0.07, 0.07), r - rng.uniform(*DEPTH)])
    slope = abs(rng.normal(0.0, 0.3)) if rng.random() < 0.5 else 0.0
    return p, p + rng.uniform(*LONG) * unit(np.array([rng.normal(), rng.normal(), slope]))


def around_the_box(rng: np.random.Generator, r: float) -> Pose:
    """One end in a space that exceeds the box by 40 mm on all sides, any direction; much of it deep."""
    p = rng.uniform([-AX - 0.04, -AY - 0.04, -C - 0.04], [AX + 0.04, AY + 0.04, 0.04])
    return p, p + rng.uniform(*LONG) * unit(rng.normal(size=3))


CLASSES: dict[str, Callable[[np.random.Generator, float], Pose]] = {
    "wholly inside": wholly_inside,
    "inserted and tilted": inserted_and_tilted,
    "tip at the rim": tip_at_the_rim,
    "leaning on the rim": leaning_on_the_rim,
    "lying on top": lying_on_top,
    "around the box": around_the_box,
}


def in_material(p0: Array, p1: Array) -> bool:
    plate, holes = np.array([AX, AY, C]), np.array([[0.0, 0.0, R, H]])
    return any(along(t, p0, p1, plate, holes) < 0.0 for t in np.linspace(0.0, 1.0, 101))


def draw(name: str, count: int, seed: int) -> tuple[Array, Array, Array]:
    """Radii and both ends of `count` pins of a class, shapes (count,), (count, 3), (count, 3)."""
    rng = np.random.default_rng([seed, list(CLASSES).index(name)])
    radii = rng.uniform(*RADIUS, count)
    ends = np.empty((count, 2, 3))
    for i, r in enumerate(radii):
        ends[i] = CLASSES[name](rng, r)
        while name != "around the box" and in_material(*ends[i]):
            ends[i] = CLASSES[name](rng, r)
    return radii, ends[:, 0].copy(), ends[:, 1].copy()
