"""Stiffness of the supports of snap hooks: beams, plates, rings and torsion bars.

theory: Meitinger & Pfeiffer, equations 39 to 44. Equation 39 holds for a constant cross-section only; right
is (E I w'')' = -F, which gives the printed matrix to every digit. The printed matrix of the plate cannot
be had from the data beside it: its compliance at the hook is 15 % above what a Kirchhoff plate can have.
"""

import math

import numpy as np

from hil.common.arrays import Array

W, PHI_X, PHI_Y = 2, 3, 4  # the directions that give way: displacement along z, turns about x and y
POINTS, WEIGHTS = np.polynomial.legendre.leggauss(24)
PLATE_AS_PRINTED = np.array(
    [[168.5e3, -455.8, 2105.1], [-455.8, 26.7947, -1.4433], [2105.1, -1.4433, 37.7004]]
)


def in_place(K: Array, directions: tuple[int, ...]) -> Array:
    """Return a stiffness (6, 6) that has zeros but in some directions."""
    out = np.zeros((6, 6))
    out[np.ix_(directions, directions)] = K
    return out


def _inverse(compliance: Array) -> Array:
    return np.asarray(np.linalg.inv(compliance), dtype=float)


def beam_compliance(
    length: float, height: tuple[float, float], width: tuple[float, float], E: float
) -> Array:
    """Return the compliance of a tapered cantilever's tip: of w and phi_y to F_z and M_y, shape (2, 2).

    Args:
        length: from the clamp to the tip [m].
        height: at the clamp and at the tip, along the bending [m].
        width: at the clamp and at the tip [m].
        E: Young's modulus [Pa].

    The turn phi_y is -w'. Bernoulli's beam, its moment of area along the length integrated by Gauss.
    """
    x = 0.5 * (POINTS + 1.0)
    h = height[0] + (height[1] - height[0]) * x
    b = width[0] + (width[1] - width[0]) * x
    bending = 0.5 * WEIGHTS * length / (E * b * h**3 / 12.0)
    arm = length * (1.0 - x)
    ww, wp, pp = (bending * arm * arm).sum(), (bending * arm).sum(), bending.sum()
    return np.array([[ww, -wp], [-wp, pp]])


def beam(length: float, height: tuple[float, float], width: tuple[float, float], E: float) -> Array:
    """Return the stiffness (6, 6) of a tapered cantilever, for arguments see `beam_compliance`."""
    return in_place(_inverse(beam_compliance(length, height, width, E)), (W, PHI_Y))


def beam_strain(
    length: float,
    height: tuple[float, float],
    width: tuple[float, float],
    E: float,
    load: tuple[float, float],
) -> float:
    """Return the greatest strain in a cantilever whose tip bears a force F_z and a moment M_y [N, N m]."""
    x = np.linspace(0.0, 1.0, 201)
    h = height[0] + (height[1] - height[0]) * x
    b = width[0] + (width[1] - width[0]) * x
    moment = load[0] * length * (1.0 - x) - load[1]
    return float(np.abs(moment * h / (2.0 * E * b * h**3 / 12.0)).max())


class Splines:
    """Splines along one side of a plate that is clamped at 0 and free at its end.

    Args:
        cells: between equally spaced knots.
        degree: of the splines.
        length: of the side [m].
    """

    def __init__(self, cells: int, degree: int, length: float) -> None:
        """Place the knots."""
        from scipy.interpolate import BSpline  # here: every simulation would load it, and few have a plate

        self._edges = np.linspace(0.0, length, cells + 1)
        knots = np.concatenate([[0.0] * degree, self._edges, [length] * degree])
        self._splines = BSpline(knots, np.eye(cells + degree), degree)

    def at(self, x: float | Array, order: int) -> Array:
        """Return a derivative of all splines but the two that have a value or slope at the clamp."""
        return np.asarray((self._splines.derivative(order) if order else self._splines)(x))[..., 2:]

    def product(self, a: int, b: int) -> Array:
        """Return the integrals of the products of the derivatives of orders a and b."""
        x, w = np.polynomial.legendre.leggauss(6)
        wide = np.diff(self._edges)[:, None]
        points = (self._edges[:-1, None] + 0.5 * (x + 1.0) * wide).ravel()
        return np.asarray(self.at(points, a).T @ ((0.5 * w * wide).reshape(-1, 1) * self.at(points, b)))


