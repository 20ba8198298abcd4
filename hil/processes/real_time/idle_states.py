"""Cores that stay awake: a core that has gone to sleep wakes late, a virtual one by its host's leave.

The kernel's device for the quality of service keeps all cores out of sleeping states that take longer to
leave than the number of microseconds written to it, for as long as the file stays open.
"""

import os
import struct
from pathlib import Path

DEVICE = Path("/dev/cpu_dma_latency")

_held: list[int] = []  # the open file is the wish itself: it lasts until the process ends


def keep_cores_awake(device: Path = DEVICE) -> str:
    """Let no core sleep while this process lives; return why not, or nothing."""
    if _held:
        return ""
    try:
        descriptor = os.open(device, os.O_WRONLY | os.O_CLOEXEC)
        _held.append(descriptor)
        os.write(descriptor, struct.pack("i", 0))
    except OSError as error:
        return f"{device}: {error.strerror}"
    return ""
