"""An emulated vehicle behind the messages of its link: the stand-in for one of a laboratory. Pure.

It obeys the newest command as long as that is fresh, and brakes by itself otherwise. Who was held up moves on
by the command that held meanwhile, and obeys the newest one from its instant on.
"""

import numpy as np

from drivers.base.emulated_base import GRID, EmulatedBase
from hil.common.arrays import Array
from hil.common.clock import nanoseconds
from hil.common.freshness import is_fresh
from hil.configuration import Configuration
from hil.messaging.base_messages import BaseCommand, BaseState, BaseTruth

COMMAND_TIMEOUT_NS = 100_000_000  # a command older than this is none
GRID_NS = nanoseconds(GRID)


class StandIn:
    """Moves the vehicle on and says where it is.

    Attributes:
        vehicle: the emulated one.
    """

    def __init__(self, configuration: Configuration, t_ns: int, pose: Array | None = None) -> None:
        """Stand at a pose (x, y [m], heading [rad]), shape (3,), at `t_ns`; without one at the origin."""
        self.vehicle = EmulatedBase(configuration, configuration.run.seed)
        if pose is not None:
            self.vehicle.stand_at(pose)
        self._t_ns = t_ns  # up to which it has moved
        self._command: BaseCommand | None = None  # in force
        self._newest: BaseCommand | None = None  # from its instant on

    def obey(self, command: BaseCommand) -> None:
        """Take another command; one that is made of no numbers is none."""
        self._newest = command if np.isfinite(command.velocity).all() else None

    def advance(self, t_ns: int) -> None:
        """Move on to `t_ns`, by whole steps of the grid."""
        rest = np.zeros(3)
        if self._newest is not None and self._newest.t_ns > t_ns:
            self._newest = self._command  # what is of the future is none
        for _ in range(round((t_ns - self._t_ns) / GRID_NS)):
            if self._newest is None or self._newest.t_ns <= self._t_ns:
                self._command = self._newest
            command = self._command
            fresh = command is not None and is_fresh(self._t_ns, command.t_ns, COMMAND_TIMEOUT_NS)
            self.vehicle.step(np.array(command.velocity) if command is not None and fresh else rest)
            self._t_ns += GRID_NS

    def state(self) -> BaseState:
        """Return what it measures of itself."""
        pose, rate = self.vehicle.measured
        measured_ns = self._t_ns - nanoseconds(self.vehicle.measured_age)
        return BaseState(measured_ns, pose, rate, True)

    def truth(self) -> BaseTruth:
        """Return how it really moves."""
        return BaseTruth(self._t_ns, self.vehicle.motion)
