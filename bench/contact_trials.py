"""Trials of the contact loop: a body flies against a port, in the loop and as it would without any delay."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from bench.contact_plant import Noise, Plant, Port, PoseLagPlant, contact_wrench, law_of
from hil.common.arrays import Array
from hil.force.contact_loop import ContactLoop
from hil.force.setup import ContactSetup, DriveModel

STEP, LAG = 0.002, 0.010
MASS, INERTIA = 60.0, 3.0
SPEED = 0.02


@dataclass(frozen=True)
class Rig:
    """What a trial runs on.

    Attributes:
        mass: of the body [kg]; its inertia goes with it.
        interface: dead time of the interface beyond the one cycle [s].
        noise: of what is measured.
        lead_error: factor on the lead.
        delay_error: that the loop believes to be more, in lead and observer [s].
        lost: share of packets and of answers.
        sensor_lag: of the wrench behind the joints [s].
        bias: that arises in contact [N], along z; below 0 it pulls.
        settings: of the loop beside those of the rig.
    """

    mass: float = MASS
    interface: float = 0.0
    noise: Noise = field(default_factory=Noise)
    lead_error: float = 1.0
    delay_error: float = 0.0
    lost: float = 0.0
    sensor_lag: float = 0.0
    bias: float = 0.0
    settings: dict[str, object] = field(default_factory=dict)

    @property
    def delay(self) -> float:
        """Delay of the whole loop [s]: dead time, lag, and half a cycle for the force that is held."""
        return STEP + self.interface + LAG + 0.5 * STEP

    def loop(self) -> ContactLoop:
        """Return the loop for this rig."""
        dead = STEP + self.interface
        known = dead + self.delay_error
        settings: dict[str, object] = {
            "lead": (known + LAG) * self.lead_error,
            "drive": DriveModel(known, LAG),
            "gate": max(0.3, 5.0 * self.noise.force),
            "force_noise": max(self.noise.force, 1e-3),
            "position_noise": self.noise.position,
        }
        settings.update(self.settings)
        return ContactLoop(
            ContactSetup(
                step=STEP,
                mass=self.mass,
                inertia=INERTIA * self.mass / MASS * np.eye(3),
                **settings,
            )  # type: ignore[arg-type]
        )

    def plant(self, port: Port, seed: int) -> PoseLagPlant:
        """Return the arm at this port."""
        return PoseLagPlant(
            port, STEP, STEP + self.interface, LAG, noise=self.noise, seed=seed, lost=self.lost,
            sensor_lag=self.sensor_lag, bias=self.bias,
        )  # fmt: skip


@dataclass
class Flown:
    """What a trial came to: body at the end, greatest force, and what was told of each contact's end."""

    p: Array
    quat: Array
    twist: Array
    peak: float
    contact_time: float
    restitutions: list[float]
    track: Array  # time, twist (6), force, k, d, energy, created, position (3)


def fly_trial(
    loop: ContactLoop, plant: Plant, p: Array, quat: Array, twist: Array, seconds: float,
    known: Array | None = None, bias: Array | None = None,
    tell: Callable[[int, ContactLoop], None] | None = None,
) -> Flown:  # fmt: skip
    """Fly a body in a loop of this plant, which has been started on its path."""
    loop.begin(p, quat, twist, np.zeros(6) if bias is None else bias)
    count = round(seconds / STEP)
    track, ends = np.zeros((count, 15)), []
    for n in range(count):
        if tell is not None:
            tell(n, loop)
        state = loop.step(*plant.packet(), known)
        loop.command(plant.command(state))
        if state.ended:
            ends.append(state.restitution)
        track[n, 0], track[n, 1:7] = (n + 1) * STEP, state.twist
        track[n, 7:12] = state.force, state.stiffness, state.damping, state.energy, state.created
        track[n, 12:] = state.p
    time = getattr(plant, "contact_time", math.nan)
    return Flown(
        state.p.copy(), state.quat.copy(), state.twist.copy(), plant.peak, time, ends, track
    )  # fmt: skip


def ideal_restitution(z: float) -> float:
    """Return speed after over before of a spring and damper that may not pull, by its closed form."""
    return math.exp(-z * ideal_time(z))


def ideal_time(z: float) -> float:
    """Return how long it touches, over 1/w."""
    if z == 0.0:
        return math.pi
    root = math.sqrt(1.0 - z * z)
    return (math.pi - math.atan2(2.0 * z * root, root * root - z * z)) / root


def ideal_peak(z: float) -> float:
    """Return its greatest force over v sqrt(k M)."""
    if z == 0.0:
        return 1.0
    t, root = np.linspace(0.0, ideal_time(z), 4000), math.sqrt(1.0 - z * z)
    x = np.exp(-z * t) * np.sin(root * t) / root
    v = np.exp(-z * t) * (np.cos(root * t) - z / root * np.sin(root * t))
    return float((x + 2.0 * z * v).max())


