"""The emulated object may gain energy only from the work of measured pushes (docs/theory.md, section 15).

The work is reckoned with the impulses that the joint torques bear out, so a wrench of the wrong sign
or frame shows as energy that nobody gave; and where a push only brakes the object, as a contradiction.
What other moving bodies of the scene do on the object is taken from the simulation.
A pure core, shared by the daemon and the lock-step loop.
"""

import math

import numpy as np

from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.configuration.sensor import has_own_sensor
from hil.loop.judging.state_machine import Machine, State
from hil.messaging.messages import ImpulseSlice, SimState, Witness

PERIOD_NS = 10_000_000  # between two looks at the object
UNHEARD_NS = 200_000_000  # a slice that acts though nobody has reported it for so long is no push
UNSURE_FORCE = 1.0  # [N] wrench and torques may differ so much over a push: their baselines drift
UNSURE_SHARE = 0.25  # ... and by this share of the push
BORNE_OUT = 0.5  # of a push at least, along it, by the joint torques
JUDGED_AFTER = 0.04  # [s] of a slice that grows: wrench and torques may be filtered differently
GROWTH = 0.001  # share of the energy by which integration and contacts may err
GROWTH_SPEED = 1e-4  # [m/s] ... and the speed whose energy always may
PUSHES_KEPT = 64  # slices whose revisions are remembered

Key = tuple[int, int]  # impulse, slice


