"""The arm's geometry as the kernels take it: one record of one type, whatever the arm.

An arm of ours has four lengths and seven signs, and with them a closed form. Any other is a chain of
placements and axes; the record has these for both. Their fields have the names of `SerialChain`, whose
kernels take a row of the record for one.
"""

from typing import Any

import numpy as np

from hil.common.arrays import Array
from sim.chain.serial_chain import SerialChain

JOINTS = 7  # of an arm of the loop: as many as the robot's interface and the messages have
Geometry = Any  # of the type below, shape (1,); not to be changed. A record costs the kernels one argument

ARM_GEOMETRY = np.dtype(
    [
        ("closed_form", "i8"),  # whether lengths and signs hold
        ("lengths", "f8", (4,)),  # base to shoulder, to elbow, to wrist, to flange [m]; none: not numbers
        ("signs", "f8", (JOINTS,)),  # of the axes along z, y, z, y, z, y, z at zero pose; likewise
        ("linear", "i8", (JOINTS,)),  # as in `SerialChain`; no joint of the loop slides
        ("placements", "f8", (JOINTS, 4, 4)),
        ("axes", "f8", (JOINTS, 3)),
        ("T_last_tip", "f8", (4, 4)),
    ]
)


def geometry_of(chain: SerialChain, closed_form: tuple[Array, Array] | None) -> Geometry:
    """Return the record of an arm.

    Args:
        chain: from base to flange, of seven joints that turn.
        closed_form: lengths (4,) and signs (7,) of an arm of ours, None for any other.
    """
    geometry = np.zeros(1, ARM_GEOMETRY)
    row = geometry[0]
    row["closed_form"] = closed_form is not None
    row["lengths"], row["signs"] = (np.nan, np.nan) if closed_form is None else closed_form
    for part in ("linear", "placements", "axes", "T_last_tip"):
        row[part] = getattr(chain, part)
    return geometry