def straight_port(stiffness: float, z: float, reduced: float = MASS, **more: object) -> Port:
    """Return a port that the mock-up meets straight: the one-dimensional case.

    It touches at the centre of mass: a foot below it would be a pendulum that topples when it is pressed.
    """
    damping = 2.0 * z * math.sqrt(stiffness * reduced)
    return Port(
        np.zeros((1, 3)), np.zeros((1, 3)), np.array([[0.0, 0.0, 1.0]]), stiffness, damping,
        **more,
    )  # type: ignore[arg-type]  # fmt: skip


@dataclass
class Bounce:
    """A one-dimensional trial: error of restitution, of peak and time (shares), and the flight itself."""

    error: float
    peak: float
    time: float
    flown: Flown


def on_its_way(
    rig: Rig, port: Port, speed: float, gap: float, seed: int
) -> tuple[Plant, Array, Array, Array]:
    """Return an arm that holds a body moving straight at a port [m/s], and the body's state."""
    p, quat = np.array([0.0, 0.0, gap]), np.array([1.0, 0.0, 0.0, 0.0])
    twist = np.array([0.0, 0.0, -speed, 0.0, 0.0, 0.0])
    plant = rig.plant(port, seed)
    plant.start(p, quat, twist)
    return plant, p, quat, twist


def bounce(
    rig: Rig, wT: float, z: float, seed: int, speed: float = SPEED, ideal: float | None = None,
    share: float = 1.0, **more: object,
) -> Bounce:  # fmt: skip
    """Let the body bounce off a straight port with `w T` and damping `z`.

    Args:
        rig: on which.
        wT: natural frequency times the loop's delay.
        z: damping ratio.
        seed: of noise and of the touch within a cycle.
        speed: of the body [m/s].
        ideal: velocity after it over the one before, where that is not the closed form's.
        share: of the stiffness that is real; the rest, and all damping, is virtual.
        more: attributes of the port.
    """
    T, M = rig.delay, rig.mass
    mass = float(more.get("mass", math.inf))  # type: ignore[arg-type]
    reduced = M if math.isinf(mass) else M * mass / (M + mass)
    w = wT / T
    k = reduced * w * w
    port = straight_port(share * k, z if share == 1.0 else 0.0, reduced, **more)
    if share < 1.0:
        target = {"target_stiffness": k, "target_ratio": z}
        rig = replace(rig, settings={**rig.settings, **target})
    gap = speed * (0.08 + STEP * np.random.default_rng(1000 + seed).random())
    plant, p, quat, twist = on_its_way(rig, port, speed, gap, seed)
    flown = fly_trial(rig.loop(), plant, p, quat, twist, 0.2 + 4.0 * T + 6.0 / w)
    e0 = ideal_restitution(z)
    if ideal is None:
        ideal = e0 if math.isinf(mass) else -(M - e0 * mass) / (M + mass)
    top = ideal_peak(z) * speed * math.sqrt(k * reduced) * share
    return Bounce(
        flown.twist[2] / speed - ideal, flown.peak / top - 1.0,
        flown.contact_time * w / ideal_time(z) - 1.0, flown,
    )  # fmt: skip


def latched_energy(rig: Rig, wT: float, seed: int, seconds: float = 6.0) -> float:
    """Return the energy that an undamped contact that holds has at the end, over the one it began with."""
    k = rig.mass * (wT / rig.delay) ** 2
    rig = replace(rig, settings={**rig.settings, "latched": True})
    plant, p, quat, twist = on_its_way(rig, straight_port(k, 0.0, holds=True), SPEED, 0.0, seed)
    track = fly_trial(rig.loop(), plant, p, quat, twist, seconds).track
    energy = 0.5 * rig.mass * track[:, 3] ** 2 + 0.5 * k * track[:, 14] ** 2
    return float(energy[-25:].mean() / energy[40:80].mean())


def pressed(rig: Rig, wT: float, z: float, seed: int, force: float = 20.0) -> tuple[float, float]:
    """Press the body on a port for 8 s; return its highest speed over the first touch's, and its unrest.

    The unrest is the rms speed of the last second [m/s].
    """
    k = rig.mass * (wT / rig.delay) ** 2
    gap = SPEED * 0.02
    port = straight_port(k, z, rig.mass)
    plant, p, quat, twist = on_its_way(rig, port, SPEED, gap, seed)
    known = np.array([0.0, 0.0, -force, 0.0, 0.0, 0.0])
    track = fly_trial(rig.loop(), plant, p, quat, twist, 8.0, known).track
    touch = math.sqrt(SPEED**2 + 2.0 * force / rig.mass * gap)
    # in the spring it first runs on to the speed at which the spring holds the force
    deepest = math.sqrt(touch**2 + force**2 / (k * rig.mass))
    unrest = float(np.sqrt(np.mean((track[-500:, 3] - track[-500:, 3].mean()) ** 2)))
    return float(np.abs(track[:, 3]).max() / deepest), unrest


