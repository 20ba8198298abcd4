"""The virtual part of a contact that is half real: a spring and a damper beside the device's own.

What is to be felt is a target's stiffness and restitution; what the identified device lacks of them is
virtual, on the same penetration. So the body feels the target whatever the device turns out to be, and a fit
that moves creates no energy: the sum stays. The damper may be negative, where the device damps too much: what
is felt is the target's, and that is passive.
"""

import math

from numba import njit

from hil.force.rows import Record


@njit(cache=True, error_model="numpy")
def virtual_part(c: Record, row: Record) -> tuple[float, float]:
    """Return stiffness [N/m] and damping [N s/m] that are added to the identified contact's in a row's cycle.

    A contact that is stiffer than the target stays as stiff as it is: no spring pulls on the device.
    """
    if c.target_stiffness <= 0.0:
        return 0.0, 0.0
    stiffness = max(0.0, c.target_stiffness - row.k)
    if c.target_ratio < 0.0:
        return stiffness, 0.0
    critical = 2.0 * math.sqrt((row.k + stiffness) / (row.inverse_mass + row.mobility))
    return stiffness, c.target_ratio * critical - row.d
