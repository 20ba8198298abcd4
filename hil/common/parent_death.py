"""A process that does not outlive the one which started it."""

import ctypes
import os
import signal

PR_SET_PDEATHSIG = 1


def end_with_parent(parent: int) -> None:
    """Let this process be told to end (SIGTERM) when its parent dies, or now if it has died already."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    if os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGTERM)
