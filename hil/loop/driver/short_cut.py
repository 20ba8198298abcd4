"""The short cut: what the plan lacks, in base axes, within the certified speed (compiled)."""

import math

import numpy as np
from numba import njit

from hil.common.arrays import Array
from hil.wrench.held_body import object_axes
from planner.kinematics.arm_geometry import Geometry
from planner.kinematics.forward import jacobian


@njit(cache=True)
def missing_in_base(
    arm: Geometry, q: Array, T_flange_object: Array, missing: Array, dq: Array, caps: Array, carried: Array
) -> tuple[Array, Array]:
    """Return what the plan lacks, as far as certified, and the object's Jacobian; base axes.

    Args:
        arm: its geometry.
        q: measured joint positions [rad], shape (7,).
        T_flange_object: object (centre of mass) in flange, shape (4, 4).
        missing: twist that the plan lacks, object axes [m/s, rad/s], the displacement by it [m, rad], and
            the acceleration of it [m/s2, rad/s2], shape (3, 6).
        dq: joint velocity of the plan now [rad/s], shape (7,).
        caps: largest speed and spin of the object [m/s, rad/s], shape (2,).
        carried: twist that the object has by the base, base axes [m/s, rad/s], shape (6,).
    """
    J = jacobian(arm, q, T_flange_object)
    R_base_object = object_axes(arm, q, T_flange_object)
    turned, planned = np.zeros((3, 6)), carried.copy()
    for i in range(6):
        for j in range(3):
            for row in range(3):
                turned[row, i] += R_base_object[i % 3, j] * missing[row, 3 * (i // 3) + j]
        for j in range(7):
            planned[i] += J[i, j] * dq[j]
    keep_certified(turned, planned, caps)
    return turned, J


@njit(cache=True)
def keep_certified(missing: Array, planned: Array, caps: Array) -> None:
    """Cut a missing twist to what carries the object no faster than certified.

    A push that carries the speed above the cap ends at the cap, in the direction of the velocity it
    asked for; one that only slows a body that is faster already is left alone (`sim/world/motion.py`).

    Args:
        missing: twist that the plan lacks [m/s, rad/s], displacement and acceleration of it, of which the
            same share is left, shape (3, 6); written.
        planned: twist of the plan now, same axes, shape (6,).
        caps: of speed and spin [m/s, rad/s], shape (2,).
    """
    for part in range(2):
        before = total = asked = left = 0.0
        for i in range(3 * part, 3 * part + 3):
            before += planned[i] ** 2
            total += (planned[i] + missing[0, i]) ** 2
            asked += missing[0, i] ** 2
        most = max(caps[part], math.sqrt(before))
        speed = math.sqrt(total)
        if speed > most:
            for i in range(3 * part, 3 * part + 3):
                missing[0, i] = (planned[i] + missing[0, i]) * (most / speed) - planned[i]
                left += missing[0, i] ** 2
            share = math.sqrt(left / asked) if asked > 0.0 else 0.0
            for i in range(3 * part, 3 * part + 3):
                missing[1, i] *= min(share, 1.0)
                missing[2, i] *= min(share, 1.0)
