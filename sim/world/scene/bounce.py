"""Impulses at contacts: Newton's restitution and Coulomb's friction on one body, compiled.

theory: each contact point asks for a normal velocity of at least `-e` times what it was (nothing more if
it was parting already), with an impulse that only pushes; its friction impulse is at most `mu` times
that and stops the sliding, or opposes it. The laws of all contacts are met together by projected
Gauss-Seidel sweeps over the impulses. Newton's law with friction can create energy in corner hits of
e near 1 (a tenth of it, when the sliding reverses); friction is then weakened until it no longer does,
and the restitution stays what it is.

MuJoCo's own solver is not used for that: its convex friction cone couples the normal to the tangential
residual, so that with friction a corner hit misses its restitution by up to 0.7 whatever the friction
reference (`bench/sim_restitution.py` prints both).
"""

import math

import numpy as np
from numba import njit

from hil.common.arrays import Array
from hil.common.geometry import matrix_from_quat
from sim.world.body import body_twist

SWEEPS = 2000
SETTLED = 1e-13  # largest relative change of an impulse in the last sweep
HALVINGS = 20  # of the friction, where it would create energy
CREATED = 1e-12  # energy gain that is rounding, relative to the impulses' work


@njit(cache=True, error_model="numpy")
def hit_into(
    row: Array, points: Array, normals: Array, body: Array, restitution: float, friction: float
) -> float:
    """Change a row's velocity by the impulses at its contacts; return the sum of the normal ones [N s].

    Args:
        row: the state, changed in place, shape (13,) or longer.
        points: where it is touched, world [m], shape (K, 3).
        normals: unit normals that point into the body, world, shape (K, 3).
        body: mass and principal inertia [kg, kg m2], shape (4,).
        restitution: `e`, 0 to 1.
        friction: `mu`.
    """
    twist = body_twist(row, body)
    R = matrix_from_quat(row[3:7])
    mobility = (R / body[1:4]) @ R.T
    levers = points - row[:3]
    impulses = _impulses(twist, levers, normals, body, mobility, restitution, friction)
    if friction > 0.0 and _creates_energy(impulses, twist, levers, body, mobility):
        low, high = 0.0, friction
        for _ in range(HALVINGS):
            middle = 0.5 * (low + high)
            impulses = _impulses(twist, levers, normals, body, mobility, restitution, middle)
            if _creates_energy(impulses, twist, levers, body, mobility):
                high = middle
            else:
                low = middle
        impulses = _impulses(twist, levers, normals, body, mobility, restitution, low)
    pressed = 0.0
    for k in range(points.shape[0]):
        row[7:10] += impulses[k] / body[0]
        row[10:13] += np.cross(levers[k], impulses[k])
        pressed += np.dot(impulses[k], normals[k])
    return pressed


@njit(cache=True, error_model="numpy")
def _impulses(
    twist: Array,
    levers: Array,
    normals: Array,
    body: Array,
    mobility: Array,
    restitution: float,
    friction: float,
) -> Array:
    """Return the impulses at all contacts [N s], world axes, shape (K, 3).

    Args:
        twist: the body's before the hit, shape (6,).
        levers: contact points from the centre of mass, shape (K, 3).
        normals: into the body, shape (K, 3).
        body: mass and principal inertia, shape (4,).
        mobility: inverse of the inertia, world axes, shape (3, 3).
        restitution: `e`.
        friction: `mu`.
    """
    count = levers.shape[0]
    v, omega = twist[:3].copy(), twist[3:].copy()
    target, normal_mass, slide_mass = np.empty(count), np.empty(count), np.empty(count)
    for k in range(count):
        speed = np.dot(normals[k], v + np.cross(omega, levers[k]))
        target[k] = -restitution * min(speed, 0.0)
        turning = np.cross(levers[k], normals[k])
        normal_mass[k] = 1.0 / (1.0 / body[0] + np.dot(turning, mobility @ turning))
        # no direction of sliding is softer than this
        reach = np.dot(levers[k], levers[k]) / np.min(body[1:4])
        slide_mass[k] = 1.0 / (1.0 / body[0] + reach)
    impulses = np.zeros((count, 3))
    pressed = np.zeros(count)
    for _ in range(SWEEPS):
        change = 0.0
        for k in range(count):
            old = impulses[k].copy()
            point = v + np.cross(omega, levers[k])
            lacking = (target[k] - np.dot(normals[k], point)) * normal_mass[k]
            pressed[k] = max(0.0, pressed[k] + lacking)
            sliding = np.zeros(3)
            if friction > 0.0:
                along = point - np.dot(point, normals[k]) * normals[k]
                sliding = old - np.dot(old, normals[k]) * normals[k] - slide_mass[k] * along
                size = math.sqrt(np.dot(sliding, sliding))
                if size > friction * pressed[k]:
                    sliding *= friction * pressed[k] / size
            impulses[k] = pressed[k] * normals[k] + sliding
            step = impulses[k] - old
            v += step / body[0]
            omega += mobility @ np.cross(levers[k], step)
            change = max(change, math.sqrt(np.dot(step, step)))
        if change <= SETTLED * np.max(pressed):
            break
    return impulses


@njit(cache=True, error_model="numpy")
def _creates_energy(impulses: Array, twist: Array, levers: Array, body: Array, mobility: Array) -> bool:
    """Return whether impulses do more work on the body than they take from it.

    theory: the work of an impulse is its product with the mean velocity of its point.
    """
    push, turn = np.zeros(3), np.zeros(3)
    for k in range(levers.shape[0]):
        push += impulses[k]
        turn += np.cross(levers[k], impulses[k])
    taken = np.dot(push, twist[:3]) + np.dot(turn, twist[3:])
    given = 0.5 * (np.dot(push, push) / body[0] + np.dot(turn, mobility @ turn))
    return taken + given > CREATED * given
