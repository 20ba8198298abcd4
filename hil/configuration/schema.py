"""What a configuration may say: one class a table, one field a key, SI in the fields.

A default stands only where one value is right for almost everybody; what describes the laboratory
(robot, object, stops) must be written down.
"""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StringConstraints

from hil.common.arrays import Array, frozen_array
from hil.configuration.addresses import Address, Controller
from hil.configuration.admittance import Admittance
from hil.configuration.docking import Docking
from hil.configuration.quantities import Quantity, Section
from hil.configuration.real_time import RealTime

Vector3 = Annotated[Array, Quantity(length=3)]
Millimetres3 = Annotated[Array, Quantity("mm", length=3)]
Degrees3 = Annotated[Array, Quantity("deg", length=3)]
Fraction = Annotated[float, Quantity(ge=0.0, le=1.0)]
Milliseconds = Annotated[float, Quantity("ms", ge=0.0, le=10_000.0)]
JOINT_DEGREES = Quantity("deg", ge=-360.0, le=360.0, length=7)
# for whoever reads it later, on one line
Reason = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=10),
    AfterValidator(lambda text: " ".join(text.split())),
]


class Run(Section):
    """How a run begins."""

    seed: int = Field(default=0, ge=0)
    float_at_start: bool = False  # only the emulated robot may be floated without an operator
    follow: bool = True  # false: the object moves in the simulation alone, nothing is planned, the arm stands
    runtime_directory: str = ""  # sockets; empty: the service's run-time directory or a private one
    state_directory: str = ""  # the mark that a run goes on; empty: the service's or the user's own


class Robot(Section):
    """The arm, where it stands, and where it holds the mock-up."""

    kind: Literal["emulated", "fri"]
    model: Path  # URDF, relative to the configuration's folder
    mount_position: Millimetres3  # base in world
    mount_rotvec: Degrees3
    tcp_position: Millimetres3  # tcp in flange
    tcp_rotvec: Degrees3
    start: Annotated[Array, JOINT_DEGREES]  # pose from which to float; `approach` leads there


class Limits(Section):
    """Bounds on every command. The URDF's position limits hold as well, less the margin."""

    velocity: Annotated[Array, Quantity("deg_s", gt=0.0, le=400.0, length=7)]
    acceleration: Annotated[Array, Quantity("rad_s2", gt=0.0, le=100.0, length=7)]
    jerk: Annotated[Array, Quantity("rad_s3", gt=0.0, le=5000.0, length=7)]
    position_margin: Annotated[float, Quantity("deg", ge=0.5, le=20.0)] = 0.0174532925
    command_fraction: Annotated[float, Quantity(gt=0.1, le=0.98)] = 0.95  # of the limits, kept by the limiter
    # by which a measured joint may be off its command, the interface's delay apart: beyond it the arm is
    # stuck, pushed away or not under control. Absent: from velocity and delay (docs/theory.md, section 8)
    following_error: Annotated[Array | None, Quantity("deg", gt=0.0, le=90.0, length=7)] = None


class Override(Section):
    """What a real arm may lack and move all the same, each with the reason; empty: it may not lack it."""

    stops: Reason = ""  # stops.enabled = false
    certificate: Reason = ""  # stops.certified is not that of these stops
    force_path: Reason = ""  # the force path's ratio is above its bound
    wrench_reading: Reason = ""  # wrench_sign or wrench_frame is not written down
    wrench_check: Reason = ""  # `zerog check-wrench` has not passed


class Fri(Section):
    """KUKA's Fast Research Interface, version 1.0."""

    bind_address: Address = "127.0.0.1"
    port: int = Field(default=49938, ge=1024, le=65535)
    controller_address: Controller = "127.0.0.1"  # packets from elsewhere are dropped
    sample_time: Annotated[float, Quantity("ms", ge=1.0, le=20.0)] = 0.002
    timeout: Annotated[float, Quantity("ms", ge=20.0, le=5000.0)] = 0.1
    # for a real arm these two must be written down: it does not move on defaults
    wrench_frame: Literal["tool", "base"] = "base"
    wrench_sign: Literal[-1, 1] = 1  # +1: the estimate is what the environment exerts on the tool
    torque_sign: Literal[-1, 0, 1] = 1  # the same for the joint torques; 0: they are no witness of the wrench
    # automatic: the controller's program starts command state by itself at PERFECT quality; krl_int: it
    # waits until the client's first KRL integer goes from 1 to 10, which it does at OK quality
    handshake: Literal["automatic", "krl_int"] = "automatic"
    # the control laws under which the arm is commanded; joint positions mean nothing to others
    control_strategy: Literal["either", "position", "joint_impedance"] = "either"
    # after how many cycles a command shows in the controller's own: what it then commands must be that
    echo_cycles: int = Field(default=1, ge=1, le=20)
    override: Override = Override()


