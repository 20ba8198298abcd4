"""The estimator before the filter, kept for comparison: a running mean before a push, a constant behind it.

The baseline is the running mean (0.12 s) 10 ms before the push. Behind it the samples of 0.25 s are a
constant and a counter-swing, by least squares for each axis; the baseline runs straight from that mean, where
it was learned, to that constant. It is given the starts and ends that the detector has found.
"""

import numpy as np
from scipy.signal import lfilter, lfilter_zi

from bench.push_signals import Trial
from hil.common.arrays import Array
from hil.messaging.messages import ImpulseSlice

MEMORY, DELAY, BEHIND = 0.12, 0.01, 0.25  # [s]
PERIOD, DECAY = 0.125, 0.15  # [s] of the counter-swing


def running_means(data: Trial) -> Array:
    """Return the running mean of a trial's wrench up to each sample, (N, 6)."""
    a = np.exp(-(data.t[1] - data.t[0]) / MEMORY)
    begin = lfilter_zi([1.0 - a], [1.0, -a])[:, None] * data.wrench[0]
    mean: Array = lfilter([1.0 - a], [1.0, -a], data.wrench, axis=0, zi=begin)[0]
    return mean


def impulse_of(data: Trial, means: Array, push: ImpulseSlice) -> Array:
    """Return a push's impulse [N s, N m s], (6,)."""
    t_start, t_end = push.t_start_ns * 1e-9, push.t_end_ns * 1e-9
    step = data.t[1] - data.t[0]
    first, last, learned, stop = (
        int(np.rint(x / step)) for x in (t_start, t_end, t_start - DELAY, t_end + BEHIND)
    )
    base = means[learned]
    value: Array = np.trapezoid(data.wrench[first : last + 1] - base, data.t[first : last + 1], axis=0)
    u = data.t[last + 1 : stop + 1] - t_end
    if len(u) < 8:
        return value
    shapes = np.column_stack([np.ones(len(u)), np.exp(-u / DECAY) * np.sin(2 * np.pi * u / PERIOD)])
    rise = np.linalg.lstsq(shapes, data.wrench[last + 1 : stop + 1] - base)[0][0]
    origin, centre = t_start - DELAY - MEMORY, t_end + 0.5 * BEHIND
    share = ((t_end - origin) ** 2 - (t_start - origin) ** 2) / (2.0 * (centre - origin))
    return value - rise * share
