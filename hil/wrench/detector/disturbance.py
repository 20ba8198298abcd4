"""The wrench without a push, as a Kalman filter follows it (docs/theory.md, 4): its motion and its samples.

On each axis the disturbance is a sum of first-order processes, an offset whose slope forgets itself, and
the arm's swing back after a push. All axes are alike, so they share one covariance. The last state
gathers the disturbance's integral over a push, in which no sample tells of it.
"""

import math

import numpy as np
from numba import njit

from hil.common.arrays import Array
from hil.wrench.detector.state import PROCESSES, STATES, Record

OFFSET, SWING, SWUNG, SLOPE, GATHERED = PROCESSES, PROCESSES + 1, PROCESSES + 2, PROCESSES + 3, PROCESSES + 4
HEARD = PROCESSES + 2  # the first so many states add up to the disturbance
SLOPE_SIZE, SLOPE_TIME = 0.4, 0.5  # standard deviation of the offset's slope [N/s], how long it lasts [s]
OFFSET_DOUBT = 2.0  # [N] standard deviation of the first offset


@njit(cache=True)
def begun(x: Array, P: Array, noise: Array, sample: Array) -> None:
    """Begin with a first sample: its values are the offset.

    Args:
        x: out, states of the six axes [N], (6, STATES).
        P: out, their common covariance, (STATES, STATES).
        noise: variances of white noise and of the processes [N2], (1 + PROCESSES,).
        sample: scaled wrench [N], (6,).
    """
    for n in range(STATES):
        for m in range(6):
            x[m, n] = 0.0
        for m in range(STATES):
            P[m, n] = 0.0
    for m in range(6):
        x[m, OFFSET] = sample[m]
    for i in range(PROCESSES):
        P[i, i] = noise[1 + i]
    P[OFFSET, OFFSET] = OFFSET_DOUBT**2
    P[SLOPE, SLOPE] = SLOPE_SIZE**2


@njit(cache=True)
def integrals(c: Record, span: float) -> Array:
    """Return how much of each state a time `span` [s] gathers: its integral for a state of 1, (STATES,)."""
    h = np.zeros(STATES)
    for i in range(PROCESSES):
        h[i] = c.times[i] * (1.0 - math.exp(-span / c.times[i]))
    h[OFFSET] = span
    h[SLOPE] = SLOPE_TIME * (span - SLOPE_TIME * (1.0 - math.exp(-span / SLOPE_TIME)))
    rate, decay = c.echo_rate, 1.0 / c.echo_decay
    e = math.exp(-span * decay)
    in_phase, across = 1.0 - e * math.cos(rate * span), e * math.sin(rate * span)
    size = decay**2 + rate**2
    h[SWING] = (in_phase * decay + across * rate) / size
    h[SWUNG] = (in_phase * rate - across * decay) / size
    h[GATHERED] = 1.0
    return h


@njit(cache=True)
def gathered_variance(c: Record, noise: Array, span: float) -> float:
    """Return the variance that comes to the integral over `span` [s] within it [N2 s2]."""
    total = 0.0
    for i in range(PROCESSES):
        tau = c.times[i]
        lost = tau * (1.0 - math.exp(-span / tau))
        total += noise[1 + i] * (2.0 * tau * (span - lost) - lost**2)
    tau, a = SLOPE_TIME, math.exp(-span / SLOPE_TIME)
    h = tau * (span - tau * (1.0 - a))
    twice = tau * span**3 / 3.0 - 0.5 * tau**2 * span**2 + tau**3 * (tau - a * (span + tau))
    return total + SLOPE_SIZE**2 * (2.0 * twice - h**2)


