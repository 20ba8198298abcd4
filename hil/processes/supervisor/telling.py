"""What the daemon tells of its run: to the operator, to the service manager, and to whoever asks."""

import logging
from collections.abc import Iterable
from typing import Any

from hil.common.run_clock import RunClock
from hil.loop.judging.judge import Judge
from hil.loop.judging.liveness import Liveness
from hil.loop.judging.state_machine import State
from hil.messaging.bus import Bus
from hil.messaging.messages import ImpulseSlice, Wait
from hil.processes.supervisor.base_news import BaseNews
from hil.processes.supervisor.display import Display, service_line
from hil.processes.supervisor.grasp_news import GraspNews
from hil.processes.supervisor.notify import Service
from hil.processes.supervisor.operator_desk import OperatorDesk
from hil.processes.supervisor.pair_news import PairNews
from hil.processes.supervisor.real_time_watch import RealTimeWatch
from hil.processes.supervisor.sensor_news import SensorNews
from hil.processes.supervisor.tally import Tally
from hil.processes.supervisor.touch_watch import TouchWatch
from hil.processes.supervisor.waits import WaitTally

WHAT_NEXT = "  … look at the arm and remove the cause; then `zerog reset` and `zerog float`"


class Telling:
    """Counts and shows; it decides nothing.

    Attributes:
        display: the operator's.
        service: the service manager's side.
        first_float_ns: since when the object floats, or has floated for the first time; 0: not yet.
    """

    def __init__(
        self,
        display: Display,
        bus: Bus,
        clock: RunClock,
        judge: Judge,
        seen: Liveness,
        desk: OperatorDesk,
        facts: dict[str, Any],
        sensor: SensorNews,
        touch: TouchWatch,
        base: BaseNews,
        grasp: GraspNews,
        pair: PairNews,
    ) -> None:
        """Tell of a run; `facts` are those of its status that never change."""
        self.display, self.service = display, Service()
        self._tally, self._waits, self._real_time = Tally(), WaitTally(), RealTimeWatch()
        self._waited, self._sensor = bus.subscriber("wait", Wait), sensor
        self._clock, self._judge, self._seen, self._desk = clock, judge, seen, desk
        self._facts, self._touch, self._base, self._grasp, self._pair = facts, touch, base, grasp, pair
        self._before = judge.machine
        self.first_float_ns = 0

    def floated(self, gap_ns: int) -> None:
        """The object has floated for so long since the last turn."""
        self._tally.floated_ns += gap_ns

    def pushed(self, slices: Iterable[ImpulseSlice]) -> None:
        """Pushes were found."""
        for item in slices:
            self._tally.impulse(item, self._judge.machine.state is State.FLOATING)

    def changes(self, ready: bool) -> None:
        """Tell of the changes of state since the last call; of none before the run was `ready` once."""
        before, machine = self._before, self._judge.machine
        self._before = machine
        self._tally.transition(before, machine)
        if machine.epoch != before.epoch:
            self.first_float_ns = self.first_float_ns or self._clock.now_ns()
        if machine.state is not before.state and ready:
            text = f"{before.state} -> {machine.state}" + (f": {machine.reason}" if machine.reason else "")
            self.display.event(text, logging.ERROR if machine.state is State.FAULT else logging.INFO)
            if machine.state is State.FAULT:
                self.display.event(WHAT_NEXT)

    def turn(self, now_ns: int, ready: bool, compiling: bool, pids: Iterable[int]) -> None:
        """Tell what a turn has brought.

        Args:
            now_ns: now.
            ready: whether the run was ready once.
            compiling: whether kernels are being compiled, which has a line of its own.
            pids: of all processes.
        """
        self._real_time.watch(now_ns, self._seen, pids, self.display.event)
        self._sensor.hear()
        for wait in self._waited.drain():
            self._waits.take(wait)
        self._touch.turn()
        self._base.turn(now_ns)
        if news := self._waits.news(now_ns):
            self.display.event(news)
        status = self.status()
        self.service.turn(now_ns, self._seen, service_line(status))
        self.display.warning(status["warning"])
        if ready:
            self.display.status(now_ns * 1e-9, status)
        elif not compiling:
            self.display.progress(self._judge.machine.reason)

    def summary(self, memory: float) -> None:
        """Print what the run came to; `memory` is that of all processes [bytes]."""
        self.display.summary(self.status() | {"memory_mib": memory / 2**20})

    def status(self) -> dict[str, Any]:
        """Return all that is known of the run, as plain values."""
        desk, judge = self._desk, self._judge
        return (
            self._tally.status(judge.machine, self._seen)
            | self._facts
            | judge.status()
            | self._sensor.status()
            | self._waits.status(self._clock.waited_ns)
            | self._touch.status(self._clock.now_ns())
            | self._base.status(self._clock.now_ns())
            | self._grasp.status(self._clock.now_ns())
            | self._pair.status()
            | {
                "thresholds": desk.thresholds.as_status(),
                "derivative_threshold_n_per_s": desk.derivative_threshold,
                "energy_j": judge.energy.energy,
                "energy_explained_j": judge.energy.explained,
                "real_time": self._seen.real_time(),
                "real_time_load": self._real_time.load,
                "lost_lines": self.display.lost_lines,
            }
        )
