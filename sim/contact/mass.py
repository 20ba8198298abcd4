"""Mass, centre of mass and inertia of solids, and what comes out when solids are joined or taken away."""

import operator
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from hil.common.arrays import Array, frozen_array


@dataclass(frozen=True, eq=False)
class Inertia:
    """Mass, centre of mass and inertia of a solid in some frame.

    Attributes:
        mass: [kg].
        com: centre of mass [m], shape (3,).
        about_com: inertia about the centre of mass, axes of the frame [kg m2], shape (3, 3).
    """

    mass: float
    com: Array
    about_com: Array

    @classmethod
    def principal(cls, mass: float, com: Sequence[float] | Array, diagonal: Array) -> "Inertia":
        """Return the inertia of a solid whose principal axes are those of the frame."""
        return cls(mass, frozen_array(com), frozen_array(np.diag(diagonal)))

    def __add__(self, other: "Inertia") -> "Inertia":
        """Return both solids as one, by the theorem of Huygens and Steiner, paper (4) to (6)."""
        return self._joined(other, 1.0)

    def __sub__(self, other: "Inertia") -> "Inertia":
        """Return this solid with the other taken out of it, paper (7) to (9)."""
        return self._joined(other, -1.0)

    def moved(self, p: Array, R: Array) -> "Inertia":
        """Return it in a frame in which its own has origin `p` [m] and axes `R`, shapes (3,), (3, 3)."""
        return Inertia(self.mass, frozen_array(p + R @ self.com), frozen_array(R @ self.about_com @ R.T))

    def about(self, point: Array) -> Array:
        """Return the inertia about a point, paper (4) to (6), shape (3, 3)."""
        d = self.com - point
        return self.about_com + self.mass * (d @ d * np.eye(3) - np.outer(d, d))

    def _joined(self, other: "Inertia", sign: float) -> "Inertia":
        mass = self.mass + sign * other.mass
        com = (self.mass * self.com + sign * other.mass * other.com) / mass
        return Inertia(mass, frozen_array(com), frozen_array(self.about(com) + sign * other.about(com)))


def joined(solids: Iterable[Inertia]) -> Inertia:
    """Return several solids in one frame, at least one, as one."""
    return reduce(operator.add, solids)