def ideal_flight(port: Port, p: Array, quat: Array, twist: Array, seconds: float) -> tuple[Array, Array]:
    """Return twist (6,) and attitude at the end of a flight without any delay, by an integrator of scipy."""
    law, still = law_of(port), np.zeros(2)
    R0 = Rotation.from_quat(np.roll(quat, -1))

    def rates(_: float, y: Array) -> Array:
        R = Rotation.from_quat(y[3:7]).as_matrix()
        wrench = contact_wrench(
            y[:3], R, y[7:10], y[10:13] / INERTIA, port.feet, port.points, port.normals, law, still
        )
        w = y[10:13] / INERTIA
        x, s = y[3:6], y[6]
        turn = 0.5 * np.concatenate((s * w + np.cross(w, x), [-w @ x]))
        return np.concatenate((y[7:10], turn, wrench[:3] / MASS, wrench[3:]))

    start = np.concatenate((p, R0.as_quat(), twist[:3], INERTIA * twist[3:]))
    y = solve_ivp(rates, (0.0, seconds), start, "DOP853", rtol=1e-8, atol=1e-10, max_step=1e-3).y[:, -1]
    return np.concatenate((y[7:10], y[10:13] / INERTIA)), y[3:7]


LANDINGS = {  # feet, normals, spin [deg/s], velocity [m/s]
    "A": ([[0.10, 0.05, -0.15]], [[0, 0, 1]], (2.0, -3.0, 4.0), (0.01, 0.005, -0.03)),
    "B": (
        [[a * 0.15, b * 0.15, -0.15] for a in (-1, 1) for b in (-1, 1)],
        [[0, 0, 1]],
        (1.0, -1.5, 2.0),
        (0.01, 0.005, -0.03),
    ),
    "C": (
        [[0, 0.1, -0.15], [0, -0.1, -0.15]],
        [[math.sqrt(0.5), 0, math.sqrt(0.5)], [-math.sqrt(0.5), 0, math.sqrt(0.5)]],
        (1.0, 1.0, 3.0),
        (0.004, 0.002, -0.03),
    ),
    "D": (
        [[0.12, 0, -0.15], [-0.06, 0.1, -0.15], [-0.06, -0.1, -0.15]],
        [[0, 0, 1]],
        (-2.0, 2.0, 5.0),
        (0.01, 0.005, -0.03),
    ),
}  # one foot off centre, four feet aslant, two feet in a V groove, three feet with spin


@dataclass(frozen=True)
class Approach:
    """A body on its way to a landing: port, pose and twist, and how long it is flown [s]."""

    port: Port
    p: Array
    quat: Array
    twist: Array
    seconds: float


@dataclass
class Landing:
    """A landing: error of velocity, of spin (at 0.2 m) and of energy, over those before; and its flight."""

    velocity: float
    spin: float
    energy: float
    flown: Flown


def approach(rig: Rig, case: str, wT: float, z: float, seed: int, friction: float = 0.0) -> Approach:
    """Return the approach of one of `LANDINGS`."""
    feet, normals, spin, velocity = LANDINGS[case]
    T = rig.delay
    share = len(feet) if case != "C" else 2
    k = MASS * (wT / T) ** 2
    d = 2.0 * z * math.sqrt(k * MASS)
    port = Port(
        np.array(feet, float), np.zeros((len(normals), 3)), np.array(normals, float), k / share, d / share,
        friction,
    )  # fmt: skip
    rng = np.random.default_rng(2000 + seed)
    R = Rotation.from_rotvec(rng.normal(0.0, 0.01, 3))
    low = min((R.apply(foot))[2] for foot in port.feet)
    p = np.array([0.001 if case == "C" else 0.0, 0.0, -low + 0.03 * (0.06 + STEP * rng.random())])
    if case == "C":
        p[2] += 0.006  # clear of both planes with any tilt
    seconds = (0.55 if case == "C" else 0.35) + 2.0 * T + 9.0 * T / wT
    return Approach(port, p, np.roll(R.as_quat(), 1), np.array([*velocity, *np.radians(spin)]), seconds)


def land(rig: Rig, case: str, wT: float, z: float, seed: int, friction: float = 0.0) -> Landing:
    """Let the body land in one of `LANDINGS`."""
    way = approach(rig, case, wT, z, seed, friction)
    plant = rig.plant(way.port, seed)
    plant.start(way.p, way.quat, way.twist)
    return landed_as(way, fly_trial(rig.loop(), plant, way.p, way.quat, way.twist, way.seconds))


def landed_as(way: Approach, flown: Flown) -> Landing:
    """Return by how much a flight has missed the landing without any delay."""
    end, _ = ideal_flight(way.port, way.p, way.quat, way.twist, way.seconds)
    speed = float(np.linalg.norm(way.twist[:3]))

    def energy(x: Array) -> float:
        return 0.5 * MASS * float(x[:3] @ x[:3]) + 0.5 * INERTIA * float(x[3:] @ x[3:])

    return Landing(
        float(np.linalg.norm(flown.twist[:3] - end[:3])) / speed,
        0.2 * float(np.linalg.norm(flown.twist[3:] - end[3:])) / speed,
        (energy(flown.twist) - energy(end)) / energy(way.twist),
        flown,
    )
