"""Processor time of a cycle of the contact loop's core."""

import math
import time
from typing import NamedTuple

import numpy as np

from bench.contact_trials import STEP, Rig

CYCLES, WARM = 1500, 300
STIFFNESS = 3.5e5  # [N/m]


class Cost(NamedTuple):
    """Median and 99th percentile [us]."""

    median: float
    p99: float


def cycle_cost(force: float, reach: int) -> Cost:
    """Return what a cycle costs where the arm rests, pressed off its centre into a spring.

    Args:
        force: that presses [N]; 0: free flight.
        reach: cells that are flown anew in every cycle; 0: as it comes.
    """
    loop, quat = Rig().loop(), np.array([1.0, 0.0, 0.0, 0.0])
    twist, wrench = np.array([0.01, 0.0, -0.03, 0.05, 0.02, 0.03]), np.zeros(6)
    loop.begin(np.zeros(3), quat, twist, np.zeros(6))
    wrench[2], wrench[3] = force, 0.1 * force
    times, known, line = [], -wrench, np.array([0.0, 0.0, 1.0, 0.1, 0.0, 0.0])
    for n in range(CYCLES):
        sway = 2e-5 * math.sin(0.15 * n) if force else 0.0
        p = np.array([0.0, 0.0, max(2e-3 - 3e-2 * STEP * n, -1e-4) + sway])
        felt = max(0.0, -STIFFNESS * p[2]) * line * (force > 0.0)
        if reach and n > WARM:
            loop.other_impulse(loop.state.cycle - reach + 1, np.zeros(6))
        began = time.thread_time()
        loop.step(p, quat, felt, True, known)
        if n > WARM:
            times.append(time.thread_time() - began)
        loop.command(np.zeros(6))
    return Cost(1e6 * float(np.median(times)), 1e6 * float(np.percentile(times, 99)))
