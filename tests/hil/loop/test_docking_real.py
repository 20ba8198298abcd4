"""Pins really go into holes in the emulation, and the loop makes no energy of it (docking_real.toml)."""

from pathlib import Path

import numpy as np
import pytest

from drivers.emulation.port.holed_port import HoledPort
from hil.configuration import load_configuration
from hil.loop.lockstep import LockStep
from hil.messaging.codec import Message
from hil.messaging.messages import Contact

FILE = Path(__file__).parents[3] / "configs/docking_real.toml"


SLOW = 1e-3  # [J] below it what a spring holds within the gate counts: it turns into speed when it is felt


@pytest.mark.parametrize(
    ("scheme", "seed", "stiffness", "damping", "speed", "seconds"),
    [
        ("S", 1, 2e3, 100.0, 40.0, 3.5),
        ("S", 2, 5e3, 50.0, 40.0, 3.5),
        ("S", 2, 2e3, 100.0, 30.0, 8.0),  # one spring for all that its pins touch would end in the force stop
        ("lead", 2, 2e3, 100.0, 40.0, 3.5),
    ],
)
def test_it_docks_without_a_fault_and_no_contact_gives_energy(
    scheme: str, seed: int, stiffness: float, damping: float, speed: float, seconds: float
) -> None:
    """All four tips are held at the bottom, at rest; no contact leaves 1 % more than it found.

    `speed`: towards the plate [mm/s]; `seconds`: of the flight.
    """
    told: list[Contact] = []

    def hear(topic: str, msg: Message) -> None:
        if isinstance(msg, Contact) and msg.ended:
            told.append(msg)

    keys = [f'force.compensation="{scheme}"', f"port.stiffness_n_per_m={stiffness}"]
    keys += [f"port.damping_n_s_per_m={damping}", f"run.seed={seed}"]
    c = load_configuration(FILE, [*keys, f"object.initial_velocity_mm_s=[{speed}, 0, 0]"])
    loop = LockStep(c, None, hear)
    trace = loop.run(seconds)
    assert not loop.fault
    port = loop.port
    assert isinstance(port, HoledPort)
    assert port.latched.all() and port.depths == pytest.approx(np.ones(4), abs=0.05)
    assert any(contact.energy_before > SLOW for contact in told)
    for contact in told:
        assert contact.energy_after <= 1.01 * max(SLOW, contact.energy_before), contact
    twist, inertia = trace.twist_world_object_sim, c.object.inertia[0]  # the same about all axes
    energy = 0.5 * c.object.mass * (twist[:, :3] ** 2).sum(axis=1) + 0.5 * inertia * (twist[:, 3:] ** 2).sum(
        axis=1
    )
    assert energy.max() <= 1.01 * energy[0]
    assert energy[-1] < 0.02 * energy[0]
    # the chaser that is made to appear is where the arm has it, but for the little that pins give way
    apart = np.linalg.norm(trace.p_world_object_sim - trace.p_world_object_arm, axis=1)
    assert apart.max() < 2e-3
