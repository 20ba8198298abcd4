"""How an emulated arm rides on a vehicle of another process, at the instants of its own. Pure.

An emulated vehicle tells how it really moves. Of one that does not, the poses it measures go through a
critically damped filter, whose place, rate and acceleration the arm rides on, ahead by the filter's own lag.
"""

import math

import numpy as np

from hil.common.arrays import Array
from hil.configuration.base import Base
from hil.loop.carried.told_pose import ToldPose
from hil.messaging.base_messages import BaseState, BaseTruth
from planner.base.correction import filter_into

RATE = 30.0  # [rad/s] of the filter
FARTHEST_S = 0.1  # that the last motion goes on; then it stands


class Riding:
    """The newest that is known of the vehicle's motion.

    Attributes:
        true: it tells how it really moves; what it measures no longer counts.
    """

    def __init__(self, base: Base) -> None:
        """Stand at the origin."""
        self._told = ToldPose(base)
        self._motion, self._t_ns = np.zeros((3, 3)), 0
        self._lag = 0.0  # of what is known behind its instant [s]
        self.true = False

    def warm(self) -> None:
        """Compile or load the kernel."""
        filter_into(np.zeros((3, 3)), np.zeros(3), RATE, 0.0)

    def hear_truth(self, truth: BaseTruth) -> None:
        """Take how it really moves: from now on its poses do not count."""
        self.true, self._lag = True, 0.0
        self._motion, self._t_ns = np.array(truth.motion), truth.t_ns

    def hear(self, state: BaseState) -> None:
        """Take what it measures, as long as nothing truer is told."""
        if self.true:
            return
        first, before = self._told.state is None, self._told.pose
        self._told.hear(state, True)
        if self._told.doubt:
            return
        passed = 1e-9 * (state.t_ns - self._t_ns)
        if first or passed > FARTHEST_S:
            self._motion[:], self._motion[0] = 0.0, self._told.pose
        elif passed > 0.0:
            now = self._told.pose
            filter_into(self._motion, 0.5 * (before + now), RATE, passed)  # as it was meanwhile, on the mean
            self._motion[2] = RATE * (RATE * (now - self._motion[0]) - 2.0 * self._motion[1])
        self._t_ns, self._lag = state.t_ns, 2.0 / RATE

    def at(self, t_ns: int) -> Array:
        """Return pose, rate and acceleration at `t_ns`, shape (3, 3)."""
        ahead = 1e-9 * (t_ns - self._t_ns)
        out = self._motion.copy()
        if ahead > FARTHEST_S or not math.isfinite(ahead):
            out[1:] = 0.0
            ahead = FARTHEST_S
        h = ahead + self._lag
        out[0] = self._motion[0] + h * self._motion[1] + 0.5 * h * h * self._motion[2]
        if ahead < FARTHEST_S:
            out[1] = self._motion[1] + h * self._motion[2]
        return out
