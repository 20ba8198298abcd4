"""How late this machine wakes a process that asked to be woken at an instant."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np

from hil.common.arrays import Array

PERIOD_NS = 1_000_000


@contextmanager
def real_time(priority: int) -> Iterator[str]:
    """Be a real-time process for a while; yield why that is refused, empty if it is not."""
    before = os.sched_getscheduler(0), os.sched_getparam(0)
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(priority))
        refused = ""
    except OSError as error:
        refused = error.strerror or str(error)
    try:
        yield refused
    finally:
        if not refused:
            os.sched_setscheduler(0, *before)


def lateness(
    seconds: float, sleep: Callable[[float], None] = time.sleep, period_ns: int = PERIOD_NS, spin_ns: int = 0
) -> Array:
    """Return how late each of a row of deadlines was met [us], shape (n,).

    Args:
        seconds: for how long.
        sleep: sleeps for a duration [s]; `time.sleep` waits for an absolute instant.
        period_ns: between two deadlines.
        spin_ns: before each deadline, look at the clock again and again instead of sleeping.
    """
    count = round(seconds * 1e9 / period_ns)
    late = np.empty(count)
    deadline = time.monotonic_ns() + period_ns
    for n in range(count):
        rest = deadline - spin_ns - time.monotonic_ns()
        if rest > 0:
            sleep(rest * 1e-9)
        while spin_ns and time.monotonic_ns() < deadline:
            pass
        now = time.monotonic_ns()
        late[n] = (now - deadline) * 1e-3
        deadline = max(deadline + period_ns, now)  # no burst after a stall
    return late
