"""Contacts in a soak: a port of drawn stiffness, damping and mass in each arm's way, and what came of them.

Faults begin while port and mock-up touch as often as in free flight. A contact that no fault met must not
give the object energy.
"""

import math

import numpy as np

from drivers.emulation.port.holed_port import AnyPort
from hil.configuration import Configuration
from hil.messaging.messages import Contact
from hil.trials.soak.ledger import Ledger

STIFFNESS = 1e3, 1e6  # [N/m]
DAMPING = 0.6  # greatest ratio
MASS = 20.0, 2000.0  # [kg] of a port that floats freely
FREE, HERTZ = 0.4, 0.2  # shares of ports that do, and that press by Hertz's law
FRICTION = 0.5  # greatest coefficient
NEARER = 0.017  # [m] by which the face may stand nearer to the mock-up than it is configured
UNTOUCHED = 1.0, 4.0  # [s] of floating without a touch until a scenario begins
TOUCHED = 0.15  # [s] from a touch to its scenario, at most
GAIN = 0.01  # share of energy that no contact may give
LEAST = 1e-4  # [J] in a contact that is judged


def drawn_port(c: Configuration, rng: np.random.Generator) -> Configuration:
    """Return the configuration with a port that is drawn; as it is without a port, or where it has holes."""
    port = c.port
    if port is None or port.interfaces is not None:
        return c
    stiffness = math.exp(rng.uniform(*np.log(STIFFNESS)))
    damping = 2.0 * rng.uniform(0.0, DAMPING) * math.sqrt(stiffness * c.object.mass)
    free, hertz = rng.random() < FREE, rng.random() < HERTZ
    change = {
        "stiffness": stiffness,
        "damping": damping,
        "mass": math.exp(rng.uniform(*np.log(MASS))) if free else None,
        "exponent": 1.5 if hertz and not free else 1.0,
        "friction": rng.uniform(0.0, FRICTION),
        "point": port.point + rng.uniform(0.0, NEARER) * port.normal_unit,
    }
    return c.model_copy(update={"port": port.model_copy(update=change)})


class SoakContacts:
    """Watches the port of one arm, if there is one, and counts contacts."""

    def __init__(self, port: AnyPort | None, rng: np.random.Generator, ledger: Ledger) -> None:
        self._port, self._rng, self._ledger = port, rng, ledger
        self._touching = False
        self._spoiled: int | None = None  # the contact that a fault has met

    def touched(self) -> bool:
        """Return whether port and mock-up have touched since the last call, having been apart before."""
        if self._port is None:
            return False
        before, self._touching = self._touching, math.isfinite(self._port.touches.under_way)
        return self._touching and not before

    def calm(self, without: tuple[float, float]) -> tuple[float, float]:
        """Return the bounds of how long the object floats undisturbed if nothing touches [s].

        `without`: where there is no port.
        """
        return without if self._port is None else UNTOUCHED

    def until_fault(self) -> float:
        """Return for how long a touch goes on undisturbed [s]."""
        return float(self._rng.uniform(0.0, TOUCHED))

    def hear(self, told: list[Contact], faulty: bool) -> str:
        """Take what is told of contacts while faults are at work, or not; return what must not be."""
        found = ""
        for contact in told:
            if faulty:
                self._spoiled = contact.number
            if contact.ended:
                found = self._count(contact) or found
        return found

    def _count(self, contact: Contact) -> str:
        ledger = self._ledger
        ledger.contacts += 1
        ledger.peak_force = max(ledger.peak_force, contact.peak_force)
        if contact.number == self._spoiled:
            ledger.contacts_in_fault += 1
            return ""
        if contact.energy_before < LEAST:
            return ""
        gain = contact.energy_after / contact.energy_before - 1.0
        ledger.gain = max(ledger.gain, gain)
        if gain <= GAIN:
            return ""
        ledger.gained += 1
        return f"contact {contact.number} gave {100.0 * gain:.1f} % energy"
