"""The shape of the motion that shows missed inertia, before it is scaled (docs/theory.md, section 23).

Centre and attitude each run on a circle at constant speed, which for a given cap of speed accelerates most.
The circle's plane turns, so that every axis is shown; its rate is swept, so that an offset which depends on
the pose cannot pass for inertia: it goes with the displacement, inertia with the square of the rate.
"""

import numpy as np

from hil.common.arrays import Array

DURATION = 6.0  # [s]
RISE = 0.5  # [s] at either end, over which the motion grows from rest and fades to it
RATES = (0.6, 3.4)  # [Hz] from the first to the last turn of the centre; of the attitude the other way round
PLANE_TURNS = 1.25  # of the circle's plane about its first axis, over the whole motion
DERIVATIVES = 4  # position, velocity, acceleration, jerk


def shape(step: float) -> Array:
    """Return the shape and its derivatives on a grid, shape (4, n, 6): centre, then attitude, in two parts.

    The greatest speed of each part is one; it begins and ends at rest where it began, without acceleration.

    Args:
        step: of the grid [s].
    """
    t = np.linspace(0.0, DURATION, round(DURATION / step) + 1)
    centre = _circle(t, *RATES, (0, 1, 2))
    attitude = _circle(t, *RATES[::-1], (1, 2, 0))
    found = np.concatenate([centre, attitude], axis=1)
    derivatives = [found]
    for _ in range(DERIVATIVES - 1):
        derivatives.append(_derivative(derivatives[-1], step))
    for part in (slice(0, 3), slice(3, 6)):
        fastest = np.linalg.norm(derivatives[1][:, part], axis=1).max()
        for values in derivatives:
            values[:, part] /= fastest
    return np.array(derivatives)


def _circle(t: Array, first: float, last: float, order: tuple[int, int, int]) -> Array:
    """Return a circle whose rate goes from first to last [Hz] and whose plane turns, shape (n, 3)."""
    rate = 2.0 * np.pi * (first + (last - first) * t / DURATION)
    angle = 2.0 * np.pi * (first * t + 0.5 * (last - first) * t**2 / DURATION)
    plane = 2.0 * np.pi * PLANE_TURNS * t / DURATION
    radius = _rise(t) * _rise(DURATION - t) / rate
    found = np.empty((len(t), 3))
    found[:, order[0]] = radius * np.cos(angle)
    found[:, order[1]] = radius * np.sin(angle) * np.cos(plane)
    found[:, order[2]] = radius * np.sin(angle) * np.sin(plane)
    return found


def _rise(t: Array) -> Array:
    """Return what grows from 0 to 1 within `RISE`, its first three derivatives zero at both ends."""
    u = np.clip(t / RISE, 0.0, 1.0)
    grown: Array = u**4 * (35.0 - 84.0 * u + 70.0 * u**2 - 20.0 * u**3)
    return grown


def _derivative(values: Array, step: float) -> Array:
    """Return the derivative along the grid; at rest at both ends, so it is zero there."""
    found = np.gradient(values, step, axis=0)
    found[[0, -1]] = 0.0
    return found
