"""RUN, SLOW or HOLD: how fast object time may run, from how deep its path can be followed."""

DEPTH_OF_HOLD = 0.10  # [s] of object time that always stays in front of the arm
DEPTH_OF_RUN = 0.40  # [s] from which object time runs at full rate
DEPTH_TO_LEAVE_HOLD = 0.25  # [s] well above where a hold began: only another path, as after a push, has it
LEAST_RATE = 0.08  # slower than this object time is held: it would creep up to the exit for ever

RUN, SLOW, HOLD = "RUN", "SLOW", "HOLD"


class Policy:
    """The pace of object time; a hold stays until the path has changed for the better."""

    def __init__(self) -> None:
        self._held = False

    def step(self, depth: float, horizon_reached: bool) -> tuple[str, float]:
        """Return RUN, SLOW or HOLD and the rate of object time [1] to ask for.

        Args:
            depth: object time that can be followed [s].
            horizon_reached: nothing in sight stands in the way.
        """
        if horizon_reached or (self._held and depth >= DEPTH_TO_LEAVE_HOLD):
            self._held = False
        rate = 1.0 if horizon_reached else rate_at(depth)
        if self._held or rate < LEAST_RATE:
            self._held = True
            return HOLD, 0.0
        return (RUN if rate >= 1.0 else SLOW), rate


def rate_at(depth: float) -> float:
    """Return the rate of object time [1] at a depth [s] at which the path ends: less the nearer the exit."""
    return min(1.0, max(0.0, (depth - DEPTH_OF_HOLD) / (DEPTH_OF_RUN - DEPTH_OF_HOLD)))