class EmulatedObject(Section):
    """The free-floating body that is made to appear (not the mock-up that is held)."""

    mass: Annotated[float, Quantity("kg", gt=0.0, le=1e6)]
    inertia: Annotated[Array, Quantity("kg_m2", gt=0.0, le=1e6, length=3)]  # principal, object axes
    position: Millimetres3  # centre of mass in tcp axes, from the tcp
    rotvec: Degrees3 = frozen_array([0.0, 0.0, 0.0])  # object axes in tcp axes
    initial_velocity: Annotated[Array, Quantity("mm_s", length=3)] = frozen_array([0.0, 0.0, 0.0])
    initial_spin: Annotated[Array, Quantity("deg_s", length=3)] = frozen_array([0.0, 0.0, 0.0])


class FoundLoad(Section):
    """What the load data of the mock-up misses, as `zerog calibrate load` prints it; object axes."""

    stamp: str  # fingerprint of what it was found for
    mass: Annotated[float, Quantity("kg", ge=-7.0, le=7.0)]
    mass_interval: Annotated[float, Quantity("kg", ge=0.0)]  # half of the 95 % interval, here and below
    moment: Annotated[Array, Quantity("kg_mm", length=3)]  # mass times place of its centre
    moment_interval: Annotated[Array, Quantity("kg_mm", ge=0.0, length=3)]
    inertia: Annotated[Array, Quantity("kg_m2", length=6)]  # xx, yy, zz, xy, xz, yz
    inertia_interval: Annotated[Array, Quantity("kg_m2", ge=0.0, length=6)]

    @property
    def parameters(self) -> Array:
        """All ten in one row, shape (10,)."""
        return frozen_array([self.mass, *self.moment, *self.inertia])


class Mockup(Section):
    """The body that the arm really holds: loads the arm, and colours the wrench estimate."""

    mass: Annotated[float, Quantity("kg", gt=0.0, le=7.0)]
    inertia: Annotated[Array, Quantity("kg_m2", gt=0.0, le=10.0, length=3)]
    edge: Annotated[float, Quantity("mm", gt=0.0, le=2000.0)] = 0.3
    uncompensated: Fraction = 0.1  # share of its inertia that the controller's load data misses
    found: FoundLoad | None = None  # what of that was found, and is taken out before pushes are looked for


class Stops(Section):
    """Energy-neutral bounds of the object's centre, swing and twist, and the certified speed.

    The nominal fixture axis (object z) points along pitch and yaw; swing is its angle from there,
    twist the rotation about it.
    """

    enabled: bool = True
    centre: Millimetres3 = frozen_array([0.0, 0.0, 0.0])  # of the object's centre, world
    half_extent: Annotated[Array, Quantity("mm", gt=0.0, length=3)] = frozen_array([1.0, 1.0, 1.0])
    axis_pitch: Annotated[float, Quantity("deg", ge=-90.0, le=90.0)] = 0.0
    axis_yaw: Annotated[float, Quantity("deg", ge=-180.0, le=180.0)] = 0.0
    swing: Annotated[float, Quantity("deg", gt=0.0, le=180.0)] = 0.2
    twist: Annotated[float, Quantity("deg", gt=0.0, le=180.0)] = 1.5
    contact_time: Annotated[float, Quantity("ms", ge=50.0, le=2000.0)] = 0.3
    max_speed: Annotated[float, Quantity("mm_s", gt=0.0)] = 0.2
    max_spin: Annotated[float, Quantity("deg_s", gt=0.0)] = 0.7
    certified: str = ""  # fingerprint of the workspace computation that passed; see `zerog workspace`


