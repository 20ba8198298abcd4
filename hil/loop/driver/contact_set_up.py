"""A contact loop's set-up from the configuration of a run."""

import math

import numpy as np

from hil.configuration import Configuration
from hil.force.map.restitution import damping_ratio
from hil.force.setup import ContactSetup, DriveModel


def contact_setup(c: Configuration, lead: float) -> ContactSetup:
    """Return the set-up for an arm whose delay from a command's instant is `lead` [s]."""
    force, step = c.force, c.fri.sample_time
    return ContactSetup(
        step=step,
        mass=c.object.mass,
        inertia=np.diag(c.object.inertia),
        lead=max(0.0, lead - step),
        drive=drive_of(lead, step, force.drive_lag, force.drive_damping),
        scheme=force.compensation,
        gate=force.gate,
        force_noise=c.detector.noise_force,
        position_noise=force.noise_position,
        **hybrid_target(c),
        energy_cap=force.energy_cap,
        passive=force.passive,
        latched=False,
        detect_latch=force.latched,
        port_speed=force.port_speed,
        gate_torque=math.inf if force.gate_torque is None else force.gate_torque,
        remembers=force.remember_contacts,
        skew=force.wrench_skew,
    )


def drive_of(lead: float, step: float, lag: float, damping: float) -> DriveModel:
    """Return the drives' model: what the delay has beyond one cycle and the lag is dead time."""
    lag = min(lag, max(0.0, lead - step))
    return DriveModel(max(0.0, lead - step - lag), lag, damping)


def hybrid_target(c: Configuration) -> dict[str, float | None]:
    """Return what is to be felt in `hybrid`: keys of the set-up."""
    force = c.force
    if force.mode != "hybrid":
        return {}
    wanted = force.target_restitution
    return {
        "target_stiffness": force.target_stiffness,
        "target_ratio": None if wanted is None else damping_ratio(wanted),
    }
