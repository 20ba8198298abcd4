"""A mock-up at a port, along the line on which they touch: spring, damper, and the masses on either side."""

import math
from dataclasses import dataclass

import numpy as np

from hil.common.arrays import Array

STIFFNESS_DEPTH = 1e-3  # [m] at which a hardening contact has its stiffness


@dataclass(frozen=True)
class Contact:
    """A body that touches a port.

    Attributes:
        mass: of the body along the line of contact [kg].
        stiffness: of the contact [N/m].
        damping: of the contact [N s/m].
        port_mass: of a port that is free to move [kg]; inf: it is fixed.
    """

    mass: float
    stiffness: float
    damping: float = 0.0
    port_mass: float = math.inf

    @property
    def reduced_mass(self) -> float:
        """The mass that swings against the spring [kg]."""
        return 1.0 / (1.0 / self.mass + 1.0 / self.port_mass)

    @property
    def port_share(self) -> float:
        """How much of the contact's motion is the body's: 1 at a fixed port, 1/2 at one as heavy."""
        return self.reduced_mass / self.mass

    @property
    def rate(self) -> float:
        """The angular frequency `w = sqrt(k / mass)` of the undamped contact [rad/s]."""
        return math.sqrt(self.stiffness / self.reduced_mass)

    @property
    def ratio(self) -> float:
        """The damping ratio `z = d / (2 sqrt(k mass))`."""
        return self.damping / (2.0 * math.sqrt(self.stiffness * self.reduced_mass))

    @classmethod
    def of_ratio(cls, mass: float, rate: float, ratio: float, port_mass: float = math.inf) -> "Contact":
        """Return the contact with this rate [rad/s] and damping ratio."""
        reduced = 1.0 / (1.0 / mass + 1.0 / port_mass)
        return cls(mass, reduced * rate**2, 2.0 * ratio * reduced * rate, port_mass)


def linear_stiffness(stiffness: float, exponent: float, energy: float) -> float:
    """Return the spring that stores an energy at the same depth as a hardening one [N/m].

    theory: `f = k x (x / 1 mm)^(n - 1)` stores `k x^(n + 1) / ((n + 1) 1 mm^(n - 1))`. Its force there is
    `(n + 1) / 2` times the linear one's.

    Args:
        stiffness: k, at a depth of 1 mm [N/m].
        exponent: n; 1 is linear, 1.5 Hertz's.
        energy: [J] above 0.
    """
    n = exponent
    depth = ((n + 1.0) * energy * STIFFNESS_DEPTH ** (n - 1.0) / stiffness) ** (1.0 / (n + 1.0))
    return 2.0 * energy / depth**2


def mass_along_line(mass: float, inertia: Array, direction: Array, lever: Array) -> float:
    """Return what a free body weighs against a force along a line [kg], `1 / M = W^T M6^-1 W`.

    theory: the line `W = (n, r x n)` of a unit force is all that a frictionless contact can do.

    Args:
        mass: of the body [kg].
        inertia: about its centre of mass [kg m^2], shape (3, 3).
        direction: of the force, of any length but none, in the same axes, shape (3,).
        lever: from the centre of mass to any point of the line [m], shape (3,).
    """
    n = direction / np.linalg.norm(direction)
    moment = np.cross(lever, n)
    return 1.0 / (1.0 / mass + float(moment @ np.linalg.solve(inertia, moment)))
