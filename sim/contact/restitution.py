"""From restitution and contact time to the two constants of the contact law, for a given step.

theory: (section 17) a contact's normal acceleration is `a = max(0, -k r - b v)` with r the gap (negative =
depth) and v its rate: a mass on a spring and a damper that cannot pull. In units of `w0 = sqrt(k)` its
restitution and the contact's length depend on the damping ratio `zeta = b / (2 w0)` alone:

    e = exp(-zeta phi / w), w0 t = phi / w, w = sqrt(1 - zeta^2), phi = pi - atan2(2 zeta w, w^2 - zeta^2)

and with `W = sqrt(zeta^2 - 1)`, `phi = ln((zeta + W) / (zeta - W))` beyond zeta = 1 (Schwager and Poeschel
2007: the contact ends when the force would pull, not when the gap opens). A step of finite length changes
both, so b is corrected by replaying the very steps of the simulation over all phases of entry.
"""

import math

import numpy as np

from hil.arrays import Array
from hil.errors import SimulationError

IMPACT = 0.0  # [s] the contact time that means: within one step
SHORTEST_CONTACT = 4.0  # steps; shorter ones do not reach the restitution
_PHASES = 64
_LARGEST_DAMPING_RATIO = 4.0  # restitution 0.014; more damping would hold a pressed-in depth for seconds
_RECOVERY = 0.001  # of k step^2 in an impact: what is left of the depth goes, at the price of 0.001 in e
_BISECTIONS = 60


def contact_law(restitution: float, contact_time: float, step: float) -> tuple[float, float]:
    """Return k [1/s2] and b [1/s] of a material.

    Args:
        restitution: ratio of the normal speeds after and before, in [0, 1].
        contact_time: length of a contact [s]; 0: the speed is reversed within one step (Newton's law).
        step: of the simulation [s].

    Raises:
        SimulationError: the contact is shorter than four steps and not 0.
    """
    if contact_time == IMPACT:
        return _RECOVERY * (1.0 - restitution) / step**2, (1.0 + restitution) / step
    if contact_time < SHORTEST_CONTACT * step:
        raise SimulationError(
            f"contact time {1e3 * contact_time:g} ms is shorter than {SHORTEST_CONTACT:g} steps of "
            f"{1e3 * step:g} ms: lengthen it, shorten the step, or give 0 for an impact within one step"
        )
    zeta = damping_ratio(restitution)
    w0 = scaled_contact_time(zeta) / contact_time
    return w0 * w0, _calibrated_damping(restitution, w0 * w0, 2.0 * zeta * w0, step)


def continuous_restitution(zeta: float) -> float:
    """Return the restitution of a damping ratio in continuous time."""
    if zeta <= 0.0:
        return 1.0
    return math.exp(-zeta * scaled_contact_time(zeta))


def scaled_contact_time(zeta: float) -> float:
    """Return the contact time multiplied by w0 for a damping ratio."""
    if abs(zeta - 1.0) < 1e-9:  # both formulas are 0 / 0 here
        return 2.0
    if zeta < 1.0:
        w = math.sqrt(1.0 - zeta * zeta)
        return (math.pi - math.atan2(2.0 * zeta * w, w * w - zeta * zeta)) / w
    W = math.sqrt(zeta * zeta - 1.0)
    return math.log((zeta + W) / (zeta - W)) / W


def damping_ratio(restitution: float) -> float:
    """Return the damping ratio that has this restitution in continuous time, at most 4."""
    low, high = 0.0, _LARGEST_DAMPING_RATIO
    for _ in range(_BISECTIONS):
        middle = 0.5 * (low + high)
        if continuous_restitution(middle) > restitution:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


def replayed_restitution(k: float, b: float, step: float, phases: int = _PHASES) -> Array:
    """Return the restitution that the simulation's own steps give, one value for each phase of entry.

    Args:
        k: stiffness [1/s2].
        b: damping [1/s].
        step: of the simulation [s].
        phases: how many depths at the first step in contact, evenly spread over one step's way.
    """
    r = -step * (np.arange(phases) + 0.5) / phases
    v = np.full(phases, -1.0)
    inside = np.ones(phases, bool)
    while inside.any():
        v[inside] += step * np.maximum(0.0, -b * v[inside] - k * r[inside])
        r[inside] += step * v[inside]
        inside &= (r < 0.0) & (v < 1e3)
    return v


def _calibrated_damping(restitution: float, k: float, guess: float, step: float) -> float:
    """Return the b whose replayed restitution, averaged over the phases, is the one asked for."""
    if restitution >= 1.0:
        return 0.0
    # beyond b step = 1 the explicit damper overshoots and restitution rises again
    low, high = 0.0, min(1.0 / step, 3.0 * guess)
    if replayed_restitution(k, high, step).mean() > restitution:
        return high
    for _ in range(_BISECTIONS):
        middle = 0.5 * (low + high)
        if replayed_restitution(k, middle, step).mean() > restitution:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)