class Scene(Section):
    """Walls and obstacles with restitution and friction, in a scene file of the physics engine."""

    file: Path
    body: str = "object"  # name of the free body that is the emulated object
    interfaces: Path | None = None  # pins and plates, TOML; then a solver resolves all contacts
    restitution: Fraction = 0.8
    friction: Annotated[float, Quantity(ge=0.0, le=2.0)] = 0.0
    contact_time: Annotated[float, Quantity("ms", gt=0.0, le=1000.0)] = 0.02  # of walls, beside interfaces


class Filter(Section):
    """The exponential low-pass of the wrench."""

    tau: Annotated[float, Quantity("ms", ge=1.0, le=100.0)] = 0.007
    length: Annotated[float, Quantity("mm", gt=0.0, le=5000.0)] = 0.2  # torques are divided by it


class Detector(Section):
    """When a change of the wrench is a push, and what the push is worth."""

    noise_force: Annotated[float, Quantity("n", gt=0.0)] = 0.06  # standard deviation per axis
    noise_torque: Annotated[float, Quantity("n_m", gt=0.0)] = 0.012
    start_sigma: Annotated[float, Quantity(ge=3.0, le=50.0)] = 7.0
    onset_sigma: Annotated[float, Quantity(ge=1.0, le=50.0)] = 4.0
    floor: Annotated[float, Quantity("n_per_s", ge=0.0)] = 240.0  # of the derivative, against motion noise
    confirm_time: Annotated[float, Quantity("ms", ge=5.0, le=500.0)] = 0.04
    baseline_time: Annotated[float, Quantity("ms", ge=5.0, le=2000.0)] = 0.12
    baseline_delay: Annotated[float, Quantity("ms", ge=0.0, le=500.0)] = 0.01
    end_fraction: Annotated[float, Quantity(gt=0.0, lt=1.0)] = 0.15
    level_floor: Annotated[float, Quantity("n", ge=0.0)] = 1.2  # of the slow change of force, against drift
    level_time: Annotated[float, Quantity("ms", ge=5.0, le=500.0)] = 0.03  # low-pass of that change
    level_delay: Annotated[float, Quantity("ms", ge=10.0, le=1000.0)] = 0.12  # over which it is taken
    close_time: Annotated[float, Quantity("ms", ge=0.0, le=500.0)] = 0.03  # a push may still go on
    settle_time: Annotated[float, Quantity("ms", ge=0.0, le=500.0)] = 0.25  # baseline after a push; 0: none
    echo_fraction: Annotated[float, Quantity(ge=0.0, le=2.0)] = 0.3  # counter-swing allowed, of the peak
    echo_period: Annotated[float, Quantity("ms", ge=10.0, le=2000.0)] = 0.125  # and its period
    echo_decay: Annotated[float, Quantity("ms", gt=0.0, le=2000.0)] = 0.15
    echo_time: Annotated[float, Quantity("ms", ge=0.0, le=2000.0)] = 0.4
    slice_time: Annotated[float, Quantity("ms", ge=20.0, le=500.0)] = 0.1
    sustained_time: Annotated[float, Quantity("ms", ge=100.0, le=5000.0)] = 0.5
    report: Literal["growing", "ended"] = "growing"  # slices as they grow, or one impulse when it is over
    # no hand pushes harder for long: beyond it the arm brakes (a sensor at its end, a collision, wrong load)
    plausible_force: Annotated[float, Quantity("n", gt=0.0)] = 250.0
    plausible_torque: Annotated[float, Quantity("n_m", gt=0.0)] = 100.0
    plausible_time: Annotated[float, Quantity("ms", ge=1.0, le=1000.0)] = 0.02


