"""The greatest speed from which a way is enough to stop, in steps and without passing the end by.

In N steps of dt that lose a dt of speed each, the last one ending at rest, s goes d with
    d / dt = N s - a dt N (N - 1) / 2,  N the least number with d <= a dt^2 N (N + 1) / 2
so that each step leaves a way of which the same can be said.
"""

import math


def stopping_speed(way: float, rate: float, dt: float) -> float:
    """Return the speed from which a way is enough, its end reached exactly.

    Args:
        way: not below 0 [m or rad].
        rate: greatest deceleration, above 0.
        dt: of a step [s].
    """
    quantum = rate * dt * dt
    n = max(1.0, float(math.ceil(0.5 * (math.sqrt(1.0 + 8.0 * way / quantum) - 1.0) - 1e-9)))
    return way / (n * dt) + 0.5 * rate * dt * (n - 1.0)
