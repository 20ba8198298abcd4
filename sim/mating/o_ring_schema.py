"""What a file may say of an O-ring, its piston and its hole."""

import math
from typing import Annotated, Self

import numpy as np
from pydantic import model_validator

from hil.common.arrays import Array
from hil.configuration.quantities import Quantity, Section

Millimetres = Annotated[float, Quantity("mm", gt=0.0, le=10_000.0)]
GENT = (0.0981, 56.0, 7.62336, 0.137505, 254.0, 2.54)  # [MPa] by hardness in Shore A


class Notch(Section):
    """A gap in the hole's wall, an entrance or outlet: where it is about the axis, and how wide."""

    at: Annotated[float, Quantity("deg")]
    width: Annotated[float, Quantity("deg", gt=0.0, lt=360.0)]


class ORingSection(Section):
    """An O-ring on a piston, and the hole with a round chamfer at both ends.

    Of what the ring is made: `c1` and `c2` of its line load, or its hardness, by Gent's modulus and Lindley's
    law.
    """

    inner: Millimetres  # diameter of the ring as it is bought
    section: Millimetres  # diameter of its cross-section
    groove: Millimetres  # diameter of the groove's ground
    hole: Millimetres  # diameter
    chamfer: Millimetres  # radius of the chamfers
    length: Millimetres  # of the hole's cylinder
    c1: Annotated[float | None, Quantity("n_per_mm2", ge=0.0, le=1e9)] = None
    c2: Annotated[float | None, Quantity("n_per_mm3", ge=0.0, le=1e9)] = None
    shore_a: Annotated[float | None, Quantity(gt=0.0, lt=100.0)] = None
    mu: Annotated[float, Quantity(ge=0.0, le=5.0)]
    slip: Annotated[float, Quantity("mm_s", ge=1e-6)] = 2e-3
    notches: tuple[Notch, ...] = ()

    @model_validator(mode="after")
    def _plausible(self) -> Self:
        mm = 1e3
        measured, hardness = self.c1 is not None and self.c2 is not None, self.shore_a is not None
        if measured == hardness or (self.c1 is None) != (self.c2 is None):
            raise ValueError(
                "needs either both c1_n_per_mm2 and c2_n_per_mm3, or shore_a: give the one that is known"
            )
        if self.c1 == 0.0 and self.c2 == 0.0:
            raise ValueError("c1_n_per_mm2 and c2_n_per_mm3 are both 0: one of them must be above")
        if not len(self.arcs):
            raise ValueError("the notches leave nothing of the hole's wall: make width_deg smaller")
        if self.groove < self.inner:
            raise ValueError(
                f"groove_mm = {mm * self.groove:g} is smaller than the ring's "
                f"inner_mm = {mm * self.inner:g}: it would hang loose; make the groove wider"
            )
        if not 0.0 < self.squeeze < self.section:
            raise ValueError(
                f"the ring is squeezed by {mm * self.squeeze:.3g} mm "
                "(groove_mm / 2 + section_mm - hole_mm / 2), "
                f"which must lie between 0 and section_mm = {mm * self.section:g}: change one of the three"
            )
        return self

    @property
    def squeeze(self) -> float:
        """How far the ring is squeezed in the middle of the hole [m]."""
        return 0.5 * (self.groove - self.hole) + self.section

    @property
    def modulus(self) -> float:
        """Young's modulus of the rubber by its hardness (Gent) [Pa]; 0 without a hardness."""
        if self.shore_a is None:
            return 0.0
        a, b, c, d, e, f = GENT
        return 1e6 * a * (b + c * self.shore_a) / (d * (e - f * self.shore_a))

    @property
    def arcs(self) -> Array:
        """Where the wall is whole, from and to [rad], shape (n, 2)."""
        return whole_arcs([(notch.at, notch.width) for notch in self.notches])


def whole_arcs(notches: list[tuple[float, float]]) -> Array:
    """Return what notches, each with its middle and width [rad], leave of a turn; from and to, (n, 2)."""
    turn = 2 * math.pi
    gaps = sorted(((at - width / 2) % turn, width) for at, width in notches)
    if not gaps:
        return np.array([[-math.pi, math.pi]])
    # where the last gap that began a turn ago reaches to, if that is farther than the first of this turn
    arcs, end = [], max(gaps[0][0], *(begin + width - turn for begin, width in gaps))
    for begin, width in [*gaps, (gaps[0][0] + turn, 0.0)]:
        if begin > end:
            arcs.append((end, begin))
        end = max(end, begin + width)
    return np.array(arcs, dtype=float).reshape(-1, 2)
