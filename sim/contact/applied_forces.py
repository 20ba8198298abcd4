"""Forces that follow the state inside the compiled step, such as impedances: table-driven, no callback.

`apply_forces` is called once a step, after positions, mass matrix and velocities are known and before the
actuators; what it adds to `qfrc_applied` lasts for that step only.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from hil.arrays import Array


class AppliedForces(NamedTuple):
    """The tables of the forces in a scene."""

    placeholder: Array


def no_forces() -> AppliedForces:
    """Return tables without any force."""
    return AppliedForces(np.zeros(0))


@njit(cache=True, nogil=True, error_model="numpy")
def apply_forces(
    model: int, data: int, forces: AppliedForces, time: float, qpos: Array, qvel: Array, qfrc_applied: Array
) -> None:
    """Add the forces of this step to `qfrc_applied`.

    Args:
        model: address of `mjModel`, for `sim.contact.mujoco_calls`.
        data: address of `mjData`.
        forces: the tables.
        time: of the simulation [s].
        qpos: positions, shape (nq,).
        qvel: velocities, shape (nv,).
        qfrc_applied: generalised forces [N, N m], shape (nv,).
    """
