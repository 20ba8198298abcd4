"""What the bodies inside are drawn as, each on its own frame."""

from dataclasses import dataclass

import numpy as np

from hil.common.arrays import Array
from hil.configuration.tables.inside import Panel
from sim.world.inside.arm_tree import ArmTree

THIN = 0.01  # [m] least side of a panel's box
LAST = 0.2  # share of its distance from the joint by which the last body's bar ends beyond its centre


@dataclass(frozen=True, eq=False)
class Shape:
    """A body: bars from its frame to points in it [m], or a box of centre and sides [m]."""

    ends: tuple[Array, ...] = ()
    box: tuple[Array, Array] | None = None


def arm_shapes(arm: ArmTree) -> list[Shape]:
    """Return the bodies of an arm that move: bars to the joints on them, of the last to beyond its centre."""
    shapes = []
    for k in range(1, len(arm.mass)):
        ends = [arm.placement[i][:3, 3] for i in range(1, len(arm.mass)) if arm.parent[i] == k]
        shapes.append(Shape(tuple(ends) or ((1.0 + LAST) * arm.centre[k],)))
    return shapes


def panel_shapes(panels: tuple[Panel, ...]) -> list[Shape]:
    """Return panels as boxes of the same mass and inertia.

    On a frame at the hinge along the object's axes.
    """
    shapes = []
    for panel in panels:
        a, b, c = (float(moment) for moment in panel.inertia)
        squares = np.array([b + c - a, a + c - b, a + b - c]) * 6.0 / panel.mass
        sides = np.maximum(np.sqrt(np.maximum(squares, 0.0)), THIN)
        shapes.append(Shape((), (np.array(panel.centre), sides)))
    return shapes
