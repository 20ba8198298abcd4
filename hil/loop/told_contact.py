"""What a contact under continuous force came to: restitution, and the energy that the loop itself created."""

from hil.messaging.messages import Contact
from hil.messaging.timing_messages import DriveTiming

SLOWEST = 1e-3  # [m/s] of approach, from which on there is something to compare with
SURE = 5.0  # standard deviations of the stiffness by which it must be known


def is_identified(contact: Contact) -> bool:
    """Return whether one spring explains a contact: its stiffness is known, and not by chance.

    Of pins that touch the sides of their holes in turn none does; what such a fit says of place and damping
    is nothing.
    """
    return 0.0 < contact.stiffness and SURE * contact.stiffness_deviation < contact.stiffness


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
    if not is_identified(contact):
        return None
    return 100.0 * contact.energy_created / contact.energy_before


def timing_words(timing: DriveTiming) -> str:
    """Return whether the model of the drives is in time, in words."""
    side = "later" if timing.late > 0.0 else "earlier"
    said = f"arm {1e3 * abs(timing.late):.1f} +- {1e3 * timing.interval:.1f} ms {side} than their model"
    return f"{said}: run `zerog calibrate timing`" if timing.wrong else said
