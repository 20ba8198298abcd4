"""An outside program that commands over the bus; see docs/use/drive.md for the link.

It sends twists, or poses to go to. It has to keep sending: when it falls silent, or dies, the tip comes to
rest, and moves again when commands come again.
"""

from collections.abc import Callable

import numpy as np

from hil.common.arrays import Array
from hil.common.geometry import matrix_from_quat
from hil.messaging.drive_messages import DriveCommand
from hil.workbench.driving.follower import TwistLimits, towards
from hil.workbench.driving.rigid import way

FRESH_S = 0.2  # for which a command counts


class BusCommands:
    """A twist source: what the newest command asks for."""

    def __init__(
        self,
        newest: Callable[[], DriveCommand | None],
        present: Callable[[], Array],
        limits: TwistLimits,
        period: float,
    ) -> None:
        """Listen to a program.

        Args:
            newest: returns the newest command since the last call, or None.
            present: returns the commanded pose, shape (4, 4).
            limits: of the tip, on the way to a pose.
            period: between two commands of the session [s].
        """
        self._newest, self._present, self._limits, self._period = newest, present, limits, period
        self._command: DriveCommand | None = None
        self._heard = 0.0

    def twist(self, t: float) -> Array:
        """Return the twist that the program asks for, shape (6,)."""
        command = self._newest()
        if command is not None and np.isfinite(command.twist).all() and np.isfinite(command.pose).all():
            self._command, self._heard = command, t
        if self._command is None or t - self._heard > FRESH_S:
            return np.zeros(6)
        if len(self._command.pose) != 7:
            return np.array(self._command.twist)
        return towards(way(self._present(), _pose(self._command.pose)), self._limits, self._period)


def _pose(seven: Array) -> Array:
    T = np.eye(4)
    T[:3, :3] = matrix_from_quat(seven[3:] / max(float(np.linalg.norm(seven[3:])), 1e-12))
    T[:3, 3] = seven[:3]
    return T
