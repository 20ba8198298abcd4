"""The driver's side of a second arm: it hears the partner, supervises and reports; it never waits."""

from hil.common.run_clock import RunClock
from hil.configuration import Configuration
from hil.loop.driver.core import DriverCore
from hil.loop.judging.state_machine import State
from hil.messaging.bus import Bus
from hil.messaging.grasp_messages import PartnerWords
from hil.messaging.messages import Mode

REPORT_PERIOD_NS = 4_000_000  # between two reports; what holds all is told at once


class GraspLink:
    """Sockets around the driver's share of a grasp."""

    def __init__(self, configuration: Configuration, bus: Bus, clock: RunClock, core: DriverCore) -> None:
        """Listen and speak on a run's bus, by its clock."""
        from hil.loop.driver.grasp_force import GraspForce
        from hil.loop.partner.watch import GraspWatch

        assert isinstance(core.touching, GraspForce)
        self._core, self._clock = core, clock
        self._watch = GraspWatch(configuration, core.touching)
        self._words = bus.subscriber("partner_words", PartnerWords)
        self._reports = bus.publisher("grasp_report")
        self._sampled_ns = self._reported_ns = 0
        self._told = (False, False)

    def turn(self, order: Mode | None, sampled_ns: int = 0) -> None:
        """Judge a cycle that was answered, or a time without packets, and report.

        Args:
            order: that the driver obeys; None: it brakes.
            sampled_ns: instant of the newest sample; 0: none has come.
        """
        self._sampled_ns = sampled_ns or self._sampled_ns
        now_ns = self._clock.now_ns()
        words = self._words.newest()
        if words is not None:
            self._watch.hear(words, now_ns)
        floats = order is not None and order.state == State.FLOATING and self._core.afloat
        why = self._watch.step(now_ns, self._sampled_ns, self._core.lead, floats)
        news = bool(why), floats
        if news != self._told or now_ns - self._reported_ns >= REPORT_PERIOD_NS:
            self._told, self._reported_ns = news, now_ns
            self._reports.send(self._watch.report())


def grasp_link_of(
    configuration: Configuration, bus: Bus, clock: RunClock, core: DriverCore
) -> GraspLink | None:
    """Return the driver's side of a second arm; None where there is none."""
    return None if configuration.grasp is None else GraspLink(configuration, bus, clock, core)
