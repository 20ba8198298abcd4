"""The contact loop: what the driver owns to let measured force act on the simulated body without delay.

Each cycle: `step` with the packet's pose and wrench, command what it says (through the guard), then tell by
`command` which twist really was commanded.
"""

from dataclasses import replace

import numpy as np

from hil.common.arrays import Array
from hil.force.contact_state import ContactState
from hil.force.cycle import advance, begin, follow, forget_all, strike, told_command
from hil.force.rows import ROW, STATE, Records
from hil.force.setup import ContactSetup, DriveModel, packed, window_of

LONGEST_DEAD = 0.5  # [s] of a dead time that may be found later
ROOM = 32  # rows beside those of the window and the dead time


WARM_POSE = np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0])


class ContactLoop:
    """Continuous contact force on one simulated body (scheme and constants by its setup).

    All wrenches, impulses and twists are in world axes about the centre of mass, linear before angular.

    Attributes:
        state: of body and contact.
        pace: of object time, which the body's motion is shown at; see `repace`.
    """

    def __init__(self, setup: ContactSetup) -> None:
        """Prepare; `begin` must come before the first step."""
        self.setup = setup
        self._c = packed(setup)
        dead = max(int(self._c["dead_cells"][0]), round(LONGEST_DEAD / setup.step))
        rows = window_of(setup) + dead + ROOM
        self._ring: Records = np.zeros(1 << (rows - 1).bit_length(), ROW)
        self._s: Records = np.zeros(1, STATE)
        self._nothing = np.zeros(6)
        self._p, self._quat, self._wrench = np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]), np.zeros(6)
        self._twist = np.zeros(6)
        self.pace = 1.0
        self.state = ContactState(self._s[0], self._ring)
        self.forget()

    def forget(self) -> None:
        """Forget the contacts that were remembered."""
        forget_all(self._s)

    def begin(self, p: Array, quat: Array, twist: Array, bias: Array | None = None) -> None:
        """Put the body where it is in the present cycle, which becomes cycle 0; forget all but past contacts.

        Args:
            p: centre of mass [m], (3,).
            quat: orientation, w x y z, (4,).
            twist: (6,) [m/s, rad/s]; the arm is taken to move with it.
            bias: of the wrench [N, N m], (6,); None: found in the first 20 ms, in which no contact opens.
        """
        self._p[:], self._quat[:], self._twist[:] = p, quat, twist
        begin(self._c, self._s, self._ring, self._p, self._quat, self._twist)
        if bias is not None:
            self._s["bias"][0] = self._s["bias_read"][0] = bias
            self._s["bias_count"][0] = self._c["bias_delay"][0]

    @property
    def settled(self) -> bool:
        """Whether the bias of the wrench is known."""
        return bool(self._s["bias_count"][0] >= self._c["bias_delay"][0])

    def follow(self, p: Array, quat: Array, twist: Array) -> None:
        """Put the body where its owner knows it in the present cycle; nothing may be open, the past stays.

        Args:
            p: centre of mass [m], (3,).
            quat: orientation, w x y z, (4,).
            twist: (6,) [m/s, rad/s].
        """
        self._p[:], self._quat[:], self._twist[:] = p, quat, twist
        follow(self._c, self._s, self._ring, self._p, self._quat, self._twist)

    def retime(self, lead: float, drive: DriveModel) -> None:
        """Take another delay [s] and model of the drives, between two contacts.

        Raises:
            ConfigurationError: they are none.
        """
        self.setup = replace(self.setup, lead=lead, drive=drive)
        self._c = packed(self.setup)
        most = round(LONGEST_DEAD / self.setup.step)
        self._c["dead_cells"][0] = min(int(self._c["dead_cells"][0]), most)
        self._show_at(self.pace)

    def repace(self, pace: float) -> None:
        """Show the body's motion at another pace of object time (1: as it is), between two contacts.

        A body that is shown p times as fast answers a force that is measured now as one of `1/p^2` times its
        mass and inertia would: `V = v/p`, `dV/ds = f/M` with `ds = p dt` is `dv/dt = p^2 f/M`. Twists are
        those that are seen. An impulse `f dt` is worth p times as much to the object, `f ds`.
        """
        if pace != self.pace:
            self._show_at(pace)

    def _show_at(self, pace: float) -> None:
        self.pace, heavier = pace, 1.0 / (pace * pace)
        self._c["mass"] = self.setup.mass * heavier
        self._c["inertia"] = heavier * np.asarray(self.setup.inertia)
        self._c["inverse_inertia"] = np.linalg.inv(self._c["inertia"])

    def warm(self) -> None:
        """Compile or load everything, on a loop of its own: a contact that is felt, identified and left."""
        other = ContactLoop(self.setup)
        other.begin(
            np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]), np.array([-0.02, 0, 0, 0, 0, 0.0]), np.zeros(6)
        )
        for n in range(60):
            depth = max(0.0, 4e-5 * min(n - 10, 40 - n))
            other.follow(*WARM_POSE, np.array([-0.02, 0, 0, 0, 0, 0.0]))
            other.step(np.array([-depth, 0.0, 0.0]), WARM_POSE[1], np.array([1e5 * depth, 0, 0, 0, 0, 0.0]))
            other.command(np.zeros(6))
        other.other_impulse(0, np.zeros(6))

    def step(
        self, p_arm: Array, quat_arm: Array, wrench: Array, usable: bool = True, known: Array | None = None
    ) -> ContactState:
        """Advance the body by one cycle.

        Args:
            p_arm: measured position of the held mock-up at its packet's instant [m], (3,).
            quat_arm: its orientation, w x y z, (4,).
            wrench: on the mock-up, (6,) [N, N m].
            usable: False where the sample is missing: the body flies on under what is known of the contact.
            known: a wrench that acts besides over this cycle, as of a stop of the virtual world, (6,).
        """
        self._p[:], self._quat[:], self._wrench[:] = p_arm, quat_arm, wrench
        advance(
            self._c, self._s, self._ring, self._p, self._quat, self._wrench, bool(usable),
            self._nothing if known is None else known,
        )  # fmt: skip
        return self.state

    def command(self, twist: Array) -> None:
        """Tell the mean twist commanded for the cycle just advanced, (6,); else the last one holds."""
        self._twist[:] = twist
        told_command(self._s, self._ring, self._twist)

    def other_impulse(self, cycle: int, impulse: Array) -> None:
        """Let an impulse (6,) act at the beginning of a cycle, past or next, as of a person's push.

        It acts with the next step, by flying anew from there; the energy cap does not cut it.
        """
        self._twist[:] = impulse
        strike(self._c, self._s, self._ring, cycle, self._twist)
