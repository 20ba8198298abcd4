"""The partner beside a run: it leads the second arm's controller, over FRI, through a plan.

It hears the run by its bus and says there where the arm is. Whatever ends it: the controller's impedance
stays where it was sent last, and the run holds where the arms are near to each other.
"""

import signal
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from drivers.fri.client import FriClient
from drivers.fri.session import FriSample
from hil.common.errors import ConfigurationError, LinkError
from hil.common.poses import pose_from
from hil.configuration import Configuration
from hil.configuration.frames import pose_of
from hil.loop.grasp.plan_check import Begun, CheckedPlan, begun_as_configured, checked_plan
from hil.loop.judging.state_machine import State
from hil.loop.partner.client import PartnerCore
from hil.loop.partner.tip_link import tip_fri, tip_session
from hil.messaging.bus import Bus
from hil.messaging.grasp_messages import GraspReport
from hil.messaging.messages import RobotState
from hil.processes.real_time.set_up import enter_real_time
from hil.processes.shared_clock import clock_beside
from planner.kinematics.arm_model import load_arm_model

WAIT = 0.02  # [s] for a packet, at most, before the run is heard again
HEARD_S = 5.0  # within which a run that goes on must say where its arms are
STAYS_S = 1.0  # after a failure, for the gripper to open and the run to hear why
GONE_S = 10.0  # on the host's clock, without word of the run
UNHEARD_S = 6.0  # the same without a packet of a controller that was led: longer than a patient one waits


