"""How fast a body comes back from a port: as it should, and through a loop that compensates nothing."""

import math

from hil.force.map.contact import Contact
from hil.force.map.loop_delay import LoopDelay

# ln(e / e0) over X = share w T, by least squares on loops with w T <= 1 and z <= 0.5, in cycles of T / 65
PURE = (1.414, 0.435, 0.409, -0.542, 0.844, 0.651)  # a force that comes T late: of 1, X, z, X^2, z^2, X z
DRIVES = (-0.131, -0.114)  # what of T is lag also softens: of 1, z, times (w lag)^2
MOST_RATIO, HALVINGS = 10.0, 60  # of the search for a damping ratio
MOVING = (0.276, -0.642, 0.983)  # a port that gives way: of 1, w T, z, times (1 - share) w T


def ideal_restitution(ratio: float) -> float:
    """Return the restitution `e0` of a damped contact that never pulls (docs/theory.md, (68)).

    It ends when the force has gone to zero, before the spring is slack: Schwager and Poeschel 2007.

    Args:
        ratio: damping ratio z of the contact, from 0 on.
    """
    return math.exp(-ratio * release_phase(ratio))


def release_phase(ratio: float) -> float:
    """Return `w t` at which the force of a damped contact has gone to zero, for a damping ratio z."""
    z = ratio
    if z < 1.0:
        w = math.sqrt(1.0 - z * z)
        return (math.pi - math.atan2(2.0 * z * w, w * w - z * z)) / w
    if z == 1.0:
        return 2.0
    w = math.sqrt(z * z - 1.0)
    return 2.0 * math.log(z + w) / w


def damping_ratio(restitution: float) -> float:
    """Return the damping ratio z, at most 10, of the contact with this `ideal_restitution`, in (0, 1]."""
    if restitution >= 1.0:
        return 0.0
    low, high = 0.0, MOST_RATIO
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if ideal_restitution(middle) > restitution else (low, middle)
    return 0.5 * (low + high)


def late_restitution(contact: Contact, loop: LoopDelay) -> float:
    """Return the restitution in a loop that compensates nothing, within 10 % to w T = 1 and z = 0.5.

    Beyond that `hil/force/map/bounce.py: bounces` has it.
    """
    z, wT, w_lag, share = (
        contact.ratio,
        contact.rate * loop.total,
        contact.rate * loop.lag,
        contact.port_share,
    )
    X = share * wT
    slope = _polynomial(PURE, X, z) + w_lag**2 * (DRIVES[0] + DRIVES[1] * z)
    slope += (1.0 - share) * wT * (MOVING[0] + MOVING[1] * wT + MOVING[2] * z)
    return ideal_restitution(z) * math.exp(X * slope)


def _polynomial(c: tuple[float, ...], X: float, z: float) -> float:
    return c[0] + c[1] * X + c[2] * z + c[3] * X * X + c[4] * z * z + c[5] * X * z
