"""How long real-time processes may look for a datagram without sleep: as configured, as the cores allow."""

import os

from hil.configuration.schema import Configuration


def granted_spin(c: Configuration) -> tuple[float, str]:
    """Return for how long the real-time processes may spin [s], and why not as long as was asked."""
    spinning = 2 if c.robot.kind == "emulated" else 1
    cores = len(os.sched_getaffinity(0))
    if c.realtime.spin == 0.0 or cores > spinning:
        return c.realtime.spin, ""
    return 0.0, f"{spinning} spinning processes need {spinning + 1} cores, there are {cores}"
