"""What a configuration may say about docking: the servicer, its approach, and what counts as docked."""

import math
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from hil.common.arrays import Array, frozen_array, plain_numbers
from hil.configuration.quantities import Quantity, Section

Nothing2 = frozen_array([0.0, 0.0])
DEGREE = math.pi / 180.0


class Servicer(Section):
    """The virtual spacecraft whose arm carries the pins. In: sim, zerog dock."""

    base_mass: Annotated[float, Quantity("kg", gt=1.0, le=1e6)]
    """Of its base, without the arm."""
    base_inertia: Annotated[Array, Quantity("kg_m2", gt=0.0, le=1e6, length=3)]
    """Principal moments of the base about its centre."""
    base_fixed: bool = False
    """True: the base is held where it is, as on a test stand."""
    start: Annotated[Array, Quantity("deg", length=7)]
    """Joints at the beginning."""


class JointImpedance(Section):
    """Each joint is a spring and a damper: `tau = K (q_d - q) - D dq`. In: sim, zerog dock."""

    stiffness: Annotated[Array, Quantity("n_m_per_rad", gt=0.0, le=1e5, length=7)]
    """Of each joint's spring."""
    damping: Annotated[float, Quantity(gt=0.05, le=3.0)] = 0.7
    """Damping ratio of each joint at the start."""


class CartesianImpedance(Section):
    """The effector is held by springs and dampers in its own axes, relative to the servicer's base.

    In: sim, zerog dock.
    """

    translation: Annotated[Array, Quantity("n_per_m", gt=0.0, le=1e5, length=3)]
    """Of the springs along its axes."""
    rotation: Annotated[Array, Quantity("n_m_per_rad", gt=0.0, le=1e4, length=3)]
    """Of the springs about them."""
    damping: Annotated[float, Quantity(gt=0.05, le=3.0)] = 0.7
    """Damping ratio of each axis at the start."""
    nullspace_damping: Annotated[float, Quantity("n_m_s_per_rad", ge=0.0, le=100.0)] = 2.0
    """Of the joint speeds that the effector does not feel."""


class Approach(Section):
    """How the effector comes: along the plate's normal, with faults of place and attitude.

    In: sim, zerog dock.
    """

    by: Literal["drift", "reach"] = "drift"
    """`drift`: the whole servicer comes, arm held; `reach`: its base stands, the arm stretches."""
    speed: Annotated[float, Quantity("mm_s", gt=0.0, le=500.0)] = 0.02
    """With which the effector comes."""
    distance: Annotated[float, Quantity("mm", gt=0.0, le=1e5)] = 0.02
    """From the tips to the plate's face at the beginning."""
    near: Annotated[float, Quantity("mm", gt=0.0, le=1e4)] = 0.05
    """Farther away both drift in one large step."""
    beyond: Annotated[float, Quantity("mm", ge=0.0, le=1000.0)] = 0.0
    """How far a reach goes past the seat."""
    lateral: Annotated[Array, Quantity("mm", length=2)] = Nothing2
    """Fault of place along the plate's x and y."""
    tilt: Annotated[Array, Quantity("deg", ge=-30.0, le=30.0, length=2)] = Nothing2
    """Fault of attitude about them."""
    roll: Annotated[float, Quantity("deg", ge=-30.0, le=30.0)] = 0.0
    """Fault of attitude about the plate's normal."""


class Push(Section):
    """What presses the effector into the plate once it is there: along its own axis.

    In: sim, zerog dock.
    """

    force: Annotated[float, Quantity("n", ge=0.0, le=1000.0)] = 10.0
    """To which it grows."""
    rise: Annotated[float, Quantity("s", gt=0.0, le=60.0)] = 1.0
    """Time in which it grows from nothing, from the first touch as planned on."""


