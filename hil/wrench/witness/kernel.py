"""What the joint torques say of the wrench: one compiled call a sample (docs/theory.md, section 14).

The memory holds, sample by sample, the time integral of the disagreement between wrench and torques,
and its running mean while no push acts.
"""

import math
from typing import Any

import numpy as np
from numba import njit

from hil.common.arrays import Array
from hil.common.geometry import stacked
from hil.wrench.held_body import object_axes
from planner.kinematics.arm_geometry import Geometry
from planner.kinematics.forward import jacobian

Record = Any  # of the type below: fields are read by name, in compiled code as well

RING = 1024  # samples remembered; a power of two
MASK = RING - 1
LEAST_LEVER = 0.03  # [m] torques say nothing of a force whose lever is smaller

MEMORY = np.dtype(
    [
        ("count", "i8"),  # samples taken
        ("t", "f8", (RING,)),
        ("sum", "f8", (RING, 6)),  # integral of the disagreement up to each sample [N s, N m s]
        ("mean", "f8", (RING, 6)),  # running mean of the disagreement while no push acts [N, N m]
        ("now", "f8", (6,)),  # the newest disagreement [N, N m]
    ]
)


@njit(cache=True, error_model="numpy")
def _solve_into(A: Array, x: Array) -> None:
    """Solve `A y = x` for a positive definite `A` (6, 6), which is used up; `x` becomes `y`.

    By Cholesky, which lets numbers that are none pass where a library would raise.
    """
    for i in range(6):
        for j in range(i + 1):
            total = A[i, j]
            for m in range(j):
                total -= A[i, m] * A[j, m]
            A[i, j] = math.sqrt(total) if i == j else total / A[j, j]
        for m in range(i):
            x[i] -= A[i, m] * x[m]
        x[i] /= A[i, i]
    for i in range(5, -1, -1):
        for m in range(i + 1, 6):
            x[i] -= A[m, i] * x[m]
        x[i] /= A[i, i]


@njit(cache=True)
def disagreement(
    arm: Geometry, q: Array, T_flange_object: Array, wrench_object: Array, torque: Array
) -> Array:
    """Return what the measured wrench has more than the joint torques explain, object axes (6,).

    theory: `(J J^T + mu) d = J (J^T w - tau)`; where the torques say nothing of a direction, d is 0.

    Args:
        arm: its geometry.
        q: measured joint positions [rad], shape (7,).
        T_flange_object: object (centre of mass) in flange, shape (4, 4).
        wrench_object: measured, about the object's centre, object axes [N, N m], shape (6,).
        torque: external torques of the joints, exerted by the environment [N m], shape (7,).
    """
    J = jacobian(arm, q, T_flange_object)
    R = object_axes(arm, q, T_flange_object)
    w = stacked(R @ wrench_object[:3], R @ wrench_object[3:])
    A = J @ J.T
    for i in range(6):
        A[i, i] += LEAST_LEVER**2
    d = J @ (J.T @ w - torque)
    _solve_into(A, d)
    return stacked(R.T @ d[:3], R.T @ d[3:])


@njit(cache=True)
def note(
    memory: Record,
    t: float,
    arm: Geometry,
    q: Array,
    T_flange_object: Array,
    wrench_object: Array,
    torque: Array,
    tau: float,
    quiet: bool,
) -> None:
    """Take one sample; one that is not finite or not newer than the last is left out.

    Args:
        memory: MEMORY (1,); changed.
        t: time of the sample [s].
        arm: as in `disagreement`, like the next four.
        q: joint positions.
        T_flange_object: object in flange.
        wrench_object: measured.
        torque: of the joints.
        tau: time constant of the running mean [s].
        quiet: whether no push acts.
    """
    s = memory[0]
    k = s.count
    before, here = (k - 1) & MASK, k & MASK
    if k > 0 and t <= s.t[before]:
        return
    d = disagreement(arm, q, T_flange_object, wrench_object, torque)
    for i in range(6):
        if not math.isfinite(d[i]):
            return
    if k == 0:
        for i in range(6):
            s.sum[here, i] = 0.0
            s.mean[here, i] = d[i]
    else:
        dt = t - s.t[before]
        keep = min(math.exp(-dt / tau), k / (k + 1.0)) if quiet else 1.0
        for i in range(6):
            s.sum[here, i] = s.sum[before, i] + 0.5 * dt * (d[i] + s.now[i])
            s.mean[here, i] = keep * s.mean[before, i] + (1.0 - keep) * d[i]
    s.t[here] = t
    for i in range(6):
        s.now[i] = d[i]
    s.count = k + 1


@njit(cache=True)
def newest_until(memory: Record, t: float) -> int:
    """Return the place in the ring of the newest sample not after `t`, or of the oldest kept."""
    s = memory[0]
    k = s.count - 1
    oldest = max(0, s.count - RING)
    while k > oldest and s.t[k & MASK] > t:
        k -= 1
    return k & MASK
