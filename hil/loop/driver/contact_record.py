"""What is told of a contact: now and then while it lasts, and once when it is over."""

import math
from dataclasses import replace

from hil.common.arrays import frozen_array
from hil.force.contact_state import ContactState
from hil.messaging.messages import Contact

PERIOD_NS = 20_000_000  # between two words on the same contact


class ContactRecord:
    """Follows one contact after another."""

    def __init__(self, step: float) -> None:
        """Follow contacts of a loop whose cycle is `step` [s]."""
        self._step = step
        self._told: list[Contact] = []
        self._number = 0
        self._lasts = False

    def begin(self, number: int, t_ns: int, state: ContactState, pace: float) -> None:
        """Begin the record of a contact that began at `t_ns`, with object time at this pace."""
        self._number, self._first_ns, self._due_ns = number, t_ns, 0
        self._pace = pace
        self._peak = self._depth = self._felt = 0.0
        self._first_felt, self._mass = state.first_felt, pace * pace * state.mass
        self._approach = max(0.0, -float(state.line @ state.onset_twist))
        self._energy = state.onset_energy

    def take(self, t_ns: int, state: ContactState, over: bool) -> None:
        """Take a cycle that ends at `t_ns`."""
        self._lasts = not over
        if state.force >= self._peak:  # where the line is known best
            self._peak, self._mass = state.force, self._pace * self._pace * state.mass
        self._depth = max(self._depth, state.penetration)
        if state.felt:
            self._felt = self._step * (state.cycle + 1 - self._first_felt)
        if over or t_ns >= self._due_ns:
            self._due_ns = t_ns + PERIOD_NS
            self._told.append(self._message(t_ns, state, over))

    def break_off(self, t_ns: int, state: ContactState) -> None:
        """End the record of a contact not followed beyond `t_ns`, if it lasts: it did not come back."""
        if self._lasts:
            self._lasts = False
            self._told.append(replace(self._message(t_ns, state, True), departure=0.0))

    def told(self) -> list[Contact]:
        """Return what is to be told since the last question."""
        told, self._told = self._told, []
        return told

    def _message(self, t_ns: int, state: ContactState, over: bool) -> Contact:
        impulse = self._pace * state.impulses_since(max(state.onset, state.start)).sum(axis=0)
        restitution = state.restitution
        departure = restitution * self._approach if over and math.isfinite(restitution) else 0.0
        return Contact(
            t_ns, self._number, self._first_ns, t_ns, over, self._felt, state.stiffness,
            state.stiffness_deviation, state.damping, state.damping_deviation,
            0.0 if math.isinf(state.port_mass) else state.port_mass, self._mass, state.force, self._peak,
            self._depth, self._approach, departure, self._energy, self._energy + state.energy, state.created,
            frozen_array(impulse),
        )  # fmt: skip
