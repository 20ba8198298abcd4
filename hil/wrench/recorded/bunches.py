"""Readings that come in bunches: a sensor on a bus of packets, every reading of a packet with one stamp.

The stamp is when the packet came, so its readings were taken since the one before. A program that stamps each
reading as it takes it out of the packet gives them stamps that nearly are one.
"""

import numpy as np

from hil.common.arrays import Array, BoolArray

FAR = 4.0  # usual steps from reading to reading: a longer one leads to the next bunch
LARGEST = 64  # readings in a bunch
WITHIN = 0.25  # of all time may pass within bunches; where more does, the rate only varies
STRETCH = 2.0  # usual times between readings: a longer one before a bunch is a pause


def as_one(t: Array) -> tuple[Array, int]:
    """Return stamps of which those that nearly are one are one, the last, and how many were changed.

    Args:
        t: stamps, not falling [s], (N,).
    """
    steps = np.diff(t)
    far = steps > FAR * np.median(steps) if len(steps) else np.zeros(0, bool)
    apart = np.count_nonzero(far)
    if LARGEST * apart < len(t) or 2 * apart > len(t) or steps[~far].sum() > WITHIN * steps.sum():
        return t, 0
    last = np.append(np.flatnonzero(far), len(t) - 1)
    stamps = t[last[np.searchsorted(last, np.arange(len(t)))]]
    return stamps, int(np.count_nonzero(stamps != t))


def spread_evenly(t: Array) -> tuple[Array, BoolArray]:
    """Return the times of readings one by one, and which readings have one.

    Those of equal stamps lie evenly between the stamp before and their own, at which the last of them lies.
    Of the first bunch only the last has a time: when the others were taken is not known.

    Args:
        t: stamps of readings that differ, not falling [s], (N,).

    Returns:
        Times, strictly increasing where they are known [s], (N,); whether they are, (N,).
    """
    stamps, first, count = np.unique(t, return_index=True, return_counts=True)
    known = np.ones(len(t), bool)
    known[: count[0] - 1] = False
    if len(stamps) == len(t) or len(stamps) == 1:
        return t, known
    step = np.concatenate([[0.0], np.diff(stamps) / count[1:]])
    step = np.minimum(step, STRETCH * np.median(step[1:]))
    bunch = np.repeat(np.arange(len(stamps)), count)
    before_last = first[bunch] + count[bunch] - 1 - np.arange(len(t))
    return t - before_last * step[bunch], known