class Approach(Section):
    """How an operator brings the arm to its start pose by holding on (`zerog approach`)."""

    # change of the wrench, torques divided by the filter's length, at which the arm brakes: above
    # what the estimate wanders and trembles by in motion, below what hurts
    contact_force: Annotated[float, Quantity("n", ge=5.0, le=50.0)] = 12.0
    # between mock-up and arm, mount and floor: more than moves between two looks at the way, and less than
    # the 12 mm that the LWR's wrist, taken as thick as its thickest link, has from a cube on its flange
    clearance: Annotated[float, Quantity("mm", ge=5.0, le=500.0)] = 0.005
    floor_depth: Annotated[float, Quantity("mm", ge=0.0, le=5000.0)] = 0.3  # below the base
    mount_radius: Annotated[float, Quantity("mm", ge=66.0, le=2000.0)] = 0.15  # from the base to the floor


class Simulation(Section):
    """The world's grid, memory and foresight."""

    step: Annotated[float, Quantity("ms", gt=0.0, le=5.0)] = 0.001
    history: Annotated[float, Quantity("s", ge=0.5, le=10.0)] = 1.0
    period: Annotated[float, Quantity("ms", ge=1.0, le=20.0)] = 0.005
    prediction: Annotated[float, Quantity("s", ge=0.2, le=5.0)] = 2.0
    prediction_step: Annotated[float, Quantity("ms", ge=5.0, le=50.0)] = 0.02
    prediction_rate: Annotated[float, Quantity("hz", ge=5.0, le=100.0)] = 25.0


class Planner(Section):
    """From the predicted path of the object to one of the joints."""

    # branches: the best of all arm angles and branches over the whole path; the others go step by step
    inverse: Literal["branches", "passive-chain", "lagrange"] = "branches"
    knot: Annotated[float, Quantity("ms", ge=40.0, le=500.0)] = 0.1
    horizon: Annotated[float, Quantity("s", ge=0.2, le=5.0)] = 2.0
    arm_angles: int = Field(default=72, ge=8, le=360)
    speed_fraction: Annotated[float, Quantity(gt=0.1, le=1.0)] = 0.9  # of the joint speeds, used by plans
    limit_margin: Annotated[float, Quantity("deg", ge=0.0, le=30.0)] = 0.0349065850
    committed: Annotated[float, Quantity("s", ge=0.0, le=2.0)] = 0.5  # kept from plan to plan


class Interpolation(Section):
    """How the driver follows a plan."""

    lead: Literal["identified", "fixed", "none"] = "identified"
    lead_time: Milliseconds = 0.012  # the fixed lead, or where the identification begins
    closing_rate: Annotated[float, Quantity(gt=0.0, le=20.0)] = 5.0  # [1/s]
    closing_overshoot: Annotated[float, Quantity(gt=0.0, le=1.0)] = 0.15  # rate times delay at most
    plan_timeout: Annotated[float, Quantity("ms", ge=50.0, le=2000.0)] = 0.3
    short_cut: bool = True
    push_lead: Annotated[float, Quantity("ms", ge=0.0, le=10.0)] = (
        0.008  # by which the short cut leads a push
    )


class WrenchErrors(Section):
    """What is wrong with the emulated estimate of the external wrench."""

    noise_force: Annotated[float, Quantity("n", ge=0.0)] = 0.06
    noise_torque: Annotated[float, Quantity("n_m", ge=0.0)] = 0.012
    offset_gradient_force: Annotated[float, Quantity("n_per_m", ge=0.0)] = 10.0
    offset_gradient_torque: Annotated[float, Quantity("n_m_per_m", ge=0.0)] = 2.0
    offset_max: Annotated[float, Quantity("n", ge=0.0)] = 2.8
    swing_fraction: Fraction = 0.2
    swing_frequency: Annotated[float, Quantity("hz", gt=0.0)] = 8.0
    swing_decay: Annotated[float, Quantity("ms", gt=0.0)] = 0.15
    motion_noise: bool = True
    motion_noise_force: Annotated[float, Quantity("n", ge=0.0)] = 0.35
    motion_noise_speed: Annotated[float, Quantity("mm_s", gt=0.0)] = 0.05
    motion_noise_slow_fraction: Annotated[float, Quantity(ge=0.23, le=0.88)] = 0.25  # of its power below 3 Hz


