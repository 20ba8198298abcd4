"""What the file of a mating experiment may say: which experiment, its motion, and its parts."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import model_validator

from hil.configuration.quantities import Quantity, Section
from sim.mating.o_ring_schema import ORingSection
from sim.mating.snap_schema import SnapSection

Millimetres = Annotated[float, Quantity("mm", ge=-10_000.0, le=10_000.0)]
MOST_SAMPLES = 1_000_000


class MachineMotion(Section):
    """A stiff machine that pushes along one line, as the force testing machine of the paper does.

    Depths are those of the moving part: an O-ring's middle below the hole's edge, a hook's front beyond the
    counterpart's edge.
    """

    speed: Annotated[float, Quantity("mm_s", ge=1e-6, le=10_000.0)]
    begin: Millimetres
    end: Millimetres
    sample: Annotated[float, Quantity("mm", gt=0.0, le=10.0)]  # from one row of the result to the next

    @model_validator(mode="after")
    def _forward(self) -> Self:
        if self.end <= self.begin:
            raise ValueError(f"end_mm = {1e3 * self.end:g} must be above begin_mm = {1e3 * self.begin:g}")
        if (self.end - self.begin) / self.sample > MOST_SAMPLES:
            raise ValueError(
                f"sample_mm = {1e3 * self.sample:g} makes more than {MOST_SAMPLES} rows: take a longer one"
            )
        return self


class ORingExperiment(Section):
    """An O-ring is pushed through a hole."""

    experiment: Literal["o-ring"]
    motion: MachineMotion
    eccentricity: Annotated[float, Quantity("mm", ge=0.0, le=100.0)] = 0.0  # of the piston in the hole
    azimuth: Annotated[float, Quantity("deg")] = 0.0  # towards which it is off
    o_ring: ORingSection

    @model_validator(mode="after")
    def _fits(self) -> Self:
        ring = self.o_ring
        if self.eccentricity + ring.squeeze >= ring.section:
            raise ValueError(
                f"eccentricity_mm = {1e3 * self.eccentricity:g} squeezes the ring flat: with "
                f"section_mm = {1e3 * ring.section:g} and {1e3 * ring.squeeze:.3g} mm of squeeze it must be "
                f"below {1e3 * (ring.section - ring.squeeze):.3g}"
            )
        return self


class SnapExperiment(Section):
    """A hook, or two that face each other, is pushed over its counterpart."""

    experiment: Literal["snap-beam", "snap-plate"]
    motion: MachineMotion
    offset_z: Millimetres = 0.0  # of the part over its counterpart: above 0 the hook reaches less deep
    snap: SnapSection

    @model_validator(mode="before")
    @classmethod
    def _straight(cls, data: Any) -> Any:
        if isinstance(data, Mapping) and "offset_y_mm" in data:
            raise ValueError(
                "offset_y_mm acts on pegs alone: a snap's edge is straight along y, and the same everywhere; "
                "leave it out, or take offset_z_mm, by which the hook reaches less deep"
            )
        return data
