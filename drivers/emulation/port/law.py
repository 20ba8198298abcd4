"""The force of one contact over its penetration `x` and the rate of that. Compiled.

`f = (k x + d x') (|x| / x_1)^(n - 1)`, `x_1` = 1 mm: a spring and a damper for `n = 1`; with `n = 3/2`
Hertz's spring, and a damper that grows with it, so that no force jumps at the touch (Hunt and Crossley,
J. Appl. Mech. 42 (1975) 440). From `x = b` on a second spring adds `k_b (x - b)`. It only presses, except
where it is latched.
"""

import math
from typing import NamedTuple

from numba import njit

from hil.configuration.port import Port

MEASURED_AT = 1e-3  # [m] penetration for which stiffness and damping are given


class Law(NamedTuple):
    """What a port is made of.

    Attributes:
        stiffness: of a contact [N/m], at 1 mm.
        damping: of it [N s/m], at 1 mm.
        exponent: of the force over the penetration.
        bump: penetration from which on the second spring presses [m]; infinite: there is none.
        bump_stiffness: of that spring [N/m].
        friction: Coulomb's coefficient.
        latches: whether it pulls once touched.
        compliance: of what carries the mock-up, but for a damped device [m/N].
        device: stiffness of a device that is damped [N/m]; 0: there is none.
        device_damping: of it [N s/m].
        inverse_mass: of the port [1/kg]; 0: it is fixed.
    """

    stiffness: float
    damping: float
    exponent: float
    bump: float
    bump_stiffness: float
    friction: float
    latches: bool
    compliance: float
    device: float
    device_damping: float
    inverse_mass: float


def law_of(port: Port) -> Law:
    """Return what the kernels need of a port."""
    device = port.device_stiffness if port.device_stiffness and port.device_damping > 0.0 else 0.0
    return Law(
        port.stiffness,
        port.damping,
        port.exponent,
        math.inf if port.bump is None else port.bump,
        port.bump_stiffness or 0.0,
        port.friction,
        port.latch,
        port.compliance - (1.0 / device if device else 0.0),
        device,
        port.device_damping,
        0.0 if port.mass is None else 1.0 / port.mass,
    )


@njit(cache=True)
def softness(law: Law, step: float) -> tuple[float, float]:
    """Return by what the mock-up gives way under a force held for `step` [s], and what is left of before.

    theory: a damped device goes by `d' = (F - k d) / c`, implicit, so that any damper is stable.

    Returns:
        [m/N], and the share of the device's deflection before that is left without a force.
    """
    if law.device_damping == 0.0:
        return law.compliance, 0.0
    below = step * law.device + law.device_damping
    return law.compliance + step / below, law.device_damping / below


@njit(cache=True)
def contact_force(law: Law, x: float, rate: float, latched: bool) -> tuple[float, float, float]:
    """Return the force along the normal [N] and its derivatives by penetration and by rate.

    Args:
        law: of the contact.
        x: penetration [m].
        rate: of it [m/s].
        latched: whether it may pull, and reaches out of the face.
    """
    if not latched and x < 0.0:
        x = 0.0
    growth = 1.0
    if law.exponent != 1.0:
        growth = (abs(x) / MEASURED_AT) ** (law.exponent - 1.0)
    linear = law.stiffness * x + law.damping * rate
    force = linear * growth
    beyond = max(0.0, x - law.bump)
    force += law.bump_stiffness * beyond
    if force <= 0.0 and not latched:
        return 0.0, 0.0, 0.0
    by_x = law.stiffness * growth
    if law.exponent != 1.0 and x != 0.0:
        by_x += (law.exponent - 1.0) * linear * growth / x
    if beyond > 0.0:
        by_x += law.bump_stiffness
    return force, by_x, law.damping * growth
