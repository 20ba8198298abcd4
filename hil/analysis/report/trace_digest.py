"""A short name for all that a trace holds."""

import hashlib

import numpy as np

from hil.loop.trace.fields import Trace

SHOWN = 16  # hexadecimal digits


def digest(trace: Trace) -> str:
    """Return a hash of all arrays of a trace."""
    total = hashlib.sha256()
    for name in sorted(trace.names()):
        array = np.ascontiguousarray(getattr(trace, name))
        total.update(f"{name} {array.dtype.str} {array.shape};".encode())
        total.update(array.tobytes())
    return total.hexdigest()[:SHOWN]
