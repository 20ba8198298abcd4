"""What a file of interfaces may say: one class a table, one field a key, SI in the fields."""

from typing import Annotated

from pydantic import Field

from hil.common.arrays import Array, frozen_array
from hil.configuration.quantities import Quantity, Section
from sim.mating.o_ring_schema import ORingSection
from sim.mating.snap_schema import SnapSection

Millimetres = Annotated[float, Quantity("mm", gt=0.0, le=10_000.0)]
Millimetres3 = Annotated[Array, Quantity("mm", length=3)]


class Material(Section):
    """A material: either restitution and contact time, or stiffness and damping; and friction."""

    friction: Annotated[float, Quantity(ge=0.0, le=5.0)]
    restitution: Annotated[float | None, Quantity(ge=0.0, le=1.0)] = None
    contact_time: Annotated[float | None, Quantity("ms", gt=0.0, le=10_000.0)] = None
    stiffness: Annotated[float | None, Quantity("n_per_m", gt=0.0)] = None
    damping: Annotated[float | None, Quantity("n_s_per_m", ge=0.0)] = None


class Pins(Section):
    """Equal parallel pins on one body."""

    body: str
    material: str
    radius: Millimetres
    length: Millimetres  # from the plane that they stand on to the centre of the tip's half sphere
    axis: Annotated[Array, Quantity(length=3)] = frozen_array([0.0, 0.0, 1.0])  # from foot to tip
    places: Annotated[Array, Quantity("mm", length=3, rows=True)]  # feet, in the body's frame


class Holes(Section):
    """Equal holes in a plate."""

    radius: Millimetres
    height: Millimetres  # of the cylinder, from the opening to the centre of the bottom's half sphere
    places: Annotated[Array, Quantity("mm", length=2, rows=True)]  # centres of the openings on the top face


class Plate(Section):
    """A box on a body, with its holes; its frame lies in the centre of the top face, z out of it."""

    body: str
    material: str
    position: Millimetres3 = frozen_array([0.0, 0.0, 0.0])  # of the plate's frame in the body's
    rotvec: Annotated[Array, Quantity("deg", length=3)] = frozen_array([0.0, 0.0, 0.0])
    half_widths: Annotated[Array, Quantity("mm", gt=0.0, length=2)]
    height: Millimetres
    holes: Holes


class Seal(Section):
    """An O-ring on a piston of the pins' body, and its bore in the plate."""

    name: str = Field(min_length=1)
    bore: Annotated[Array, Quantity("mm", length=2)] = frozen_array([0.0, 0.0])  # its middle, plate's frame
    depth: Millimetres  # of the ring's middle below where the bore's cylinder begins, pins on the bottoms
    o_ring: ORingSection


class Snaps(Section):
    """Equal snap hooks of the pins' body, and the edges of the plate's body that they hook on to."""

    name: str = Field(min_length=1)
    edges: Annotated[Array, Quantity("mm", length=3, rows=True)]  # middles of the front edges, plate's frame
    facing: Annotated[Array, Quantity(length=2, rows=True)]  # x, y in the plate: towards the hook's support
    travel: Millimetres  # of a hook's origin beyond the edge, pins on the bottoms
    fastener: SnapSection


class InterfaceSection(Section):
    """A pattern of pins on one body and of holes in a plate on another; seals and latches beside them."""

    name: str = Field(min_length=1)
    pins: Pins
    plate: Plate
    seal: tuple[Seal, ...] = ()
    snap: tuple[Snaps, ...] = ()


class InterfaceFile(Section):
    """A file of interfaces and the materials that they name."""

    material: dict[str, Material]
    interface: tuple[InterfaceSection, ...]
