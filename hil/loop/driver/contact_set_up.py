"""A contact loop's set-up from the configuration of a run."""

import math

import numpy as np

from hil.configuration import Configuration
from hil.force.setup import ContactSetup, DriveModel


def contact_setup(c: Configuration, lead: float) -> ContactSetup:
    """Return the set-up for an arm whose delay from a command's instant is `lead` [s]."""
    force, step = c.force, c.fri.sample_time
    stiffness, damping = virtual_contact(c)
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
        virtual_stiffness=stiffness,
        virtual_damping=damping,
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


def virtual_contact(c: Configuration) -> tuple[float, float]:
    """Return stiffness [N/m] and damping [N s/m] that are added to the real contact's in `hybrid`.

    The real spring must be known beforehand (`force.device_stiffness`): what the target has more is virtual.
    """
    force = c.force
    if force.mode != "hybrid" or force.target_stiffness is None:
        return 0.0, 0.0
    real = force.device_stiffness or 0.0
    stiffness = max(0.0, force.target_stiffness - real)
    if force.target_restitution is None:
        return stiffness, 0.0
    ratio = damping_ratio_of(force.target_restitution)
    return stiffness, 2.0 * ratio * math.sqrt(force.target_stiffness * c.object.mass)


def damping_ratio_of(restitution: float) -> float:
    """Return the damping ratio of a spring and damper that may not pull, for a restitution in (0, 1].

    Its restitution is e = exp(-z tau), with tau the time w t at which the force vanishes (docs/theory.md).
    """
    low, high = 0.0, 0.999
    for _ in range(60):
        z = 0.5 * (low + high)
        root = math.sqrt(1.0 - z * z)
        tau = math.pi if z == 0.0 else (math.pi - math.atan2(2.0 * z * root, root * root - z * z)) / root
        low, high = (z, high) if math.exp(-z * tau) > restitution else (low, z)
    return 0.5 * (low + high)
