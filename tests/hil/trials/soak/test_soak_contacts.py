"""A soak against ports: faults meet contacts, and what a contact may not give is found."""

import dataclasses
from pathlib import Path

import numpy as np

from hil.configuration import load_configuration
from hil.messaging.messages import Contact
from hil.trials.soak.campaign import soaked
from hil.trials.soak.contacts import DAMPING, MASS, NEARER, STIFFNESS, SoakContacts, drawn_port
from hil.trials.soak.ledger import Ledger

PORT = Path(__file__).resolve().parents[4] / "configs" / "port.toml"
CONTACT = ('force.mode="contact"',)

TOUCH = Contact(
    t_ns=2, number=1, t_start_ns=1, t_end_ns=2, ended=True, felt=1e-9, stiffness=1e4, stiffness_deviation=0.0,
    damping=0.0, damping_deviation=0.0, port_mass=0.0, mass=60.0, force=0.0, peak_force=20.0, depth=1e-3,
    approach=0.02, departure=0.02, energy_before=0.012, energy_after=0.012, energy_created=0.0,
    impulse_object=np.zeros(6),
)  # fmt: skip


def test_ports_and_faults_meet_without_a_violation() -> None:
    """4000 cycles, contacts and faults: no command breaks a limit, no contact gives energy."""
    ledger = soaked(PORT, CONTACT, 1, 4000)
    assert ledger.cycles == 4000 and ledger.contacts > 0
    assert (ledger.violations, ledger.unsettled, ledger.died, ledger.gained) == (0, 0, 0, 0), ledger.findings


def test_ports_are_drawn_within_their_bounds_and_no_configuration_without_one_changes() -> None:
    """By the seed; the face comes nearer, never behind the mock-up's."""
    c = load_configuration(PORT, list(CONTACT))
    assert c.port is not None
    for seed in range(50):
        port = drawn_port(c, np.random.default_rng(seed)).port
        assert port is not None and STIFFNESS[0] <= port.stiffness <= STIFFNESS[1]
        assert port.damping <= 2.0 * DAMPING * np.sqrt(port.stiffness * c.object.mass)
        assert port.mass is None or MASS[0] <= port.mass <= MASS[1]
        assert 0.0 <= (port.point - c.port.point) @ c.port.normal_unit <= NEARER
    without = c.model_copy(update={"port": None})
    assert drawn_port(without, np.random.default_rng(1)) is without


def test_a_contact_that_gives_energy_is_found_unless_a_fault_met_it() -> None:
    """Two per cent are too much; what a fault has met is counted apart."""
    ledger = Ledger()
    contacts = SoakContacts(None, np.random.default_rng(1), ledger)
    assert contacts.hear([TOUCH], False) == ""
    gave = dataclasses.replace(TOUCH, number=2, energy_after=1.02 * TOUCH.energy_before)
    assert "contact 2 gave 2.0 % energy" in contacts.hear([gave], False)
    third = dataclasses.replace(gave, number=3, ended=False)
    contacts.hear([third], True)
    assert contacts.hear([dataclasses.replace(third, ended=True)], False) == ""
    assert (ledger.contacts, ledger.contacts_in_fault, ledger.gained) == (3, 1, 1)
