"""What the solvers answer: a solution with its residual, or that there is none, or that none was found."""

from dataclasses import dataclass
from typing import Literal

from hil.common.arrays import Array

Status = Literal["solved", "none", "unsolved"]
TOLERANCE = 1e-9  # on the natural map over max(1, |q|): below it a problem is solved


@dataclass(frozen=True)
class LcpAnswer:
    """The answer to w = M z + q, 0 <= w, 0 <= z, w . z = 0.

    Attributes:
        z: shape (n,); zero unless solved.
        residual: |min(z, M z + q)| over max(1, |q|).
        solver: that had the last word: "lemke", "gauss-seidel", "enumeration" or "feasibility".
        status: "none" is said where it is proved, by a certificate or by all bases; "unsolved" where every
            solver ended without an answer.
    """

    z: Array
    residual: float
    solver: str
    status: Status


@dataclass(frozen=True)
class ContactAnswer:
    """The answer to a problem of contacts with Coulomb friction.

    Attributes:
        lam_n: normal impulses, or forces, shape (n,).
        lam_t: tangential ones, shape (n, dim - 1).
        residual: the natural map of De Saxcé's form over max(1, |b|).
        solver: that had the last word: "lemke", "gauss-seidel", "newton", "enumeration" or "feasibility".
        status: as of an `LcpAnswer`.
    """

    lam_n: Array
    lam_t: Array
    residual: float
    solver: str
    status: Status