def plate_compliance(
    size: tuple[float, float],
    thickness: float,
    E: float,
    nu: float,
    at: tuple[float, float],
    cells: tuple[int, int],
    degree: int = 3,
) -> Array:
    """Return the compliance of a plate at a point: of w, phi_x, phi_y to F_z, M_x, M_y, shape (3, 3).

    Args:
        size: along x and y [m]; clamped where x = 0 and y = 0, free at the two other sides.
        thickness: [m].
        E: Young's modulus [Pa].
        nu: Poisson's ratio.
        at: where the hook stands [m].
        cells: of the grid along x and y: Ritz's method with splines (equations 41 to 43).
        degree: of the splines.

    The turns (w_y and -w_x) under a moment do not converge: they grow with the logarithm of the grid.
    """
    D = E * thickness**3 / (12.0 * (1.0 - nu * nu))
    X, Y = Splines(cells[0], degree, size[0]), Splines(cells[1], degree, size[1])
    coupled = np.kron(X.product(2, 0), Y.product(0, 2))
    K = D * (
        np.kron(X.product(2, 2), Y.product(0, 0))
        + np.kron(X.product(0, 0), Y.product(2, 2))
        + nu * (coupled + coupled.T)
        + 2.0 * (1.0 - nu) * np.kron(X.product(1, 1), Y.product(1, 1))
    )
    u, v = [X.at(at[0], k) for k in range(2)], [Y.at(at[1], k) for k in range(2)]
    B = np.column_stack([np.kron(u[0], v[0]), np.kron(u[0], v[1]), -np.kron(u[1], v[0])])
    return B.T @ np.linalg.solve(K, B)


def plate(
    size: tuple[float, float],
    thickness: float,
    E: float,
    nu: float,
    at: tuple[float, float],
    cells: tuple[int, int],
    degree: int = 3,
) -> Array:
    """Return the stiffness (6, 6) of a plate at a point, for arguments see `plate_compliance`."""
    return in_place(_inverse(plate_compliance(size, thickness, E, nu, at, cells, degree)), (W, PHI_X, PHI_Y))


def ring(radius: float, thickness: float, E: float, nu: float) -> Array:
    """Return the stiffness (6, 6) of the free end of a long tube against a bead all around (annular snap).

    A line load q at the end of a thin tube widens it by q / (2 D b^3), b^4 = 3 (1 - nu^2) / (r t)^2
    (Timoshenko's theory of shells); the stiffness is that of the whole circumference.

    Args:
        radius: of the wall's middle [m].
        thickness: of the wall [m].
        E: Young's modulus [Pa].
        nu: Poisson's ratio.
    """
    D = E * thickness**3 / (12.0 * (1.0 - nu * nu))
    b = (3.0 * (1.0 - nu * nu)) ** 0.25 / math.sqrt(radius * thickness)
    return in_place(np.array([[2.0 * D * b**3 * 2.0 * math.pi * radius]]), (W,))


def torsion_bar(length: float, radius: float, E: float, nu: float, bars: int = 2) -> Array:
    """Return the stiffness (6, 6) of a lever's round torsion bars, about y (torsional snap).

    Args:
        length: of each bar [m].
        radius: of the bars [m].
        E: Young's modulus [Pa].
        nu: Poisson's ratio.
        bars: how many hold the lever.
    """
    G = E / (2.0 * (1.0 + nu))
    return in_place(np.array([[bars * G * math.pi * radius**4 / (2.0 * length)]]), (PHI_Y,))
