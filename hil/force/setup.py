"""What a contact loop is set up with, and the same as the flat record that compiled code reads."""

import math
from dataclasses import dataclass

import numpy as np
from scipy.linalg import expm, solve_discrete_lyapunov

from hil.common.arrays import Array
from hil.common.errors import ConfigurationError
from hil.force.observer import POSITION_GAIN
from hil.force.rows import CONSTANTS, Records
from hil.force.schemes import SCHEMES

RING_SECONDS = 0.5  # a contact is re-integrated over so much of its past
BIAS_DELAY = 0.020  # [s] the bias is fed with what was read so long ago
BIAS_TIME = 0.2  # [s] its low-pass


@dataclass(frozen=True)
class DriveModel:
    """How the arm follows what it is sent: a dead time, then a second-order lag.

    Attributes:
        dead_time: from the command's instant to the path's [s].
        lag: with which a ramp is followed [s].
        damping: of the lag.
    """

    dead_time: float
    lag: float
    damping: float = 0.8


def drive_of(lead: float, step: float, lag: float, damping: float) -> DriveModel:
    """Return the drives' model: what the delay has beyond one cycle and the lag is dead time."""
    lag = min(lag, max(0.0, lead - step))
    return DriveModel(max(0.0, lead - step - lag), lag, damping)


@dataclass(frozen=True)
class ContactSetup:
    """All that a contact loop must know.

    Attributes:
        step: of a cycle [s].
        mass: of the simulated object [kg].
        inertia: about its centre of mass, object axes [kg m2], (3, 3).
        lead: interface dead time and drive lag [s]; what the command runs ahead by.
        drive: model of the arm for the observer.
        scheme: a key of `SCHEMES`.
        gate: force that opens a contact [N].
        force_noise: standard deviation of a component of the force [N].
        position_noise: standard deviation of the measured position [m].
        target_stiffness: of the contact that is to be felt [N/m]; 0: the real one alone.
        target_ratio: its damping ratio; None: the real damper alone.
        energy_cap: whether a contact may give back no more than it got.
        passive: whether the port can do no work; otherwise what it was seen to do is granted.
        find_port_mass: whether the port may turn out to be a free body.
        port_speed: that it may have along the line before the touch [m/s]; 0: it stands.
        latched: whether the contact holds, and pulls, from its beginning.
        detect_latch: whether a contact may turn out to pull.
        skew: by which the wrench lies behind the joints of its packet [s].
        arm_stiffness: of the arm in series with the contact [N/m]; inf: rigid.
        observer_gain: of the arm's velocity.
        remembers: whether contacts are remembered for the lead.
        gate_torque: torque that opens a contact without a force [N m]; inf: none does.
        map_bias: whether the bias of the wrench is learned over positions.
    """

    step: float
    mass: float
    inertia: Array
    lead: float
    drive: DriveModel
    scheme: str = "S"
    gate: float = 1.0
    force_noise: float = 0.06
    position_noise: float = 5e-6
    target_stiffness: float = 0.0
    target_ratio: float | None = None
    energy_cap: bool = True
    passive: bool = True
    find_port_mass: bool = True
    port_speed: float = 0.0
    latched: bool = False
    detect_latch: bool = True
    skew: float = 0.0
    arm_stiffness: float = math.inf
    observer_gain: float = 0.1
    remembers: bool = False
    gate_torque: float = math.inf
    map_bias: bool = True

    def __post_init__(self) -> None:
        """Refuse what no loop can be built from."""
        if self.scheme not in SCHEMES:
            raise ConfigurationError(f"compensation {self.scheme!r} is unknown; known: {', '.join(SCHEMES)}")
        if not self.gate_torque > 0.0:
            raise ConfigurationError(f"contact loop: gate_torque = {self.gate_torque:g} must be above 0")
        for name in ("step", "mass", "gate", "force_noise"):
            value = getattr(self, name)
            if not 0.0 < value < math.inf:
                raise ConfigurationError(f"contact loop: {name} = {value:g} must be above 0 and finite")
        for name in ("lead", "port_speed", "position_noise", "target_stiffness"):
            value = getattr(self, name)
            if not 0.0 <= value < math.inf:
                raise ConfigurationError(f"contact loop: {name} = {value:g} must not be below 0")
        inertia = np.asarray(self.inertia, float)
        if inertia.shape != (3, 3) or not np.all(np.linalg.eigvalsh(inertia) > 0.0):
            raise ConfigurationError("contact loop: inertia must be a positive definite matrix (3, 3)")


