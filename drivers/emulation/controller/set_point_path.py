"""The controller's own path between set-points, on its grid: interpolate, extrapolate, brake, delay.

A set-point is reached at the end of the cycle in which it came, linearly: one cycle of delay. Without
one the last speed goes on, or the path stands. After a fall-back each joint brakes at its own
deceleration. What results passes the interface delay and goes to the joints' servo.
"""

import math

import numpy as np
from numba import njit

from hil.common.arrays import Array

AT_REST = 1e-12  # [rad/s]


@njit(cache=True)
def _advance_into(
    reference: Array,
    speed: Array,
    delayed_before: Array,
    delayed: Array,
    ring: Array,
    row: int,
    braking: bool,
    deceleration: Array,
    step: float,
    steps: int,
    fraction: float,
) -> None:
    """Advance all joints by a step; `ring[row]` takes the reference, `steps + fraction` rows back come out.

    Braking is exact: constant deceleration until the joint stands.
    """
    a, b = (row - steps) % ring.shape[0], (row - steps - 1) % ring.shape[0]
    for i in range(reference.shape[0]):
        if braking:
            size = abs(speed[i])
            left = max(0.0, size - deceleration[i] * step)
            moving = (size - left) / deceleration[i]  # time of the step during which the joint moves
            reference[i] += math.copysign(0.5 * (size + left) * moving, speed[i])
            speed[i] = math.copysign(left, speed[i])
        else:
            reference[i] += step * speed[i]
        ring[row, i] = reference[i]
        delayed_before[i] = delayed[i]
        delayed[i] = (1.0 - fraction) * ring[a, i] + fraction * ring[b, i]


class SetPointPath:
    """The commanded path of all joints, advanced by grid steps.

    Attributes:
        reference: what the controller commands now [rad], shape (7,), before the interface delay.
        speed: its rate of change [rad/s], shape (7,).
        delayed: the reference after the interface delay [rad], shape (7,).
        delayed_before: the same a grid step earlier.
        braking: the path brakes or stands.
    """

    def __init__(
        self, q: Array, step: float, steps_per_cycle: int, delay: float, deceleration: Array
    ) -> None:
        """Stand at `q`; `step` [s] is the grid, `delay` [s] the interface's beyond one cycle."""
        self._step = step
        self._steps_per_cycle = steps_per_cycle
        self._deceleration = np.array(deceleration)
        whole = int(delay / step + 1e-9)
        self._delay_steps, self._delay_fraction = whole, max(0.0, delay / step - whole)
        self._ring = np.tile(np.asarray(q, dtype=np.float64), (whole + 2, 1))
        self._row = 0
        self.reference = np.array(q, dtype=np.float64)
        self.speed = np.zeros(7)
        self.delayed = self.reference.copy()
        self.delayed_before = self.reference.copy()
        self.braking = True

    def follow(self, set_point: Array) -> None:
        """Head for a set-point, to be reached at the end of this cycle."""
        self.speed = (set_point - self.reference) / (self._step * self._steps_per_cycle)
        self.braking = False

    def hold(self) -> None:
        """Stand where the path is, until the next set-point."""
        self.speed[:] = 0.0

    def brake(self) -> None:
        """Brake from the present speed, and stand."""
        self.braking = True

    @property
    def at_rest(self) -> bool:
        """Whether the path stands."""
        return bool((np.abs(self.speed) < AT_REST).all())

    def advance(self) -> None:
        """Go on by one grid step."""
        self._row = (self._row + 1) % self._ring.shape[0]
        _advance_into(
            *(self.reference, self.speed, self.delayed_before, self.delayed, self._ring, self._row),
            *(self.braking, self._deceleration, self._step, self._delay_steps, self._delay_fraction),
        )
