"""Where the arm runs deeper into a contact than the body, and the contact is no line.

A late arm, held by its limits of jerk, goes on when the body has turned round, and feels there what the body
does not: the hard end of a soft surface, another foot. What is felt beyond the body's depth is none of the
body's business: the contact is fitted where the body is, and beyond it that fit acts alone.
"""

import math

from numba import njit

from hil.force.contact_fit import LEFT, Fit, add_to, fit
from hil.force.contact_law import beyond_arm
from hil.force.rows import SUMS, Record, Records
from hil.force.tally import body_at

PUZZLED = 0.2  # rms of what the fit leaves over the force's: no one spring is felt
BENT = 0.03  # rms of what one line leaves over the greatest force: it is none
CLEARLY = 3.0  # deviations of that beyond noise
MARGIN = 0.05  # of the body's depth that may be taken beyond it
FEWEST = 5  # samples of a fit where the body is
MOST_SHARE = 0.9  # of the samples in it: with more the arm has not run ahead


@njit(cache=True, error_model="numpy")
def is_bent(c: Record, s: Record, found: Fit) -> bool:
    """Return whether a fit leaves clearly more than noise, and less than what no spring explains at all."""
    weight = max(s.weight, 1.0)
    misfit, force = math.sqrt(found[LEFT] / weight), math.sqrt(s.sums[5, 5] / weight)
    noise = math.sqrt(c.force_noise**2 + (found[0] * c.position_noise) ** 2)
    return bool(max(BENT * s.most, CLEARLY * noise) < misfit < PUZZLED * force)


@njit(cache=True, error_model="numpy")
def reach(c: Record, s: Record, ring: Records) -> float:
    """Return the greatest c [m] of the body since the contact's beginning, with a margin."""
    deepest = 0.0
    for i in range(s.start, s.n + 1):
        row = ring[i % ring.shape[0]]
        deepest = max(deepest, row.c + beyond_arm(row, body_at(row)))
    touch = s.zero if s.known == 1 else 0.0
    return deepest + MARGIN * max(0.0, deepest - touch) + 5.0 * c.position_noise


@njit(cache=True, error_model="numpy")
def near_fit(c: Record, s: Record, ring: Records, mass: float, whole: Fit) -> tuple[Fit, float]:
    """Return the fit of the samples where the body is and their number, and mark those beyond.

    `whole`, with all samples, if that is a line, or the arm has not run ahead.
    """
    mark_beyond(s, ring, math.inf)
    if s.pulls == 1 or not is_bent(c, s, whole):
        return whole, s.weight
    limit = reach(c, s, ring)
    kept = s.weight, s.most, s.most_c, s.most_second
    for i in range(SUMS):
        for j in range(SUMS):
            s.near[i, j] = 0.0
    s.weight, s.most = 0.0, 0.0
    for i in range(s.start, s.n + 1):
        row = ring[i % ring.shape[0]]
        if row.c > limit:  # on its way back the arm is turned by what it met there
            break
        if row.on == 1:
            add_to(s, s.near, row)
    found, weight = whole, s.weight
    if FEWEST <= weight < MOST_SHARE * kept[0]:
        found = fit(c, s, s.near, mass, 0.0)
    s.weight, s.most, s.most_c, s.most_second = kept
    if not (FEWEST <= weight < MOST_SHARE * kept[0] and found[0] > 0.0 and found[LEFT] < math.inf):
        return whole, s.weight
    mark_beyond(s, ring, limit)
    return found, weight


@njit(cache=True, error_model="numpy")
def mark_beyond(s: Record, ring: Records, limit: float) -> None:
    """Mark the rows in which the arm is beyond a c [m]."""
    for i in range(s.start, s.n + 1):
        row = ring[i % ring.shape[0]]
        row.over = 1 if row.c > limit else 0
