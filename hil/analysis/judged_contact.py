"""A contact beside what it should have been: restitution, energy, peak force and time, against an ideal.

The ideal is the target of `hybrid`; else the emulated port itself, where a closed form knows it; else the
contact that was identified, which says nothing about the identification.
"""

from dataclasses import dataclass, replace
from functools import cached_property

from hil.analysis.contact_setting import contact_setting
from hil.configuration import Configuration
from hil.configuration.port import Port
from hil.force.map.contact import Contact as Line
from hil.force.map.ideal_touch import IdealTouch, ideal_touch
from hil.force.map.restitution import damping_ratio
from hil.loop.told_contact import contact_restitution, created_percent, is_identified
from hil.messaging.messages import Contact

COVERS = 1.96  # standard deviations of an interval of 95 %
TARGET, PORT, IDENTIFIED = "target", "port", "identified"


@dataclass(frozen=True)
class JudgedContact:
    """What is to be said of a contact that ended; None: it cannot be told.

    Attributes:
        contact: as it was told.
        restitution: speed after over speed before.
        wanted: restitution that was set.
        against: TARGET, PORT or IDENTIFIED: what the ideal is of.
        ideal: the touch as it should have been.
        created: by the loop, by what the identified contact does not explain, of the energy before [%].
    """

    contact: Contact
    restitution: float | None
    wanted: float | None
    against: str | None
    ideal: IdealTouch | None
    created: float | None

    @property
    def error(self) -> float | None:
        """Restitution less the ideal one."""
        if self.restitution is None or self.ideal is None:
            return None
        return self.restitution - self.ideal.restitution

    @property
    def excess(self) -> float | None:
        """Energy of the motion along the line beyond the ideal one after it, of the one before it [%]."""
        if self.restitution is None or self.ideal is None:
            return None
        return 100.0 * (self.restitution**2 - self.ideal.restitution**2)

    @property
    def peak_error(self) -> float | None:
        """Peak of the real force over the ideal one's, less 1 [%]."""
        if self.ideal is None or self.ideal.peak <= 0.0:
            return None
        return 100.0 * (self.contact.peak_force / self.ideal.peak - 1.0)

    @property
    def time_error(self) -> float | None:
        """How long the force was above the gate over how long it should have been, less 1 [%]."""
        if self.ideal is None or self.ideal.lasts <= 0.0:
            return None
        return 100.0 * (self.contact.felt / self.ideal.lasts - 1.0)

    @property
    def stiffness_within(self) -> float | None:
        """Half the interval of 95 % of the identified stiffness, by noise alone [N/m]."""
        return COVERS * self.contact.stiffness_deviation if self.contact.stiffness > 0.0 else None

    @property
    def damping_within(self) -> float | None:
        """Half the interval of 95 % of the identified damping [N s/m]."""
        return COVERS * self.contact.damping_deviation if self.contact.stiffness > 0.0 else None


class ContactJudge:
    """Judges the contacts of a run by its configuration."""

    def __init__(self, configuration: Configuration) -> None:
        """Prepare for a run."""
        self._c = configuration

    def judged(self, contact: Contact) -> JudgedContact:
        """Return a contact beside its ideal."""
        restitution = contact_restitution(contact)
        against, ideal = (None, None) if restitution is None else self._ideal(contact)
        force = self._c.force
        wanted = force.target_restitution if force.mode == "hybrid" else None
        return JudgedContact(contact, restitution, wanted, against, ideal, created_percent(contact))

    def _ideal(self, contact: Contact) -> tuple[str | None, IdealTouch | None]:
        """Return what a contact that was left again is to be held against, and that."""
        gate, speed = self._c.force.gate, contact.approach
        mass = contact.port_mass if contact.port_mass > 0.0 else float("inf")
        found = Line(contact.mass, contact.stiffness, contact.damping, mass)
        real = contact.stiffness, contact.damping
        if self._c.force.mode == "hybrid" and is_identified(contact):
            return TARGET, ideal_touch(self._target(found), speed, gate, real)
        if self._c.force.mode != "hybrid" and self._port is not None:
            return PORT, ideal_touch(replace(self._port, mass=contact.mass), speed, gate)
        return (IDENTIFIED, ideal_touch(found, speed, gate)) if is_identified(contact) else (None, None)

    def _target(self, found: Line) -> Line:
        """Return what was to be felt; a contact that is harder than that stays as it is."""
        force = self._c.force
        hard = replace(found, stiffness=max(found.stiffness, force.target_stiffness or 0.0))
        if force.target_restitution is None:
            return hard
        ratio = damping_ratio(force.target_restitution)
        return Line.of_ratio(hard.mass, hard.rate, ratio, hard.port_mass)

    @cached_property
    def _port(self) -> Line | None:
        """The emulated port, where it is one spring and one damper on one line."""
        port = self._c.port
        if port is None or self._c.robot.kind != "emulated" or not is_plain(port):
            return None
        return contact_setting(self._c).contact


def is_plain(port: Port) -> bool:
    """Return whether a port is a spring and a damper on one line, so that a closed form knows the touch."""
    one_foot = port.feet is None or len(port.feet) == 1
    linear = port.exponent == 1.0 and port.bump is None and port.groove is None and not port.latch
    return one_foot and linear and not (port.damping > 0.0 and port.compliance > 0.0)
