"""The base as it is planned, by wall time. Pure."""

import numpy as np

from hil.common.arrays import Array
from hil.messaging.base_messages import BasePlan
from planner.following.reference import reference_into


class PlannedBase:
    """The newest plan of the base.

    Attributes:
        plan: it; None before the first.
    """

    def __init__(self) -> None:
        self.plan: BasePlan | None = None
        self._nodes = np.zeros((2, 3, 3))
        self._time_map = np.zeros(4)

    def take(self, plan: BasePlan) -> None:
        """Take another plan."""
        self.plan, self._time_map = plan, np.array(plan.time_map)
        self._nodes = np.array(plan.motion).reshape(-1, 3, 3)

    def at(self, t_ns: int, ahead: float = 0.0) -> Array:
        """Return pose, rate and acceleration per wall time at `t_ns` and `ahead` [s] later, shape (3, 3).

        Outside the plan its nearest end goes on at its speed.
        """
        out = np.zeros((3, 3))
        if self.plan is not None:
            t = (t_ns - self.plan.t_ns) * 1e-9 + ahead
            plan = self.plan
            reference_into(out, self._nodes, plan.object_time_0, plan.step, self._time_map, t, 1.0, 0.0)
        return out
