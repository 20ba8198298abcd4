"""The paper's two shapes: volume, mass, centre of mass and inertia (its equations 1 to 10).

Frame of both: z along the axis. A `CylSphere` has its origin in its middle, a `CylSphereHole` in the
centre of the opening with z out of the hole. Both are symmetric, so that their inertia is diagonal.
"""

import math
from dataclasses import dataclass

from hil.common.arrays import Array, frozen_array
from hil.common.errors import InterfaceError
from sim.contact.mass import Inertia

CAP_CENTRE = 3.0 / 8.0  # of the radius: a half sphere's centre of mass from its flat side


def box_inertia(mass: float, a: float, b: float, c: float) -> Array:
    """Return the principal inertia [kg m2] of a box of edges a, b, c [m], paper (1), shape (3,)."""
    return mass / 12.0 * frozen_array([b * b + c * c, a * a + c * c, a * a + b * b])


def cylinder_inertia(mass: float, r: float, h: float) -> Array:
    """Return the principal inertia [kg m2] of a cylinder along z, paper (2), shape (3,)."""
    across = mass * (r * r / 4.0 + h * h / 12.0)
    return frozen_array([across, across, mass * r * r / 2.0])


def cap_inertia(mass: float, r: float) -> Array:
    """Return the inertia [kg m2] of a half sphere about its own centre of mass, paper (3), shape (3,).

    The paper writes it with the mass of the whole sphere, twice this `mass`.
    """
    sphere = 2.0 * mass
    about_z = 0.4 * sphere * r * r * 0.5
    return frozen_array([*2 * [about_z - 0.5 * CAP_CENTRE**2 * sphere * r * r], about_z])


@dataclass(frozen=True)
class CylSphere:
    """A capsule: a cylinder with a half sphere at each end.

    Attributes:
        radius: [m].
        length: of the cylinder, between the centres of the half spheres [m].
    """

    radius: float
    length: float

    def __post_init__(self) -> None:
        """Refuse what is no capsule."""
        _positive("CylSphere", radius=self.radius)
        if not self.length >= 0.0:
            raise InterfaceError(f"CylSphere.length = {self.length:g} m must be at least 0")

    @property
    def volume(self) -> float:
        """Volume [m3]."""
        return math.pi * self.radius**2 * (self.length + 4.0 / 3.0 * self.radius)

    def inertia(self, density: float) -> Inertia:
        """Return mass, centre of mass and inertia at a density [kg/m3]."""
        r, h = self.radius, self.length
        cap = density * 2.0 / 3.0 * math.pi * r**3
        at = 0.5 * h + CAP_CENTRE * r
        caps = [Inertia.principal(cap, [0.0, 0.0, z], cap_inertia(cap, r)) for z in (-at, at)]
        cylinder = density * math.pi * r * r * h
        body = Inertia.principal(cylinder, [0.0, 0.0, 0.0], cylinder_inertia(cylinder, r, h))
        return body + caps[0] + caps[1]


@dataclass(frozen=True)
class CylSphereHole:
    """A box with a capsule-shaped hole that is open at the top.

    Attributes:
        radius: of the hole [m].
        height: of the hole's cylinder [m]; a half sphere of the same radius closes it.
        half_widths: of the box along x and y [m].
        box_height: of the box [m], at least `height + radius`, the paper's own choice, which leaves no
            wall below the hole.
    """

    radius: float
    height: float
    half_widths: tuple[float, float]
    box_height: float

    def __post_init__(self) -> None:
        """Refuse a hole that is no hole in its box."""
        _positive("CylSphereHole", radius=self.radius, height=self.height)
        least = self.height + self.radius
        if not self.box_height >= least * (1.0 - 1e-12):
            raise InterfaceError(
                f"CylSphereHole.box_height = {self.box_height:g} m must be at least height + radius = "
                f"{least:g} m, or the hole comes out below: make the box higher"
            )
        if not min(self.half_widths) > self.radius:
            raise InterfaceError(
                f"CylSphereHole.half_widths = {self.half_widths} m must be above radius = {self.radius:g} m, "
                "or the hole comes out at the sides: make the box wider"
            )

    @property
    def volume(self) -> float:
        """Volume of the material [m3]."""
        a, b = self.half_widths
        return 4.0 * a * b * self.box_height - math.pi * self.radius**2 * (self.height + 2 / 3 * self.radius)

    def inertia(self, density: float) -> Inertia:
        """Return mass, centre of mass and inertia at a density [kg/m3]: box less hole, paper (4) to (10)."""
        (a, b), c = self.half_widths, self.box_height
        mass = density * 4.0 * a * b * c
        box = Inertia.principal(mass, [0.0, 0.0, -0.5 * c], box_inertia(mass, 2.0 * a, 2.0 * b, c))
        return box - hole_inertia(density, self.radius, self.height)


def hole_inertia(density: float, radius: float, height: float) -> Inertia:
    """Return what a hole takes out of its box, in the hole's frame."""
    cylinder = density * math.pi * radius**2 * height
    cap = density * 2.0 / 3.0 * math.pi * radius**3
    return Inertia.principal(
        cylinder, [0.0, 0.0, -0.5 * height], cylinder_inertia(cylinder, radius, height)
    ) + Inertia.principal(cap, [0.0, 0.0, -height - CAP_CENTRE * radius], cap_inertia(cap, radius))


def _positive(shape: str, **sizes: float) -> None:
    """Refuse sizes that are not above 0."""
    for name, size in sizes.items():
        if not size > 0.0:
            raise InterfaceError(f"{shape}.{name} = {size:g} m must be above 0")
