"""What noise allows the velocity after a push: the error of its impulse, and the margin of a quiet run.

A velocity is right only if its impulse is. Where motion noise hides a part of every impulse, the velocity's
tolerance is at least that of the impulses whose velocity is judged, and what a quiet run grants beyond it.
"""

from collections.abc import Sequence

from hil.analysis.report.impulse_lines import LEAST_PUSHES
from hil.analysis.report.impulse_metrics import most_share
from hil.analysis.report.impulse_rules import HIGH
from hil.analysis.report.push_evidence import JudgedPushes

MIDDLE = 0.5  # quantile
BEYOND = {  # quantile, and the margin beyond the impulse's tolerance [%]
    "velocity_error_sim_median": (MIDDLE, 0.5),
    "velocity_error_sim_p95": (HIGH, 1.0),
    "velocity_error_arm_median": (MIDDLE, 1.0),
    "velocity_error_arm_p95": (HIGH, 2.5),
}


def velocity_allowance(name: str, parts: Sequence[JudgedPushes]) -> float:
    """Return the least tolerance of a metric in the noise of runs [%]; 0 where noise does not decide it.

    Args:
        name: of the metric.
        parts: pushes of the runs with motion noise.
    """
    if name not in BEYOND or not parts:
        return 0.0
    every = JudgedPushes.together(parts)
    free = every.only(every.counted & every.free)
    if len(every.error) < LEAST_PUSHES or not len(free.error):
        return 0.0
    quantile, margin = BEYOND[name]
    return most_share(quantile)(free) + margin
