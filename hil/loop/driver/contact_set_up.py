"""A contact loop's set-up from the configuration of a run."""

import math

import numpy as np

from hil.configuration import Configuration
from hil.force.map.restitution import damping_ratio
from hil.force.setup import ContactSetup, drive_of


def contact_setup(c: Configuration, lead: float) -> ContactSetup:
    """Return the set-up for an arm whose delay from a command's instant is `lead` [s]."""
    force, step = c.force, c.fri.sample_time
    stiffness, ratio = hybrid_target(c)
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
        target_stiffness=stiffness,
        target_ratio=ratio,
        energy_cap=force.energy_cap,
        passive=force.passive,
        latched=False,
        detect_latch=force.latched,
        port_speed=force.port_speed,
        gate_torque=math.inf if force.gate_torque is None else force.gate_torque,
        remembers=force.remember_contacts,
        skew=force.wrench_skew,
    )


def hybrid_target(c: Configuration) -> tuple[float, float | None]:
    """Return stiffness [N/m] and damping ratio of what is to be felt in `hybrid`; 0 and None elsewhere."""
    force = c.force
    if force.mode != "hybrid" or force.target_stiffness is None:
        return 0.0, None
    wanted = force.target_restitution
    return force.target_stiffness, None if wanted is None else damping_ratio(wanted)
