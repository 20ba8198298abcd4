"""Dry friction of joints by cases: free, sliding forwards or backwards, standing. Compiled.

theory: Coulomb's law without smoothing. A step is solved for the cases as they are; its solution says which
of them do not hold: a joint that slid and turned round stands, one that stands and needs more than its
friction slides where it is driven.
"""

from typing import Any

from numba import njit

from hil.common.arrays import Array
from sim.drives.drive_step import dry_friction

FREE, STANDS = 0, 2  # and 1, -1: slides forwards, backwards


@njit(cache=True)
def joint_frictions_into(out: Array, drives: Any, states: Any) -> None:
    """Write each joint's friction: forwards, backwards, standing, standing backwards, viscous; rows of (5,).

    The motor's is in it where the gear is rigid.
    """
    for i in range(drives.shape[0]):
        d = drives[i]
        out[i, 0], out[i, 1], out[i, 4] = d.joint_coulomb, d.joint_coulomb_back, d.joint_viscous
        out[i, 2], out[i, 3] = max(d.joint_coulomb, d.joint_stick), max(d.joint_coulomb_back, d.joint_stick)
        if d.elastic == 0:
            forwards, backwards, stick, stick_back = dry_friction(d, states[i])
            if d.ratio < 0.0:
                forwards, backwards, stick, stick_back = backwards, forwards, stick_back, stick
            ratio = abs(d.ratio)
            out[i, 0] += ratio * forwards
            out[i, 1] += ratio * backwards
            out[i, 2] += ratio * stick
            out[i, 3] += ratio * stick_back
            out[i, 4] += ratio * ratio * d.motor_viscous


@njit(cache=True)
def first_case(friction: Array, dq: float) -> int:
    """Return with which case of a joint's friction a step begins."""
    if friction[2] == 0.0 and friction[3] == 0.0:
        return FREE
    if dq == 0.0:
        return STANDS
    return 1 if dq > 0.0 else -1


@njit(cache=True)
def next_case(case: int, friction: Array, dq: float, needed: float) -> int:
    """Return the case that a solution asks for: the same, if it holds."""
    if case == STANDS:
        if needed > friction[2]:
            return 1
        return -1 if needed < -friction[3] else STANDS
    if case != FREE and case * dq < 0.0:
        return STANDS
    return case
