"""O-rings and snap fasteners in a robot's hand: their laws with what an implicit step asks for."""

import numpy as np

from hil.common.arrays import Array
from sim.mating.o_ring import ORing
from sim.mating.snap import SnapFastener
from sim.mating.wrench import Derivative, Wrench

APART = Derivative(np.zeros((6, 6)), np.zeros((6, 6)))


class HeldRing:
    """An O-ring: its load follows from where it is."""

    def __init__(self, ring: ORing) -> None:
        """Take the law."""
        self.ring = ring

    def load(self, T: Array, twist: Array) -> tuple[Wrench, Derivative]:
        """Return load and derivative; none of a ring that does not touch."""
        wrench = self.ring.wrench(T, twist)
        return wrench, self.ring.derivative(T, twist) if wrench.load.any() else APART


class HeldSnap:
    """A snap fastener: its load follows from how it came there, which this object remembers."""

    def __init__(self, snap: SnapFastener) -> None:
        """Take the law, its hooks hanging free."""
        self.snap, self.state = snap, snap.begin()

    def load(self, T: Array, twist: Array) -> tuple[Wrench, Derivative]:
        """Return load and derivative at the next pose; none of hooks that hang free."""
        wrench, self.state = self.snap.step(self.state, T, twist)
        touching = wrench.load.any() and wrench.phase != "held"
        return wrench, self.snap.derivative(self.state, T, twist) if touching else APART
