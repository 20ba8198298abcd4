"""What a configuration says of contact with its port: masses along the line, spring, delay, speed, limits."""

from dataclasses import dataclass, replace

import numpy as np

from drivers.emulation.port.geometry import feet_of
from hil.common.arrays import Array
from hil.common.errors import ConfigurationError
from hil.configuration import Configuration
from hil.configuration.frames import Frames
from hil.configuration.port import Port
from hil.force.map.contact import Contact, linear_stiffness, mass_along_line
from hil.force.map.loop_delay import LoopDelay
from hil.force.map.rule import Touch
from planner.kinematics.arm_model import load_arm_model
from planner.kinematics.forward import flange_pose

APPROACH_SPEED = 0.02  # [m/s] along the port's normal, where the configuration has none
LONGEST_INTERFACE = 1.0  # [s]
BOUNDS = {  # of what a command line may say; those of [port]
    "stiffness": ("--stiffness-n-per-m", 1.0, 1e7),
    "damping": ("--damping-n-s-per-m", 0.0, 1e5),
    "port_mass": ("--port-mass-kg", 0.5, 1e6),
}


@dataclass(frozen=True)
class Given:
    """What a command line says instead of the configuration; None: nothing. SI."""

    stiffness: float | None = None
    damping: float | None = None
    port_mass: float | None = None
    interface: float | None = None
    speed: float | None = None
    force_stop: float | None = None
    position_noise: float | None = None
    skew: float | None = None


@dataclass(frozen=True)
class Setting:
    """A contact in a loop, and where its delay is from in words."""

    contact: Contact
    loop: LoopDelay
    touch: Touch
    source: str


def contact_setting(c: Configuration, given: Given = Given()) -> Setting:
    """Return what the rule is to be asked about.

    Raises:
        ConfigurationError: there is neither a port nor a stiffness, or a number beyond its bounds.
    """
    for key, (option, low, high) in BOUNDS.items():
        value = getattr(given, key)
        if value is not None and not low <= value <= high:
            raise ConfigurationError(f"{option} {value:g} must be from {low:g} to {high:g}")
    loop, source = _loop(c, given)
    speed = given.speed or _approach_speed(c)
    contact, hardening = _contact(c, given, speed)
    wrench = c.emulator.wrench
    skew = wrench.lag + wrench.skew if c.robot.kind == "emulated" else 0.0
    noise = c.force.noise_position if given.position_noise is None else given.position_noise
    touch = Touch(speed, given.force_stop or c.force.stop_force, noise, skew=skew, hardening=hardening)
    if given.skew is not None:
        touch = replace(touch, skew=given.skew)
    return Setting(contact, loop, touch, source)


def _loop(c: Configuration, given: Given) -> tuple[LoopDelay, str]:
    """Return the loop's delay, and where it is from."""
    cycle, emulator = c.fri.sample_time, c.emulator
    lag = emulator.lag if c.robot.kind == "emulated" and emulator.control != "kinematic" else 0.0
    loop = LoopDelay(cycle, cycle + emulator.delay, lag, emulator.damping)
    source = f"interface {1e3 * loop.interface:.1f} ms by [emulator]"
    if given.interface is not None:
        if given.interface > LONGEST_INTERFACE:
            raise ConfigurationError(
                f"--delay-ms {1e3 * given.interface:g} must be at most {1e3 * LONGEST_INTERFACE:g}: it is "
                "what `zerog status --json` names interface_delay_ms"
            )
        return loop.of_interface(given.interface), f"interface {1e3 * given.interface:.1f} ms as given"
    if c.robot.kind != "emulated" or emulator.control == "impedance" or emulator.elastic:
        lead = c.interpolation.lead_time
        return loop.of_interface(lead), (
            f"interface {1e3 * lead:.1f} ms by interpolation.lead_time_ms, not identified: give --delay-ms"
        )
    return loop, source


def _approach_speed(c: Configuration) -> float:
    """Return how fast floating begins towards the port [m/s]."""
    towards = 0.0 if c.port is None else -float(c.object.initial_velocity @ c.port.normal_unit)
    return towards if towards > 0.0 else APPROACH_SPEED


def _contact(c: Configuration, given: Given, speed: float) -> tuple[Contact, float]:
    """Return the contact of highest rate, of one foot or of all at once, and how much its force hardens."""
    port = c.port
    if port is None and given.stiffness is None:
        raise ConfigurationError(
            "there is no port: write [port] into the configuration, or give --stiffness-n-per-m"
        )
    if port is None or given.stiffness is not None:
        stiffness, exponent = given.stiffness or 0.0, 1.0
        compliance = 0.0
    else:
        stiffness, exponent, compliance = port.stiffness, port.exponent, port.compliance
    damping = given.damping if given.damping is not None else (0.0 if port is None else port.damping)
    port_mass = given.port_mass or (port.mass if port is not None and port.mass else np.inf)
    found = []
    for mass, count in _lines(c, port):
        reduced = 1.0 / (1.0 / mass + 1.0 / port_mass)
        k = linear_stiffness(count * stiffness, exponent, 0.5 * reduced * speed**2)
        together = 1.0 / (1.0 / k + compliance)
        found.append(Contact(mass, together, count * damping + _device_part(port, together), port_mass))
    return max(found, key=lambda contact: contact.rate), 0.5 * (exponent + 1.0)


def _device_part(port: Port | None, together: float) -> float:
    """Return what a device's damper adds to a contact of stiffness `together` [N s/m]; to first order."""
    if port is None or port.device_stiffness is None:
        return 0.0
    return port.device_damping * (together / port.device_stiffness) ** 2


def _lines(c: Configuration, port: Port | None) -> list[tuple[float, float]]:
    """Return mass along the line of contact [kg] and number of springs: each foot alone, and all at once.

    A foot on the bottom of a groove is on both flanks, whose springs have a part along the port's normal.
    """
    if port is None:
        return [(c.object.mass, 1.0)]
    flanks = 1.0 if port.groove is None else 2.0 * float(np.cos(port.groove)) ** 2
    feet, R_world_object = _feet(c, port)
    inertia = R_world_object @ np.diag(c.object.inertia) @ R_world_object.T
    alone = [
        mass_along_line(c.object.mass, inertia, port.normal_unit, R_world_object @ foot) for foot in feet
    ]
    return [(mass, flanks) for mass in alone] + [(c.object.mass, flanks * len(feet))] * (len(feet) > 1)


def _feet(c: Configuration, port: Port) -> tuple[Array, Array]:
    """Return the mock-up's feet in object axes [m], and the object's attitude in the world, at the start."""
    frames, model = Frames.from_configuration(c), load_arm_model(c.robot.model)
    R_world_flange = frames.T_world_base[:3, :3] @ flange_pose(model.geometry, c.robot.start)[:3, :3]
    R_world_tcp = R_world_flange @ frames.T_flange_tcp[:3, :3]
    return feet_of(port, c.mockup.edge, frames.T_tcp_object, R_world_tcp), R_world_tcp @ frames.T_tcp_object[
        :3, :3
    ]
