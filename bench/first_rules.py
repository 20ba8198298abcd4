"""The detector's first rules, kept for comparison: threshold on the derivative alone, one-sided baseline.

Start: the derivative's norm passes 7 sigma or a floor; dated back to where the filtered wrench passed
4 sigma, less the filter's lag. Value: raw samples less a 50 ms mean taken 20 ms before. End: the
projection below 4 sigma, or below 15 % of the peak with a flat derivative; the last 1.5 lags are
dropped; no push lasts longer than 3 s. Afterwards the threshold is raised by half the derivative's
peak, decaying with 0.15 s, for 0.4 s.
"""

import math

import numpy as np
from numba import njit

from bench.push_signals import Trial
from hil.common.arrays import Array, frozen_array
from hil.messaging.messages import ImpulseSlice
from hil.wrench.filter import centroid_lag, derivative_gain, level_gain


def first_rules(data: Trial, tau: float, length: float, floor: float) -> list[ImpulseSlice]:
    """Return the pushes found, each as one slice."""
    scale = np.repeat([1.0, 1.0 / length], 3)
    dt = float(data.t[1] - data.t[0])
    sigma = 0.06
    rows = _run(
        data.t,
        data.wrench * scale,
        tau,
        max(7.0 * sigma * derivative_gain(dt, tau), floor),
        4.0 * sigma * level_gain(dt, tau) * math.sqrt(3.0),
        5.0 * sigma * derivative_gain(dt, tau),
        centroid_lag(dt, tau),
    )
    return [_message(number, row, scale) for number, row in enumerate(rows, start=1)]


def _message(number: int, row: Array, scale: Array) -> ImpulseSlice:
    start, end, centroid = (round(x * 1e9) for x in row[:3])
    value = frozen_array(row[3:9] / scale)
    return ImpulseSlice(end, number, 0, 0, True, True, False, False, start, end, centroid, value, np.zeros(6))


@njit(cache=True)
def _run(
    t: Array, w: Array, tau: float, threshold: float, level: float, flat: float, lag: float
) -> Array:  # the state machine in one piece
    dt = t[1] - t[0]
    a, ab = math.exp(-dt / tau), math.exp(-dt / 0.05)
    delay, lags, cut = round(0.02 / dt), round(lag / dt), round(1.5 * lag / dt)
    out = np.zeros((4096, 9))
    found, first, begun = 0, -1, 0
    filtered = np.zeros_like(w)
    filtered[0] = w[0]
    base, held = w[0].copy(), w[0].copy()
    value = np.zeros(6)
    peak, rate_peak, over = 0.0, 0.0, -10.0
    for k in range(1, len(t)):
        filtered[k] = a * filtered[k - 1] + (1.0 - a) * w[k]
        rate = math.sqrt((((filtered[k] - filtered[k - 1]) / dt) ** 2).sum())
        if first < 0:
            if k > delay:
                base = ab * base + (1.0 - ab) * w[k - delay]
            raised = 0.5 * rate_peak * math.exp(-(t[k] - over) / 0.15) if t[k] - over < 0.4 else 0.0
            if rate <= threshold + raised or t[k] < 0.5 or found == len(out):
                continue
            held, j = base.copy(), k
            while k - j < round(0.1 / dt) and math.sqrt(((filtered[j] - held) ** 2).sum()) >= level:
                j -= 1
            first, begun, peak, rate_peak = j - lags, k, 0.0, 0.0
            value = np.zeros(6)
            for m in range(first, k):
                value += (w[m] - held) * dt
        value += (w[k] - held) * dt
        change = filtered[k] - held
        peak = max(peak, math.sqrt((change**2).sum()))
        rate_peak = max(rate_peak, rate)
        along = (change * value).sum() / max(math.sqrt((value**2).sum()), 1e-12)
        if peak <= 2.0 * level:
            if t[k] - t[begun] > 0.04:
                first = -1
        elif t[k] - t[begun] > 0.01:
            low = along < 0.5 * peak and (along < level or (rate < flat and along < 0.15 * peak))
            if low or t[k] - t[first] > 3.0:
                last = k - cut
                _write(out[found], t, w, held, first, last, dt)
                found += 1
                first, over, base = -1, t[k], filtered[k].copy()
    return out[:found]


@njit(cache=True)
def _write(row: Array, t: Array, w: Array, held: Array, first: int, last: int, dt: float) -> None:
    value, moment = np.zeros(6), np.zeros(6)
    for m in range(first, last + 1):
        value += (w[m] - held) * dt
        moment += (w[m] - held) * dt * t[m]
    row[0], row[1] = t[first], t[last]
    row[2] = (value * moment).sum() / max((value**2).sum(), 1e-12)
    row[3:9] = value
