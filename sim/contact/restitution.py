"""From restitution and contact time to a spring and its damping ratio, for steps of any length.

theory: (section 17) a contact is a mass on a spring and a damper that cannot pull. With `w0 = sqrt(K / m)`
its restitution and its length depend on the damping ratio `zeta = B / (2 m w0)` alone:

    e = exp(-zeta phi / w), w0 t = phi / w, w = sqrt(1 - zeta^2), phi = pi - atan2(2 zeta w, w^2 - zeta^2)

and with `W = sqrt(zeta^2 - 1)`, `phi / w = ln((zeta + W) / (zeta - W)) / W` beyond zeta = 1 (Schwager and
Poeschel 2007: the contact ends when the force would pull, not when the gap opens). A step of finite length
changes both, so zeta is corrected for every `x = w0 dt` by replaying the very steps of the simulation over
all phases of entry.

The step's own formula, here in 1D and in `sim.contact.contact_laws` for all contacts, with r the gap and v
its rate before the step, in steps of length 1:

    a = max(0, -x^2 r' - 2 zeta x s v) / (1 + gamma x^2 + zeta x s)

`gamma = 1/4` makes the spring's force an average over the step, stable at any x, and more of it softens
contacts that would be shorter than three steps. In the first and the last step of a contact the bodies
touch for a part of it only: `engaged` gives the gap r' with which the spring takes up, or gives back, the
very energy of the motion, and the damper's share s of a step. Without them both energy and restitution
would depend on the phase of entry, a hundred and ten times more.
"""

import math
from collections.abc import Callable
from functools import cache

import numpy as np
from numba import njit

from hil.common.arrays import Array, frozen_array

GRID_START, GRID_RATIO, GRID_SIZE = 0.05, math.sqrt(2.0), 10  # of x = w0 dt, to 1.13
AVERAGED = 0.25  # gamma
_PHASES = 64
_LARGEST_DAMPING_RATIO = 4.0  # restitution 0.014; more damping would hold a pressed-in depth for seconds
_BISECTIONS = 40
_SCANNED = 41  # damping ratios, to bracket the one looked for
_LONGEST = 100_000  # steps of a replay
_WEAK = 1e-12  # stiffness below which a step's kick cannot be told


def spring_rate(restitution: float, contact_time: float) -> float:
    """Return `K / m` [1/s2] of the spring whose contacts last `contact_time` [s]."""
    return (scaled_contact_time(damping_ratio(restitution)) / contact_time) ** 2


def continuous_restitution(zeta: float) -> float:
    """Return the restitution of a damping ratio in continuous time."""
    return 1.0 if zeta <= 0.0 else math.exp(-zeta * scaled_contact_time(zeta))


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
    return _falling_root(continuous_restitution, restitution)


@cache
def damping_ratios(restitution: float) -> Array:
    """Return the damping ratio at each x = w0 dt of the grid whose replayed restitution is the one asked for.

    The replays of all phases of entry are averaged. Where no damping reaches the restitution, that
    of the least restitution stands. Beyond the grid the softened spring makes the ratio proportional to x.
    """
    if restitution >= 1.0:
        return frozen_array(np.zeros(GRID_SIZE))

    def ratio(x: float) -> float:
        return _falling_root(lambda zeta: float(replayed(x, zeta).mean()), restitution)

    return frozen_array([ratio(GRID_START * GRID_RATIO**i) for i in range(GRID_SIZE)])


@njit(cache=True, nogil=True, error_model="numpy")
def engaged(gap: float, rate: float, stiffness: float) -> tuple[float, float]:
    """Return the gap that the spring works with, and the share of a step in which the damper works.

    theory: (section 17) a leapfrog in the spring conserves `u^2 + k r u + k r^2` from step to step, with u
    the speed after the first kick; that is the square of the free speed before it if the first kick is
    `k r (1 + |r / v|) / 2`. The last one is the same backwards in time.

    Args:
        gap: negative = depth [m/step].
        rate: of the gap [m/step].
        stiffness: `k = x^2 / (1 + gamma x^2)`, the spring's acceleration in a step.
    """
    depth = abs(gap)
    if rate < 0.0 and depth < -rate:
        return 0.5 * gap * (1.0 - depth / rate), 0.5 - depth / rate
    if rate > 0.0 and stiffness > _WEAK:
        leaving = math.sqrt(rate * rate + stiffness * depth * (rate + depth))
        if depth < leaving:
            return (rate - leaving) / stiffness, 0.5 + depth / leaving
    return gap, 1.0


@njit(cache=True, nogil=True, error_model="numpy")
def averaging(x2: float) -> float:
    """Return gamma for `x^2`."""
    return max(AVERAGED, 1.0 - 1.0 / x2)


@njit(cache=True, error_model="numpy")
def replayed(x: float, zeta: float, phases: int = _PHASES) -> Array:
    """Return the restitution that the simulation's own steps give, one value for each phase of entry.

    Args:
        x: `w0 dt`.
        zeta: damping ratio.
        phases: how many depths at the first step in contact, evenly spread over one step's way.
    """
    out = np.empty(phases)
    gamma = averaging(x * x)
    for i in range(phases):
        r, v = -(i + 0.5) / phases, -1.0
        for _ in range(_LONGEST):
            gap, share = engaged(r, v, x * x / (1.0 + gamma * x * x))
            push = -(x * x * gap + 2.0 * zeta * x * share * v) / (1.0 + gamma * x * x + zeta * x * share)
            v += max(0.0, push)
            r += v
            if r >= 0.0:
                break
        out[i] = v
    return out


def _falling_root(function: Callable[[float], float], value: float) -> float:
    """Return the least damping ratio at which the function falls to a value, or that of its minimum."""
    scan = np.linspace(0.0, _LARGEST_DAMPING_RATIO, _SCANNED)
    low = high = 0.0
    least = math.inf
    for zeta in scan:
        found = function(zeta)
        if found < least:
            least, low, high = found, high, zeta
        if found <= value:
            break
    else:
        return float(high)
    for _ in range(_BISECTIONS):
        middle = 0.5 * (low + high)
        if function(middle) > value:
            low = middle
        else:
            high = middle
    return float(0.5 * (low + high))
