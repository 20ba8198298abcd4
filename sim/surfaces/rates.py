"""How the point where two surfaces lie opposite each other moves, and how its gap does. Compiled.

theory: Meitinger & Pfeiffer, equations 45 to 56 with their signs put right: the derivative of the contact
equations along the motion of both bodies is zero (equation 56 has two wrong signs and twice the same column);
the gap's rates follow from g = n2 . rD. All derivatives are inertial: the term Omega x (Omega x r) stands in
the place of equation 52's Omega x vC. They hold for open gaps as well as for closed ones.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from hil.common.arrays import Array
from sim.surfaces.shape import R, U, V, cross, normal_derivatives, normal_of, shape_at
from sim.surfaces.surface import Surface
from sim.surfaces.touching import equations_by_x, least_step, made_dimensionless, scales, size_of, strides


class Rates(NamedTuple):
    """Motion of a potential contact; the second body rests in the outer frame.

    Attributes:
        x: rates of u1, v1, u2, v2, shape (4,).
        gap: rate of the gap [m/s].
        gap_rate: its second derivative [m/s2].
        normal: rate of the second body's outward normal, shape (3,) [1/s].
        slip: velocity of the first body's material at the point, shape (3,) [m/s].
        slip_rate: its derivative along the path that the point takes, shape (3,) [m/s2].
    """

    x: Array
    gap: float
    gap_rate: float
    normal: Array
    slip: Array
    slip_rate: Array


@njit(cache=True)
def rates(first: Surface, T_first: Array, second: Surface, T_second: Array, x: Array, motion: Array) -> Rates:
    """Return the rates at a root of the contact equations.

    Args:
        first: surface of the one part.
        T_first: the part's pose, shape (4, 4).
        second: surface of the other.
        T_second: its part's pose, shape (4, 4); it rests.
        x: the root, shape (4,).
        motion: of the first part: velocity of its origin, angular velocity, and their inertial derivatives,
            in the outer frame, shape (4, 3) [m/s, rad/s, m/s2, rad/s2].
    """
    s1, s2 = shape_at(first, T_first, x[0], x[1]), shape_at(second, T_second, x[2], x[3])
    n1, n2 = normal_of(s1, first.outward), normal_of(s2, second.outward)
    v, w, a, dw = motion[0], motion[1], motion[2], motion[3]
    r = s1[R] - T_first[:3, 3]
    vC = v + cross(w, r)
    turned = cross(w, n1)
    f = np.array([turned @ s2[U], turned @ s2[V], vC @ s2[U], vC @ s2[V]])
    J, lengths, size = equations_by_x(s1, n1, s2, n2), scales(s1, s2), size_of(first, second, s1, s2)
    columns = strides(s1, n1, s2, n2, lengths, size)
    made_dimensionless(f, J, lengths, size, columns)
    dx = least_step(J, f)[0] * columns
    dn = normal_derivatives(s2, n2)
    n2_rate = dn[0] * dx[2] + dn[1] * dx[3]
    along = s1[U] * dx[0] + s1[V] * dx[1]
    aC = a + cross(dw, r) + cross(w, cross(w, r) + along)
    return Rates(dx, n2 @ vC, n2_rate @ vC + n2 @ aC, n2_rate, vC, aC)
