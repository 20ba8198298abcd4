"""The second arm within the lock-step loop: controller, client, what the driver hears, the shared stop line.

The cores are those of a live run, and packets and answers are real bytes.
"""

from collections.abc import Callable
from dataclasses import replace

from drivers.emulation.controller.controller import EmulatedController
from drivers.emulation.grasp.partner_arm import PartnerArm
from drivers.emulation.grasp.second_log import SecondLog
from drivers.fri.session import FriSample
from hil.configuration import Configuration
from hil.configuration.grasp_plan import load_plan
from hil.loop.driver.core import DriverCore
from hil.loop.driver.grasp_force import GraspForce
from hil.loop.judging.judge import Judge
from hil.loop.judging.state_machine import State
from hil.loop.partner.client import PartnerCore
from hil.loop.partner.grasp_driver import GraspDriver
from hil.loop.partner.nearness import Nearness
from hil.loop.partner.second import second_controller
from hil.loop.partner.tip_link import tip_fri, tip_session
from hil.messaging.codec import Message, over_the_wire
from planner.kinematics.arm_model import ArmModel

CLEAR_EVERY = 25  # cycles between two looks at the distance between the arms


class LockStepGrasp:
    """Lets the emulated second arm, its client and the driver's share of a grasp take their turns.

    Attributes:
        partner: the emulated second arm.
        controller: its controller.
        client: who leads it through the plan.
        watch: the driver's share.
        nearness: of the arms.
        linked: whether the second arm's link is up.
        speaks: whether the partner's words are heard.
    """

    def __init__(
        self,
        configuration: Configuration,
        model: ArmModel,
        controller: EmulatedController,
        driver: DriverCore,
        tell: Callable[[str, Message], None],
    ) -> None:
        """Set up before the object floats; a listener is told what is said.

        Raises:
            ConfigurationError: the plan cannot be done.
        """
        c, partner = configuration, controller.port
        assert c.partner is not None and isinstance(partner, PartnerArm)
        assert isinstance(driver.touching, GraspForce)
        self.partner, self._first, self._driver = partner, controller, driver
        self.controller = second_controller(c, model, partner)
        self._session, self._address = tip_session(c), tip_fri(c).controller_address
        self.client = PartnerCore(c, load_plan(c.partner.plan))
        self._hearing, self.nearness = GraspDriver(c, driver.touching, 0), Nearness(c, model)
        self.watch, self._tell = self._hearing.watch, tell
        self._log = SecondLog(c.fri.sample_time, 0)
        self.linked = self.speaks = True
        self._cycle = 0
        self._told = ""  # why all was held last

    @property
    def force(self) -> GraspForce:
        """Of the grasp, in the driver."""
        assert isinstance(self._driver.touching, GraspForce)
        return self._driver.touching

    def step(self, judge: Judge, t_ns: int, first: FriSample, taken: int) -> None:
        """Do a cycle, after the run's state has been judged and before the arms move on.

        Args:
            judge: who keeps the run's state.
            t_ns: now.
            first: the first arm's newest sample.
            taken: samples that the driver has taken.
        """
        floats = judge.machine.state is State.FLOATING
        data, sample = self.controller.send(), None
        if self.linked:
            sample = self._session.receive(data, self._address, t_ns)
        if sample is not None and self.speaks:
            words = self.client.words(self._session.tip, sample.t_ns, self._session.trouble)
            self._hearing.hear(taken, over_the_wire(words), t_ns)
        why, told = self._hearing.step(taken, t_ns, first.t_ns, self._driver.lead, floats)
        self._tell_if("grasp_report", told)
        self._tell_if("grasp_inputs", self._hearing.log.block(t_ns))
        report = self.watch.report()
        why = why or self._too_near(first, report.state)
        if why and floats:
            judge.order("hold", why)
            floats = False
            report = replace(report, floating=False)
        self._say(judge, floats)
        self.client.hear(over_the_wire(report), t_ns)
        if sample is not None:
            led = self.client.turn(self._session.tip, sample, t_ns)
            answer = self._session.answer_tip(sample, *led)
            self.controller.receive(answer)
            self._log.answer(answer, 0.0)
        self.controller.advance()
        self._log.cycle()
        self._tell_if("second_inputs", self._log.block(t_ns))

    def tell_rest(self, t_ns: int) -> None:
        """Tell what the last blocks would have told."""
        self._tell_if("grasp_inputs", self._hearing.log.rest(t_ns))
        self._tell_if("second_inputs", self._log.block(t_ns, rest=True))

    def words(self) -> list[str]:
        """Return what came of the grasp, a line each."""
        s, (gap, pair) = self.watch.supervision, self.nearness.least
        lines = [f"  {t:7.2f} s  {text}" for t, text in s.events]
        lines.append(
            f"grasp: {s.state}, law {s.law or 'none yet'}; at most {s.peak[0]:.1f} N and {s.peak[1]:.2f} N m "
            f"felt, {1e3 * s.gain:.1f} mJ created; {pair or 'the arms'} came within {1e3 * gap:.0f} mm"
        )
        return lines

    def _tell_if(self, topic: str, msg: Message | None) -> None:
        if msg is not None:
            self._tell(topic, msg)

    def _say(self, judge: Judge, floats: bool) -> None:
        """Keep why nothing floats any more, once."""
        s, machine = self.watch.supervision, judge.machine
        if self.watch.t > 0.0 and not floats and machine.reason != self._told:
            self._told = machine.reason
            s.say(self.watch.t, f"{machine.state}: {self._told}")

    def _too_near(self, first: FriSample, state: str) -> str:
        """Return that the arms are too near to each other, if they are, now and then."""
        self._cycle += 1
        if self._cycle % CLEAR_EVERY or self.watch.words is None or self.watch.t == 0.0:
            return ""
        return self.nearness.look(first.q_measured, self.watch.words, state)
