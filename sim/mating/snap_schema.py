"""What a file may say of a snap fastener: its hook, what carries it, and its counterpart."""

import math
from typing import Annotated, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from hil.common.arrays import Array
from hil.configuration.quantities import Quantity, Section
from sim.mating.snap_stiffness import (
    PHI_X,
    PHI_Y,
    PLATE_AS_PRINTED,
    W,
    beam,
    in_place,
    plate,
    ring,
    torsion_bar,
)

Millimetres = Annotated[float, Quantity("mm", gt=0.0, le=10_000.0)]
Modulus = Annotated[float, Quantity("mpa", gt=0.0, le=1e7)]
Poisson = Annotated[float, Quantity(gt=0.0, lt=0.5)]
Slope = Annotated[float, Quantity("deg", gt=0.0, le=90.0)]


class Beam(Section):
    """A cantilever, tapered from its clamp to the hook."""

    type: Literal["beam"]
    length: Millimetres
    height_clamp: Millimetres
    height_tip: Millimetres
    width_clamp: Millimetres
    width_tip: Millimetres
    modulus: Modulus

    @property
    def K(self) -> Array:
        """The stiffness at the hook, (6, 6)."""
        heights, widths = (self.height_clamp, self.height_tip), (self.width_clamp, self.width_tip)
        return beam(self.length, heights, widths, self.modulus)


class Plate(Section):
    """A plate that is clamped at two neighbouring sides; its matrix computed, or the printed one."""

    type: Literal["plate"]
    size_x: Millimetres
    size_y: Millimetres
    thickness: Millimetres
    hook_x: Millimetres
    hook_y: Millimetres
    modulus: Modulus
    poisson: Poisson
    grid: tuple[int, int] = (1, 3)
    degree: Annotated[int, Field(ge=3, le=8)] = 4
    printed: bool = False

    @property
    def K(self) -> Array:
        """The stiffness at the hook, (6, 6)."""
        if self.printed:
            return in_place(PLATE_AS_PRINTED, (W, PHI_X, PHI_Y))
        size, at = (self.size_x, self.size_y), (self.hook_x, self.hook_y)
        return plate(size, self.thickness, self.modulus, self.poisson, at, self.grid, self.degree)


class Ring(Section):
    """A tube with a bead all around: an annular snap."""

    type: Literal["ring"]
    radius: Millimetres
    thickness: Millimetres
    modulus: Modulus
    poisson: Poisson

    @property
    def K(self) -> Array:
        """The stiffness at the bead, (6, 6)."""
        return ring(self.radius, self.thickness, self.modulus, self.poisson)


class Torsion(Section):
    """A stiff lever on round torsion bars; the hook's frame lies on their axis."""

    type: Literal["torsion"]
    length: Millimetres  # of each bar
    radius: Millimetres
    lever: Millimetres  # from the axis to the hook's rear end
    modulus: Modulus
    poisson: Poisson
    bars: Annotated[int, Field(ge=1, le=2)] = 2

    @property
    def K(self) -> Array:
        """The stiffness about the bars' axis, (6, 6)."""
        return torsion_bar(self.length, self.radius, self.modulus, self.poisson, self.bars)


class Hook(Section):
    """The hook's profile: a ramp to enter by, a flat, and a ramp to leave by; 90 degrees hold for ever."""

    height: Millimetres
    entry: Slope
    flat: Millimetres
    exit: Slope
    width: Millimetres

    def corners(self, lever: float) -> Array:
        """Return its corners from front to rear, x and z in its frame, shape (4, 2) [m]."""
        rear = lever + self.height / math.tan(self.exit)
        front = rear + self.flat + self.height / math.tan(self.entry)
        return np.array([[front, 0.0], [rear + self.flat, -self.height], [rear, -self.height], [lever, 0.0]])


class SnapSection(Section):
    """A snap fastener and the edge that it hooks on to."""

    support: Annotated[Beam | Plate | Ring | Torsion, Field(discriminator="type")]
    hook: Hook
    counterpart: Millimetres  # its length along the motion
    mu: Annotated[float, Quantity(ge=0.0, le=5.0)]
    slip: Annotated[float, Quantity("mm_s", ge=1e-6)] = 2e-3
    halves: Annotated[int, Field(ge=1, le=2)] = 1
    rule: Literal["corners", "whole"] = "whole"
    allowable_strain: Annotated[float | None, Quantity(gt=0.0, lt=1.0)] = None

    @model_validator(mode="after")
    def _plausible(self) -> Self:
        if self.hook.entry >= 0.5 * math.pi:
            raise ValueError("entry_deg = 90 has no ramp to enter by: give an angle below 90")
        if isinstance(self.support, Plate):
            p = self.support
            if not (p.hook_x <= p.size_x and p.hook_y <= p.size_y):
                raise ValueError(
                    "the hook stands beyond the plate: hook_x_mm and hook_y_mm lie within its sizes"
                )
            if min(p.grid) < 1 or max(p.grid) > 40:
                raise ValueError(f"grid = {list(p.grid)}: 1 to 40 cells along x and along y")
        return self

    @property
    def locks(self) -> bool:
        """Whether friction holds the entry ramp of an unturned hook whatever pushes it: mu tan a >= 1."""
        return self.mu * math.tan(self.hook.entry) >= 1.0
