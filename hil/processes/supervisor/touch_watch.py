"""How the force of a run acts, and its newest contact, in words for the operator."""

from typing import Any

from hil.configuration.force import Force
from hil.loop.told_contact import contact_restitution
from hil.messaging.bus import Bus
from hil.messaging.messages import Contact

SILENT_NS = 500_000_000  # an open contact is told of every 20 ms: floating has ended meanwhile


class TouchWatch:
    """Follows the contacts of a run; does nothing where force acts as pushes."""

    def __init__(self, bus: Bus, force: Force) -> None:
        """Listen on a run's bus."""
        self._reader = None if force.mode == "pushes" else bus.subscriber("contact", Contact)
        self._acts = acts_words(force)
        self._newest: Contact | None = None

    def turn(self) -> None:
        """Take what has come."""
        if self._reader is not None and (found := self._reader.drain()):
            self._newest = found[-1]

    def status(self, now_ns: int) -> dict[str, str]:
        """Return how the force acts, and what is to be said of the newest contact; empty of pushes."""
        touch = touch_words(self._newest, now_ns) if self._acts else ""
        return {"force_acts": self._acts, "touch": touch}


def acts_words(force: Force) -> str:
    """Return how a force acts for as long as it lasts; empty where it acts as pushes."""
    if force.mode == "pushes":
        return ""
    target = ""
    if force.mode == "hybrid" and force.target_stiffness is not None:
        wanted = force.target_restitution
        target = f", to be felt {force.target_stiffness:.3g} N/m" + (
            "" if wanted is None else f", e {wanted:g}"
        )
    return f"{force.mode} ({force.compensation}{target})"


def touch_words(contact: Contact | None, now_ns: int) -> str:
    """Return a contact in words: what it is like while it is open, what it came to when it is over.

    Args:
        contact: the newest of what is told of it, or None.
        now_ns: on the clock of the run.
    """
    if contact is None:
        return "none yet"
    name = str(contact.number)
    if not contact.ended:
        if now_ns - contact.t_ns > SILENT_NS:
            return f"{name} left open: at most {contact.peak_force:.1f} N"
        stiffness = f"{contact.stiffness:.0f} N/m" if contact.stiffness > 0.0 else "stiffness not known yet"
        return f"{name} open: {contact.force:.1f} N, {1e3 * contact.depth:.2f} mm deep, {stiffness}"
    e = contact_restitution(contact)
    energies = f"{1e3 * contact.energy_before:.1f} mJ before, {1e3 * contact.energy_after:.1f} mJ after"
    return f"{name} over: {'' if e is None else f'e {e:.2f}, '}{energies}"


def touch_lines(status: dict[str, Any]) -> list[str]:
    """Return the line of `zerog status`; none where force acts as pushes."""
    if not status.get("force_acts"):
        return []
    return [f"force acts for as long as it lasts, {status['force_acts']}; contact: {status['touch']}"]