class Outcome(Section):
    """What counts as docked, jammed and lost. In: sim, zerog dock."""

    depth: Annotated[float, Quantity(gt=0.0, le=1.0)] = 0.95
    """Share of the full depth that every pin must reach."""
    tilt: Annotated[float, Quantity("deg", gt=0.0, le=10.0)] = 0.2 * DEGREE
    """Largest tilt of what is docked."""
    speed: Annotated[float, Quantity("mm_s", gt=0.0, le=100.0)] = 1e-3
    """Largest relative speed of the fastest pin's tip."""
    hold: Annotated[float, Quantity("s", gt=0.0, le=60.0)] = 1.0
    """How long the conditions must hold."""
    jam_speed: Annotated[float, Quantity("mm_s", gt=0.0, le=100.0)] = 1e-4
    """A jam goes in slower than this, under `jam_force_n`."""
    jam_force: Annotated[float, Quantity("n", gt=0.0, le=1000.0)] = 2.0
    """Axial force from which on that is a jam."""
    time_limit: Annotated[float, Quantity("s", gt=0.0, le=3600.0)] = 20.0
    """After it what is not docked is lost. In: zerog dock."""
    reach: Annotated[float, Quantity("mm", gt=0.0, le=1e5)] = 0.1
    """Lost when so much farther away than at the start."""


class Orbit(Section):
    """A circular orbit; the world is then Hill's frame: x radial, y along the flight, z normal.

    In: sim, zerog dock.
    """

    altitude: Annotated[float, Quantity("km", ge=100.0, le=400_000.0)]
    """Above the Earth's surface."""


class Envelope(Section):
    """The trials of a capture envelope map: lateral offsets along x, tilts about y.

    In: zerog dock.
    """

    lateral: Annotated[float, Quantity("mm", gt=0.0, le=1000.0)] = 0.01
    """The largest offset, each way."""
    lateral_count: int = Field(default=11, ge=2, le=101)
    """Offsets that are tried."""
    tilt: Annotated[float, Quantity("deg", gt=0.0, le=30.0)] = 12.0 * DEGREE
    """The largest tilt, each way."""
    tilt_count: int = Field(default=17, ge=2, le=101)
    """Tilts that are tried."""


class Docking(Section):
    """A servicer's pins meet the plate of a module, the emulated object.

    In: sim, dashboard, zerog dock.
    """

    scene: Path
    """MJCF of servicer and module, relative to the configuration's folder."""
    interfaces: Path
    """The pattern of pins and holes, TOML (docs/use/interfaces.md)."""
    module_body: str = "module"
    """Name of the module's body in the scene."""
    servicer_body: str = "servicer"
    """Name of the servicer's body."""
    effector_body: str = "effector"
    """Name of the body that carries the pins."""
    module_rotvec: Annotated[Array, Quantity("deg", length=3)] = frozen_array([0.0, 0.0, 0.0])
    """Attitude of the module at the beginning: axis times angle. In: zerog dock."""
    servicer: Servicer
    joint_impedance: JointImpedance | None = None
    cartesian_impedance: CartesianImpedance | None = None
    approach: Approach = Approach()
    push: Push = Push()
    outcome: Outcome = Outcome()
    latch: bool = False
    """True: a weld closes as soon as all pins are deep and straight."""
    orbit: Orbit | None = None
    envelope: Envelope = Envelope()


def docking_faults(docking: Docking) -> list[str]:
    """Return what no single key of the table shows, a sentence each."""
    faults = []
    given = [docking.joint_impedance is not None, docking.cartesian_impedance is not None]
    if sum(given) != 1:
        faults.append(
            f"docking.joint_impedance and docking.cartesian_impedance are {'both' if all(given) else 'not'} "
            "given: write exactly one of the two tables"
        )
    if docking.servicer.base_fixed and docking.approach.by == "drift":
        faults.append(
            "docking.servicer.base_fixed = true is refused with docking.approach.by = 'drift': a fixed base "
            'cannot come; write by = "reach"'
        )
    a, b, c = sorted(docking.servicer.base_inertia)
    if a + b < c:
        faults.append(
            f"docking.servicer.base_inertia_kg_m2 = {plain_numbers(docking.servicer.base_inertia)} "
            "is no body's: the largest must be at most the sum of the other two"
        )
    if docking.orbit is not None and docking.servicer.base_fixed:
        faults.append(
            "docking.orbit is refused with docking.servicer.base_fixed = true: what is fixed is in no orbit"
        )
    return faults
