"""Supervision of a grasp: states, law, what opens the gripper or holds all. Pure; time counts in cycles.

One stop line is shared: whatever holds the object holds the second arm's plan in the same cycle, and what
opens the gripper holds the object.
"""

import math

import numpy as np

from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.configuration.grasp_rules import LONGEST_DELAY, delayed, unbearable
from hil.loop.driver.grasp_force import GraspForce
from hil.loop.grasp.port_observer import PortObserver
from hil.loop.grasp.states import ACTING, GraspMachine, GraspState, Seen

SILENT = 0.1  # [s] without word of the partner, or of the first arm, until all is held


class Supervision:
    """Judges a grasp, cycle by cycle.

    Attributes:
        machine: the grasp's state.
        law: by which a late force acts; empty before the first grasp.
        opened: why the gripper was opened; empty if it was not.
        events: what happened, since floating began [s] and in words.
        peak: greatest force and torque about the bar beyond the baseline [N, N m], (2,).
        gain: greatest gain of energy [J].
    """

    def __init__(self, configuration: Configuration, force: GraspForce) -> None:
        """Supervise the grasp of a configuration, whose force acts in the driver."""
        grasp, partner = configuration.grasp, configuration.partner
        assert grasp is not None and partner is not None
        self._c, self._grasp, self._partner, self._force = configuration, grasp, partner, force
        force.supervised = True
        self._dt = configuration.fri.sample_time
        self._floated = False
        body = configuration.object
        self._observer = PortObserver(body.mass, body.inertia, grasp.max_energy, grasp.unseen_force)
        self._samples = 0
        self.machine, self.law, self.opened = GraspMachine(), "", ""
        self.events: list[tuple[float, str]] = []
        self.peak, self.gain = np.zeros(2), 0.0

    @property
    def state(self) -> GraspState:
        """Of the grasp."""
        return self.machine.state

    def step(
        self, t: float, dt: float, told: Seen | None, silent: tuple[float, float], lead: float, floats: bool
    ) -> str:
        """Judge a cycle and return why all must be held; empty if nothing speaks against floating.

        Args:
            t: since floating began [s].
            dt: since the cycle before [s].
            told: by the partner; None: it is silent.
            silent: for how long partner and first arm have been so [s].
            lead: the first arm's delay from a command's instant [s].
            floats: the order is to float. Where it is so anew, and nothing presses, what opened the gripper
                is forgotten.
        """
        if floats and not self._floated and self.state not in ACTING:
            self.opened = ""
        self._floated = floats
        if told is not None:
            before = self.state
            felt = told if self.state is not GraspState.FREE else _unfelt(told)
            self.machine = self.machine.step(
                felt, self._grasp.near, self._grasp.touch_force, self._grasp.grip, dt
            )
            if self.state is not before:
                self._changed(t, before, lead)
        self._force.state = self.state
        return self._wrong(t) or self._unheard(silent)

    def seen(self, gap: float, closed: bool, pads: Array) -> Seen:
        """Return what a cycle shows, by what the partner tells and what the first arm feels."""
        felt = float(np.linalg.norm(self._force.beyond[:3]))
        return Seen(gap, closed, float(pads.min()), float(pads.max()), felt)

    def say(self, t: float, text: str) -> None:
        """Keep what happened at a time since floating began [s]."""
        self.events.append((t, text))

    def open(self, t: float, why: str) -> str:
        """Have the gripper opened, and return why all is held."""
        if not self.opened:
            self.opened = why
            self.say(t, f"gripper opened: {why}")
        return self.opened

    def _unheard(self, silent: tuple[float, float]) -> str:
        """Return who has been silent for too long near the bar, in words."""
        if self.state is GraspState.FREE:
            return ""
        for name, seconds in zip(("the partner", "the first arm"), silent, strict=True):
            if seconds > SILENT:
                return f"{name} has been silent for {1e3 * seconds:.0f} ms"
        return ""

    def _changed(self, t: float, before: GraspState, lead: float) -> None:
        """Note a change, and choose the law before anything presses."""
        self.say(t, f"{before} -> {self.state}")
        if before is GraspState.FREE:
            at = delayed(self._c, self._grasp, lead + self._dt + self._c.force.wrench_skew)
            self.law = at.law
            self._force.full = at.law == "full"
            told = "no more than" if at.delay <= LONGEST_DELAY else "more than"
            self.say(
                t,
                f"law {at.law}: Kc T^2 / M = {at.stiffness_share:.3f} with T = {1e3 * at.delay:.1f} ms, "
                f"{told} {1e3 * LONGEST_DELAY:g}",
            )
            if why := unbearable(self._c, self._grasp, self._partner, at.delay):
                self.open(t, why)
        if self.state is GraspState.TOUCH and before is GraspState.NEAR:
            self._observer.begin()
        if self.state is GraspState.FREE:
            self._force.baseline.anew()

    def _wrong(self, t: float) -> str:
        """Return why the gripper must be opened, or was; empty if it need not."""
        fresh, self._samples = self._force.samples - self._samples, self._force.samples
        if self.state in ACTING and self._force.baseline.frozen is None:
            return self.open(t, "touched before a second without force had shown the wrench's baseline")
        if self.state in ACTING and fresh:
            force = self._force
            gain = self._observer.take(force.pose, force.beyond, fresh * self._dt, force.pace)
            self.gain = max(self.gain, gain)
            f, torque = self.loads()
            self.peak = np.maximum(self.peak, (f, torque))
            if f > self._grasp.max_force or torque > self._grasp.max_torque:
                return self.open(
                    t,
                    f"{f:.1f} N and {torque:.2f} N m in the grasp, {self._grasp.max_force:g} N and "
                    f"{self._grasp.max_torque:g} N m at most",
                )
            if self._observer.gain > self._observer.bound:
                return self.open(
                    t,
                    f"the grasp has created {1e3 * self._observer.gain:.0f} mJ, "
                    f"{1e3 * self._observer.bound:.0f} mJ at most",
                )
        return self.opened

    def loads(self) -> tuple[float, float]:
        """Return force and torque about the bar's middle beyond the baseline [N, N m]."""
        f, torque = self._force.beyond[:3], self._force.beyond[3:]
        x, y, z = self._force.pose[:3, :3] @ self._grasp.bar_position
        about = (
            torque[0] - (y * f[2] - z * f[1]),
            torque[1] - (z * f[0] - x * f[2]),
            torque[2] - (x * f[1] - y * f[0]),
        )
        return math.hypot(*f), math.hypot(*about)


def _unfelt(told: Seen) -> Seen:
    """Return what is seen where the first arm's force is no matter of a grasp."""
    return Seen(told.gap, told.closed, told.grip, told.pads, 0.0)
