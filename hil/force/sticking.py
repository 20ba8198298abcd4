"""A contact that holds a point in all directions, as a ball latch does: the line of force turns.

All lines of such a contact meet in one point of the mock-up. Once they have turned enough to tell it, by
least squares of `torque = point x force`, the force is carried across the line as well, with the stiffness
found along it: `f + k (point of the arm - point of the body)`.
"""

from numba import njit

from hil.force.body import Body
from hil.force.rows import Record
from hil.force.tuples import (
    Quaternion,
    Vector,
    along,
    conjugate,
    cross,
    dot,
    minus,
    quaternion_of,
    rotated,
    vector_at,
)

TURNED = 0.03  # mean square sine between lines from which they tell a point
FAR = 0.5  # [m] from the centre of mass: how far the point is thought to be
FADE = 0.998  # of the sums, a cycle


@njit(cache=True, error_model="numpy")
def forget_point(s: Record) -> None:
    """Begin the sums anew."""
    for i in range(3):
        s.point[i], s.point_right[i] = 0.0, 0.0
        for j in range(3):
            s.point_sums[i, j] = 0.0
    s.sticks = 0


@njit(cache=True, error_model="numpy")
def find_point(c: Record, s: Record, row: Record) -> None:
    """Take a wrench into the sums, and find the point in which the lines meet, in object axes [m]."""
    if s.twisted == 1 or (c.latched == 0 and c.detect_latch == 0):
        return
    back = conjugate(quaternion_of(row.q))
    f = rotated(back, vector_at(row.wrench, 0))
    right = cross(f, rotated(back, vector_at(row.wrench, 3)))
    square, N = dot(f, f), s.point_sums
    for i in range(3):
        s.point_right[i] = FADE * s.point_right[i] + right[i]
        for j in range(3):
            N[i, j] = FADE * N[i, j] - f[i] * f[j] + (square if i == j else 0.0)
    whole = 0.5 * (N[0, 0] + N[1, 1] + N[2, 2])
    ridge = (c.force_noise * 0.2 / FAR) ** 2 + 1e-9 * whole
    first = (N[0, 0] + ridge, N[0, 1], N[0, 2])
    second = (N[0, 1], N[1, 1] + ridge, N[1, 2])
    third = (N[0, 2], N[1, 2], N[2, 2] + ridge)
    volume = dot(first, cross(second, third))
    s.sticks = 1 if s.pulls == 1 and volume > TURNED * whole**3 else 0
    if s.sticks == 1:
        b = vector_at(s.point_right, 0)
        s.point[0] = dot(b, cross(second, third)) / volume
        s.point[1] = dot(first, cross(b, third)) / volume
        s.point[2] = dot(first, cross(second, b)) / volume


@njit(cache=True, error_model="numpy")
def across(row: Record, body: Body, middle: Quaternion, omega: Vector, dt: float) -> tuple[Vector, Vector]:
    """Return force across the line, by how far arm and body lie apart at the point, and its moment.

    Args:
        row: of the cycle.
        body: at the step's beginning.
        middle: its attitude in the middle of the step.
        omega: its spin there [rad/s].
        dt: the step [s].
    """
    point = vector_at(row.point, 0)
    there, here = rotated(quaternion_of(row.q), point), rotated(middle, point)
    way = minus(along(vector_at(row.p, 0), 1.0, there), along(along(body.p, 0.5 * dt, body.v), 1.0, here))
    arm = along(vector_at(row.twist, 0), 1.0, cross(vector_at(row.twist, 3), there))
    rate = minus(arm, along(body.v, 1.0, cross(omega, here)))
    line = vector_at(row.line, 0)
    square = max(dot(line, line), 1e-12)
    force = along((row.k * way[0], row.k * way[1], row.k * way[2]), row.d, rate)
    force = along(force, -dot(force, line) / square, line)
    return force, cross(here, force)