class EnergyMonitor:
    """Compares the object's energy with what its pushes can explain.

    The first excess or contradiction brings object time to a stand and says so; the operator may float
    on. Another one in the same floating is a fault.

    Attributes:
        energy: of the object, kinetic and stored in the stops [J].
        explained: the most that start, pushes and other bodies can explain [J].
        excess: by how much the energy went beyond `explained` at most, over the margin allowed; above 1
            the object is held.
    """

    def __init__(self, configuration: Configuration) -> None:
        body = configuration.object
        own = has_own_sensor(configuration)
        self._reading = "sensor.sign, sensor.rotvec_deg" if own else "fri.wrench_sign, fri.wrench_frame"
        self._mass, self._inertia = body.mass, np.array(body.inertia)
        self._length = configuration.filter.length
        spin = GROWTH_SPEED / self._length
        self._floor = 0.5 * body.mass * GROWTH_SPEED**2 + 0.5 * float(self._inertia.max()) * spin**2
        self._slices: dict[Key, dict[int, ImpulseSlice]] = {}  # every revision
        self._statements: dict[Key, Witness] = {}  # the newest on each
        self._epoch = 0
        self._begin(0.0)
        self._due_ns = self._unheard_since_ns = 0
        self._given = 0.0  # by other moving bodies of the scene, as the simulation says it [J]
        self.energy = self.explained = self.excess = 0.0

    def _begin(self, energy: float) -> None:
        """Reckon from an energy less other bodies' work [J] on; what has been pushed so far is in it."""
        self._base = energy
        self._fresh = False
        self._contradiction = ""
        self._works: dict[Key, float] = {}  # most that each slice can explain [J], of those that may change
        self._impulses: dict[Key, Array] = {}  # what each of these is reckoned with
        self._settled: dict[Key, Array] = {}  # what is in the base for good
        self._violations = 0
        self._held = False

    def push(self, item: ImpulseSlice) -> None:
        """Hear of a slice."""
        key = (item.impulse_id, item.slice_index)
        if item.revision == 0:  # ids begin anew with the driver
            self._slices.pop(key, None)
            said = self._statements.get(key)
            if said is not None and said.t_ns < item.t_ns:  # what is of this slice may have come before it
                del self._statements[key]
        self._slices.setdefault(key, {})[item.revision] = item
        if len(self._slices) > PUSHES_KEPT:
            oldest = next(iter(self._slices))
            del self._slices[oldest]
            self._statements.pop(oldest, None)

    def witness(self, statement: Witness) -> None:
        """Hear what the joint torques say of a slice."""
        self._statements[(statement.impulse_id, statement.slice_index)] = statement

    def step(self, t_ns: int, machine: Machine, state: SimState | None) -> Machine:
        """Return the machine, held or faulted if the object has energy that nobody gave it.

        Args:
            t_ns: now.
            machine: the state machine.
            state: the object's newest state, if there is one.
        """
        if state is None or not machine.moving or state.epoch != machine.epoch or t_ns < self._due_ns:
            return machine
        self._due_ns = t_ns + PERIOD_NS
        self.energy, self._given = self._energy_of(state), state.contact_work
        if not math.isfinite(self.energy) or not np.isfinite(state.p_world_object).all():
            return machine.fault("the simulated object's state is no number: the world has blown up")
        if state.epoch != self._epoch:
            self._epoch = state.epoch
            self._begin(self.energy - self._given)
            self._fresh = True
        if self._held and machine.state is State.FLOATING:
            self._float_on()
        if not self._take(t_ns, state):
            return machine
        return machine if self._held else self._judge(machine)

    def _judge(self, machine: Machine) -> Machine:
        margin = self._floor + GROWTH * abs(self.explained)
        beyond = self.energy - self.explained
        self.excess = max(self.excess, beyond / margin)
        if beyond <= margin and not self._contradiction:
            return machine
        self._violations += 1
        self._held = True
        reason = self._reason()
        if self._violations > 1:
            return machine.fault(f"again {reason}")
        return machine.hold(reason)

    def _reason(self) -> str:
        """Say what cannot be, and what to check."""
        what = self._contradiction or (
            f"energy that no push gave: the object has {1e3 * self.energy:.1f} mJ, start and pushes explain "
            f"{1e3 * self.explained:.1f} mJ at most"
        )
        return f"{what}: check {self._reading} and fri.torque_sign with `zerog check-wrench`" + (
            "" if self._contradiction else ", and the world's scene and stops"
        )

    def _float_on(self) -> None:
        """Begin to reckon anew after an operator has seen the excess and floats on."""
        violations, settled = self._violations, self._settled | self._impulses
        self._begin(self.energy - self._given)
        self._violations, self._settled = violations, settled

    def _take(self, t_ns: int, state: SimState) -> bool:
        """Reckon the work of the slices in the state; return whether all of them are known."""
        names = [(int(a), int(b), int(revision)) for a, b, revision in state.slices]
        heard = all(revision in self._slices.get((a, b), {}) for a, b, revision in names)
        heard = heard and all((a, b) in self._statements for a, b, _ in names)
        if heard:
            self._unheard_since_ns = t_ns
        elif t_ns - self._unheard_since_ns < UNHEARD_NS:
            return False
        if self._fresh:  # slices may act already in the first state that is seen: they are reckoned below
            self._base = self.energy - self._given - self._work_in(names, state.slice_twists)
            self._fresh = False
        self._fold({(a, b) for a, b, _ in names})
        for (a, b, revision), twist in zip(names, state.slice_twists, strict=True):
            item = self._slices.get((a, b), {}).get(revision)
            if item is not None:
                self._reckon((a, b), item, twist)
        if not names:  # nothing can change any more: what was lost is lost
            self._base = min(self._base, self.energy - self._given)
        self.explained = self._base + sum(self._works.values()) + self._given
        return True

    def _work_in(self, names: list[tuple[int, int, int]], twists: Array) -> float:
        """Return what slices have done on the object as the world has them [J]; nothing of unknown ones.

        Args:
            names: impulse, slice and revision of each.
            twists: their mean twists before and after, shape (n, 6).
        """
        known = [self._slices.get((a, b), {}).get(revision) for a, b, revision in names]
        works = [
            float(item.impulse_object @ twist)
            for item, twist in zip(known, twists, strict=True)
            if item is not None
        ]
        return sum(works)

    def _reckon(self, key: Key, item: ImpulseSlice, twist: Array) -> None:
        """Reckon the work that a slice may have done, at most.

        Args:
            key: impulse and slice.
            item: the revision that acts.
            twist: mean of the twists before and after it, object axes, shape (6,).
        """
        known = self._settled.get(key)
        borne_out = item.impulse_object - self._disagreement(key)
        change = borne_out if known is None else borne_out - known
        lasted = 0.0 if known is not None else 1e-9 * (item.t_end_ns - item.t_start_ns)
        unsure = UNSURE_FORCE * lasted
        if known is None and (item.final or lasted >= JUDGED_AFTER):
            self._contradiction = self._contradiction or self._contradicted(item, borne_out, lasted)
        doubt = (unsure + UNSURE_SHARE * _norm(change[:3])) * _norm(twist[:3]) + (
            unsure * self._length + UNSURE_SHARE * _norm(change[3:])
        ) * _norm(twist[3:])
        self._impulses[key] = borne_out
        self._works[key] = float(change @ twist) + doubt

    def _contradicted(self, item: ImpulseSlice, borne_out: Array, lasted: float) -> str:
        """Return in words that the joint torques contradict a slice well above what is unsure; else empty.

        Of one that was over, or cut off, before both filters told all of it, they must tell the opposite.
        """
        short = lasted < JUDGED_AFTER
        unsure, least = UNSURE_FORCE * max(lasted, JUDGED_AFTER), 0.0 if short else BORNE_OUT
        scale = np.repeat([1.0, 1.0 / self._length], 3)
        impulse = scale * item.impulse_object
        size = math.sqrt(float(impulse @ impulse))
        along = float(impulse @ (scale * borne_out))
        if BORNE_OUT * size <= unsure or along >= least * size**2:
            return ""
        return (
            f"the joint torques contradict the wrench: of {size:.2f} N s in push {item.impulse_id} they bear "
            f"out {along / size:.2f} N s"
        )

    def _fold(self, present: set[Key]) -> None:
        """Put the work of slices that the world no longer changes into the base; forget retracted ones."""
        for key in [key for key in self._works if key not in present]:
            work, borne_out = self._works.pop(key), self._impulses.pop(key)
            revisions = self._slices.get(key)
            if revisions and not revisions[max(revisions)].impulse_object.any():
                continue
            self._base += work
            self._settled[key] = borne_out
            if len(self._settled) > PUSHES_KEPT:
                del self._settled[next(iter(self._settled))]

    def _disagreement(self, key: Key) -> Array:
        said = self._statements.get(key)
        return np.zeros(6) if said is None else said.disagreement

    def _energy_of(self, state: SimState) -> float:
        v = state.twist_world_object[:3]
        spin = _in_object_axes(state.quat_world_object, state.twist_world_object[3:])
        kinetic = 0.5 * self._mass * float(v @ v) + 0.5 * float(self._inertia @ spin**2)
        return kinetic + state.stored_energy


def _in_object_axes(quat: Array, vector: Array) -> Array:
    """Return a world vector in the axes of `quat`; in plain Python: the daemon loads no compiled code."""
    w, x, y, z = (float(part) for part in quat)
    R = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.array(vector @ np.array(R))


def _norm(vector: Array) -> float:
    return math.sqrt(float(vector @ vector))
