"""What a contact loop answers in a cycle: views of its own record, nothing is copied."""

import math

import numpy as np

from hil.common.arrays import Array
from hil.force.cycle import object_impulses_into
from hil.force.rows import Record, Records


class ContactState:
    """The answer of one cycle `n`; the same object each time, so what is kept must be copied.

    Attributes:
        p, quat, twist: the body at the end of the cycle, world axes, about its centre of mass [m, rad, s].
        led_p, led_quat, led_twist, led_acceleration: what is to be commanded, a lead later.
    """

    def __init__(self, record: Record, ring: Records) -> None:
        """Look at a state's record and its ring."""
        self._s, self._ring = record, ring
        self.p: Array = record["next_p"]
        self.quat: Array = record["next_q"]
        self.twist: Array = record["next_twist"]
        self.led_p: Array = record["led_p"]
        self.led_quat: Array = record["led_q"]
        self.led_twist: Array = record["led_twist"]
        self.led_acceleration: Array = record["led_acceleration"]
        self._impulses = np.zeros((len(ring), 6))
        self._poses = np.zeros((len(ring), 13))

    @property
    def cycle(self) -> int:
        """The cycle that was advanced."""
        return int(self._s["n"]) - 1

    @property
    def in_contact(self) -> bool:
        """Whether a contact is open."""
        return bool(self._s["open"])

    @property
    def ended(self) -> bool:
        """Whether a contact has ended in this cycle."""
        return bool(self._s["ended"])

    @property
    def onset(self) -> int:
        """The cycle in which the contact, or the last one, began."""
        return int(self._s["onset"])

    @property
    def start(self) -> int:
        """The first cycle that may still be flown anew; those before it are settled."""
        return int(self._s["start"])

    @property
    def onset_twist(self) -> Array:
        """The body's twist at the onset, (6,)."""
        twist: Array = self._s["onset_twist"]
        return twist

    def impulses_since(self, cycle: int) -> Array:
        """Return the contact's impulse in each cycle from `cycle` on, object axes [N s, N m s], (m, 6)."""
        out = np.empty((max(0, self.cycle + 1 - cycle), 6))
        object_impulses_into(out, self._ring, cycle)
        return out

    @property
    def revision(self) -> int:
        """The first cycle whose impulse is another than what was said of it before; mostly `cycle`."""
        return int(self._s["revision"])

    @property
    def impulses(self) -> Array:
        """Impulse of the contact in each cycle from `revision` on [N s, N m s], (m, 6), world axes.

        The last one is of `cycle`. Pushes and known wrenches are not in it.
        """
        count = self.cycle + 1 - self.revision
        for i in range(count):
            self._impulses[i] = self._row(self.revision + i)["impulse"]
        return self._impulses[:count]

    @property
    def states(self) -> Array:
        """The body at the end of each cycle from `revision` on: p, quat, v, angular momentum, (m, 13)."""
        count = self.cycle + 1 - self.revision
        for i in range(count):
            row, into = self._row(self.revision + i + 1), self._poses[i]
            into[:3], into[3:7], into[7:10], into[10:] = (
                row["body_p"], row["body_q"], row["body_v"], row["body_L"]
            )  # fmt: skip
        return self._poses[:count]

    @property
    def known(self) -> bool:
        """Whether stiffness and damping are identified."""
        return bool(self._s["known"])

    @property
    def stiffness(self) -> float:
        """Identified stiffness along the line of force [N/m]; 0 before it is known."""
        return float(self._s["k"])

    @property
    def damping(self) -> float:
        """Identified damping along the line of force [N s/m]."""
        return float(self._s["d"])

    @property
    def stiffness_deviation(self) -> float:
        """Standard deviation of the stiffness by the noise alone [N/m]."""
        return float(self._s["k_sd"])

    @property
    def damping_deviation(self) -> float:
        """Standard deviation of the damping by the noise alone [N s/m]."""
        return float(self._s["d_sd"])

    @property
    def port_mass(self) -> float:
        """Identified mass of the port [kg]; inf: it stands."""
        mobility = float(self._s["mobility"])
        return 1.0 / mobility if mobility > 0.0 else math.inf

    @property
    def port_speed(self) -> float:
        """Identified speed of the port before the touch, away from the mock-up [m/s]; 0: it stood."""
        return float(self._s["drift"])

    @property
    def twisted(self) -> bool:
        """Whether a contact is open that gives a torque without a force; `force` is then at an arm."""
        return self.in_contact and bool(self._s["twisted"])

    @property
    def foresees(self) -> bool:
        """Whether the lead reckons with a contact that is remembered and not identified yet."""
        return bool(self._s["foreseen"] >= 0)

    @property
    def latched(self) -> bool:
        """Whether the contact pulls."""
        return bool(self._s["pulls"])

    @property
    def penetration(self) -> float:
        """How deep the body is in the contact [m]; below 0 it is out."""
        return float(self._s["penetration"]) if self.known else 0.0

    @property
    def energy(self) -> float:
        """Kinetic energy gained since the onset, less the work of everything but the contact [J]."""
        return float(self._s["energy"])

    @property
    def created(self) -> float:
        """Energy that the part of the force created that the identified contact does not explain [J]."""
        return float(self._s["residual_energy"])

    @property
    def capped(self) -> bool:
        """Whether the energy cap has cut in this cycle."""
        return bool(self._s["capped"])

    @property
    def restitution(self) -> float:
        """Speed after over before along the whole impulse, in the cycle that ends a contact; else nan."""
        return float(self._s["restitution"])

    @property
    def onset_energy(self) -> float:
        """Kinetic energy at the onset [J]."""
        return float(self._s["onset_energy"])

    @property
    def force(self) -> float:
        """Measured force along the line, the bias taken out [N]; 0 outside contact."""
        return float(self._row(self.cycle)["force"]) if self.in_contact else 0.0

    @property
    def felt(self) -> bool:
        """Whether the measured force counts in this cycle: it is above the gate, and within reach."""
        return self.in_contact and bool(self._row(self.cycle)["on"])

    @property
    def first_felt(self) -> int:
        """The first cycle of an open contact whose force counts; looked for, so asked once."""
        cycles = range(self.start, self.cycle)
        return next((n for n in cycles if self._row(n)["on"]), self.cycle)

    @property
    def mass(self) -> float:
        """Mass of the body along the line [kg]."""
        return 1.0 / float(self._row(self.cycle)["inverse_mass"])

    @property
    def line(self) -> Array:
        """Wrench of a unit force along the line, about the centre of mass, world axes, (6,)."""
        line: Array = self._row(self.cycle)["line"]
        return line

    @property
    def bias(self) -> Array:
        """Bias of the wrench [N, N m], (6,)."""
        bias: Array = self._s["bias"]
        return bias

    @property
    def arm_twist(self) -> Array:
        """Observed twist of the arm, (6,)."""
        twist: Array = self._row(self.cycle)["twist"]
        return twist

    def _row(self, cycle: int) -> Record:
        return self._ring[cycle % len(self._ring)]
