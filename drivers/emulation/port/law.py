"""The force of one contact over its penetration `x` and the rate of that. Compiled.

`f = (k x + d x') (|x| / x_1)^(n - 1)`, `x_1` = 1 mm: a spring and a damper for `n = 1`; with `n = 3/2`
Hertz's spring, and a damper that grows with it, so that no force jumps at the touch (Hunt and Crossley,
J. Appl. Mech. 42 (1975) 440). It only presses, except where it is latched.
"""

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
        friction: Coulomb's coefficient.
        latches: whether it pulls once touched.
        compliance: of what carries the mock-up [m/N].
        inverse_mass: of the port [1/kg]; 0: it is fixed.
    """

    stiffness: float
    damping: float
    exponent: float
    friction: float
    latches: bool
    compliance: float
    inverse_mass: float


def law_of(port: Port) -> Law:
    """Return what the kernels need of a port."""
    return Law(
        port.stiffness,
        port.damping,
        port.exponent,
        port.friction,
        port.latch,
        port.compliance,
        0.0 if port.mass is None else 1.0 / port.mass,
    )


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
    if force <= 0.0 and not latched:
        return 0.0, 0.0, 0.0
    by_x = law.stiffness * growth
    if law.exponent != 1.0 and x != 0.0:
        by_x += (law.exponent - 1.0) * force / x
    return force, by_x, law.damping * growth