@njit(cache=True)
def predict(x: Array, P: Array, c: Record, noise: Array, span: float, gather: bool) -> None:
    """Move the states on by a time `span` [s] in which nothing is heard; exact, however long it is.

    Args:
        x: states, (6, STATES); changed.
        P: their covariance; changed.
        c: the detector's THRESHOLDS: `times`, `echo_rate` and `echo_decay` are read.
        noise: variances, see `begun`.
        span: how long [s].
        gather: whether the disturbance's integral over it is gathered.
    """
    h = integrals(c, span)
    keep = np.zeros(STATES)
    for i in range(PROCESSES):
        keep[i] = math.exp(-span / c.times[i])
    keep[SLOPE] = math.exp(-span / SLOPE_TIME)
    e = math.exp(-span / c.echo_decay)
    keep[SWING], keep[SWUNG] = e * math.cos(c.echo_rate * span), e * math.sin(c.echo_rate * span)
    _carry(x, keep, h, gather)
    _carry(P, keep, h, gather)
    for m in range(STATES):  # P F' turned over is F P: once more, and it is F P F'
        for n in range(m):
            P[m, n], P[n, m] = P[n, m], P[m, n]
    _carry(P, keep, h, gather)
    _disturb(P, c, noise, keep, span, gather)


@njit(cache=True)
def _carry(rows: Array, keep: Array, h: Array, gather: bool) -> None:
    """Let every row of states (n, STATES) move on."""
    rise = SLOPE_TIME * (1.0 - keep[SLOPE])
    for m in range(rows.shape[0]):
        if gather:
            for n in range(GATHERED):
                rows[m, GATHERED] += h[n] * rows[m, n]
        for i in range(PROCESSES):
            rows[m, i] *= keep[i]
        rows[m, OFFSET] += rise * rows[m, SLOPE]
        rows[m, SLOPE] *= keep[SLOPE]
        u, v = rows[m, SWING], rows[m, SWUNG]
        rows[m, SWING] = keep[SWING] * u + keep[SWUNG] * v
        rows[m, SWUNG] = keep[SWING] * v - keep[SWUNG] * u


@njit(cache=True)
def _disturb(P: Array, c: Record, noise: Array, keep: Array, span: float, gather: bool) -> None:
    """Add what processes and slope have newly become within the time."""
    variance, tau, a = SLOPE_SIZE**2, SLOPE_TIME, keep[SLOPE]
    lost = tau * (1.0 - a)
    P[SLOPE, SLOPE] += variance * (1.0 - a * a)
    P[OFFSET, OFFSET] += variance * (2.0 * tau * (span - lost) - lost**2)
    P[OFFSET, SLOPE] += variance * tau * (1.0 - a) ** 2
    P[SLOPE, OFFSET] = P[OFFSET, SLOPE]
    for i in range(PROCESSES):
        P[i, i] += noise[1 + i] * (1.0 - keep[i] ** 2)
    if not gather:
        return
    for i in range(PROCESSES):
        P[i, GATHERED] += noise[1 + i] * c.times[i] * (1.0 - keep[i]) ** 2
        P[GATHERED, i] = P[i, GATHERED]
    h = tau * (span - lost)
    P[SLOPE, GATHERED] += variance * (tau**2 * (1.0 - a * (1.0 + span / tau)) - a * h)
    P[GATHERED, SLOPE] = P[SLOPE, GATHERED]
    P[OFFSET, GATHERED] += variance * (span * h - lost * h)
    P[GATHERED, OFFSET] = P[OFFSET, GATHERED]
    P[GATHERED, GATHERED] += gathered_variance(c, noise, span)


@njit(cache=True)
def hear(x: Array, P: Array, white: float, sample: Array) -> tuple[float, float]:
    """Take a sample (6,) of the disturbance with white noise of variance `white`.

    Returns:
        The mean square over the axes of what was not expected of it, and its expectation [N2].
    """
    seen = np.zeros(STATES)
    for n in range(STATES):
        for i in range(HEARD):
            seen[n] += P[n, i]
    variance = white
    for i in range(HEARD):
        variance += seen[i]
    square = 0.0
    for m in range(6):
        surprise = sample[m]
        for i in range(HEARD):
            surprise -= x[m, i]
        square += surprise**2
        surprise /= variance
        for n in range(STATES):
            x[m, n] += seen[n] * surprise
    for m in range(STATES):
        gain = seen[m] / variance
        for n in range(STATES):
            P[m, n] -= gain * seen[n]
    return square / 6.0, variance
