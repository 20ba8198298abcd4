"""Where the wrench comes from: the robot's estimate, or a force-torque sensor of its own clock."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from hil.common.arrays import Array, frozen_array
from hil.configuration.addresses import Controller
from hil.configuration.quantities import Quantity, Section
from hil.configuration.tables.kinds import Degrees3, Millimetres3

ZERO = frozen_array([0.0, 0.0, 0.0])


class Sensor(Section):
    """Where the wrench comes from: the robot's estimate, or a sensor between flange and mock-up.

    In: driver, emulator, daemon.
    """

    kind: Literal["robot", "netft", "bota", "emulated"] = "robot"
    """`robot`: the controller's estimate; `netft`: an ATI sensor that speaks RDT; `emulated`: one that the
    run brings along; `bota`: a Bota sensor, read by its own driver (extra `bota`)."""
    family: Literal["net", "axia"] = "net"
    """Of an ATI sensor: what the bits of its status word mean."""
    address: Controller = "127.0.0.1"
    """Of the sensor, IPv4: records from elsewhere are dropped."""
    settings: Path | None = None
    """Of a Bota sensor: its driver's file of settings (JSON), relative to the configuration's folder."""
    port: int = Field(default=49152, ge=1024, le=65535)
    """UDP port of the sensor that takes requests."""
    rate: Annotated[float, Quantity("hz", ge=100.0, le=8000.0)] = 1000.0
    """Records a second, as the sensor is set (`comrdtrate` of its page): its clock counts by it."""
    force_counts: Annotated[float, Quantity("per_n", gt=0.0, le=1e9)] = 1e6
    """Counts for a newton (`cfgcpf` of its page, if its unit is N)."""
    torque_counts: Annotated[float, Quantity("per_n_m", gt=0.0, le=1e9)] = 1e6
    """Counts for a newton metre (`cfgcpt` of its page, if its unit is N m)."""
    position: Millimetres3 = ZERO
    """Origin of the sensor's axes, in flange axes."""
    rotvec: Degrees3 = ZERO
    """Turn of the sensor's axes in the flange: axis times angle."""
    sign: Literal[-1, 1] = 1
    """1: it reads what the environment exerts on the mock-up's side; -1: the reverse."""
    stale: Annotated[float, Quantity("ms", ge=2.0, le=500.0)] = 0.02
    """Without a new measurement for so long the sensor counts as lost: a moving arm brakes."""
    tare_time: Annotated[float, Quantity("ms", ge=100.0, le=10_000.0)] = 0.5
    """Time at rest over which a tare takes the mean, again and again until the arm moves."""
    tare_quiet: Annotated[float, Quantity("n", gt=0.0, le=20.0)] = 0.3
    """Largest standard deviation within it, torques divided by the filter's length."""
    tare_force: Annotated[float, Quantity("n", gt=0.0, le=2000.0)] = 50.0
    """Largest offset of force, the mock-up's weight apart, that a tare takes away: beyond it somebody leans
    on it, or weight, sign or frame are wrong."""
    tare_torque: Annotated[float, Quantity("n_m", gt=0.0, le=200.0)] = 5.0
    """The same for torque."""
    tare_drift: Annotated[float, Quantity("n", gt=0.0, le=100.0)] = 2.0
    """By which a tare follows what is read within one rest, torques divided by the filter's length: more is
    no drift but a load, and shows in the wrench."""
    overload_force: Annotated[float, Quantity("n", gt=0.0, le=50_000.0)] = 300.0
    """Force that the sensor reads, weight included, beyond which a moving arm brakes."""
    overload_torque: Annotated[float, Quantity("n_m", gt=0.0, le=5000.0)] = 30.0
    """The same for torque about the sensor's origin."""
    overload_time: Annotated[float, Quantity("ms", ge=0.0, le=100.0)] = 0.004
    """How long either must be exceeded."""


class SensorErrors(Section):
    """What is wrong with the emulated force sensor. In: emulator."""

    noise_force: Annotated[float, Quantity("n", ge=0.0)] = 0.02
    """Standard deviation of white noise on each force axis."""
    noise_torque: Annotated[float, Quantity("n_m", ge=0.0)] = 0.001
    """Standard deviation of white noise on each torque axis."""
    bias_force: Annotated[Array, Quantity("n", length=3)] = frozen_array([4.0, -3.0, 6.0])
    """What it reads without load, sensor axes."""
    bias_torque: Annotated[Array, Quantity("n_m", length=3)] = frozen_array([0.1, -0.2, 0.05])
    """The same of torque."""
    drift: Annotated[float, Quantity("n_per_s", ge=-1.0, le=1.0)] = 0.0017
    """By which every force axis drifts."""
    lag: Annotated[float, Quantity("ms", ge=0.0, le=5.0)] = 0.0002
    """Time constant of its own filter."""
    clock_ppm: Annotated[float, Quantity(ge=-500.0, le=500.0)] = 40.0
    """By how many millionths its clock is fast."""
    range_force: Annotated[float, Quantity("n", gt=0.0)] = 580.0
    """Where a force axis saturates."""
    range_torque: Annotated[float, Quantity("n_m", gt=0.0)] = 20.0
    """Where a torque axis saturates."""
    loss: Annotated[float, Quantity(ge=0.0, lt=1.0)] = 0.0
    """Share of its records that get lost."""
