"""What the configuration of an experiment may say: one class a table, one field a key, SI inside."""

from pathlib import Path
from typing import Annotated

from pydantic import Field

from hil.common.arrays import Array, frozen_array
from hil.configuration.quantities import Quantity, Section
from hil.configuration.schema import Sensor, SensorErrors

Millimetres2 = Annotated[Array, Quantity("mm", length=2)]
Millimetres3 = Annotated[Array, Quantity("mm", length=3)]
Degrees3 = Annotated[Array, Quantity("deg", length=3)]
Millimetres = Annotated[float, Quantity("mm", gt=0.0, le=2000.0)]
Count = Annotated[int, Field(ge=1, le=101)]
UNTURNED = frozen_array([0.0, 0.0, 0.0])


class Arm(Section):
    """The arm and where it stands."""

    model: Path  # URDF, relative to the configuration's folder
    mount_position: Millimetres3  # base in world
    mount_rotvec: Degrees3
    start: Annotated[Array, Quantity("deg", length=7)]  # joints at which the sequence begins


class Controller(Section):
    """Joint stiffness mode."""

    stiffness: Annotated[Array, Quantity("n_m_per_rad", gt=0.0, le=1e5, length=7)]
    damping: Annotated[float, Quantity(gt=0.0, le=5.0)] = 0.7  # ratio, at the start joints


class Friction(Section):
    """In the arm's joints."""

    coulomb: Annotated[Array, Quantity("n_m", gt=0.0, le=100.0, length=7)]
    viscous: Annotated[Array, Quantity("n_m_s_per_rad", gt=0.0, le=1000.0, length=7)]


class Peg(Section):
    """A cylinder with two half spheres as ends, on the flange, along its z axis."""

    radius: Millimetres
    tip: Millimetres  # end of the outer half sphere, from the flange
    length: Millimetres  # of the cylinder between the half spheres
    mass: Annotated[
        float, Quantity("kg", gt=0.0, le=14.0)
    ]  # with its holder; also the controller's load data


class Hole(Section):
    """A cylinder with a half sphere as its end, open at the plate's face."""

    position: Millimetres2 = frozen_array([0.0, 0.0])  # centre of the opening, plate axes
    radius: Millimetres
    depth: Millimetres  # of the cylinder


class Plate(Section):
    """A box that stands fixed in relation to the arm's base; its frame is at the middle of its upper face."""

    position: Millimetres3  # in world
    rotvec: Degrees3 = UNTURNED
    half_width: Annotated[Array, Quantity("mm", gt=0.0, le=5000.0, length=2)]
    height: Millimetres
    hole: tuple[Hole, ...] = ()


class Contact(Section):
    """The material between peg and plate."""

    stiffness: Annotated[float, Quantity("n_per_m", gt=0.0, le=1e9)]
    damping: Annotated[float, Quantity("n_s_per_m", gt=0.0, le=1e6)]
    friction: Annotated[float, Quantity(gt=0.0, le=2.0)]


class Move(Section):
    """A straight line of the peg's tip, the attitude kept, and a rest at its end."""

    tip: Millimetres3  # where it leads, plate axes
    speed: Annotated[float, Quantity("mm_s", gt=0.0, le=1000.0)]  # mean; begins and ends at rest
    dwell: Annotated[float, Quantity("s", ge=0.0, le=600.0)] = 0.0


class Sequence(Section):
    """What the arm is commanded to do."""

    wait: Annotated[float, Quantity("s", ge=0.0, le=600.0)] = 0.0  # at the start joints
    repetitions: int = Field(default=1, ge=1, le=100)
    move: tuple[Move, ...] = Field(min_length=1)


class Simulation(Section):
    """Grids in time."""

    step: Annotated[float, Quantity("ms", gt=0.0, le=5.0)] = 0.001
    sample: Annotated[float, Quantity("ms", gt=0.0, le=50.0)] = 0.01  # of what is kept


class StandIn(Section):
    """The emulated arm with other parameters that takes a real arm's place where there is no log."""

    spread: Annotated[float, Quantity(gt=0.0, le=0.5)] = 0.1  # each parameter is drawn within +- this share
    draws: int = Field(default=20, ge=1, le=10_000)
    seed: int = Field(default=1, ge=0)


class Bounds(Section):
    """What may be between simulated and measured arm."""

    deviation: Annotated[float, Quantity("rad", gt=0.0)]  # of any joint at any sample
    sigma: Annotated[float, Quantity("rad", gt=0.0)]  # over all samples and joints
    torque_correlation: Annotated[float, Quantity(gt=-1.0, lt=1.0)] = 0.95  # of each joint that has one


class Noise(Section):
    """What a log's sensors add, as the fit weighs it and as it is given to a made-up log."""

    position: Annotated[float, Quantity("rad", gt=0.0)] = 1e-4
    torque: Annotated[float, Quantity("n_m", gt=0.0)] = 0.1
    tool_force: Annotated[float, Quantity("n", gt=0.0)] = 0.05  # of the tool's sensor, in a row of the log
    tool_torque: Annotated[float, Quantity("n_m", gt=0.0)] = 0.005


class Fitting(Section):
    """What is fitted to a log."""

    parameters: tuple[str, ...] = ()  # names, or kinds such as `stiffness` for all seven joints; empty: all


class Campaign(Section):
    """A trial that is repeated with the plate shifted from its place, on a grid of shifts."""

    moves: int = Field(ge=1)  # the first so many of the sequence, done once
    reach: Annotated[
        Array, Quantity("mm", ge=0.0, le=1000.0, length=3)
    ]  # largest shift either way, world axes
    points: tuple[Count, Count, Count]  # along each axis; 1: no shift


class Experiment(Section):
    """A whole experiment."""

    about: str = ""
    arm: Arm
    controller: Controller
    friction: Friction
    peg: Peg
    plate: Plate
    contact: Contact
    sequence: Sequence
    simulation: Simulation = Simulation()
    stand_in: StandIn = StandIn()
    bounds: Bounds
    noise: Noise = Noise()
    sensor: Sensor = Sensor()  # between flange and peg; of kind "robot" there is none
    sensor_errors: SensorErrors = SensorErrors()  # of an emulated one
    fit: Fitting = Fitting()
    campaign: Campaign | None = None
