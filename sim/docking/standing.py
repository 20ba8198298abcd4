"""How a docking stands at an instant, for those who watch it from outside."""

from typing import NamedTuple

from hil.common.arrays import Array, IntArray


class Standing(NamedTuple):
    """What the simulation tells of a docking, as `SimState` has it.

    Attributes:
        outcome: what it has come to: under way, docked, jammed, lost; empty where there is none.
        fastened: how many seals hold, how many there are, the same of latches, shape (4,).
        latch_force: that pushes module and servicer apart, of the latches [N]; below zero they hold them.
        insertion: time since the approach began [s], how far the tips are below the plate's face [m], force
            of seals and latches against the insertion [N], work done on them so far [J], shape (4,).
    """

    outcome: str
    fastened: IntArray
    latch_force: float
    insertion: Array
