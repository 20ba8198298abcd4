"""Flights against an emulated port through the whole loop in lock-step: joints, plan, guard, limits of jerk.

A flight begins just before the port: the arm sets off, the loop learns the wrench's bias, then it touches. A
seed draws the noise and moves the port by part of a cycle's way.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.spatial.transform import Rotation

from bench.acceptance.row import Touched
from bench.contact_trials import ideal_peak, ideal_restitution, ideal_time
from hil.common.arrays import Array
from hil.common.errors import ZeroGError
from hil.configuration import Configuration, load_configuration
from hil.loop.lockstep import LockStep
from hil.loop.trace.recorder import Trace

PORT = Path(__file__).parents[2] / "configs/port.toml"
SPEED, CYCLE, LAG = 0.02, 0.002, 0.010
FACE = 0.94  # [m] world x of the cube's face when it begins
WAY = 0.4  # [s] of flight before the touch, and the interface's delay
LATE = 0.4  # [s] that the real contact may last longer than the ideal one, if it is slow
SETTLED = 0.3  # [s] after it, and four times the loop's delay
NO_STOP = ("force.stop_force_n=1000", "detector.plausible_force_n=1000")
SENSOR = (  # its filter's lag is a skew, which `zerog calibrate spring` finds
    'sensor.kind="emulated"', "sensor.rate_hz=1750", "detector.noise_force_n=0.02", "force.gate_n=0.3",
    "force.wrench_skew_ms=0.18",
)  # fmt: skip
FAST = (  # joints that follow what a contact asks of them
    "limits.jerk_rad_s3=[1600, 1600, 2000, 2000, 2400, 3000, 3000]",
    "limits.acceleration_rad_s2=[40, 40, 50, 50, 60, 75, 75]",
)


@dataclass(frozen=True)
class Case:
    """A flight against a port that stands, or floats, straight before the cube.

    Attributes:
        wT: natural frequency times the loop's delay.
        z: damping ratio.
        seed: of noise and of the touch within a cycle.
        speed: of the body [m/s].
        interface: dead time of the interface beyond the one cycle [s].
        mass: of the body [kg], its inertia with it.
        port_mass: [kg]; inf: it stands.
        law: `line`, `hertz` or `bump`: both of the stiffness of the line on the way to its depth, undamped.
        share: of the stiffness that is real, the rest and all damping is virtual (`hybrid`).
        stiffness: [N/m] in place of `wT`'s; 0: that.
        settings: keys of the configuration beside those of the case.
    """

    wT: float  # noqa: N815
    z: float
    seed: int
    speed: float = SPEED
    interface: float = 0.0
    mass: float = 60.0
    port_mass: float = math.inf
    law: str = "line"
    share: float = 1.0
    stiffness: float = 0.0
    settings: tuple[str, ...] = ()

    @property
    def delay(self) -> float:
        """Delay of the whole loop [s]."""
        return CYCLE + self.interface + LAG + 0.5 * CYCLE

    @property
    def lead_ms(self) -> float:
        """From an answer to where its cycle's command has come [ms]: what the loop has to run ahead by."""
        return 1e3 * (CYCLE + self.interface + LAG)

    @property
    def reduced(self) -> float:
        """Mass of body and port against one another [kg]."""
        return 1.0 / (1.0 / self.mass + 1.0 / self.port_mass)

    @property
    def k(self) -> float:
        """Stiffness of the contact that is to be felt [N/m]."""
        return self.stiffness or self.reduced * (self.wT / self.delay) ** 2

    @property
    def rate(self) -> float:
        """Its natural frequency [rad/s]."""
        return math.sqrt(self.k / self.reduced)

    @property
    def way(self) -> float:
        """From the face to the port [m]."""
        entry = CYCLE * float(np.random.default_rng(self.seed).random())
        return self.speed * (WAY + self.interface + entry)

    def keys(self) -> list[str]:
        """Return what sets the configuration to this case."""
        damping = 2.0 * self.z * math.sqrt(self.k * self.reduced) if self.share == 1.0 else 0.0
        keys = [
            'force.mode="contact"',
            f"port.stiffness_n_per_m={self.share * self.k}",
            f"port.damping_n_s_per_m={damping}",
            f"port.point_mm=[{1e3 * (FACE + self.way)}, 0, 150]",
            f"object.mass_kg={self.mass}",
            f"object.inertia_kg_m2=[{0.05 * self.mass}, {0.05 * self.mass}, {0.05 * self.mass}]",
            f"object.initial_velocity_mm_s=[{1e3 * self.speed}, 0, 0]",
            f"run.seed={self.seed + 1}",
            f"emulator.delay_ms={1e3 * self.interface}",
            f"interpolation.lead_time_ms={self.lead_ms}",
            "force.noise_position_mm=0.001",  # emulated joints come as they are, but for 32 bits
            *NO_STOP,
        ]
        if math.isfinite(self.port_mass):
            keys.append(f"port.mass_kg={self.port_mass}")
        deep = self.speed / self.rate
        if self.law == "hertz":  # stiffness is told for 1 mm
            keys += ["port.exponent=1.5", f"port.stiffness_n_per_m={self.k * math.sqrt(1e-3 / deep)}"]
        if self.law == "bump":
            keys += [f"port.bump_mm={500.0 * deep}", f"port.bump_stiffness_n_per_m={3.0 * self.k}"]
        if self.share < 1.0:
            keys += [
                'force.mode="hybrid"',
                f"force.device_stiffness_n_per_m={self.share * self.k}",
                f"force.target_stiffness_n_per_m={self.k}",
                f"force.target_restitution={ideal_restitution(self.z)}",
            ]
        return keys + list(self.settings)


