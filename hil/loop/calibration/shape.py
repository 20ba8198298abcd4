"""The shape of the motion that shows missed inertia, before it is scaled (docs/theory.md, section 23).

Centre and attitude each run on a circle at constant speed, which for a given cap of speed accelerates most.
The circle's plane turns, so that every axis is shown; its rate is swept, so that an offset which depends on
the pose cannot pass for inertia: it goes with the displacement, inertia with the square of the rate. While
the one is quick the other is slow, for the joints' jerk is shared. Turns and phases are those that let pushes
be measured best in the default run's noise.
"""

import numpy as np

from hil.common.arrays import Array

DURATION = 4.0  # [s]
RISE = 0.5  # [s] at either end, over which the motion grows from rest and fades to it
RATE, SWEPT = 2.1, 1.5  # [Hz] of the turns: in the middle, and to either side of it
SLOWEST = 0.2  # of the motion: there the centre's turns are slowest, and the attitude's quickest
PLANE_TURNS = (0.9, 1.3)  # of the planes about their first axes, over the whole motion: centre's, attitude's
PLANES = (-0.7, 0.0)  # [rad] where they begin
DERIVATIVES = 4  # position, velocity, acceleration, jerk


def shape(step: float) -> Array:
    """Return the shape and its derivatives on a grid, shape (4, n, 6): centre, then attitude, in two parts.

    The greatest speed of each part is one; it begins and ends at rest where it began, without acceleration.

    Args:
        step: of the grid [s].
    """
    t = np.linspace(0.0, DURATION, round(DURATION / step) + 1)
    sweep = 2.0 * np.pi * (t / DURATION - SLOWEST)
    centre = _circle(t, -SWEPT, sweep, 0, (0, 1, 2))
    attitude = _circle(t, SWEPT, sweep, 1, (1, 2, 0))
    found = np.concatenate([centre, attitude], axis=1)
    derivatives = [found]
    for _ in range(DERIVATIVES - 1):
        derivatives.append(_derivative(derivatives[-1], step))
    for part in (slice(0, 3), slice(3, 6)):
        fastest = np.linalg.norm(derivatives[1][:, part], axis=1).max()
        for values in derivatives:
            values[:, part] /= fastest
    return np.array(derivatives)


def _circle(t: Array, swept: float, sweep: Array, which: int, order: tuple[int, int, int]) -> Array:
    """Return a circle whose rate is swept and whose plane turns, shape (n, 3).

    Args:
        t: the grid [s], shape (n,).
        swept: what is added to the rate at the sweep's angle zero [Hz].
        sweep: its angle [rad], shape (n,).
        which: part of the motion, the centre or the attitude.
        order: of the axes: of the plane's turning, then the other two.
    """
    rate = 2.0 * np.pi * (RATE + swept * np.cos(sweep))
    angle = 2.0 * np.pi * RATE * t + swept * DURATION * np.sin(sweep)
    turning = 2.0 * np.pi * PLANE_TURNS[which] / DURATION
    plane = PLANES[which] + turning * t
    radius = _rise(t) * _rise(DURATION - t) / np.hypot(rate, turning)
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
    """Return the derivative along the grid, by differences of sixth order; beyond both ends it rests.

    The arm may be let go in any state, and brakes from there: velocities that were off by the square of the
    step, as those of simple differences are, would be a kink, which at 2 ms is a sixth of the jerk.
    """
    padded = np.pad(values, ((3, 3), (0, 0)), mode="edge")
    n = len(values)
    apart = [padded[3 + k : 3 + k + n] - padded[3 - k : 3 - k + n] for k in (1, 2, 3)]
    found: Array = (45.0 * apart[0] - 9.0 * apart[1] + apart[2]) / (60.0 * step)
    found[[0, -1]] = 0.0
    return found
