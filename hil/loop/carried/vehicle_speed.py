"""How fast the vehicle drives, by the commands that it was given: their dead time, its lag. Pure.

theory: the vehicle follows the command of a dead time ago by `v' = (u - v) / lag`, within its acceleration; a
command that is older than its time is none, and it brakes. What was commanded counts, not the path as it is
planned: a vehicle that brakes, or hurries after its path, since its poses came late, does what no plan says.
"""

import math
from collections import deque

import numpy as np

from hil.common.arrays import Array
from hil.common.clock import nanoseconds
from hil.configuration.base import Base
from hil.loop.carried.stand_in import COMMAND_TIMEOUT_NS

MOST_COMMANDS = 4096  # that have not reached the wheels yet


class VehicleSpeed:
    """The model of the vehicle's speed.

    Attributes:
        rate: speeds x, y [m/s] and heading [rad/s] in world, shape (3,).
        acceleration: their change over the last step [1/s2], shape (3,).
    """

    def __init__(self, base: Base) -> None:
        """Stand."""
        self._base, self._delay_ns = base, nanoseconds(base.delay)
        self._coming: deque[tuple[int, Array]] = deque(maxlen=MOST_COMMANDS)
        self._target, self._ends_ns = np.zeros(3), 0
        self._t_ns: int | None = None
        self.rate, self.acceleration = np.zeros(3), np.zeros(3)

    def commanded(self, t_ns: int, velocity: Array) -> None:
        """Take a command of an instant: speeds as in `rate`, shape (3,)."""
        self._coming.append((t_ns + self._delay_ns, np.array(velocity)))

    def step(self, t_ns: int) -> None:
        """Carry the speed on to an instant; one that is not later than the last changes nothing."""
        if self._t_ns is None:
            self._t_ns = t_ns
        passed, before = 1e-9 * (t_ns - self._t_ns), self.rate
        if passed <= 0.0:
            return
        while self._coming and self._coming[0][0] <= t_ns:
            reached_ns, target = self._coming.popleft()
            self._carry_on(reached_ns)
            self._target, self._ends_ns = target, reached_ns + COMMAND_TIMEOUT_NS
        self._carry_on(t_ns)
        self.acceleration = (self.rate - before) / passed

    def _carry_on(self, t_ns: int) -> None:
        """Let the speed follow the command in force up to an instant."""
        dt = 1e-9 * (t_ns - (self._t_ns or 0))
        if dt <= 0.0:
            return
        self._t_ns, base = t_ns, self._base
        target = self._target if t_ns <= self._ends_ns else np.zeros(3)
        change = (target - self.rate) * (1.0 - math.exp(-dt / base.lag) if base.lag > 0.0 else 1.0)
        straight, most = math.hypot(change[0], change[1]), base.max_acceleration * dt
        share, turn = min(1.0, most / straight) if straight > 0.0 else 1.0, base.max_turn_acceleration * dt
        slower = np.array([share * change[0], share * change[1], min(max(change[2], -turn), turn)])
        self.rate = self.rate + slower
