"""What a contact under continuous force came to: restitution, and the energy that the loop itself created."""

from hil.messaging.messages import Contact
from hil.messaging.timing_messages import DriveTiming

SLOWEST = 1e-3  # [m/s] of approach, from which on there is something to compare with


def contact_restitution(contact: Contact) -> float | None:
    """Return departure over approach along the line of the force; None of a contact that has neither.

    Slower than 1 mm/s there is nothing to compare with; without an impulse a departure is not known.
    """
    if not contact.ended or contact.approach <= SLOWEST or contact.departure == 0.0:
        return None
    return contact.departure / contact.approach


def created_percent(contact: Contact) -> float | None:
    """Return the energy that the loop created in a contact over the object's before it [%].

    None where it is not over, began slower than 1 mm/s, or was not identified: by its law it is told apart.
    """
    if not contact.ended or contact.approach <= SLOWEST or contact.energy_before <= 0.0:
        return None
    if contact.stiffness <= 0.0:
        return None
    return 100.0 * contact.energy_created / contact.energy_before


def timing_words(timing: DriveTiming) -> str:
    """Return whether the model of the drives is in time, in words."""
    side = "later" if timing.late > 0.0 else "earlier"
    said = f"arm {1e3 * abs(timing.late):.1f} +- {1e3 * timing.interval:.1f} ms {side} than their model"
    return f"{said}: run `zerog calibrate timing`" if timing.wrong else said
