"""How steady the plans are: time kept, holds, changes of configuration or mind, joint speed."""

import numpy as np

from hil.analysis.figures.limits import speed_ratio
from hil.analysis.figures.windows import moving_rows
from hil.common.arrays import Array, BoolArray
from hil.loop.trace.fields import Trace

CHANGED = np.deg2rad(2.0)  # of the arm angle at the same instant
COMPARED = 0.5  # [s] of object time from a plan's start
BRANCH_JOINTS = (1, 3, 5)  # A2, A4, A6: their signs are the branch of the arm
SIGN_CLEAR = 1e-3  # [rad] nearer to zero a joint keeps the sign that it had
STANDSTILL = 1e-6  # pace of object time that counts as a hold


def holds(trace: Trace) -> int:
    """Return how often the pace of object time fell to zero while the object was afloat."""
    still = trace.rate <= STANDSTILL
    moving = moving_rows(trace)
    return int(np.count_nonzero(still[1:] & ~still[:-1] & moving[1:] & moving[:-1]))


def configuration_changes(trace: Trace) -> int:
    """Return how often the commanded joints changed their branch while the object was afloat."""
    q = trace.q_command[moving_rows(trace)][:, BRANCH_JOINTS]
    signs = np.where(np.abs(q) > SIGN_CLEAR, np.sign(q), 0.0)
    changed = np.zeros(len(q), dtype=bool)
    for axis in range(signs.shape[1]):
        clear = np.flatnonzero(signs[:, axis])
        changed[clear[1:][np.diff(signs[clear, axis]) != 0.0]] = True
    return int(np.count_nonzero(changed))


def changed_plans(trace: Trace) -> int:
    """Return how many plans differ from the one before though they know of no further push.

    A plan differs when its branch does, or its arm angle by more than 2 degrees at the same object
    time, within 0.5 s from its start.
    """
    return sum(_differs(trace, later) for later in range(1, len(trace.plan_t)))


def time_kept(trace: Trace) -> float | None:
    """Return object time over wall time while the object was afloat: 1 where it was never slowed or held."""
    rates = trace.rate[moving_rows(trace)]
    return float(rates.mean()) if len(rates) else None


def plan_figures(trace: Trace) -> dict[str, float | int | None]:
    """Return `{time_kept, holds, configuration_changes, changed_plans, max_speed_ratio}`."""
    return {
        "time_kept": time_kept(trace),
        "holds": holds(trace),
        "configuration_changes": configuration_changes(trace),
        "changed_plans": changed_plans(trace),
        "max_speed_ratio": speed_ratio(trace),
    }


def _differs(trace: Trace, later: int) -> bool:
    earlier = later - 1
    if trace.plan_epoch[earlier] != trace.plan_epoch[later]:
        return False
    if _slices(trace, later) - _slices(trace, earlier):
        return False
    if trace.plan_branch[earlier] != trace.plan_branch[later]:
        return True
    s_0, angle_0 = _arm_angles(trace, earlier)
    s_1, angle_1 = _arm_angles(trace, later)
    common: BoolArray = (s_1 <= s_1[:1] + COMPARED + 1e-9) & (s_1 >= s_0[:1]) & (s_1 <= s_0[-1:])
    if not common.any():
        return False
    turned = angle_1[common] - np.interp(s_1[common], s_0, angle_0)
    wrapped = np.remainder(turned + np.pi, 2.0 * np.pi) - np.pi
    return bool(np.max(np.abs(wrapped)) > CHANGED)


def _arm_angles(trace: Trace, plan: int) -> tuple[Array, Array]:
    """Return a plan's object times [s] and its arm angles without jumps by whole turns [rad]."""
    first = trace.plan_arm_angle_end[plan - 1] if plan else 0
    angles = np.unwrap(trace.plan_arm_angle[first : trace.plan_arm_angle_end[plan]])
    return trace.plan_object_time_0[plan] + trace.plan_step[plan] * np.arange(len(angles)), angles


def _slices(trace: Trace, plan: int) -> set[tuple[int, ...]]:
    first = trace.plan_slices_end[plan - 1] if plan else 0
    return {tuple(map(int, row)) for row in trace.plan_slices[first : trace.plan_slices_end[plan]]}
