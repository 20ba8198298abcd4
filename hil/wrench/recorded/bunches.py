"""Readings that come in bunches: a sensor on a bus of packets, every reading of a packet with one stamp.

The stamp is when the packet came, so its readings were taken since the one before.
"""

import numpy as np

from hil.common.arrays import Array, BoolArray

STRETCH = 2.0  # usual times between readings: a longer one before a bunch is a pause


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
