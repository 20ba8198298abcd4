"""The daemon's loop: children and topics watched, the state machine kept, operators answered.

It is never in the data path: driver, simulation and planner talk to each other directly. If it dies,
the children end with it (parent-death signal), the driver when the arm stands; if it hangs, its order
grows stale and the driver brakes. However its own loop ends, the arm is brought to rest before the
children are ended.
"""

import logging
import os
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import zmq

from hil.common.errors import LinkError, OperatorError, ZeroGError
from hil.common.kernel_cache import mark_compiled
from hil.common.run_clock import Mark
from hil.common.state_directory import state_directory
from hil.configuration.base_rules import vehicle_emulated
from hil.configuration.loading import Accepted
from hil.configuration.shared import emulated_elsewhere
from hil.loop.driver.leaving import longest_brake, outlives_by
from hil.loop.input_log import SupervisorTurnLog
from hil.loop.judging.judge import Evidence, Judge, both
from hil.loop.judging.liveness import Liveness, moves, stalled
from hil.loop.judging.real_arm import FORGETS
from hil.loop.judging.state_machine import RUN_OVER, Machine, State
from hil.messaging.bus import Bus
from hil.messaging.runtime_directory import runtime_directory
from hil.processes.context import EXIT_USER_ERROR
from hil.processes.first_start.kernels import keys_of, warmed_names
from hil.processes.first_start.stage import FirstStart
from hil.processes.shared_clock import clock_of, is_patient
from hil.processes.supervisor.base_news import BaseNews
from hil.processes.supervisor.busy import BusyWatch
from hil.processes.supervisor.children import ACCEPTED, MAX_RESTARTS, Child, Children
from hil.processes.supervisor.display import REFUSED, Display
from hil.processes.supervisor.grasp_news import GraspNews
from hil.processes.supervisor.hearing import Hearing
from hil.processes.supervisor.instance_lock import InstanceLock
from hil.processes.supervisor.notify import notify
from hil.processes.supervisor.operator_desk import OperatorDesk
from hil.processes.supervisor.pair_news import PairNews
from hil.processes.supervisor.reloading import may_reload, same_run
from hil.processes.supervisor.run_mark import RunMark
from hil.processes.supervisor.sensor_news import SensorNews
from hil.processes.supervisor.signals import Signals
from hil.processes.supervisor.telling import Telling
from hil.processes.supervisor.touch_watch import TouchWatch
from hil.processes.supervisor.wrench_record import WrenchRecord
from hil.processes.table import PROCESSES, processes_of

COMPILING = "compiling kernels"
EXIT_FAULT = 1  # the run ended in FAULT
TICK_MS = 20
BRAKE_ROOM_S = 0.45  # beside the longest brake, for the arm to come to rest before the processes are ended


