"""A paced run: the lock-step loop before an operator, with the page and the commands of a live one.

One process makes everything but the page: cores, desk, recording. It waits for the wall clock where it is
ahead, and for nobody else.
"""

import dataclasses
import logging
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from drivers.emulation.operator.replayed_wrench import ReplayedWrench
from hil.common.clock import NS
from hil.common.errors import OperatorError, RecordingError
from hil.configuration.loading import Accepted
from hil.loop.judging.judge import Judge
from hil.loop.judging.liveness import Liveness
from hil.loop.judging.state_machine import AS_CONFIGURED, State
from hil.loop.lockstep import LockStep
from hil.messaging.bus import Bus
from hil.messaging.codec import Message
from hil.messaging.inside_messages import InsideJoints
from hil.messaging.messages import ImpulseSlice
from hil.messaging.runtime_directory import runtime_directory
from hil.processes.first_start.stage import compile_first
from hil.processes.paced.clock import PacedClock
from hil.processes.paced.desk import PacedDesk
from hil.processes.paced.pace import Pace, RateNews, in_words
from hil.processes.supervisor.base_news import BaseNews
from hil.processes.supervisor.children import Children
from hil.processes.supervisor.display import REFUSED, Display
from hil.processes.supervisor.grasp_news import GraspNews
from hil.processes.supervisor.instance_lock import InstanceLock
from hil.processes.supervisor.pair_news import PairNews
from hil.processes.supervisor.sensor_news import SensorNews
from hil.processes.supervisor.signals import Signals
from hil.processes.supervisor.telling import Telling
from hil.processes.supervisor.touch_watch import TouchWatch
from hil.processes.table import PROCESSES
from hil.recording.recorder import Recorder
from hil.wrench.detector.thresholds import PushThresholds

if TYPE_CHECKING:  # a run without a second arm loads nothing of it
    from hil.loop.partner.lockstep_grasp import LockStepGrasp

EXIT_FAULT = 1  # the run ended in FAULT
SPOKEN = (
    "cycles",
    "truth",
    "impulse",
    "witness",
    "contact",
    "mode",
    "robot_state",
    "sim_state",
    "prediction",
    "base_report",
    "grasp_report",
    "partner_words",
)
SIM_STATE_NS = 10_000_000  # between two states of the simulation on the bus, as in a live loop
TURN_NS = 20_000_000  # of wall time between two looks at page, status line and prediction


