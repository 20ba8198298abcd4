"""Stamps that go back: a counter that ran over, rows written late, or a second recording behind the first."""

import numpy as np

from hil.common.arrays import Array, IntArray

# where clocks begin anew, in the stamps' own unit: counters of 16 and 32 bits, those of 32 bits as
# thousandths and millionths, a day's seconds and those of a week, as satellites count
SPANS = (2.0**16, 2.0**32, 2.0**32 * 1e-3, 2.0**32 * 1e-6, 86400.0, 604800.0)
MOST_ALONG = 20.0  # usual steps by which a counter may have gone on when it runs over
MOST_LATE = 10  # rows that may come too late: more are another recording


def run_on(t: Array, worth: float) -> tuple[Array, int]:
    """Return times without the steps back of a counter that ran over, and how often it did.

    A step back is one of those if, with the counter's span added, it is a step forward like the others.

    Args:
        t: stamps in seconds, NaN where there is none, (N,).
        worth: of the stamps' unit [s].
    """
    known = np.flatnonzero(np.isfinite(t))
    steps = np.diff(t[known])
    back = np.flatnonzero(steps < 0.0)
    ahead = steps[steps > 0.0]
    if not len(back) or not len(ahead):
        return t, 0
    usual = float(np.median(ahead))
    added = np.zeros(len(known))
    for k in back:
        for span in SPANS:
            along = steps[k] + span * worth
            if 0.0 < along <= MOST_ALONG * usual:
                added[k + 1] += span * worth
                break
    times = t.copy()
    times[known] += np.cumsum(added)
    return times, int(np.count_nonzero(added))


def another_begins(t: Array) -> int | None:
    """Return the row with which a second recording begins: its times lie among those of the rows before.

    Rows that come late, a few or in whole blocks, do not lie among them one by one. None where there is no
    such row.

    Args:
        t: times of rows, falling in places [s], (N,).
    """
    starts: IntArray = np.concatenate([[0], np.flatnonzero(np.diff(t) < 0.0) + 1, [len(t)]])
    for a, c, d in zip(starts, starts[1:], starts[2:], strict=False):
        order = np.argsort(t[a:d], kind="stable")
        if np.count_nonzero(np.diff(order < c - a)) > 2 * MOST_LATE:
            return int(c)
    return None
