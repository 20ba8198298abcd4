"""The emulated controller, arm and operator."""

from typing import Annotated, Literal

from pydantic import Field

from hil.common.arrays import Array, frozen_array
from hil.configuration.quantities import Quantity, Section
from hil.configuration.tables.kinds import JOINT_DEGREES, Fraction, Millimetres3
from hil.configuration.tables.sensor import SensorErrors


class WrenchErrors(Section):
    """What is wrong with the emulated estimate of the external wrench. In: emulator."""

    noise_force: Annotated[float, Quantity("n", ge=0.0)] = 0.06
    """Standard deviation of white noise on each force axis."""
    noise_torque: Annotated[float, Quantity("n_m", ge=0.0)] = 0.012
    """Standard deviation of white noise on each torque axis."""
    offset_gradient_force: Annotated[float, Quantity("n_per_m", ge=0.0)] = 10.0
    """By which the force's offset grows with the tcp's way from the start."""
    offset_gradient_torque: Annotated[float, Quantity("n_m_per_m", ge=0.0)] = 2.0
    """By which the torque's offset grows with it."""
    offset_max: Annotated[float, Quantity("n", ge=0.0)] = 2.8
    """Largest offset of force; that of torque in proportion."""
    drift: Annotated[float, Quantity("n_per_s", ge=0.0, le=0.1)] = 0.0
    """By which the force goes astray with time, and the torque by 200 mm of it; in drawn directions."""
    missed_weight: bool = False
    """The share of the mock-up that load data misses weighs as well: an offset of the force, and a torque
    that turns with the mock-up."""
    lag: Annotated[float, Quantity("ms", ge=0.0, le=5.0)] = 0.0
    """Time constant of a low-pass that all but the noise has passed."""
    skew: Annotated[float, Quantity("ms", ge=0.0, le=20.0)] = 0.0
    """By so much the wrench in a packet is older than the joints in it, its noise apart."""
    swing_fraction: Fraction = 0.2
    """Counter-swing of the arm after a push, share of its peak."""
    swing_frequency: Annotated[float, Quantity("hz", gt=0.0)] = 8.0
    """Frequency of that counter-swing."""
    swing_decay: Annotated[float, Quantity("ms", gt=0.0)] = 0.15
    """Time constant with which it dies away."""
    motion_noise: bool = True
    """False: moving the arm adds no noise."""
    motion_noise_force: Annotated[float, Quantity("n", ge=0.0)] = 0.35
    """Size of the noise that motion adds, at full speed."""
    motion_noise_speed: Annotated[float, Quantity("mm_s", gt=0.0)] = 0.05
    """Speed of the tcp from which on it has that size."""
    motion_noise_slow_fraction: Annotated[float, Quantity(ge=0.23, le=0.88)] = 0.25
    """Share of its power below 3 Hz."""


class Emulator(Section):
    """The emulated controller and arm. In: emulator."""

    patient: bool = True
    """Emulated time waits for a busy machine; false: it goes on, as a real robot does. In: all processes."""
    control: Literal["position", "impedance", "kinematic"] = "position"
    """How joints follow: a stiff lag, springs and dampers with the arm's dynamics, or ideally."""
    elastic: bool = False
    """Joints have elastic gears, with the arm's dynamics."""
    delay: Annotated[float, Quantity("ms", ge=0.0, le=1000.0)] = 0.0
    """Of every command, added to the one cycle that it takes anyhow."""
    jitter: Annotated[float, Quantity("ms", ge=0.0, le=100.0)] = 0.0
    """Longest extra delay of a packet, drawn at random."""
    loss: Annotated[float, Quantity(ge=0.0, lt=1.0)] = 0.0
    """Share of the packets that get lost, each way."""
    lag: Annotated[float, Quantity("ms", gt=0.0, le=500.0)] = 0.01
    """With which a stiff joint follows its command."""
    damping: Annotated[float, Quantity(gt=0.1, le=5.0)] = 0.8
    """Damping ratio of the joints."""
    stiffness: Annotated[Array, Quantity("n_m_per_rad", gt=0.0, length=7)] = frozen_array([2000.0] * 7)
    """Of the joints under impedance control."""
    start: Annotated[Array | None, JOINT_DEGREES] = None
    """Joints from which the emulated arm begins, if not `robot.start_deg`."""
    missed_answers: int = Field(default=25, ge=1, le=1000)
    """In a row, until the controller leaves command mode: an assumption."""
    lost_answers: Literal["extrapolate", "hold"] = "extrapolate"
    """Over a lost answer the controller's path goes on at the last speed, or stands: also an assumption."""
    wrench: WrenchErrors = WrenchErrors()
    sensor: SensorErrors = SensorErrors()


class ScriptedPush(Section):
    """One push on the emulated mock-up: a half-sine force. In: emulator."""

    time: Annotated[float, Quantity("s", ge=0.0)]
    """When it begins, from the start of floating."""
    force: Annotated[Array, Quantity("n", length=3)]
    """Peak, world axes."""
    duration: Annotated[float, Quantity("ms", ge=5.0, le=10_000.0)]
    """Of the half sine."""
    point: Millimetres3 = frozen_array([0.0, 0.0, 0.0])
    """Where it pushes: from the object's centre of mass, object axes."""


class RandomPushes(Section):
    """Pushes drawn at random with the run's seed. In: emulator."""

    count: int = Field(ge=0, le=100_000)
    """How many."""
    first: Annotated[float, Quantity("s", ge=0.0)] = 2.0
    """When the first begins, from the start of floating."""
    gap: Annotated[float, Quantity("s", ge=0.5)] = 2.0
    """From one start to the next, at least."""
    gap_spread: Annotated[float, Quantity("s", ge=0.0)] = 0.5
    """Drawn between nothing and this, and added to the gap."""
    impulse_min: Annotated[float, Quantity("n_s", gt=0.0)] = 0.3
    """Smallest impulse."""
    impulse_max: Annotated[float, Quantity("n_s", gt=0.0)] = 5.0
    """Largest impulse."""
    duration_min: Annotated[float, Quantity("ms", ge=5.0)] = 0.03
    """Shortest push."""
    duration_max: Annotated[float, Quantity("ms", ge=5.0)] = 0.2
    """Longest push."""
    peak: Annotated[float, Quantity("n", gt=0.0)] = 60.0
    """Largest force: impulse and duration are drawn again until it holds."""
    lever: Annotated[float, Quantity("mm", ge=0.0)] = 0.1
    """Largest distance of the point from the centre of mass."""
    steer: bool = True
    """Directions are chosen so that the object stays slow and central."""


class Operator(Section):
    """The virtual operator who pushes the emulated mock-up. In: emulator."""

    push: tuple[ScriptedPush, ...] = ()
    random: RandomPushes | None = None
