"""Plans of arm and base that belong together, however they come. Pure."""

import math

import numpy as np

from hil.messaging.base_messages import BasePlan
from hil.messaging.messages import Plan


class PlanPair:
    """Keeps the newest plan of each kind until both are of one prediction."""

    def __init__(self) -> None:
        self._arm: Plan | None = None
        self._base: BasePlan | None = None

    def take(self, arm: Plan | None, base: BasePlan | None) -> tuple[Plan, BasePlan] | None:
        """Take what has come, None for nothing; return the two that belong together, once."""
        if base is not None and not is_finite(base):
            base = None  # without its pair the arm's plan is none either: both brake when the last is old
        self._arm, self._base = arm or self._arm, base or self._base
        arm, base = self._arm, self._base
        if arm is None or base is None or (arm.epoch, arm.number) != (base.epoch, base.number):
            return None
        self._arm = self._base = None
        return arm, base


def is_finite(plan: BasePlan) -> bool:
    """Return whether a plan of the base is made of numbers, and goes on."""
    timed = np.isfinite([plan.object_time_0, *plan.time_map]).all() and 0.0 < plan.step < math.inf
    return bool(timed and len(plan.motion) > 0 and np.isfinite(plan.motion).all())