class PacedRun:
    """One run from start to end."""

    def __init__(
        self,
        accepted: Accepted,
        path: Path,
        settings: list[str],
        duration_s: float | None,
        replay: ReplayedWrench | None = None,
        recorder: Recorder | None = None,
        port: int | None = None,
        hint: str = "",
    ) -> None:
        """Set up the run; nothing turns yet.

        Args:
            accepted: the run's configuration, of an emulated robot.
            path: its file.
            settings: lines KEY=VALUE that stand in for the file's.
            duration_s: for how long to float; None: until a signal comes.
            replay: a recorded wrench that acts instead of pushes.
            recorder: that has begun its file.
            port: of the operator's page; None: without it.
            hint: a line for the operator, told when the page starts.
        """
        c = accepted.configuration
        self._accepted, self._c, self._path, self._settings = accepted, c, path, settings
        self._duration_s, self._recorder, self._port, self._hint = duration_s, recorder, port, hint
        directory = runtime_directory(c.run.runtime_directory)
        self._lock = InstanceLock(directory)
        self._display, self._bus = Display(), Bus(directory)
        self._clock, self._rates = PacedClock(directory), RateNews()
        self._speakers = {topic: self._bus.publisher(topic) for topic in SPOKEN}
        self._loop = LockStep(c, replay, self._hear, self._attend)
        inside = c.object.inside
        streamed = inside is not None and inside.motion == "stream"
        self._joints = self._bus.subscriber("inside_joints", InsideJoints) if streamed else None
        self._seen = Liveness([], robot_timeout=c.fri.timeout)
        self._desk = PacedDesk(self._bus, c, self._clock, self._loop.ask)
        self._facts: dict[str, Any] = {
            "configuration": str(path.resolve()),
            "settings": settings,
            "patient": True,  # who asks goes by the clock of the run
            "pace": 1.0,
            "pace_words": "",
            # in lock-step nothing takes time
            "sample_to_command_p50_us": None,
            "ring_p50_us": None,
        }
        self._grasp = GraspNews(self._bus, c)
        self._telling = Telling(
            *(self._display, self._bus, self._clock, self._loop.judge, self._seen, self._desk, self._facts),
            SensorNews(self._bus, c),
            TouchWatch(self._bus, c.force),
            BaseNews(self._bus, c),
            self._grasp,
            PairNews(c),
        )
        extra = [f"--set={text}" for text in (*settings, "emulator.patient=true")]
        extra += [] if port is None else ["--port", str(port)]
        self._children = Children([], path, accepted, directory, extra)
        self._configured = PushThresholds.of(c.detector)
        self._was_ready = False
        self._state_told_ns = self._turned_ns = 0

    def run(self) -> int:
        """Run until the duration is over or a signal comes; return the exit status.

        Raises:
            ZeroGError: the run cannot go on.
        """
        self._display.event("zerog: emulated robot, paced by the wall clock in one process")
        try:
            self._compile()
            signals = Signals()
            self._begin_page()
            pace = self._turn_until_the_end(signals)
        finally:
            memory = self._children.proportional_memory()
            self._children.end()
            self._bus.close()
            self._lock.release()
            self._end_recording()
        self._facts |= {"pace": pace.overall(time.monotonic_ns(), self._loop.t_ns), "pace_words": ""}
        self._telling.summary(memory)
        return EXIT_FAULT if self._loop.judge.machine.state is State.FAULT else 0

    def _compile(self) -> None:
        """Compile what the cores lack; Ctrl-C ends it as it ends any command."""
        compile_first(
            *(self._c, self._path, self._settings),
            lambda text: self._display.live(time.monotonic(), f"  … {text}"),
        )

    def _begin_page(self) -> None:
        if self._port is not None:
            self._display.event(self._hint)
            self._children.start([PROCESSES["dashboard"]])

    def _turn_until_the_end(self, signals: Signals) -> Pace:
        """Turn until the run is over and return how it kept its pace."""
        loop, pace = self._loop, Pace(time.monotonic_ns(), self._loop.t_ns)
        while not signals.ending:
            if self._duration_s is not None and loop.floated_for(self._duration_s):
                break
            now_ns = time.monotonic_ns()
            if wait_ns := pace.wait_ns(now_ns, loop.t_ns):
                time.sleep(wait_ns / NS)
            self._clock.reached(loop.t_ns, pace.offset_ns, pace.given_up_ns)
            loop.turn()
            if now_ns - self._turned_ns >= TURN_NS:
                self._turned_ns = now_ns
                self._look_about(pace, signals)
        loop.tell_rest()
        return pace

    def _look_about(self, pace: Pace, signals: Signals) -> None:
        """Look after the page, the status line and who listens."""
        self._facts |= {"pace": pace.rate, "pace_words": in_words(pace.rate), "cycles": self._loop.cycles}
        if self._was_ready and (news := self._rates.take(self._turned_ns, pace.rate)):
            self._display.event(news)
        if self._loop.predicted is not None:
            self._speakers["prediction"].send(self._loop.predicted)
        if self._loop.grasp is not None:
            self._look_at_second(self._loop.grasp)
        for order in [] if self._joints is None else self._joints.drain():
            # its sender's clock is another one: it acts now
            self._loop.inside.order(dataclasses.replace(order, t_ns=self._loop.t_ns))
        self._children.relay()
        for child in self._children.ended():
            self._children.looker_ended(child, self._children.reason(child), self._display.event)
        if signals.take_reload():
            self._display.event("reload is refused in a paced run: end it and start it anew", logging.WARNING)
        self._telling.turn(self._loop.t_ns, self._was_ready, False, ())

    def _look_at_second(self, second: "LockStepGrasp") -> None:
        """Tell whoever looks where the second arm is; what must be held the loop itself has seen."""
        if second.watch.words is not None:
            self._speakers["partner_words"].send(second.watch.words)
        self._grasp.turn(self._loop.t_ns, self._seen.robot)

    def _attend(self, _: int, judge: Judge) -> None:
        """Give the orders of a turn: those of the beginning, then the operators'."""
        if judge.machine.state is State.READY:
            if not self._was_ready:
                self._was_ready = True
                self._telling.service.ready()
                self._display.event("READY")
                self._float(judge, self._c.run.float_at_start)
            else:
                self._float(judge, judge.experiments.waiting)
        judge.second_arm = self._grasp.in_the_way
        if judge.second_arm and judge.machine.by_hand:
            judge.order("stop", judge.second_arm)
        if judge.machine.moving:
            self._telling.floated(round(NS * self._c.fri.sample_time))
        self._telling.changes(self._was_ready)
        self._desk.serve(judge, self._telling.status)
        self._telling.changes(self._was_ready)
        thresholds = self._desk.thresholds
        self._loop.thresholds = AS_CONFIGURED if thresholds == self._configured else thresholds.as_order()
        # what is configured to push counts from the beginning, as in `zerog simulate`, and rests in between
        waits_for_operator = bool(self._telling.first_float_ns) or not self._c.run.float_at_start
        self._loop.operator_rests = waits_for_operator and not judge.machine.moving

    def _float(self, judge: Judge, wanted: bool) -> None:
        """Let the object float without an operator, if that is wanted and not refused."""
        try:
            if wanted:
                judge.order("float")
        except OperatorError as refusal:
            self._display.event(f"{REFUSED}: {refusal}", logging.WARNING)
            judge.experiments.waiting = False

    def _hear(self, topic: str, msg: Message) -> None:
        """Take what the loop says: for the file, for the status, for who listens."""
        self._record(topic, msg)
        self._seen.hear(self._loop.t_ns, msg)
        if isinstance(msg, ImpulseSlice):
            self._telling.pushed([msg])
        if topic == "sim_state":
            if msg.t_ns - self._state_told_ns < SIM_STATE_NS:
                return
            self._state_told_ns = msg.t_ns
        if topic in self._speakers:
            self._speakers[topic].send(msg)

    def _record(self, topic: str, msg: Message) -> None:
        """Write a message down; a file that cannot be written stops nothing."""
        if self._recorder is None:
            return
        try:
            self._recorder.take(topic, msg)
        except RecordingError as error:
            self._display.event(f"the recorder has ended: {error}", logging.WARNING)
            self._recorder.abandon()
            self._recorder = None

    def _end_recording(self) -> None:
        """Complete the recording's file; its head tells how long it floated, and whether anybody acted."""
        if self._recorder is None:
            return
        told = {"operated": "yes"} if self._desk.interfered else {}
        floated_s = self._loop.floated_s - 0.5 * self._c.fri.sample_time  # just not another cycle
        over = self._duration_s is not None and self._loop.floated_for(self._duration_s)
        if not over and floated_s > 0.0:
            told["duration_s"] = repr(floated_s)
        self._recorder.end({}, **told)
