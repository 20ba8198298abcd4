"""The restitution with which the arm made the simulated body's bounces.

At a wall the simulated velocity jumps. The arm's cannot: the planner spreads the jump over 0.1 s on both
sides (docs/theory.md, equation 38). So the arm's velocity is taken outside that, where nothing else happens.
"""

import numpy as np

from hil.analysis.figures.bounces import Bounce, bounces
from hil.analysis.figures.windows import FIT, fitted_twists
from hil.common.arrays import Array, IntArray
from hil.loop.judging.state_machine import State
from hil.loop.trace.fields import Trace
from planner.branches.bounce_smoothing import REACH

APART = REACH + 2.0 * FIT  # [s] from a contact; there the arm's velocity is taken,
QUIET = APART + FIT + REACH  # and so far from it no other contact may be: it is spread as well


def arm_restitutions(trace: Trace) -> Array:
    """Return one value a bounce of `analysis.figures.bounces`, NaN where the arm's cannot be told, (k,).

    Speed away from the obstacle over speed towards it, along the simulated impulse's direction, 0.12 s
    before and after the contact. It cannot be told if a push, another contact or a hold is near.
    """
    busy = trace.contact_sim | (trace.state != State.FLOATING) | (trace.rate < 1.0 - 1e-9)
    busy |= trace.wrench_true.any(axis=1)
    count = np.concatenate([[0], np.cumsum(busy)])
    return np.array([_restitution(trace, bounce, count) for bounce in bounces(trace)])


def _restitution(trace: Trace, bounce: Bounce, busy: IntArray) -> float:
    before, after = bounce.rows
    begin, end = trace.t[before], trace.t[after]
    first, last = np.searchsorted(trace.t, [begin - APART, end + APART])
    quiet_first, quiet_last = np.searchsorted(trace.t, [begin - QUIET, end + QUIET])
    outside = begin - QUIET < trace.t[0] or end + QUIET > trace.t[-1]
    if outside or busy[before + 1] > busy[quiet_first] or busy[quiet_last] > busy[after]:
        return float("nan")
    p, quat = trace.p_world_object_arm, trace.quat_world_object_arm
    towards, away = (
        bounce.direction @ fitted_twists(trace.t, p, quat, row, row + 1)[0] for row in (first, last)
    )
    return -float(away / towards)
