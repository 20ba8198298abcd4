"""What the file of an experiment with a robot may say: the robot, its path, how it is computed, the parts."""

import math
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from hil.common.arrays import Array, frozen_array
from hil.configuration.quantities import Quantity, Section
from sim.mating.o_ring_schema import ORingSection
from sim.mating.peg_schema import RectangularPegSection, RoundPegSection

Offset = Annotated[float, Quantity("mm", ge=-1000.0, le=1000.0)]
Joints = Annotated[Array, Quantity("deg", length=6)]
LONGEST_RUN = 600.0  # [s]
NO_JOINTS = frozen_array([0.0] * 6)


class RobotSection(Section):
    """The robot: the PUMA 560 at a position of its joints, or an assembled arm whose tool looks down.

    Published of the PUMA are its bodies, rotors and ratios; all that stands here but the joints is assumed.
    """

    assembly: str = ""  # file of an assembled arm instead of the PUMA
    joints: Joints = NO_JOINTS  # of the PUMA
    at: Annotated[Array, Quantity("mm", length=3)] = frozen_array([0.5, 0.0, 0.2])  # tip of an assembled arm
    turn: Annotated[float, Quantity("deg", ge=-180.0, le=180.0)] = 0.0  # of the hole's y and z, of the PUMA
    tool: Annotated[float, Quantity("mm", gt=0.0, le=2000.0)] = 0.3
    payload: Annotated[float, Quantity("kg", ge=0.0, le=1000.0)] = 3.0
    payload_height: Annotated[float, Quantity("mm", ge=0.0, le=2000.0)] = 0.15  # above the tip
    stiffness: Annotated[Array, Quantity("n_m_per_rad", gt=0.0, le=1e9, length=3)]  # of gears 1 to 3
    gear_damping: Annotated[float, Quantity(ge=0.0, le=2.0)] = 0.04  # share of the critical one
    frequency: Annotated[Array, Quantity("hz", gt=0.0, le=1000.0, length=6)]  # of the controller
    damping: Annotated[float, Quantity(ge=0.0, le=10.0)] = 0.7
    integral: Annotated[float, Quantity("ms", ge=0.0, le=100_000.0)] = (
        0.0  # time of the controller's; 0: none
    )
    torque_limits: bool = False  # motors give no more than they can


class PathSection(Section):
    """A straight path in the tool's direction: depth of the part's bottom over time."""

    profile: Literal["trapezoid", "minimum-jerk", "recorded"] = "trapezoid"
    file: str = ""  # recorded: CSV with t_s, depth_mm
    speed: Annotated[float, Quantity("mm_s", gt=0.0, le=10_000.0)]
    ramp: Annotated[float, Quantity("ms", gt=0.0, le=10_000.0)] = 0.1
    begin: Offset
    distance: Annotated[float, Quantity("mm", gt=0.0, le=2000.0)]
    rest: Annotated[float, Quantity("ms", ge=0.0, le=60_000.0)] = 0.0

    @model_validator(mode="after")
    def _bounded(self) -> Self:
        if (self.profile == "recorded") != bool(self.file):
            raise ValueError(
                'profile = "recorded" needs file, the CSV with t_s and depth_mm; others have none'
            )
        if self.distance / self.speed > LONGEST_RUN:
            raise ValueError(
                f"speed_mm_s = {1e3 * self.speed:g} needs {self.distance / self.speed:.3g} s for "
                f"distance_mm = {1e3 * self.distance:g}: at most {LONGEST_RUN:g} s; go faster"
            )
        return self


class SimulationSection(Section):
    """How it is computed."""

    step: Annotated[float, Quantity("ms", gt=0.0, le=1000.0)] = 1e-3
    model: Literal["linear", "nonlinear"] = "linear"
    contact: Literal["rigid", "compliant"] = "rigid"
    stiffness: Annotated[float, Quantity("n_per_mm", gt=0.0)] = 5e6  # of compliant contacts
    contact_damping: Annotated[float, Quantity("n_s_per_m", ge=0.0)] = 1e3
    slip: Annotated[float, Quantity("mm_s", gt=0.0)] = 1e-3

    @property
    def give(self) -> tuple[float, float, float]:
        """Stiffness, damping and slip of contacts; stiffness 0: they are rigid."""
        return (self.stiffness if self.contact == "compliant" else 0.0), self.contact_damping, self.slip


class RoundPegExperiment(Section):
    """A round peg is pushed into its hole by a robot."""

    experiment: Literal["round-peg"]
    offset_y: Offset = 0.0
    offset_z: Offset = 0.0
    robot: RobotSection
    path: PathSection
    simulation: SimulationSection = SimulationSection()
    pegs: RoundPegSection

    @model_validator(mode="after")
    def _above_the_hole(self) -> Self:
        off, most = math.hypot(self.offset_y, self.offset_z), self.pegs.caught
        if off >= most:
            raise ValueError(
                f"offset_y_mm and offset_z_mm put the peg {1e3 * off:.4g} mm beside its hole: "
                f"the chamfers catch it below {1e3 * most:.4g} mm, farther off "
                "it would stand on the face, which is not modelled"
            )
        return self


class RectangularPegExperiment(Section):
    """A rectangular peg is pushed into its hole by a robot."""

    experiment: Literal["rectangular-peg"]
    offset_y: Offset = 0.0
    offset_z: Offset = 0.0
    robot: RobotSection
    path: PathSection
    simulation: SimulationSection = SimulationSection()
    pegs: RectangularPegSection


class Place(Section):
    """Where a robot works: the tip's distance from the base's axis, and its height."""

    reach: Annotated[float, Quantity("mm", gt=0.0, le=5000.0)]
    height: Annotated[float, Quantity("mm", ge=-5000.0, le=5000.0)]


class CombinedExperiment(Section):
    """A gripper with a rectangular bolt and a round one with an O-ring, at two places: 1 far, 2 near."""

    experiment: Literal["combined"]
    position: Annotated[int, Field(ge=1, le=2)] = 1  # whose courses are shown; the features compare both
    offset_y: Offset = 0.0
    offset_z: Offset = 0.0  # of the rectangular bolt over its hole
    apart: Annotated[float, Quantity("mm", gt=0.0, le=1000.0)]  # along y, of the two bolts
    ring_behind: Offset  # how far the O-ring's middle is above the rectangular bolt's bottom
    robot: RobotSection
    far: Place
    near: Place
    path: PathSection
    simulation: SimulationSection = SimulationSection()
    pegs: RectangularPegSection
    o_ring: ORingSection


RobotExperiment = RoundPegExperiment | RectangularPegExperiment | CombinedExperiment