class Daemon:
    """One run from start to end."""

    def __init__(
        self,
        accepted: Accepted,
        path: Path,
        extra: list[str],
        duration_s: float | None,
        site: str,
        read_again: Callable[[], Accepted],
        beside: tuple[str, ...] = (),
        hint: str = "",
    ) -> None:
        """Start the processes of a run.

        Args:
            accepted: the run's configuration.
            path: its file.
            extra: further arguments of all processes.
            duration_s: for how long to float; None: until a signal comes.
            site: of a split run, else empty.
            read_again: reads the configuration anew, or raises; for a reload.
            beside: processes that look on, by name.
            hint: a line for the operator, told when the processes start.
        """
        configuration = accepted.configuration
        directory = runtime_directory(configuration.run.runtime_directory)
        self._c = configuration
        settings = [word.removeprefix("--set=") for word in extra if word.startswith("--set=")]
        self._path, self._directory, self._settings = path, directory, settings
        self._duration_s, self._hint, self._site = duration_s, hint, site
        self._read_again = read_again
        self._signals, self._display = Signals(), Display()
        self._lock = InstanceLock(directory)
        self._bus = Bus(directory)
        self._clock = clock_of(configuration, directory, site, new=True)
        elsewhere = emulated_elsewhere(configuration.shared)
        table = processes_of(configuration.robot.kind, site, vehicle_emulated(configuration), elsewhere)
        everywhere = table if not site else [*table, *processes_of(configuration.robot.kind)]
        names = list(dict.fromkeys(process.name for process in everywhere))
        self._seen = Liveness(names, bool(site), configuration.fri.timeout)
        self._judge = Judge(configuration)
        self._busy = BusyWatch()
        self._modes, self._turns = self._bus.publisher("mode"), self._bus.publisher("supervisor_turn")
        self._consumed = SupervisorTurnLog(os.getpid())
        self._hearing = Hearing(self._bus, self._seen, self._clock)
        self._desk = OperatorDesk(self._bus, configuration, self._reload, self._take_wrench, self._clock)
        facts = {
            "configuration": str(path.resolve()),
            "settings": settings,
            "patient": is_patient(configuration, site),
        }
        self._state = state_directory(configuration.run.state_directory, os.environ)
        self._mark = RunMark(self._state.path, directory, lasting=not self._state.stands_in)
        self._grasp = GraspNews(self._bus, configuration)
        self._pair = PairNews(configuration, self._mark.doubt)
        self._telling = Telling(
            *(self._display, self._bus, self._clock, self._judge, self._seen, self._desk, facts),
            SensorNews(self._bus, configuration),
            TouchWatch(self._bus, configuration.force),
            BaseNews(self._bus, configuration),
            self._grasp,
            self._pair,
        )
        self._was_ready = self._ending = False
        self._turned_ns = self._clock.now_ns()
        self._read_record()
        self._start = lambda processes, what: Children(
            processes, path, what, directory, extra, outlives_by(self._c.limits)
        )
        self._table, self._beside = table, [PROCESSES[name] for name in beside]
        self._children = self._start([], accepted)
        self._first_start: FirstStart | None = None

    def run(self) -> int:
        """Run until the duration is over or a signal comes; return the exit status."""
        count = len(self._table) + len(self._beside)
        self._display.event(f"zerog: {self._c.robot.kind} robot, {count} processes")
        if self._state.forgets:
            self._display.event(self._state.forgets, logging.WARNING)
        status, failure = EXIT_USER_ERROR, ""
        try:
            self._begin()
            self._turns_until_the_end()
            status = EXIT_FAULT if self._machine.state is State.FAULT else 0
        except ZeroGError as error:
            failure = str(error)
            self._display.event(failure, logging.ERROR)
            return status
        except Exception as error:
            failure = f"{type(error).__name__}: {error}"
            raise
        finally:
            memory = self._children.proportional_memory()
            notify("STOPPING=1")
            if self._first_start is not None:
                self._first_start.end()
            self._children.end()
            self._bus.close()
            self._pair.close()
            self._leave_mark(failure)
            self._lock.release()
        self._telling.summary(memory)
        return status

    def _leave_mark(self, failure: str) -> None:
        """Leave word for the next start: after a failure of a run that moved, it moves nothing by itself."""
        machine, ending = self._machine, self._signals.ending
        if not self._telling.first_float_ns:
            self._mark.remove()
        elif failure and not ending:
            self._mark.ended("failed", failure)
        elif machine.state is State.FAULT:
            self._mark.ended("fault" if ending else "over", machine.reason)
        else:
            self._mark.remove()

    def _begin(self) -> None:
        """Start the processes; where kernels are lacking, compile first."""
        words = [f"--content={self._directory / ACCEPTED}", *(f"--set={text}" for text in self._settings)]
        self._first_start = FirstStart(self._c, self._path, warmed_names(self._table), words)
        if self._first_start.running:
            self._display.event("  … compiling the kernels, once for these sources")
        self._compile()

    def _compile(self) -> None:
        """Go on with the first start; when it is over, start the processes."""
        first = self._first_start
        if first is None:
            return
        first.turn()
        if first.running:
            self._display.live(time.monotonic(), f"  … {first.text}")
            return
        self._first_start = None
        if first.failed:
            self._display.event("  … compiling ahead failed: the processes compile for themselves")
        elif first.seconds:
            self._display.event(f"  … kernels compiled in {first.seconds:.1f} s")
        if self._hint:
            self._display.event(self._hint)
        self._children.start([*self._table, *self._beside])

    def _turns_until_the_end(self) -> None:
        """Turn until the run is over; whatever ends it, the arm is brought to rest."""
        try:
            while not (self._ending or self._signals.ending):
                self._turn()
        except Exception as error:
            self._come_to_rest("fault", f"daemon: {type(error).__name__}: {error}")
            raise
        self._come_to_rest("stop", RUN_OVER)

    def _turn(self) -> None:
        """One turn of 20 ms, sooner when a child ends or an operator asks."""
        poller = zmq.Poller()
        poller.register(self._desk.socket, zmq.POLLIN)
        for child in self._children.children.values():
            poller.register(child.pidfd, zmq.POLLIN)
        poller.poll(TICK_MS)
        if self._signals.ending:
            return  # who asked us may have asked the processes as well: that they end is no fault
        turned_ns = self._clock.now_ns()
        gap_ns, self._turned_ns = turned_ns - self._turned_ns, turned_ns
        if self._machine.moving:
            self._telling.floated(gap_ns)
            if reason := self._busy.why(stalled(gap_ns), turned_ns, self._pids()):
                self._order("fault", reason)
        self._compile()
        self._children.relay()
        now_ns = self._hearing.states()
        self._clock.mark(Mark.HEARD, self._seen.heard_ns())
        for child in self._children.ended():  # its last words have been heard: they are forgotten with it
            self._child_ended(child)
        slices, witnesses = self._hearing.pushes()
        self._telling.pushed(slices)
        self._judge.hear(slices, witnesses)
        seen = self._look(now_ns)
        why = self._grasp.turn(now_ns, self._seen.robot)
        if why and self._machine.state is State.FLOATING:
            self._order("hold", why)
        if refusal := self._pair.turn(now_ns, self._judge, self._seen.robot):
            self._display.event(f"{REFUSED}: {refusal}", logging.WARNING)
        self._judge.second_arm = both(self._grasp.in_the_way, self._pair.in_the_way)
        self._judge.grip_unknown = both(self._grasp.grip_unknown, self._pair.refusal)
        if self._judge.second_arm and self._machine.by_hand:
            self._order("stop", self._judge.second_arm)
        self._desk.serve(self._judge, self._telling.status)
        self._telling.changes(self._was_ready)
        if self._signals.take_reload():
            self._hang_up()
        self._turns.send(self._consumed.add(now_ns, seen, slices, witnesses, self._judge.taken()))
        self._modes.send(self._machine.mode(now_ns, self._desk.thresholds.as_order()))
        pids = self._pids()
        self._busy.turn(now_ns, pids)
        self._telling.turn(now_ns, self._was_ready, self._first_start is not None, pids.values())
        if self._duration_s is not None and (floats_ns := self._telling.first_float_ns):
            self._ending |= now_ns - floats_ns >= self._duration_s * 1e9

    def _look(self, now_ns: int) -> Evidence:
        """Let the state be judged by everything that was seen, and return it."""
        seen = self._seen.evidence(now_ns, self._machine, self._c.run.follow)
        seen = self._busy.explained(seen, self._machine.moving, now_ns, self._pids())
        if self._first_start is not None:
            seen = replace(seen, missing=COMPILING)
        machine = self._judge.step(now_ns, seen)
        if machine.state is State.READY and not self._was_ready:
            self._was_ready = True
            self._telling.service.ready()
            mark_compiled(keys_of(warmed_names(self._table), self._c))
            self._display.event("READY")
            if self._mark.last and not self._mark.doubt:
                self._display.event(self._mark.last, logging.WARNING)
            if self._mark.doubt:
                text = f"{self._mark.doubt}: {REFUSED}; look at the arm, then `zerog float`"
                self._display.event(text, logging.WARNING)
            elif self._c.run.float_at_start and self._pair.alone and (refusal := self._floated()):
                self._display.event(f"{REFUSED}: {refusal}", logging.WARNING)
        elif machine.state is State.READY and self._judge.experiments.waiting:
            if refusal := self._floated():
                self._judge.order("stop", refusal)
        self._telling.changes(self._was_ready)
        return seen

    def _floated(self) -> str:
        """Let the object float without an operator and return why that is refused; empty if it is not."""
        try:
            self._judge.order("float")
        except OperatorError as refusal:
            return str(refusal)
        return ""

    @property
    def _machine(self) -> Machine:
        return self._judge.machine

    def _order(self, verb: str, reason: str = "") -> None:
        self._judge.order(verb, reason)
        self._telling.changes(self._was_ready)

    def _child_ended(self, child: Child) -> None:
        """A child died: the arm brakes (its answers or plans stop, and the order says FAULT at once)."""
        reason = self._children.reason(child)
        if child.process.apart:  # nothing waits for it: the arm goes on
            self._children.looker_ended(child, reason, self._display.event)
            return
        if not self._was_ready:
            raise LinkError(reason)
        self._seen.forget(child.process.name)
        self._clock.ended(child.process.name)
        if child.process.name == "driver":
            self._grasp.driver_ended()
        self._order("fault", reason)
        if child.counted < MAX_RESTARTS:
            self._children.restart(child)
        else:
            raise LinkError(f"{reason}; it was started {child.restarts + 1} times and is given up")

    def _come_to_rest(self, verb: str, reason: str) -> None:
        """Order a stop or fault, and wait until the arm stands; if that fails, the driver still brakes."""
        try:
            self._order(verb, reason)
            self._wait_for_rest()
        except Exception as error:
            text = f"while the arm is brought to rest: {type(error).__name__}: {error}; the driver brakes"
            self._display.event(text, logging.ERROR)

    def _wait_for_rest(self) -> None:
        self._clock.ended("daemon")  # from now on nobody waits for what it hears
        now_ns = self._clock.now_ns
        deadline_ns = now_ns() + round(1e9 * (longest_brake(self._c.limits) + BRAKE_ROOM_S))
        while now_ns() < deadline_ns and not self._signals.impatient:
            self._modes.send(self._machine.mode(now_ns(), self._desk.thresholds.as_order()))
            time.sleep(TICK_MS * 1e-3)
            self._hearing.states()
            if not moves(self._seen.robot):
                return

    def _reload(self) -> None:
        """Start the processes with the configuration as it is in the file now; nothing floats by itself.

        A recorder is not started again: what its file says of the run holds no longer.
        """
        if self._first_start is not None:
            raise OperatorError("reload is refused while kernels are compiled; try again when all is ready")
        may_reload(self._machine, self._seen.robot)
        accepted = self._read_again()
        configuration = accepted.configuration
        same_run(self._c, configuration)
        self._judge.configured(configuration)
        self._telling.service.reloading()
        self._children.end()
        self._c = configuration
        self._read_record()
        self._desk.configured(configuration)
        self._seen.configured(configuration.fri.timeout)
        for name in self._children.children:
            self._seen.forget(name)
            self._clock.ended(name)
        again = [p for p in (PROCESSES[name] for name in self._children.children) if p.revived]
        self._children = self._start([*self._table, *again], accepted)
        self._telling.service.ready()
        self._order("reload")

    def _read_record(self) -> None:
        """Read what is kept of the check of the wrench for this configuration, and tell the judge."""
        self._record = WrenchRecord(self._state.path, self._c)
        self._record.tell(self._judge)
        if self._state.forgets:
            self._judge.order(FORGETS, self._state.forgets)

    def _take_wrench(self, judge: Judge, arguments: str) -> str:
        return self._record.take(judge, arguments)

    def _hang_up(self) -> None:
        """Reload as a signal asks for it, which nobody can answer."""
        try:
            self._reload()
        except ZeroGError as error:
            self._display.event(str(error), logging.WARNING)

    def _pids(self) -> dict[str, int]:
        """Return the processes by name, this one included."""
        return {n: child.popen.pid for n, child in self._children.children.items()} | {"daemon": os.getpid()}
