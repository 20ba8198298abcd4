"""Vectors, quaternions (w x y z) and rotations as tuples: compiled code keeps them in registers."""

import math

from numba import njit

from hil.common.arrays import Array

Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]
ORIGIN: Vector = (0.0, 0.0, 0.0)


@njit(cache=True, error_model="numpy")
def vector_at(a: Array, first: int) -> Vector:
    """Return three numbers of an array from `first` on."""
    return a[first], a[first + 1], a[first + 2]


@njit(cache=True, error_model="numpy")
def quaternion_of(a: Array) -> Quaternion:
    """Return the four numbers of an array."""
    return a[0], a[1], a[2], a[3]


@njit(cache=True, error_model="numpy")
def put_vector(into: Array, first: int, a: Vector) -> None:
    """Write a vector into an array from `first` on."""
    into[first], into[first + 1], into[first + 2] = a[0], a[1], a[2]


@njit(cache=True, error_model="numpy")
def put_quaternion(into: Array, q: Quaternion) -> None:
    """Write a quaternion into an array."""
    into[0], into[1], into[2], into[3] = q[0], q[1], q[2], q[3]


@njit(cache=True, error_model="numpy")
def dot(a: Vector, b: Vector) -> float:
    """Return the scalar product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@njit(cache=True, error_model="numpy")
def cross(a: Vector, b: Vector) -> Vector:
    """Return the vector product."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@njit(cache=True, error_model="numpy")
def along(a: Vector, s: float, b: Vector) -> Vector:
    """Return `a + s b`."""
    return a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]


@njit(cache=True, error_model="numpy")
def minus(a: Vector, b: Vector) -> Vector:
    """Return `a - b`."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@njit(cache=True, error_model="numpy")
def matrix_times(m: Array, a: Vector) -> Vector:
    """Return the product of a matrix (3, 3) and a vector."""
    return (
        m[0, 0] * a[0] + m[0, 1] * a[1] + m[0, 2] * a[2],
        m[1, 0] * a[0] + m[1, 1] * a[1] + m[1, 2] * a[2],
        m[2, 0] * a[0] + m[2, 1] * a[1] + m[2, 2] * a[2],
    )


@njit(cache=True, error_model="numpy")
def conjugate(q: Quaternion) -> Quaternion:
    """Return the inverse of a unit quaternion."""
    return q[0], -q[1], -q[2], -q[3]


@njit(cache=True, error_model="numpy")
def product(a: Quaternion, b: Quaternion) -> Quaternion:
    """Return the Hamilton product `a b`."""
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )


@njit(cache=True, error_model="numpy")
def rotated(q: Quaternion, a: Vector) -> Vector:
    """Return `a` rotated by the unit quaternion `q`."""
    w, x, y, z = q
    tx, ty, tz = 2 * (y * a[2] - z * a[1]), 2 * (z * a[0] - x * a[2]), 2 * (x * a[1] - y * a[0])
    return (
        a[0] + w * tx + y * tz - z * ty,
        a[1] + w * ty + z * tx - x * tz,
        a[2] + w * tz + x * ty - y * tx,
    )


@njit(cache=True, error_model="numpy")
def turned(q: Quaternion, rotvec: Vector) -> Quaternion:
    """Return `q` turned by a rotation vector in world axes [rad], of unit length."""
    square = dot(rotvec, rotvec)
    if square < 1e-4:  # the series is exact to rounding, and spares sine and cosine
        real = 1.0 - square / 8.0 * (1.0 - square / 48.0)
        factor = 0.5 - square / 48.0 * (1.0 - square / 80.0)
    else:
        angle = math.sqrt(square)
        real, factor = math.cos(0.5 * angle), math.sin(0.5 * angle) / angle
    r = product((real, factor * rotvec[0], factor * rotvec[1], factor * rotvec[2]), q)
    # one step of Newton's method: what is left of a length that is 1 to rounding
    scale = 1.5 - 0.5 * (r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3])
    return scale * r[0], scale * r[1], scale * r[2], scale * r[3]


@njit(cache=True, error_model="numpy")
def rotation_between(q: Quaternion, earlier: Quaternion) -> Vector:
    """Return the rotation vector in world axes [rad] that turns `earlier` into `q`."""
    r = product(q, conjugate(earlier))
    sign = -1.0 if r[0] < 0.0 else 1.0
    square = r[1] * r[1] + r[2] * r[2] + r[3] * r[3]
    if square < 1e-4:
        factor = 2.0 * (1.0 + square / 6.0 * (1.0 + square * 9.0 / 20.0))
    else:
        sine = math.sqrt(square)
        factor = 2.0 * math.atan2(sine, sign * r[0]) / sine
    factor *= sign
    return factor * r[1], factor * r[2], factor * r[3]
