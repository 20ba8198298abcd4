"""How the force of a run acts, its newest contact, and whether the drives are in time, in words."""

from typing import Any

from hil.configuration.force import Force
from hil.loop.told_contact import contact_restitution, is_identified, timing_words
from hil.messaging.bus import Bus
from hil.messaging.messages import Contact
from hil.messaging.timing_messages import DriveTiming

SILENT_NS = 500_000_000  # an open contact is told of every 20 ms: floating has ended meanwhile


class TouchWatch:
    """Follows the contacts of a run; does nothing where force acts as pushes."""

    def __init__(self, bus: Bus, force: Force) -> None:
        """Listen on a run's bus."""
        self._reader = None if force.mode == "pushes" else bus.subscriber("contact", Contact)
        self._acts = acts_words(force)
        self._newest: Contact | None = None
        self._timings = None if force.mode == "pushes" else bus.subscriber("drive_timing", DriveTiming)
        self._timing: DriveTiming | None = None

    def turn(self) -> None:
        """Take what has come."""
        if self._reader is not None and (found := self._reader.drain()):
            self._newest = found[-1]
        if self._timings is not None:
            self._timing = self._timings.newest() or self._timing

    def status(self, now_ns: int) -> dict[str, str]:
        """Return how the force acts, the newest contact and the drives, in words; empty of pushes."""
        touch = touch_words(self._newest, now_ns) if self._acts else ""
        drives = ""
        if self._acts:
            drives = "not known before it moves" if self._timing is None else timing_words(self._timing)
        return {"force_acts": self._acts, "touch": touch, "drives": drives}


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
        if contact.stiffness > 0.0 and not is_identified(contact):
            return f"{name} open: {contact.force:.1f} N, no one spring explains it"
        stiffness = f"{contact.stiffness:.0f} N/m" if contact.stiffness > 0.0 else "stiffness not known yet"
        return f"{name} open: {contact.force:.1f} N, {1e3 * contact.depth:.2f} mm deep, {stiffness}"
    e = contact_restitution(contact)
    energies = f"{1e3 * contact.energy_before:.1f} mJ before, {1e3 * contact.energy_after:.1f} mJ after"
    return f"{name} over: {'' if e is None else f'e {e:.2f}, '}{energies}"


def touch_lines(status: dict[str, Any]) -> list[str]:
    """Return the line of `zerog status`; none where force acts as pushes."""
    if not status.get("force_acts"):
        return []
    return [
        f"force acts for as long as it lasts, {status['force_acts']}; contact: {status['touch']}",
        f"drives: {status['drives']}",
    ]
