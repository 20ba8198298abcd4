"""What the end of a run cuts off: from when on a push or an impulse is neither right nor wrong."""

import math
from collections.abc import Iterable

from hil.configuration.schema import Detector

EARLY = 0.02  # [s] an onset may come before the push
LATE = 0.03  # [s] and after its end
NONE_UNDER_WAY = math.inf  # [s]


def cut_from(last_row: float, under_way: float, pushes: Iterable[tuple[float, float]], told: float) -> float:
    """Return the instant from which on a run judges nothing [s].

    It is the least of the last row, the start of a push that is not over, and the starts of those that end
    so late that the detector could not tell of them any more.

    Args:
        last_row: the run's last row [s].
        under_way: start of the first push that is not over at the end; infinity if there is none [s].
        pushes: start and end of those that are over [s].
        told: how long after its end the detector may tell of a push for the first time [s].
    """
    too_late = last_row - LATE - told
    cut = [start for start, end in pushes if end > too_late]
    return min([last_row, under_way, *cut])


def told_after(detector: Detector) -> float:
    """Return how long after a push's end the detector may tell of it for the first time [s]."""
    if detector.report == "growing":
        return detector.confirm_time
    return detector.confirm_time + max(detector.close_time, detector.settle_time)
