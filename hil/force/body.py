"""The simulated body: a rigid body in momenta about its centre of mass, and its step by the midpoint rule."""

from typing import NamedTuple

from numba import njit

from hil.common.arrays import Array
from hil.force.tuples import (
    Quaternion,
    Vector,
    along,
    conjugate,
    dot,
    matrix_times,
    rotated,
    turned,
)


class Body(NamedTuple):
    """A state, world axes.

    Attributes:
        p: centre of mass [m].
        q: orientation.
        v: its velocity [m/s].
        L: angular momentum about it [kg m2/s].
    """

    p: Vector
    q: Quaternion
    v: Vector
    L: Vector


@njit(cache=True, error_model="numpy")
def world_times(m: Array, q: Quaternion, a: Vector) -> Vector:
    """Return a matrix (3, 3) that turns with `q` times a vector in world axes."""
    return rotated(q, matrix_times(m, rotated(conjugate(q), a)))


@njit(cache=True, error_model="numpy")
def spin(body: Body, inverse_inertia: Array) -> Vector:
    """Return the angular velocity in world axes [rad/s]."""
    return world_times(inverse_inertia, body.q, body.L)


@njit(cache=True, error_model="numpy")
def kinetic_energy(body: Body, mass: float, inverse_inertia: Array) -> float:
    """Return the kinetic energy [J]."""
    return 0.5 * mass * dot(body.v, body.v) + 0.5 * dot(body.L, spin(body, inverse_inertia))


@njit(cache=True, error_model="numpy")
def kicked(body: Body, push: Vector, twist: Vector, mass: float) -> Body:
    """Return the body after an impulse (linear [N s], angular about the centre of mass [N m s])."""
    return Body(body.p, body.q, along(body.v, 1.0 / mass, push), along(body.L, 1.0, twist))


@njit(cache=True, error_model="numpy")
def stepped(
    body: Body, omega: Vector, force: Vector, torque: Vector, dt: float, mass: float, inverse_inertia: Array
) -> Body:
    """Return the body `dt` [s] later under a wrench about its centre of mass that is held.

    Momenta are exact; the attitude goes by the midpoint rule. `omega` is the body's `spin`.
    """
    v = along(body.v, dt / mass, force)
    p = along(along(body.p, 0.5 * dt, body.v), 0.5 * dt, v)
    middle = turned(body.q, (0.5 * dt * omega[0], 0.5 * dt * omega[1], 0.5 * dt * omega[2]))
    half = world_times(inverse_inertia, middle, along(body.L, 0.5 * dt, torque))
    q = turned(body.q, (dt * half[0], dt * half[1], dt * half[2]))
    return Body(p, q, v, along(body.L, dt, torque))
