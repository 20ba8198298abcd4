"""Real-time set-up of a process: scheduler, memory, timer slack, garbage collector."""

import ctypes
import gc
import os
import resource

PR_SET_TIMERSLACK = 29
MCL_CURRENT_AND_FUTURE = 3


def enter_real_time(priority: int) -> str:
    """Make this process as punctual as it may be and return in words what was reached.

    SCHED_FIFO where the limits allow it, otherwise the nicest that is granted; memory locked, timer
    slack 1 us, and the garbage collector frozen and off (the loop allocates nothing cyclic).
    """
    words = []
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(priority))
        words.append(f"SCHED_FIFO {priority}")
    except (PermissionError, OSError):
        try:
            os.setpriority(os.PRIO_PROCESS, 0, -20)
            words.append("SCHED_OTHER, nice -20")
        except (PermissionError, OSError):
            words.append("SCHED_OTHER (no real-time permission: see systemd/README.md)")
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(PR_SET_TIMERSLACK, 1000, 0, 0, 0)
    # only what is in memory now would be locked without the limit; a failed lock is no danger
    unlimited = resource.getrlimit(resource.RLIMIT_MEMLOCK)[0] == resource.RLIM_INFINITY
    if unlimited and libc.mlockall(MCL_CURRENT_AND_FUTURE) == 0:
        words.append("memory locked")
    gc.collect()
    gc.freeze()
    gc.disable()
    return ", ".join(words)
