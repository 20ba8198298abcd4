"""What a file may say of pegs and their holes."""

from typing import Annotated, Literal, Self

import numpy as np
from pydantic import model_validator

from hil.common.arrays import Array
from hil.configuration.quantities import Quantity, Section
from sim.mating.rectangular_peg import RectangularNumbers
from sim.mating.round_peg import RoundNumbers

Millimetres = Annotated[float, Quantity("mm", gt=0.0, le=10_000.0)]
MM = 1e3
SPATIAL = -1  # in place of the axis across a plane


class RoundPegSection(Section):
    """A round peg and its hole, each with a round chamfer."""

    peg: Millimetres  # diameter
    peg_chamfer: Millimetres  # radius
    hole: Millimetres  # diameter
    hole_chamfer: Millimetres  # radius
    mu: Annotated[float, Quantity(ge=0.0, le=5.0)]

    @model_validator(mode="after")
    def _fits(self) -> Self:
        _clearance("peg_mm", self.peg, "hole_mm", self.hole)
        if self.peg_chamfer >= 0.5 * self.peg:
            raise ValueError(
                f"peg_chamfer_mm = {MM * self.peg_chamfer:g} is larger than the part: below half of "
                f"peg_mm = {MM * self.peg:g}; make the chamfer smaller"
            )
        return self

    @property
    def caught(self) -> float:
        """The offset below which chamfer meets chamfer [m]: how much the circles of their tubes differ by."""
        return 0.5 * self.hole + self.hole_chamfer - (0.5 * self.peg - self.peg_chamfer)

    @property
    def numbers(self) -> RoundNumbers:
        """For the kernels."""
        return RoundNumbers(0.5 * self.peg, self.peg_chamfer, 0.5 * self.hole, self.hole_chamfer, self.mu)


class RectangularPegSection(Section):
    """A rectangular peg with chamfers of 45 degrees, its hole with sharp edges; y, z across the motion."""

    peg_y: Millimetres
    peg_z: Millimetres
    chamfer: Millimetres
    length: Millimetres
    hole_y: Millimetres
    hole_z: Millimetres
    mu: Annotated[float, Quantity(ge=0.0, le=5.0)]
    planes: Literal["one", "y", "z", "all"] = "one"  # one: that of the larger offset

    @model_validator(mode="after")
    def _fits(self) -> Self:
        for axis in ("y", "z"):
            peg = getattr(self, f"peg_{axis}")
            _clearance(f"peg_{axis}_mm", peg, f"hole_{axis}_mm", getattr(self, f"hole_{axis}"))
            if self.chamfer >= min(0.5 * peg, self.length):
                raise ValueError(
                    f"chamfer_mm = {MM * self.chamfer:g} is larger than the part: below half of "
                    f"peg_{axis}_mm = {MM * peg:g} and below length_mm; make the chamfer smaller"
                )
        return self

    def plane(self, offset_y: float, offset_z: float) -> int:
        """Return the axis (1 or 2) across the plane that is looked at; -1: all of space is."""
        if self.planes == "all":
            return SPATIAL
        along_y = self.planes == "y" or (self.planes == "one" and abs(offset_y) >= abs(offset_z))
        return 2 if along_y else 1

    def numbers(self, across: int) -> RectangularNumbers:
        """Return the kernels' numbers with the plane that is looked at, or all four."""
        planes = [True] * 4 if across == SPATIAL else [across == 2, False, across == 1, False]
        return RectangularNumbers(
            _pair(self.peg_y, self.peg_z),
            _pair(self.chamfer, self.chamfer),
            self.length,
            _pair(self.hole_y, self.hole_z),
            np.array(planes, dtype=np.bool_),
            self.mu,
        )


def _pair(a: float, b: float) -> Array:
    return np.array([a, b], dtype=float)


def _clearance(peg: str, width: float, hole: str, room: float) -> None:
    if width >= room:
        raise ValueError(
            f"{peg} = {MM * width:g} is no smaller than {hole} = {MM * room:g}: the clearance is "
            f"{MM * (room - width):.4g} mm and must be above 0; make the hole larger"
        )