class PartnerAlone:
    """A plan, a controller and a run."""

    def __init__(
        self, configuration: Configuration, bus: Bus, directory: Path, status: dict[str, Any]
    ) -> None:
        """Look at the plan where the arms are now, and take the controller's port.

        Args:
            configuration: of the run; its `partner.plan` is what is to be done.
            bus: of the run.
            directory: of its sockets.
            status: as its daemon told it.

        Raises:
            ConfigurationError: the plan cannot be done from here.
            LinkError: the run is not heard, or another client has the port.
        """
        c = configuration
        assert c.partner is not None
        self._clock = clock_beside(status, directory)
        self._reports = bus.subscriber("grasp_report", GraspReport)
        self._robots = bus.subscriber("robot_state", RobotState)
        self._session = tip_session(c)
        self._client = FriClient(tip_fri(c), 0.0, self._clock, self._session, "partner.port")
        self._c, self._asked_to_end = c, 0
        self._ready = status["state"] == State.READY
        self._report: GraspReport | None = None
        self._sample: FriSample | None = None
        self._checked = self._look()
        self._warm()  # before it leads: a controller does not wait until something is compiled
        self._core = PartnerCore(c, self._checked.asked)
        self._words = bus.publisher("partner_words")
        self._told, self._why, self._told_ns = "", "", 0
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._end)

    def run(self) -> int:
        """Follow the plan to its end; return the exit status: 0 if it got there."""
        gap, pair = self._checked.clearance, self._checked.pair
        print(
            f"plan of {self._checked.plan.duration:g} s; {pair} come within {1e3 * gap:.0f} mm of each other",
            flush=True,
        )
        try:
            return self._followed()
        finally:
            self._turn(stops=True)

    def _followed(self) -> int:
        """Turn until the plan is over, or given up for long enough."""
        core, now_ns = self._core, time.monotonic_ns  # that goes on whoever has died
        heard_ns, ended_ns = now_ns(), 0
        self._told_ns = now_ns()
        self._client.discard()
        while True:
            heard_ns = self._turn() or heard_ns
            if core.begun and now_ns() - heard_ns > UNHEARD_S * 1e9:
                core.give_up("the second arm's controller is silent")
            if now_ns() - self._told_ns > GONE_S * 1e9:
                core.give_up("the run has ended")
            self._tell()
            if core.over and not core.failed:
                print("the plan is over")
                return 0
            ended_ns = ended_ns or (now_ns() if core.failed else 0)
            if self._asked_to_end > 1 or (ended_ns and now_ns() - ended_ns > STAYS_S * 1e9):
                return 1

    def close(self) -> None:
        """Release the port."""
        self._client.close()

    def _turn(self, stops: bool = False) -> int:
        """Answer what has come and return when; 0: nothing has. With `stops` the controller is left."""
        samples = self._client.receive(WAIT)
        now_ns, core, session = self._clock.now_ns(), self._core, self._session
        if self._asked_to_end:
            core.give_up("it was told to end")
        if self._client.failure is not None:
            core.give_up(str(self._client.failure))
        report = self._reports.newest()
        if report is not None:
            core.hear(report, now_ns)
            self._told_ns = time.monotonic_ns()
            self._why = report.why
        if not samples:
            return 0
        newest = samples[-1]
        if session.trouble and core.begun:
            core.give_up(session.trouble)
        try:
            led = core.turn(session.tip, newest, now_ns)
            self._client.send(session.answer_tip(newest, *led, stops))
        except Exception as error:  # whatever fails: no answer, and the run hears why
            core.give_up(f"{type(error).__name__}: {error}")
        self._words.send(core.words(session.tip, newest.t_ns, session.trouble))
        return time.monotonic_ns()

    def _tell(self) -> None:
        """Print what has changed."""
        core = self._core
        told = core.phase
        if core.failed:
            told = f"given up: {core.failed}"
        elif core.begun and core.pace == 0.0:
            told = f"{core.phase}, held{': ' if self._why else ''}{self._why}"
        elif not core.begun:
            told = self._session.trouble or self._client.trouble or "waiting until the object floats"
        if told != self._told:
            self._told = told
            print(told, flush=True)

    def _look(self) -> CheckedPlan:
        """Return the plan, looked at from where the arms are now."""
        report = robot = None
        deadline_ns = time.monotonic_ns() + round(HEARD_S * 1e9)
        while report is None or robot is None or self._sample is None:
            for sample in self._client.receive(WAIT)[-1:]:
                self._sample = sample
            report, robot = self._reports.newest() or report, self._robots.newest() or robot
            if time.monotonic_ns() > deadline_ns:
                break
        if report is None or robot is None:
            raise LinkError("the run says nothing of its arms: `zerog status` tells how it is")
        self._report = report
        if self._sample is None:
            raise LinkError(f"the second arm's controller is not heard: {self._client.trouble}")
        if self._session.trouble:
            raise ConfigurationError(self._session.trouble)
        partner, model = self._c.partner, load_arm_model(self._c.robot.model)
        assert partner is not None
        base = pose_of(partner.mount_rotvec, partner.mount_position)
        T_tip = base @ self._session.tip.T_base_commanded
        T_object = pose_from(report.p_world_object, report.quat_world_object)
        if self._ready:  # it sets off as configured
            twist = begun_as_configured(self._c, model).twist
        else:  # how its spin goes on the stops decide
            twist = np.concatenate((report.twist_world_object[:3], np.zeros(3)))
        stops = self._c.stops
        room = np.array([stops.centre - stops.half_extent, stops.centre + stops.half_extent])
        begun = Begun(robot.q_measured, T_object, twist, T_tip, room if stops.enabled else None)
        return checked_plan(self._c, model, begun)

    def _warm(self) -> None:
        """Compile or load all that a plan needs, by a core that leads nobody."""
        report, sample, core = self._report, self._sample, PartnerCore(self._c, self._checked.asked)
        assert report is not None and sample is not None
        core.hear(replace(report, floating=True, why="", open=False), sample.t_ns)
        a_second = round(1.0 / self._c.fri.sample_time)
        for n in range(round(self._checked.asked.duration) + 2):
            led = replace(sample, count=sample.count + n * a_second, commanding=True, new_session=False)
            core.turn(self._session.tip, led, sample.t_ns)
        core.words(self._session.tip, sample.t_ns)

    def _end(self, *_: object) -> None:
        self._asked_to_end += 1


def lead(configuration: Configuration, bus: Bus, directory: Path, status: dict[str, Any]) -> int:
    """Lead the second arm of a run through its plan; return the exit status.

    Raises:
        ConfigurationError: the plan cannot be done from here.
        LinkError: run or controller is not heard, or another client has the port.
    """
    partner = PartnerAlone(configuration, bus, directory, status)
    if configuration.robot.kind == "fri":  # no real controller waits; the place of an emulated one is free
        for item in enter_real_time("emulator", configuration).refused:
            print(f"real time: {item}", flush=True)
    try:
        return partner.run()
    finally:
        partner.close()
