"""What a vehicle tells of its pose, judged: nothing else of it goes on to arm, vehicle or simulation. Pure.

A pose is believed if it is valid, made of numbers, and no farther from the one before than the vehicle can
have come; one that is not leaves the last one in force, and says why. Headings may be told wrapped or not:
from here on they are continuous. While nothing floats a vehicle may be set down elsewhere.
"""

import math
from dataclasses import replace

import numpy as np

from hil.common.arrays import Array
from hil.configuration.base import Base
from hil.messaging.base_messages import BaseState

OFF_PLACE, OFF_HEADING = 0.03, math.radians(3.0)  # of its path [m], [rad]: farther, and object time stands
SPARE = 1.5  # of its largest speed
UNSEEN_S = 0.5  # [s] without a pose that count for how far it may have come: then it stands
LOST_PLACE = "the base does not know where it is"


class ToldPose:
    """Keeps the newest state with what is believed of it.

    Attributes:
        state: the newest, with the last pose that was believed, valid only if it is its own; None at first.
        pose: the last that was believed, shape (3,); the origin before that.
        doubt: why the newest is not believed; empty if it is.
    """

    def __init__(self, base: Base) -> None:
        """Believe the first pose, whatever it is."""
        self._reach = SPARE * np.array([base.max_speed, base.max_turn])  # in a second
        self.state: BaseState | None = None
        self.pose = np.zeros(3)
        self.doubt = ""
        self._known = False
        self._unseen = 0.0  # [s] without a pose to compare with

    def hear(self, state: BaseState, still: bool) -> None:
        """Take what the vehicle tells; `still`: nothing floats, and it may have been set down elsewhere."""
        gap = 0.0 if self.state is None else max(0.0, 1e-9 * (state.t_ns - self.state.t_ns))
        gap = min(self._unseen + gap, UNSEEN_S)
        if not (state.valid and np.isfinite(state.pose).all() and np.isfinite(state.rate).all()):
            self.doubt, self._unseen = LOST_PLACE, gap
        else:
            self._compare(state.pose, gap, still)
        rate = np.where(np.isfinite(state.rate), state.rate, 0.0)
        self.state = replace(state, pose=self.pose, rate=rate, valid=not self.doubt)

    def _compare(self, told: Array, gap: float, still: bool) -> None:
        """Believe a pose in numbers, or not: one that jumps is doubted until it is back."""
        turns = round((self.pose[2] - told[2]) / (2.0 * math.pi)) if self._known else 0
        pose = np.array([told[0], told[1], told[2] + 2.0 * math.pi * turns])
        place = math.hypot(*(pose[:2] - self.pose[:2]))
        heading = abs(pose[2] - self.pose[2])
        far = place > OFF_PLACE + gap * self._reach[0] or heading > OFF_HEADING + gap * self._reach[1]
        if self._known and far and not still:
            self.doubt = f"the base's pose jumps by {1e3 * place:.0f} mm and {math.degrees(heading):.1f} deg"
            return
        self.pose, self.doubt, self._known, self._unseen = pose, "", True, 0.0