class Emulator(Section):
    """The emulated controller and arm."""

    patient: bool = True  # emulated time waits for a busy machine; false: it goes on, as a real robot does
    control: Literal["position", "impedance", "kinematic"] = "position"  # kinematic: no lag, no dynamics
    elastic: bool = False
    delay: Annotated[float, Quantity("ms", ge=0.0, le=1000.0)] = 0.0  # added to one cycle
    jitter: Annotated[float, Quantity("ms", ge=0.0, le=100.0)] = 0.0
    loss: Annotated[float, Quantity(ge=0.0, lt=1.0)] = 0.0
    lag: Annotated[float, Quantity("ms", gt=0.0, le=500.0)] = 0.01
    damping: Annotated[float, Quantity(gt=0.1, le=5.0)] = 0.8
    stiffness: Annotated[Array, Quantity("n_m_per_rad", gt=0.0, length=7)] = frozen_array([2000.0] * 7)
    # pose from which the emulated arm begins, if not the robot's start pose
    start: Annotated[Array | None, JOINT_DEGREES] = None
    missed_answers: int = Field(default=25, ge=1, le=1000)  # in a row, until it falls back: an assumption
    # over a lost answer its path goes on at the last speed, or stands: an assumption as well
    lost_answers: Literal["extrapolate", "hold"] = "extrapolate"
    wrench: WrenchErrors = WrenchErrors()


class ScriptedPush(Section):
    """One push on the mock-up: a half-sine force."""

    time: Annotated[float, Quantity("s", ge=0.0)]
    force: Annotated[Array, Quantity("n", length=3)]  # peak, world axes
    duration: Annotated[float, Quantity("ms", ge=5.0, le=10_000.0)]
    point: Millimetres3 = frozen_array([0.0, 0.0, 0.0])  # from the centre of mass, object axes


class RandomPushes(Section):
    """Pushes drawn at random with the run's seed."""

    count: int = Field(ge=0, le=100_000)
    first: Annotated[float, Quantity("s", ge=0.0)] = 2.0
    gap: Annotated[float, Quantity("s", ge=0.5)] = 2.0  # from one start to the next, at least
    gap_spread: Annotated[float, Quantity("s", ge=0.0)] = 0.5
    impulse_min: Annotated[float, Quantity("n_s", gt=0.0)] = 0.3
    impulse_max: Annotated[float, Quantity("n_s", gt=0.0)] = 5.0
    duration_min: Annotated[float, Quantity("ms", ge=5.0)] = 0.03
    duration_max: Annotated[float, Quantity("ms", ge=5.0)] = 0.2
    peak: Annotated[float, Quantity("n", gt=0.0)] = 60.0
    lever: Annotated[float, Quantity("mm", ge=0.0)] = 0.1
    steer: bool = True  # directions are chosen so that the object stays slow and central


class Operator(Section):
    """The virtual operator who pushes the emulated mock-up."""

    push: tuple[ScriptedPush, ...] = ()
    random: RandomPushes | None = None


class Experiments(Section):
    """After every push the object floats anew, from a slow motion drawn at random (push trials)."""

    after: Annotated[float, Quantity("s", ge=0.5)]  # from the end of a push until the arm is stopped
    max_speed: Annotated[float, Quantity("mm_s", ge=0.0)]
    max_spin: Annotated[float, Quantity("deg_s", ge=0.0)]


class Network(Section):
    """Two hosts for one run: see docs/use/network.md."""

    robot: str  # tcp://HOST:PORT on which the host of daemon and driver listens
    compute: str  # and the host of simulation and planner
    key_folder: Path = Path("keys")  # of the key files, relative to the configuration's folder


class Configuration(Section):
    """A whole run."""

    run: Run = Run()
    realtime: RealTime = RealTime()
    robot: Robot
    limits: Limits
    fri: Fri = Fri()
    object: EmulatedObject
    mockup: Mockup
    stops: Stops
    scene: Scene | None = None
    filter: Filter = Filter()
    detector: Detector = Detector()
    approach: Approach = Approach()
    simulation: Simulation = Simulation()
    planner: Planner = Planner()
    interpolation: Interpolation = Interpolation()
    emulator: Emulator = Emulator()
    operator: Operator = Operator()
    experiments: Experiments | None = None
    network: Network | None = None
    docking: Docking | None = None
    admittance: Admittance | None = None  # instead of the detector, to compare with; emulation only
