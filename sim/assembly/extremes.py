"""Where the tip gets farthest, and where a joint has most to hold at rest.

Both are sines of each joint that turns, and lines of each that slides.

theory: of every single coordinate the greatest value is known in closed form; one coordinate after the
other climbs to a place from which none leads higher, many starts make it the highest of all.
"""

import math

import numpy as np
from numba import njit

from hil.common.arrays import Array, BoolArray
from sim.chain.kinematics import body_poses
from sim.chain.serial_chain import SerialChain

SWEEPS = 60  # at most
SETTLED = 1e-12  # of the value, in a sweep
FREE = 2.0 * math.pi  # range of a joint that turns without end [rad]


@njit(cache=True)
def static_effort(chain: SerialChain, q: Array, which: int, gravity: Array, push: Array) -> float:
    """Return a joint's torque or force at rest under a push on the tip [N m, N]; see `climb`.

    The weights behind the joint and the push, about the joint's axis.
    """
    n = q.shape[0]
    poses = body_poses(chain, q)
    frame, a = poses[which + 1], chain.axes[which]
    ax = frame[0, 0] * a[0] + frame[0, 1] * a[1] + frame[0, 2] * a[2]
    ay = frame[1, 0] * a[0] + frame[1, 1] * a[1] + frame[1, 2] * a[2]
    az = frame[2, 0] * a[0] + frame[2, 1] * a[1] + frame[2, 2] * a[2]
    held = 0.0 if chain.linear[which] else ax * push[3] + ay * push[4] + az * push[5]
    for k in range(which + 1, n + 2):
        if k <= n:
            c, m = chain.centres[k], chain.masses[k]
            fx, fy, fz = m * gravity[0], m * gravity[1], m * gravity[2]
            rx = poses[k, 0, 0] * c[0] + poses[k, 0, 1] * c[1] + poses[k, 0, 2] * c[2]
            ry = poses[k, 1, 0] * c[0] + poses[k, 1, 1] * c[1] + poses[k, 1, 2] * c[2]
            rz = poses[k, 2, 0] * c[0] + poses[k, 2, 1] * c[1] + poses[k, 2, 2] * c[2]
        else:
            fx, fy, fz = push[0], push[1], push[2]
            rx, ry, rz = 0.0, 0.0, 0.0
        if chain.linear[which]:
            held += ax * fx + ay * fy + az * fz
            continue
        rx, ry, rz = (
            rx + poses[k, 0, 3] - frame[0, 3],
            ry + poses[k, 1, 3] - frame[1, 3],
            rz + poses[k, 2, 3] - frame[2, 3],
        )
        held += ax * (ry * fz - rz * fy) + ay * (rz * fx - rx * fz) + az * (rx * fy - ry * fx)
    return -held


@njit(cache=True)
def _value(chain: SerialChain, q: Array, which: int, sign: float, gravity: Array, push: Array) -> float:
    """Return the tip's place along `push` (which = -1), or a joint's torque under a push on the tip."""
    if which < 0:
        tip = body_poses(chain, q)[q.shape[0] + 1]
        return tip[0, 3] * push[0] + tip[1, 3] * push[1] + tip[2, 3] * push[2]
    return sign * static_effort(chain, q, which, gravity, push)


@njit(cache=True)
def climb(
    chain: SerialChain,
    q: Array,
    lower: Array,
    upper: Array,
    which: int,
    sign: float,
    gravity: Array,
    push: Array,
) -> float:
    """Move q to where the value is greatest nearby, within limits, and return the value.

    Args:
        chain: see there.
        q: joint positions [rad, m], shape (n,); written.
        lower: least positions [rad, m], shape (n,).
        upper: greatest positions [rad, m], shape (n,).
        which: number of the joint whose torque it is; -1: the tip's place along `push`.
        sign: +1 or -1, of the torque.
        gravity: in base axes [m/s2], shape (3,).
        push: wrench on the tip in base axes [N, N m], shape (6,); for which = -1 a direction in its first
            three.
    """
    value = _value(chain, q, which, sign, gravity, push)
    for _ in range(SWEEPS):
        before = value
        for j in range(q.shape[0]):
            value = _climb_one(chain, q, j, value, lower[j], upper[j], which, sign, gravity, push)
        if value - before <= SETTLED * max(1.0, abs(value)):
            break
    return value


