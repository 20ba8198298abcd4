"""The body that is made to appear, the one that is held, and what bounds both."""

from pathlib import Path
from typing import Annotated, Literal

from hil.common.arrays import Array, frozen_array
from hil.configuration.quantities import Quantity, Section
from hil.configuration.tables.inside import Inside
from hil.configuration.tables.kinds import Degrees3, Fraction, Millimetres3

ZERO, NINE = frozen_array([0.0] * 3), frozen_array([0.0] * 9)


class EmulatedObject(Section):
    """The free-floating body that is made to appear (not the mock-up that is held). In: sim, driver."""

    mass: Annotated[float, Quantity("kg", gt=0.0, le=1e6)]
    """Of the body that is made to appear; with [object.inside] see there."""
    inertia: Annotated[Array, Quantity("kg_m2", gt=0.0, le=1e6, length=3)]
    """Principal moments about its centre of mass, object axes; the largest at most the sum of the others."""
    position: Millimetres3
    """Its centre of mass in tcp axes, from the tcp. In: sim, driver, planner."""
    rotvec: Degrees3 = frozen_array([0.0, 0.0, 0.0])
    """Turn of its principal axes in those of the tcp: axis times angle. In: sim, driver, planner."""
    initial_velocity: Annotated[Array, Quantity("mm_s", length=3)] = frozen_array([0.0, 0.0, 0.0])
    """With which floating begins, world axes. In: sim."""
    initial_spin: Annotated[Array, Quantity("deg_s", length=3)] = frozen_array([0.0, 0.0, 0.0])
    """Angular velocity with which floating begins, world axes. In: sim."""
    inside: Inside | None = None


class FoundLoad(Section):
    """What the load data of the mock-up misses, as `zerog calibrate load` prints it; object axes.

    In: driver.
    """

    stamp: str
    """Fingerprint of arm, tool, object, mock-up and wrench for which it was found; another one is refused."""
    mass: Annotated[float, Quantity("kg", ge=-7.0, le=7.0)]
    """That the load data misses."""
    mass_interval: Annotated[float, Quantity("kg", ge=0.0)]
    """Half of its 95 % interval, as the other intervals are."""
    moment: Annotated[Array, Quantity("kg_mm", length=3)]
    """Mass times place of its centre that the load data misses."""
    moment_interval: Annotated[Array, Quantity("kg_mm", ge=0.0, length=3)]
    """Half of the moment's interval."""
    inertia: Annotated[Array, Quantity("kg_m2", length=6)]
    """That the load data misses: xx, yy, zz, xy, xz, yz."""
    inertia_interval: Annotated[Array, Quantity("kg_m2", ge=0.0, length=6)]
    """Half of the inertia's interval."""
    weighs: bool = False
    """Its weight is missed as well."""
    bias: Annotated[Array | None, Quantity("n", ge=-200.0, le=200.0, length=3)] = None
    """What the robot's estimate reads at rest at the start pose, base axes, the missed weight included;
    absent: it was not weighed, and at rest nothing is taken out."""
    bias_interval: Annotated[Array, Quantity("n", ge=0.0, length=3)] = ZERO
    """Half of its interval."""
    bias_torque: Annotated[Array, Quantity("n_m", ge=-50.0, le=50.0, length=3)] = ZERO
    """The same of torque about the tcp, there without the missed weight's."""
    bias_torque_interval: Annotated[Array, Quantity("n_m", ge=0.0, length=3)] = ZERO
    """Half of its interval."""
    slope: Annotated[Array, Quantity("n_per_m", ge=-100.0, le=100.0, length=9)] = NINE
    """Of the bias over the tcp's place, base axes, row by row."""
    slope_interval: Annotated[Array, Quantity("n_per_m", ge=0.0, length=9)] = NINE
    """Half of its intervals."""
    slope_torque: Annotated[Array, Quantity("n_m_per_m", ge=-50.0, le=50.0, length=9)] = NINE
    """The same of torque."""
    slope_torque_interval: Annotated[Array, Quantity("n_m_per_m", ge=0.0, length=9)] = NINE
    """Half of its intervals."""

    @property
    def parameters(self) -> Array:
        """All ten in one row, shape (10,)."""
        return frozen_array([self.mass, *self.moment, *self.inertia])

    @property
    def at_rest(self) -> bool:
        """Whether anything but a force's bias is found of what is read at rest."""
        return any(part.any() for part in (self.bias_torque, self.slope, self.slope_torque))


