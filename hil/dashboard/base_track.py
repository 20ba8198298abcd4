"""Where a base was at instants that are past: arm and simulation are compared at the same instant."""

from collections import deque

from hil.common.arrays import Array
from hil.messaging.base_messages import BaseReport

PAST = 40  # reports, two seconds of the page
GAP_NS = 200_000_000  # between two reports: farther apart, nothing is known between them


class BaseTrack:
    """The reports of late; between two of them the base goes straight."""

    def __init__(self) -> None:
        self._reports: deque[BaseReport] = deque(maxlen=PAST)

    @property
    def newest_ns(self) -> int:
        """Instant of the newest pose [ns]; 0 before the first."""
        return self._reports[-1].t_ns if self._reports else 0

    def take(self, report: BaseReport) -> None:
        """Take the driver's newest report; one of no later a pose tells nothing new."""
        if report.t_ns > self.newest_ns:
            self._reports.append(report)

    def at(self, t_ns: int) -> Array | None:
        """Return the pose at an instant, shape (3,); None where nothing is known around it."""
        reports = list(self._reports)
        for before, after in zip(reports[-2::-1], reports[:0:-1], strict=True):
            if before.t_ns <= t_ns <= after.t_ns and after.t_ns - before.t_ns <= GAP_NS:
                share = (t_ns - before.t_ns) / (after.t_ns - before.t_ns)
                pose: Array = before.pose + share * (after.pose - before.pose)
                return pose
        return None