@njit(cache=True)
def _climb_one(
    chain: SerialChain,
    q: Array,
    j: int,
    value: float,
    low: float,
    high: float,
    which: int,
    sign: float,
    gravity: Array,
    push: Array,
) -> float:
    """Move one joint to its best place, if that is better than where it is, and return the value there."""
    best, at = value, q[j]
    for end in (low, high):
        q[j] = end
        there = _value(chain, q, which, sign, gravity, push)
        if there > best:
            best, at = there, end
    if not chain.linear[j]:
        q[j] = 0.0
        zero = _value(chain, q, which, sign, gravity, push)
        q[j] = 0.5 * math.pi
        quarter = _value(chain, q, which, sign, gravity, push)
        q[j] = math.pi
        half = _value(chain, q, which, sign, gravity, push)
        mean = 0.5 * (zero + half)
        top = math.atan2(quarter - mean, zero - mean)
        peak = mean + math.hypot(quarter - mean, zero - mean)
        turns = math.ceil((low - top) / (2.0 * math.pi))
        if top + 2.0 * math.pi * turns <= high and peak > best:
            best, at = peak, top + 2.0 * math.pi * turns
    q[j] = at
    return best


def starts(lower: Array, upper: Array, count: int, seed: int = 0) -> Array:
    """Return places to climb from: the middle, then random ones within limits, shape (count, n)."""
    rng = np.random.default_rng(seed)
    return np.vstack([0.5 * (lower + upper), rng.uniform(lower, upper, (count - 1, len(lower)))])


def greatest_static(
    chain: SerialChain, lower: Array, upper: Array, which: int, gravity: Array, push: Array, count: int = 10
) -> tuple[float, Array]:
    """Return the greatest magnitude of a joint's torque or force at rest [N m, N], and where, shape (n,)."""
    found = []
    for q in starts(lower, upper, count):
        for sign in (1.0, -1.0):
            at = q.copy()
            found.append((climb(chain, at, lower, upper, which, sign, gravity, push), at))
    return max(found, key=lambda pair: pair[0])


def reach_from_axis(chain: SerialChain, lower: Array, upper: Array, count: int = 16) -> float:
    """Return how far the tip gets from the axis of the first joint that turns [m].

    The axis is that at zero of the joints before it. Without a joint that turns: how far the tip gets from
    the base's origin.
    """
    n = len(lower)
    turning = np.flatnonzero(~chain.linear)
    origin, across = np.zeros(3), np.eye(3)  # the part of a vector that counts
    if len(turning):
        pose = body_poses(chain, np.zeros(n))[turning[0] + 1]
        along = pose[:3, :3] @ chain.axes[turning[0]]
        origin, across = pose[:3, 3], np.eye(3) - np.outer(along, along)
    return max(_farthest(chain, q, lower, upper, origin, across) for q in starts(lower, upper, count))


def _farthest(
    chain: SerialChain, q: Array, lower: Array, upper: Array, origin: Array, across: Array
) -> float:
    """Climb along the direction in which the tip lies away, and look again."""
    reached, gravity, push = 0.0, np.zeros(3), np.zeros(6)
    push[:3] = across[np.argmax(np.abs(across).sum(1))]  # any, while the tip lies on the axis
    for _ in range(SWEEPS):
        out = across @ (body_poses(chain, q)[-1][:3, 3] - origin)
        distance = float(np.linalg.norm(out))
        if distance > 0.0:
            push[:3] = out / distance
        climb(chain, q, lower, upper, -1, 1.0, gravity, push)
        if distance <= reached * (1.0 + 1e-10) and reached > 0.0:
            break
        reached = max(reached, distance)
    return reached


def within_turns(lower: Array, upper: Array, linear: BoolArray) -> tuple[Array, Array]:
    """Return limits in which no joint turns more than once: more would only be the same again."""
    wide = ~linear & (upper - lower > FREE)
    middle = 0.5 * (lower + upper)
    return np.where(wide, middle - 0.5 * FREE, lower), np.where(wide, middle + 0.5 * FREE, upper)
