"""What a mission's file may say: which arm, where it stands, what is around, what it does. SI in fields."""

from typing import Annotated, Literal

from pydantic import Field

from hil.common.arrays import Array, frozen_array
from hil.configuration.quantities import Quantity, Section

ZERO = frozen_array([0.0, 0.0, 0.0])
Millimetres3 = Annotated[Array, Quantity("mm", length=3)]
Degrees3 = Annotated[Array, Quantity("deg", length=3)]
Vector = Annotated[Array, Quantity(length=3)]
Moments = Annotated[Array, Quantity("kg_m2", length=6)]  # xx yy zz xy xz yz about the centre


class Base(Section):
    """What carries the arm: the ground or a station, or a satellite that floats."""

    kind: Literal["fixed", "free"] = "fixed"
    position: Millimetres3 = ZERO  # of the arm's base in the world, at the beginning
    rotvec: Degrees3 = ZERO
    mass: Annotated[float, Quantity("kg", gt=0.0)] = 500.0  # of a free one, beside the arm's own base
    inertia: Moments = frozen_array([100.0, 100.0, 100.0, 0.0, 0.0, 0.0])


class Limits(Section):
    """Of the commanded tip."""

    speed: Annotated[float, Quantity("mm_s", gt=0.0)] = 0.25
    turn: Annotated[float, Quantity("deg_s", gt=0.0)] = 1.0
    acceleration: Annotated[float, Quantity("mm_s2", gt=0.0)] = 1.0
    turn_acceleration: Annotated[float, Quantity("rad_s2", gt=0.0)] = 4.0


class SurfaceSection(Section):
    """A flat surface in front of the tip."""

    away: Millimetres3  # a point on it, from where the tip begins, world axes
    normal: Vector  # towards the tip
    stiffness: Annotated[float, Quantity("n_per_m", gt=0.0, le=1e5)] = 5000.0
    damping: Annotated[float, Quantity("s_per_m", ge=0.0)] = 5.0
    friction: Annotated[float, Quantity(ge=0.0)] = 0.2


class SatelliteSection(Section):
    """A satellite that tumbles, its grapple before the tip at the beginning."""

    mass: Annotated[float, Quantity("kg", gt=0.0)]
    inertia: Moments
    grapple: Millimetres3  # in its own axes, from its centre
    away: Millimetres3  # the grapple from the tip, world axes
    spin: Annotated[Array, Quantity("deg_s", length=3)]  # world axes
    velocity: Annotated[Array, Quantity("mm_s", length=3)] = ZERO
    approach: Annotated[float, Quantity("s", gt=0.0)] = 8.0
    stop: Annotated[float, Quantity("s", gt=0.0)] = 6.0  # within which it is brought to rest, once held


class TourStop(Section):
    """A stop of a tour, from where the tip begins, base axes."""

    shift: Millimetres3
    turn: Degrees3 = ZERO
    rest: Annotated[float, Quantity("s", ge=0.0)] = 1.0


class HandSection(Section):
    """An emulated hand on a haptic handle: where it means to lead it, from where it begins."""

    way: Annotated[Array, Quantity("mm", length=3, rows=True)]
    leg: Annotated[float, Quantity("s", gt=0.0)] = 2.0  # of each way
    stiffness: Annotated[float, Quantity("n_per_m", gt=0.0)] = 400.0
    damping: Annotated[float, Quantity("n_s_per_m", ge=0.0)] = 60.0
    motion: Annotated[float, Quantity(gt=0.0)] = 1.0  # way of the tip over that of the handle
    force: Annotated[float, Quantity(ge=0.0)] = 0.3  # force on the hand over that on the tip


class MissionFile(Section):
    """A mission."""

    name: str = Field(min_length=1)
    text: str = ""
    assembly: str = Field(min_length=1)  # file, beside this one
    weightless: bool = False
    base: Base = Base()
    limits: Limits = Limits()
    input: str = ""  # as `--input`
    inverse: Literal["lagrange", "passive-chain"] = "passive-chain"
    duration: Annotated[float | None, Quantity("s", gt=0.0)] = None
    surface: SurfaceSection | None = None
    satellite: SatelliteSection | None = None
    tour: tuple[TourStop, ...] = ()
    hand: HandSection | None = None