class Mockup(Section):
    """The body that the arm really holds: loads the arm, and colours the wrench estimate.

    In: emulator, driver.
    """

    mass: Annotated[float, Quantity("kg", gt=0.0, le=7.0)]
    """Of the held body, as in the controller's load data."""
    inertia: Annotated[Array, Quantity("kg_m2", gt=0.0, le=10.0, length=3)]
    """Its principal moments about its centre of mass, tcp axes."""
    edge: Annotated[float, Quantity("mm", gt=0.0, le=2000.0)] = 0.3
    """Edge of the cube that approach and certificate take it for: the middle of a face sits at the tcp, the
    cube lies along the tcp's z, its centre is the centre of mass. It is drawn if there is no `shape`.
    In: emulator, daemon, dashboard, zerog workspace."""
    shape: Path | None = None
    """File of what it looks like: a mesh (.stl, .obj) or a scene (.xml), relative to the configuration's
    folder; within the cube of `edge_mm`. It is only drawn (docs/use/own/mockup.md).
    In: dashboard, recorder, zerog report."""
    shape_body: str = "mockup"
    """Body of a scene file whose geometries are the shape, in that body's frame.
    In: dashboard, recorder, zerog report."""
    shape_unit: Literal["mm", "m"] = "mm"
    """Unit of a mesh's numbers; scenes are in metres. In: dashboard, recorder, zerog report."""
    shape_frame: Literal["tcp", "object"] = "tcp"
    """Frame of the shape: that of the tcp, or, as a run's own scene has it, of the object's centre of mass.
    In: dashboard, recorder, zerog report."""
    uncompensated: Fraction = 0.1
    """Share of its inertia that the controller's load data misses. In: emulator, daemon, zerog check."""
    found: FoundLoad | None = None


class Stops(Section):
    """Energy-neutral bounds of the object's centre, swing and twist, and the certified speed.

    The nominal fixture axis (object z) points along pitch and yaw; swing is its angle from there,
    twist the rotation about it. In: sim, driver, daemon, zerog workspace.
    """

    enabled: bool = True
    """False: nothing bounds the object; a real arm then does not float."""
    centre: Millimetres3 = frozen_array([0.0, 0.0, 0.0])
    """Middle of the box of the object's centre, world axes."""
    half_extent: Annotated[Array, Quantity("mm", gt=0.0, length=3)] = frozen_array([1.0, 1.0, 1.0])
    """From the middle of that box to its faces."""
    axis_pitch: Annotated[float, Quantity("deg", ge=-90.0, le=90.0)] = 0.0
    """Of the nominal axis (object z) above the horizon."""
    axis_yaw: Annotated[float, Quantity("deg", ge=-180.0, le=180.0)] = 0.0
    """Of the nominal axis about the vertical, from world x."""
    swing: Annotated[float, Quantity("deg", gt=0.0, le=180.0)] = 0.2
    """Largest angle of object z from the nominal axis."""
    twist: Annotated[float, Quantity("deg", gt=0.0, le=180.0)] = 1.5
    """Largest turn about it, each way."""
    contact_time: Annotated[float, Quantity("ms", ge=50.0, le=2000.0)] = 0.3
    """How long a bounce lasts: softer stops reach farther."""
    max_speed: Annotated[float, Quantity("mm_s", gt=0.0)] = 0.2
    """Certified speed of the object's centre: more of a push is cut."""
    max_spin: Annotated[float, Quantity("deg_s", gt=0.0)] = 0.7
    """Certified angular velocity: more of a push is cut."""
    certified: str = ""
    """Fingerprint that `zerog workspace` prints once these stops are certified."""


class Scene(Section):
    """Walls and obstacles with restitution and friction, in a scene file of the physics engine.

    In: sim, dashboard.
    """

    file: Path
    """MJCF, relative to the configuration's folder."""
    body: str = "object"
    """Name of the free body in it that is the emulated object."""
    interfaces: Path | None = None
    """Pins and plates, TOML (docs/use/interfaces.md); then a solver resolves all contacts."""
    restitution: Fraction = 0.8
    """Of walls: speed after a bounce over that before."""
    friction: Annotated[float, Quantity(ge=0.0, le=2.0)] = 0.0
    """Coulomb's coefficient of walls."""
    contact_time: Annotated[float, Quantity("ms", gt=0.0, le=1000.0)] = 0.02
    """Of walls, only beside interfaces."""
