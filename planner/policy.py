"""RUN, SLOW or HOLD: how fast object time may run, from how deep its path can be followed."""

DEPTH_OF_HOLD = 0.10  # [s] of object time that always stays in front of the arm
DEPTH_OF_RUN = 0.40  # [s] from which object time runs at full rate

RUN, SLOW, HOLD = "RUN", "SLOW", "HOLD"


def time_rate(depth: float, horizon_reached: bool) -> float:
    """Return the rate of object time [1] to ask for: 1 with the whole horizon free, else by depth.

    Object time that nears the exit at a rate falling with the distance never arrives there.

    Args:
        depth: object time that can be followed [s].
        horizon_reached: nothing in sight stands in the way.
    """
    if horizon_reached:
        return 1.0
    return min(1.0, max(0.0, (depth - DEPTH_OF_HOLD) / (DEPTH_OF_RUN - DEPTH_OF_HOLD)))


def policy_name(rate: float) -> str:
    """Return RUN, SLOW or HOLD for a rate of object time."""
    if rate >= 1.0:
        return RUN
    return SLOW if rate > 0.0 else HOLD
