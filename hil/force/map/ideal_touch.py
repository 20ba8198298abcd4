"""The touch as it would be in orbit: no delay, no arm; how fast, how hard and for how long."""

import cmath
from typing import NamedTuple

import numpy as np

from hil.force.map.contact import Contact
from hil.force.map.restitution import ideal_restitution, release_phase

INSTANTS = 4000  # at which a touch is looked at
APART = 1e-9  # of a damping ratio from 1, where the two roots are one


class IdealTouch(NamedTuple):
    """What a touch comes to.

    Attributes:
        restitution: the body's speed after over the one before; of a light port that moves below 0.
        peak: greatest force of the real part [N].
        lasts: for how long that force is above a gate [s].
    """

    restitution: float
    peak: float
    lasts: float


def ideal_touch(
    contact: Contact, speed: float, gate: float, real: tuple[float, float] | None = None
) -> IdealTouch:
    """Return the touch of a body that comes with `speed` [m/s].

    theory: `x = v e^(-z w t) sin(w_d t) / w_d` of the penetration, until `k x + d x'` is zero: (68) of
    docs/theory.md. A port that moves has its part of the momentum: `e = phi (1 + e_0) - 1` by the body's
    share `phi`.

    Args:
        contact: by which the body moves.
        speed: of approach along the line [m/s].
        gate: [N] from which on the force counts.
        real: stiffness and damping of the part that a real device exerts [N/m, N s/m]; None: all of it.
    """
    k, d = (contact.stiffness, contact.damping) if real is None else real
    w, z = contact.rate, contact.ratio
    z = z + APART if abs(z - 1.0) < APART else z
    t = np.linspace(0.0, release_phase(z) / w, INSTANTS)
    turning = w * cmath.sqrt(1.0 - z * z)
    fading = np.exp(-z * w * t)
    sine, cosine = np.sin(turning * t) / turning, np.cos(turning * t)
    depth, rate = speed * fading * sine, speed * fading * (cosine - z * w * sine)
    force = (k * depth + d * rate).real
    above = np.flatnonzero(force > gate)
    lasts = float(t[above[-1]] - t[above[0]]) if len(above) else 0.0
    restitution = contact.port_share * (1.0 + ideal_restitution(z)) - 1.0
    return IdealTouch(restitution, max(0.0, float(force.max())), lasts)