def window_of(setup: ContactSetup) -> int:
    """Return over how many cycles of its past a contact is re-integrated."""
    return max(16, round(RING_SECONDS / setup.step))


def packed(setup: ContactSetup) -> Records:
    """Return the setup as compiled code reads it: one record, in an array of one."""
    scheme = SCHEMES[setup.scheme]
    constants: Records = np.zeros(1, CONSTANTS)
    record = constants[0]
    record["step"], record["mass"], record["gate"] = setup.step, setup.mass, setup.gate
    record["inertia"] = setup.inertia
    record["inverse_inertia"] = np.linalg.inv(setup.inertia)
    record["lead"] = setup.lead if scheme.led else 0.0
    record["force_noise"] = max(setup.force_noise, 1e-3)
    record["position_noise"] = setup.position_noise
    record["target_stiffness"] = setup.target_stiffness
    record["target_ratio"] = -1.0 if setup.target_ratio is None else setup.target_ratio
    for name in ("modelled", "reintegrated", "phase_led", "damped"):
        record[name] = getattr(scheme, name)
    for name in ("energy_cap", "passive", "find_port_mass", "latched", "detect_latch", "remembers"):
        record[name] = getattr(setup, name)
    record["map_bias"] = setup.map_bias
    record["twist_arm"] = setup.gate_torque / setup.gate if setup.gate_torque < math.inf else 0.0
    record["port_speed"] = setup.port_speed
    record["window"] = window_of(setup)
    record["phase_lead"] = setup.lead + 0.5 * setup.step
    record["skew"], record["arm_compliance"] = setup.skew, 1.0 / setup.arm_stiffness
    record["observer_gain"] = setup.observer_gain
    record["bias_delay"] = max(1, round(BIAS_DELAY / setup.step))
    record["bias_gain"] = min(1.0, setup.step / BIAS_TIME)
    whole = math.floor(setup.drive.dead_time / setup.step + 1e-9)
    rest = max(0.0, setup.drive.dead_time - whole * setup.step)
    record["dead_cells"] = whole
    record["earlier"] = lag_of_velocity(setup.drive, rest)
    record["later"] = lag_of_velocity(setup.drive, setup.step - rest)
    record["noise"] = noise_of_regressors(record, setup)
    return constants


def noise_of_regressors(record: Records, setup: ContactSetup) -> Array:
    """Return the covariance (2, 2) of what position noise does to compression and rate at an instant.

    The compression is measured as it is; the rate comes from the observer, in its steady state.
    """
    spread = setup.position_noise**2
    if spread == 0.0:
        return np.zeros((2, 2))
    flow = record["later"][:, :3] @ record["earlier"][:, :3]
    gains = np.array([POSITION_GAIN, setup.observer_gain / setup.step, 0.0])
    corrected = np.eye(3) - np.outer(gains, [1.0, 0.0, 0.0])
    step = corrected @ flow
    covariance = solve_discrete_lyapunov(step, spread * np.outer(gains, gains))
    shared = spread * gains[1]
    return np.array([[spread, shared], [shared, covariance[1, 1]]])


def lag_of_velocity(drive: DriveModel, duration: float) -> Array:
    """Return what becomes of (way, velocity, acceleration) while a velocity is commanded, (3, 4).

    The velocity follows the commanded one as the position follows the commanded position:
    `v'' = w^2 (u - v) - 2 z w v'`, `w = 2 z / lag`. Columns: way, velocity, acceleration, commanded velocity.
    """
    if drive.lag <= 0.0:
        return np.array([[1.0, 0.0, 0.0, duration], [0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, 0.0]])
    w = 2.0 * drive.damping / drive.lag
    rates = np.zeros((4, 4))
    rates[0, 1], rates[1, 2] = 1.0, 1.0
    rates[2, 1:] = -w * w, -2.0 * drive.damping * w, w * w
    transition: Array = expm(rates * duration)[:3]
    return transition