def lock_step(case: Case) -> LockStep:
    """Return the loop of a case, before its first cycle."""
    return LockStep(configured(case.keys()))


def configured(keys: list[str]) -> Configuration:
    """Return the configuration of the port with these keys, later ones in place of earlier ones."""
    last = {key.split("=", 1)[0]: key for key in keys}
    return load_configuration(PORT, list(last.values()))


def flown(case: Case, prepare: Callable[[LockStep], None] | None = None) -> Touched:
    """Fly a case; what ended in a fault has no figures. `prepare` may change the loop before it begins."""
    loop = lock_step(case)
    if prepare is not None:
        prepare(loop)
    # a slow one is over before the object comes to the stop behind it
    contact = min(6.0, ideal_time(case.z) + LATE * case.rate) / case.rate + 2.0 * case.delay
    try:
        trace = loop.run(case.way / case.speed + contact + SETTLED + 4.0 * case.delay)
    except ZeroGError as error:
        return broken(str(error))
    if loop.fault:
        return broken(loop.fault)
    return judged(case, loop, trace)


def judged(case: Case, loop: LockStep, trace: Trace) -> Touched:
    """Return what a flight without a fault came to, by the simulated body and by what the port exerted."""
    e0 = ideal_restitution(case.z)
    ideal = (
        -e0
        if math.isinf(case.port_mass)
        else (case.mass - e0 * case.port_mass) / (case.mass + case.port_mass)
    )
    after = float(trace.twist_world_object_sim[-1, 0]) / case.speed
    assert loop.port is not None
    if not loop.port.touches.records:
        return broken("it did not touch, or touches still")
    touch = loop.port.touches.records[0]
    top = ideal_peak(case.z) * case.speed * math.sqrt(case.k * case.reduced) * case.share
    time = (touch.t_end - touch.t_start) * case.rate / ideal_time(case.z)
    peak = float(np.linalg.norm(touch.peak_world[:3])) / top
    return Touched(abs(after - ideal), peak - 1.0, time - 1.0, after**2 - 1.0)


def broken(fault: str) -> Touched:
    """Return what a flight that ended in a fault came to."""
    return Touched(math.nan, math.nan, math.nan, math.nan, fault)


def fastest(case: Case) -> float:
    """Return the highest speed of the body from the touch on, over the speed before, a stop or not."""
    loop = lock_step(case)
    trace = loop.run(case.way / case.speed + SETTLED + 6.0 * case.delay)
    touched = trace.t > trace.t[0] + case.way / case.speed
    speeds = np.abs(trace.twist_world_object_sim[touched, 0])
    return float(speeds.max()) / case.speed


def latched(case: Case, seconds: float = 6.0) -> float:
    """Return by which share an undamped contact that holds gains or loses energy in so long [s]."""
    keys = [*case.keys(), "port.latch=true", "force.latched=true"]
    loop = LockStep(configured(keys))
    trace = loop.run(case.way / case.speed + seconds)
    if loop.fault:
        return math.nan
    energy = held_energy(case, trace)
    period = max(1, round(2.0 * math.pi / case.rate / CYCLE))
    begin = round(case.way / case.speed / CYCLE) + 2 * period
    return float(energy[-2 * period :].mean() / energy[begin : begin + 2 * period].mean()) - 1.0


def held_energy(case: Case, trace: Trace) -> Array:
    """Return the simulated body's energy in the port's spring at every cycle [J].

    Nothing holds it sideways: in six seconds it slides and turns by millimetres and degrees, so that the
    spring's compression is that of its face, not of its centre.
    """
    attitude = Rotation.from_quat(trace.quat_world_object_sim, scalar_first=True)
    twist = trace.twist_world_object_sim
    spin = attitude.inv().apply(twist[:, 3:])
    face = attitude[0].inv().apply([FACE - trace.p_world_object_sim[0, 0], 0.0, 0.0])
    deep = (trace.p_world_object_sim + attitude.apply(face))[:, 0] - FACE - case.way
    moving = case.mass * (twist[:, :3] ** 2).sum(axis=1) + 0.05 * case.mass * (spin**2).sum(axis=1)
    energy: Array = 0.5 * moving + 0.5 * case.k * deep**2
    return energy
