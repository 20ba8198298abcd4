"""Solids as those that every format has: boxes, cylinders along z, spheres."""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from hil.common.arrays import Array
from sim.assembly.chain import pose_of
from sim.assembly.component_schema import Shape
from sim.assembly.manipulator import PlacedBody

PIECES = 10  # straight ones, of a bend


@dataclass(frozen=True, eq=False)
class Primitive:
    """A solid in its place.

    Attributes:
        solid: what it is.
        size: edges of a box, radius and length of a cylinder, radius of a sphere [m].
        T: its middle in the link unit, shape (4, 4).
        colour: red, green, blue, 0 to 1.
    """

    solid: Literal["box", "cylinder", "sphere"]
    size: tuple[float, ...]
    T: Array
    colour: Array


def primitives_of(placed: PlacedBody) -> list[Primitive]:
    """Return the solids of a body: a capsule as three, a bend as straight pieces."""
    return [part for shape in placed.body.shapes for part in _parts(shape, placed.T_unit_body)]


def _parts(shape: Shape, T_unit_body: Array) -> list[Primitive]:
    T = T_unit_body @ pose_of(shape.position, shape.rotvec)
    first, second, third = shape.size.tolist()
    if shape.solid == "box":
        return [Primitive("box", (first, second, third), T, shape.colour)]
    if shape.solid == "sphere":
        return [Primitive("sphere", (first,), T, shape.colour)]
    if shape.solid == "bend":
        return [_piece(shape, T, k) for k in range(PIECES)]
    bar = [Primitive("cylinder", (first, second), T, shape.colour)]
    if shape.solid == "capsule":
        ends = (T @ pose_of(np.array([0.0, 0.0, z]), np.zeros(3)) for z in (-0.5 * second, 0.5 * second))
        bar += [Primitive("sphere", (first,), end, shape.colour) for end in ends]
    return bar


def _piece(shape: Shape, T: Array, k: int) -> Primitive:
    """Return a straight piece of a bend; it meets the next one on the outer side."""
    radius, along, _ = shape.size.tolist()
    step = 0.5 * math.pi / PIECES
    angle = (k + 0.5) * step
    middle = np.array([along - along * math.cos(angle), 0.0, along * math.sin(angle)])
    length = 2.0 * (along + radius) * math.tan(0.5 * step)
    return Primitive(
        "cylinder", (radius, length), T @ pose_of(middle, np.array([0.0, angle, 0.0])), shape.colour
    )
