"""How late a sensor is: a low-pass of first order, exact for inputs linear over a step, and a delay.

`tau y' = x - y`; the delay is a whole number of steps and a fraction, linear between two.
"""

import math

import numpy as np

from hil.common.arrays import Array


class Lateness:
    """A value that follows another one.

    Attributes:
        value: the late one, shape (6,).
    """

    def __init__(self, lag: float, delay: float, step: float) -> None:
        """Follow with time constant `lag` and `delay` behind that, in steps of the time `step` [s]."""
        self._keeps = math.exp(-step / lag) if lag > 0.0 else 0.0
        # share of the step's mean slope by which a ramp is missed
        self._ramp = lag / step * (1.0 - self._keeps) if lag > 0.0 else 0.0
        self._whole = int(delay / step + 1e-9)
        self._fraction = max(0.0, delay / step - self._whole)
        self._past: list[Array] = []
        self._input = self._output = self.value = np.zeros(6)

    def take(self, value: Array) -> None:
        """Go on by a step, at whose end the input is `value`, shape (6,); the first was always so."""
        if not self._past:
            self._input = self._output = value
            self._past = [value] * (self._whole + 2)
        change = value - self._input
        self._output = value - self._ramp * change + self._keeps * (self._output - self._input)
        self._input = value
        self._past = [self._output, *self._past[:-1]]
        newer, older = self._past[self._whole], self._past[self._whole + 1]
        self.value = (1.0 - self._fraction) * newer + self._fraction * older
