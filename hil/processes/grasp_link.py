"""The driver's side of a second arm: it hears the partner, supervises and reports; it never waits."""

import os

from hil.common.run_clock import RunClock
from hil.configuration import Configuration
from hil.loop.driver.core import DriverCore
from hil.loop.judging.state_machine import State
from hil.messaging.bus import Bus
from hil.messaging.grasp_messages import GraspInputs, PartnerWords
from hil.messaging.messages import Mode


class GraspLink:
    """Sockets around the driver's share of a grasp."""

    def __init__(self, configuration: Configuration, bus: Bus, clock: RunClock) -> None:
        """Listen and speak on a run's bus, by its clock."""
        self._c, self._clock = configuration, clock
        self._inputs, self._reports = bus.publisher("grasp_inputs"), bus.publisher("grasp_report")
        self._words = bus.subscriber("partner_words", PartnerWords)
        self._sampled_ns = 0

    def begin(self, core: DriverCore) -> None:
        """Judge by this core from now on, before it takes its first sample."""
        from hil.loop.driver.grasp_force import GraspForce  # a run without a second arm loads nothing of it
        from hil.loop.partner.grasp_driver import GraspDriver

        assert isinstance(core.touching, GraspForce)
        self._core = core
        self._grasp = GraspDriver(self._c, core.touching, os.getpid())

    def turn(self, place: int, order: Mode | None, sampled_ns: int = 0) -> None:
        """Judge a cycle that was answered, or a time without packets, and report.

        Args:
            place: samples that the driver has taken.
            order: that the driver obeys; None: it brakes.
            sampled_ns: instant of the newest sample; 0: none has come.
        """
        self._sampled_ns = sampled_ns or self._sampled_ns
        now_ns = self._clock.now_ns()
        words = self._words.newest()
        if words is not None:
            self._grasp.hear(place, words, now_ns)
        floats = order is not None and order.state == State.FLOATING and self._core.afloat
        _, report = self._grasp.step(place, now_ns, self._sampled_ns, self._core.lead, floats)
        if report is not None:
            self._reports.send(report)
        self._tell(self._grasp.log.block(now_ns))

    def close(self) -> None:
        """Tell what has not been told yet."""
        self._tell(self._grasp.log.rest(self._clock.now_ns()))

    def _tell(self, block: GraspInputs | None) -> None:
        if block is not None:
            self._inputs.send(block)


def grasp_link_of(configuration: Configuration, bus: Bus, clock: RunClock) -> GraspLink | None:
    """Return the driver's side of a second arm; None where there is none."""
    return None if configuration.grasp is None else GraspLink(configuration, bus, clock)
