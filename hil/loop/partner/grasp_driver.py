"""The driver's share of a grasp by what comes in order; that is booked. Pure."""

from hil.configuration import Configuration
from hil.loop.driver.grasp_force import GraspForce
from hil.loop.partner.grasp_log import GraspInputLog
from hil.loop.partner.watch import GraspWatch
from hil.messaging.grasp_messages import GraspReport, PartnerWords

REPORT_PERIOD_NS = 4_000_000  # between two reports; what holds all is told at once


class GraspDriver:
    """Hears the partner, judges, reports.

    `place` is always how many samples the driver's core has taken.

    Attributes:
        watch: what the driver knows of the grasp.
        log: what was consumed.
    """

    def __init__(self, configuration: Configuration, force: GraspForce, process: int) -> None:
        """Begin; `process` is named by what is booked."""
        self.watch, self.log = GraspWatch(configuration, force), GraspInputLog(process)
        self._told, self._told_ns = (False, False), 0

    def hear(self, place: int, words: PartnerWords, now_ns: int) -> None:
        """Take the partner's words."""
        self.log.words(place, now_ns, words)
        self.watch.hear(words, now_ns)

    def step(
        self, place: int, now_ns: int, sampled_ns: int, lead: float, floats: bool
    ) -> tuple[str, GraspReport | None]:
        """Judge a cycle; arguments as in `GraspWatch.step`.

        Returns:
            Why all must be held, empty if nothing must; the report, None where none is due.
        """
        why = self.watch.step(now_ns, sampled_ns, lead, floats)
        news = bool(why), floats
        due = news != self._told or now_ns - self._told_ns >= REPORT_PERIOD_NS
        self.log.judged(place, now_ns, sampled_ns, floats, due)
        if not due:
            return why, None
        self._told, self._told_ns = news, now_ns
        return why, self.watch.report()
