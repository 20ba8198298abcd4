"""An O-ring on a piston that goes into a hole: a compliant part, whose load follows from pose and speed."""

import numpy as np

from hil.common.arrays import Array
from sim.mating.o_ring_load import RingNumbers, ring_load
from sim.mating.o_ring_schema import ORingSection
from sim.mating.wrench import Derivative, Wrench, derivative

PHASES = ("", "entrance", "hole", "exit", "jammed")


def numbers_of(section: ORingSection) -> RingNumbers:
    """Return an O-ring's numbers for the kernels."""
    return RingNumbers(
        0.5 * section.groove,
        0.5 * section.section,
        0.5 * section.hole,
        section.chamfer,
        section.length,
        section.c1 or 0.0,
        section.c2 or 0.0,
        section.modulus * section.section,
        section.mu,
        section.slip,
        section.arcs,
    )


class ORing:
    """The law of an O-ring.

    The moving part's origin is the ring's centre; the hole's z axis points out of it, and z = 0 is where its
    cylinder begins. `jammed` is a phase in which friction on the slope holds the ring whatever pushes it: it
    has no finite load in this model, and the load is given as zero.
    """

    def __init__(self, section: ORingSection) -> None:
        """Take the numbers of a file's section."""
        self.numbers = numbers_of(section)

    def wrench(self, T: Array, twist: Array) -> Wrench:
        """Return the load on the piston.

        Args:
            T: pose of the ring's centre in the hole, shape (4, 4).
            twist: velocity of the centre and angular velocity, shape (6,) [m/s, rad/s].
        """
        load, phase, _ = ring_load(self.numbers, T, twist)
        return Wrench(load, PHASES[phase])

    def derivative(self, T: Array, twist: Array) -> Derivative:
        """Return the load's derivative by pose and by twist."""
        return derivative(lambda pose, speed: ring_load(self.numbers, pose, speed)[0], T, twist)

    def squeeze(self, T: Array) -> float:
        """Return how far the ring is squeezed where it is squeezed most [m]."""
        return ring_load(self.numbers, T, np.zeros(6))[2]
