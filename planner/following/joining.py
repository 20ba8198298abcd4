"""Whether one step of a command stream can be made within a joint's jerk, and by which jerk.

theory: two states (q, v, a) a step h apart are joined by three pieces of constant jerk, each h / 3
long; three equations, three jerks. If the position may be chosen, two pieces join velocity and
acceleration. A stream made of such steps has continuous acceleration and bounded jerk everywhere, so
the divided differences of its samples, however spaced, keep the same bounds.
"""

from numba import njit


@njit(cache=True)
def state_join(
    q0: float, v0: float, a0: float, q1: float, v1: float, a1: float, h: float
) -> tuple[float, float]:
    """Return the largest jerk [rad/s3] of three that join two states, and the largest acceleration between.

    Both by magnitude.
    """
    total = 3.0 * (a1 - a0) / h
    first = 3.0 * (v1 - v0 - a0 * h) / (h * h)
    second = 162.0 * (q1 - q0 - h * (v0 + 0.5 * h * a0)) / (h * h * h)
    j1 = (second - 18.0 * first + 2.0 * total) / 6.0
    j2 = 0.5 * (6.0 * first - total - 4.0 * j1)
    j3 = total - j1 - j2
    within = max(abs(a0 + j1 * h / 3.0), abs(a1 - j3 * h / 3.0))
    return max(abs(j1), abs(j2), abs(j3)), within


@njit(cache=True)
def velocity_join(
    q0: float, v0: float, a0: float, v1: float, a1: float, h: float
) -> tuple[float, float, float]:
    """Return the larger of two jerks that join (v, a), the acceleration between, the position reached.

    [rad/s3], [rad/s2], both by magnitude, and [rad].
    """
    total = 2.0 * (a1 - a0) / h
    first = 8.0 * (v1 - v0 - a0 * h) / (h * h)
    j1 = 0.5 * (first - total)
    j2 = total - j1
    q1 = q0 + h * (v0 + h * (0.5 * a0 + h * (7.0 * j1 + j2) / 48.0))
    return max(abs(j1), abs(j2)), abs(a0 + 0.5 * j1 * h), q1
