"""Wrench signals as the emulated arm's estimate shows them, with the truth beside them."""

import dataclasses

import numpy as np
from numba import njit

from hil.common.arrays import Array

MASS = np.repeat([60.0, 3.0], 3)  # emulated object [kg, kg m2]
UNCOMPENSATED = np.repeat([0.5, 0.0075], 3)  # 10 % of the held mock-up [kg, kg m2]
REACTION = 0.014  # [s] from a push to the arm's own acceleration
STOP_TIME = 0.3  # [s] a bounce at the soft stops


@dataclasses.dataclass(frozen=True)
class Trial:
    """Pushes and the samples that show them."""

    t: Array  # [s] (N,)
    wrench: Array  # measured [N, N m] (N, 6)
    start: Array  # [s] (P,)
    duration: Array  # [s] (P,)
    impulse: Array  # true [N s, N m s] (P, 6)


@njit(cache=True)
def half_sines(t: Array, start: Array, duration: Array, impulse: Array) -> Array:
    """Return the sum of half-sine wrenches (N, 6) with the given integrals."""
    out = np.zeros((t.shape[0], 6))
    for p in range(start.shape[0]):
        first = np.searchsorted(t, start[p])
        last = np.searchsorted(t, start[p] + duration[p])
        for k in range(first, last):
            shape = np.pi / (2 * duration[p]) * np.sin(np.pi * (t[k] - start[p]) / duration[p])
            for i in range(6):
                out[k, i] += shape * impulse[p, i]
    return out


@njit(cache=True)
def counter_swings(t: Array, start: Array, duration: Array, impulse: Array, fraction: float) -> Array:
    """Return what the arm and mock-up swing back after each push: 8 Hz, decay 0.15 s."""
    out = np.zeros((t.shape[0], 6))
    for p in range(start.shape[0]):
        end = start[p] + duration[p]
        for k in range(np.searchsorted(t, end), np.searchsorted(t, end + 1.2)):
            u = t[k] - end
            shape = fraction * np.exp(-u / 0.15) * np.sin(2 * np.pi * 8.0 * u) * np.pi / (2 * duration[p])
            for i in range(6):
                out[k, i] -= shape * impulse[p, i]
    return out


def coloured(rng: np.random.Generator, n: int, dt: float, rms: float) -> Array:
    """Return motion noise (n, 6) [N scaled]: a quarter of its power below 3 Hz."""
    from scipy.signal import lfilter

    out = np.zeros((n, 6))
    for time, power in ((0.3, 0.03), (0.02, 0.97)):
        a = np.exp(-dt / time)
        white = rng.normal(size=(n, 6))
        out += rms * np.sqrt(power) * lfilter([np.sqrt(1 - a * a)], [1, -a], white, axis=0)
    return out


def draw_pushes(
    rng: np.random.Generator, count: int, low: float, high: float, gap: float
) -> tuple[Array, Array, Array]:
    """Return starts, durations and impulses of pushes of 30 to 200 ms, <= 60 N, levers <= 0.1 m."""
    size, duration = np.zeros(count), np.zeros(count)
    for i in range(count):
        while True:
            size[i], duration[i] = rng.uniform(low, high), rng.uniform(0.03, 0.2)
            if size[i] * np.pi / (2 * duration[i]) <= 60.0:
                break
    start = 1.5 + np.arange(count) * gap + rng.uniform(0, 0.3, count)
    direction = rng.normal(size=(count, 3))
    direction /= np.linalg.norm(direction, axis=1)[:, None]
    lever = rng.normal(size=(count, 3))
    lever *= (0.1 * rng.uniform(0, 1, count) ** (1 / 3) / np.linalg.norm(lever, axis=1))[:, None]
    force = size[:, None] * direction
    return start, duration, np.hstack([force, np.cross(lever, force)])


def trial(
    seed: int,
    count: int = 200,
    low: float = 0.3,
    high: float = 5.0,
    gap: float = 2.0,
    dt: float = 0.002,
    speed: float = 0.04,
    motion_noise: float = 0.0,
    swing: float = 0.2,
    minutes: float = 0.0,
) -> Trial:
    """Return pushes on an arm that moves, and bounces between the pushes.

    Args:
        seed: of all that is random.
        count: pushes.
        low: smallest impulse [N s].
        high: largest impulse [N s].
        gap: from one start to the next [s].
        dt: sample time [s].
        speed: of the arm when a push begins, and after bounces [m/s].
        motion_noise: rms [N] above 50 mm/s.
        swing: counter-swing over the push's peak.
        minutes: length when there are no pushes.
    """
    rng = np.random.default_rng(seed)
    start, duration, impulse = draw_pushes(rng, count, low, high, gap)
    length = minutes * 60.0 if count == 0 else 1.5 + count * gap + 1.0
    t = np.arange(int(length / dt)) * dt
    true = half_sines(t, start, duration, impulse)
    late = round(REACTION / dt)
    acceleration = np.zeros_like(true)
    acceleration[late:] = true[:-late] / MASS
    bounces = start + 0.9 if count else np.arange(1.0, length - 1.0, 1.7)
    acceleration += _bounces(rng, t, bounces, impulse, speed)
    velocity = np.cumsum(acceleration, axis=0) * dt
    place = np.cumsum(velocity[:, :3], axis=0) * dt
    place -= place.mean(axis=0)
    gradient = np.hstack([np.full(3, 10.0), np.full(3, 2.0)]) * rng.choice([-1.0, 1.0], 6)
    bound = np.repeat([2.8, 0.56], 3)
    wrench = true + bound * np.tanh(np.hstack([place, place]) * gradient / bound)
    wrench += counter_swings(t, start, duration, impulse, swing) - UNCOMPENSATED * acceleration
    wrench += rng.normal(size=wrench.shape) * np.repeat([0.06, 0.012], 3)
    if motion_noise:
        moving = np.minimum(np.linalg.norm(velocity[:, :3], axis=1) / 0.05, 1.0)[:, None]
        noise = coloured(rng, len(t), dt, motion_noise) * np.repeat([1.0, 0.2], 3)
        wrench += noise * moving
    return Trial(t, wrench, start, duration, impulse)


def _bounces(rng: np.random.Generator, t: Array, begin: Array, impulse: Array, speed: float) -> Array:
    """Return the accelerations of soft bounces that leave random velocities of size `speed`."""
    out = np.zeros((len(t), 6))
    dt, steps = t[1] - t[0], round(STOP_TIME / (t[1] - t[0]))
    shape = np.sin(np.pi * (np.arange(steps) + 0.5) / steps)
    shape /= shape.sum() * dt
    now = np.zeros(6)
    for i, when in enumerate(begin):
        if len(impulse):
            now = now + impulse[i] / MASS
        wanted = rng.normal(size=6)
        wanted[:3] *= speed / np.linalg.norm(wanted[:3])
        wanted[3:] *= 2.0 * speed / np.linalg.norm(wanted[3:])
        if not len(impulse):  # back and forth between walls: the largest bounces there are
            wanted[:3] = -now[:3] if i % 3 and now.any() else wanted[:3]
        first = int(when / dt)
        stop = min(first + steps, len(t))
        out[first:stop] += shape[: stop - first, None] * (wanted - now)
        now = wanted
    return out
