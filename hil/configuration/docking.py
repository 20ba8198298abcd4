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
    """The virtual spacecraft whose arm carries the pins."""

    base_mass: Annotated[float, Quantity("kg", gt=1.0, le=1e6)]  # without the arm
    base_inertia: Annotated[Array, Quantity("kg_m2", gt=0.0, le=1e6, length=3)]  # about the base's centre
    base_fixed: bool = False  # true: the base is held where it is, as on a test stand
    start: Annotated[Array, Quantity("deg", length=7)]  # joints at the beginning


class JointImpedance(Section):
    """Each joint is a spring and a damper: `tau = K (q_d - q) - D dq`."""

    stiffness: Annotated[Array, Quantity("n_m_per_rad", gt=0.0, le=1e5, length=7)]
    damping: Annotated[float, Quantity(gt=0.05, le=3.0)] = 0.7  # ratio, of each joint at the start


class CartesianImpedance(Section):
    """The effector is held by springs and dampers in its own axes, relative to the servicer's base."""

    translation: Annotated[Array, Quantity("n_per_m", gt=0.0, le=1e5, length=3)]
    rotation: Annotated[Array, Quantity("n_m_per_rad", gt=0.0, le=1e4, length=3)]
    damping: Annotated[float, Quantity(gt=0.05, le=3.0)] = 0.7  # ratio, of each axis at the start
    nullspace_damping: Annotated[float, Quantity("n_m_s_per_rad", ge=0.0, le=100.0)] = 2.0


class Approach(Section):
    """How the effector comes: along the plate's normal, with faults of place and attitude."""

    # drift: the whole servicer comes, arm held; reach: its base stands, the arm stretches
    by: Literal["drift", "reach"] = "drift"
    speed: Annotated[float, Quantity("mm_s", gt=0.0, le=500.0)] = 0.02
    distance: Annotated[float, Quantity("mm", gt=0.0, le=1e5)] = 0.02  # from the tips to the plate's face
    near: Annotated[float, Quantity("mm", gt=0.0, le=1e4)] = 0.05  # farther away both drift in one large step
    beyond: Annotated[float, Quantity("mm", ge=0.0, le=1000.0)] = 0.0  # how far a reach goes past the seat
    lateral: Annotated[Array, Quantity("mm", length=2)] = Nothing2  # along the plate's x and y
    tilt: Annotated[Array, Quantity("deg", ge=-30.0, le=30.0, length=2)] = Nothing2  # about x and y
    roll: Annotated[float, Quantity("deg", ge=-30.0, le=30.0)] = 0.0  # about the plate's normal


class Push(Section):
    """What presses the effector into the plate once it is there: along its own axis."""

    force: Annotated[float, Quantity("n", ge=0.0, le=1000.0)] = 10.0
    rise: Annotated[float, Quantity("s", gt=0.0, le=60.0)] = 1.0  # from nothing, from first touch as planned


class Outcome(Section):
    """What counts as docked, jammed and lost."""

    depth: Annotated[float, Quantity(gt=0.0, le=1.0)] = 0.95  # of the full depth, every pin
    tilt: Annotated[float, Quantity("deg", gt=0.0, le=10.0)] = 0.2 * DEGREE
    speed: Annotated[float, Quantity("mm_s", gt=0.0, le=100.0)] = 1e-3  # relative, of the fastest pin's tip
    hold: Annotated[float, Quantity("s", gt=0.0, le=60.0)] = 1.0
    jam_speed: Annotated[float, Quantity("mm_s", gt=0.0, le=100.0)] = 1e-4  # insertion slower than this
    jam_force: Annotated[float, Quantity("n", gt=0.0, le=1000.0)] = 2.0  # above this axial force
    time_limit: Annotated[float, Quantity("s", gt=0.0, le=3600.0)] = 20.0
    reach: Annotated[float, Quantity("mm", gt=0.0, le=1e5)] = (
        0.1  # lost when so much farther than at the start
    )


class Orbit(Section):
    """A circular orbit; the world is then Hill's frame: x radial, y along the flight, z normal."""

    altitude: Annotated[float, Quantity("km", ge=100.0, le=400_000.0)]


class Envelope(Section):
    """The trials of a capture envelope map: lateral offsets along x, tilts about y."""

    lateral: Annotated[float, Quantity("mm", gt=0.0, le=1000.0)] = 0.01  # the largest
    lateral_count: int = Field(default=11, ge=2, le=101)
    tilt: Annotated[float, Quantity("deg", gt=0.0, le=30.0)] = 12.0 * DEGREE  # the largest, each way
    tilt_count: int = Field(default=17, ge=2, le=101)


class Docking(Section):
    """A servicer's pins meet the plate of a module, the emulated object."""

    scene: Path  # MJCF, relative to the configuration's folder
    interfaces: Path  # the pattern of pins and holes, TOML
    module_body: str = "module"  # names of bodies in the scene
    servicer_body: str = "servicer"
    effector_body: str = "effector"
    module_rotvec: Annotated[Array, Quantity("deg", length=3)] = frozen_array([0.0, 0.0, 0.0])  # `zerog dock`
    servicer: Servicer
    joint_impedance: JointImpedance | None = None
    cartesian_impedance: CartesianImpedance | None = None
    approach: Approach = Approach()
    push: Push = Push()
    outcome: Outcome = Outcome()
    latch: bool = False  # true: a weld closes as soon as all pins are deep and straight
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
