"""The planner's arm as a serial chain, for the inverse kinematics of any chain."""

import numpy as np

from hil.common.arrays import Array
from planner.kinematics.arm_model import ArmModel
from sim.chain.serial_chain import SerialChain, serial_chain

HEIGHTS = (0, -1, 1, -1, 2, -1, -1)  # which length lies below each joint; -1: none


def chain_of_model(model: ArmModel) -> SerialChain:
    """Return the chain from base to flange; kinematics only, its bodies have no mass."""
    lengths = np.array(model.lengths)
    axes = [sign * np.eye(3)[2 if j % 2 == 0 else 1] for j, sign in enumerate(model.signs)]
    placements = [_lifted(lengths[k] if k >= 0 else 0.0) for k in HEIGHTS]
    nothing = [np.zeros(3)] * 8
    return serial_chain(
        [False] * 7, placements, axes, _lifted(lengths[3]), [0.0] * 8, nothing, [np.zeros((3, 3))] * 8
    )


def _lifted(height: float) -> Array:
    T = np.eye(4)
    T[2, 3] = height
    return T
