"""The driver process: paced by the robot's own packets, every one of which is answered.

It never leaves a moving arm: whatever ends it, the arm is braked first (`hil.loop.driver.leaving`).
"""

import os
import sys
from dataclasses import dataclass

from drivers.fri.client import FriClient
from drivers.fri.session import FriSample
from drivers.sensor.clients import client_of
from drivers.sensor.rdt import SensorRecord
from hil.common.clock import nanoseconds
from hil.common.run_clock import Mark
from hil.configuration import Configuration
from hil.configuration.sensor import has_own_sensor
from hil.configuration.spin import granted_spin
from hil.loop.carried.carried_arm import carried_by
from hil.loop.driver.core import DriverCore
from hil.loop.driver.cycle import Counters, Cycle
from hil.loop.driver.cycle_log import CycleLog, slice_times
from hil.loop.driver.leaving import Leaving
from hil.loop.driver.statistics import DriverStatistics
from hil.loop.input_log import DriverInputLog
from hil.loop.sensor_log import SensorInputLog
from hil.messaging.inside_messages import InsideState, InsideTaken
from hil.messaging.messages import Mode, Plan
from hil.processes.base_link import BaseLink
from hil.processes.context import ProcessContext, run_process
from hil.processes.grasp_link import grasp_link_of
from planner.kinematics.arm_model import load_arm_model

STATE_PERIOD_NS = 10_000_000  # of RobotState; the ring does not wait for it
SENSOR_PERIOD_NS = 100_000_000  # of SensorState
MOST_RECORDS = 4096  # of a force sensor, for one turn
HEARING_S = 0.01  # without a packet, the others are heard so often


@dataclass(slots=True, eq=False)
class Answered:
    """A turn whose answer has left."""

    samples: list[FriSample]
    records: list[SensorRecord]  # of a force sensor, which the core was given before them
    order: Mode | None  # that held
    cycle: Cycle
    stamps: tuple[int, int, int, int]  # work began, wrench judged, command decided, answer sent [ns]


class Shell:
    """The core wired to the robot and the bus: first the answer, then what nobody waits for."""

    def __init__(self, context: ProcessContext) -> None:
        c, bus = context.configuration, context.bus
        self._clock = context.clock
        self.client = FriClient(c.fri, granted_spin(c)[0], self._clock)
        self._sensor = client_of(c.sensor, self._clock) if has_own_sensor(c) else None
        self._records: list[SensorRecord] = []  # that have come while no packet did
        # long before the first packet: who listens has found them by then, and misses nothing
        self._inputs = bus.publisher("driver_inputs")
        self._impulses, self._states = bus.publisher("impulse"), bus.publisher("robot_state")
        self._witnesses, self._contacts = bus.publisher("witness"), bus.publisher("contact")
        self._timings = bus.publisher("drive_timing")
        self._cycles, self._times = bus.publisher("cycles"), bus.publisher("slice_times")
        self._felt, self._sensor_states = bus.publisher("sensor_inputs"), bus.publisher("sensor_state")
        self._grasp = grasp_link_of(c, bus, self._clock)
        self.core = context.warmed("loading the driver's cycle", lambda: warm_core(c))
        carried = self.core.carried
        self._base = None if carried is None else BaseLink(c, bus, self._clock, carried)
        if self._grasp is not None:
            self._grasp.begin(self.core)
        self._modes, self._plans = bus.subscriber("mode", Mode), bus.subscriber("plan", Plan)
        inside = c.object.inside is not None
        self._insides = bus.subscriber("inside_state", InsideState) if inside else None
        self._insides_taken = bus.publisher("inside_taken") if inside else None
        self._sensed, self._next_sensor_ns = SensorInputLog(os.getpid()), 0
        self._log = CycleLog(c.fri.sample_time)
        self._consumed = DriverInputLog(c.fri.sample_time, os.getpid())
        self._statistics = DriverStatistics()
        self._timeout_ns = nanoseconds(c.fri.timeout)
        self._heard_ns = self._clock.now_ns()  # when a packet came last, or was first waited for
        self._mode: Mode | None = None
        self._plan: Plan | None = None  # that has come while no packet did
        self._next_state_ns = 0

    def answer(self, leaving: bool) -> Answered | None:
        """Answer the newest packet; None if none comes in time. Who is leaving obeys no order: it brakes."""
        core, client, now_ns = self.core, self.client, self._clock.now_ns
        client.session.keep_steady(core.afloat)
        samples = client.receive(HEARING_S)
        begin_ns = now_ns()
        self._poll_sensor()
        place = 2 * self._consumed.taken
        if not samples:
            self._hear(place)
            if self.silent:
                self._say_silence(begin_ns)
            self._drive(place, begin_ns, None if leaving or self.silent else self._mode)
            if self._grasp is not None:
                self._grasp.turn(self._consumed.taken, None if leaving or self.silent else self._mode)
            return None
        self._heard_ns = begin_ns
        newest = samples[-1]
        if len(samples) > 1:  # we were held up: an order may have come since the last one was read
            self._hear(place)
        order = None if leaving else self._mode
        judged_ns = begin_ns
        # whatever goes wrong in a cycle is a fault and a stop; from here on a command has been chosen
        records, self._records = self._records, []
        try:
            core.sense(records)
            for sample in samples:
                core.observe(sample)
            judged_ns = now_ns()
            cycle = core.cycle(newest, order)
        except Exception as error:
            cycle = core.emergency(newest, error)
        decided_ns = now_ns()
        if not cycle.withheld:
            client.reply(newest, cycle.q_command)
        return Answered(samples, records, order, cycle, (begin_ns, judged_ns, decided_ns, now_ns()))

    @property
    def moving(self) -> bool:
        """Whether arm or base is told to move."""
        return self.core.moving or (self._base is not None and self._base.moving)

    def _drive(self, place: int, now_ns: int, order: Mode | None) -> None:
        """Command the base, if there is one; without an order, or with a fault, it brakes.

        `place` among the samples, as in `BaseInputs`.
        """
        if self._base is not None:
            self._base.drive(place, now_ns, None if self.core.fault else order)

    def _poll_sensor(self) -> None:
        """Take what a force sensor has sent; of a long time without packets only the newest is kept."""
        if self._sensor is not None:
            self._records += self._sensor.poll()
            del self._records[:-MOST_RECORDS]

    @property
    def trouble(self) -> str:
        """Why nothing can begin, in words: the robot's stream, a force sensor, a base; empty if nothing."""
        return self.client.trouble or self.core.lacking(self._clock.now_ns())

    @property
    def silent(self) -> bool:
        """Whether the robot has sent nothing for too long."""
        return self._clock.now_ns() - self._heard_ns >= self._timeout_ns

    def _hear(self, place: int) -> None:
        """Hear the others, `place` among the samples; tell how far we have come: they may wait for that."""
        self._mode, self._plan = self._modes.newest() or self._mode, self._plans.newest() or self._plan
        if self._mode is not None:
            self._clock.mark(Mark.ORDERED, self._mode.t_ns)
        if self._plan is not None:
            self._clock.mark(Mark.PLANNED, self._plan.t_ns)
        if self._base is not None:
            self._base.hear(place)

    def _say_silence(self, now_ns: int) -> None:
        """Tell that the robot is silent."""
        if self.core.silence() and now_ns >= self._next_state_ns:
            self._next_state_ns = now_ns + STATE_PERIOD_NS
            self._states.send(self.core.state(now_ns, self._counters(now_ns)))

    def _counters(self, now_ns: int) -> Counters:
        return self._statistics.counters(now_ns, self.client.unsent, self.client.unsent_reason)

    def tell(self, turn: Answered) -> None:
        """Tell the others of a turn, and hear them."""
        core, newest, statistics = self.core, turn.samples[-1], self._statistics
        begin_ns, _, _, end_ns = turn.stamps
        slices, published_ns = core.slices_of(turn.cycle), []
        for item in slices:
            published_ns.append(self._clock.now_ns())
            self._impulses.send(item)
        # orders and plans are obeyed from the next answer on: no answer waits until they are read
        place = 2 * (self._consumed.taken + len(turn.samples)) - 1
        self._hear(place)
        plan, self._plan = self._plan, None
        plan = plan if self._base is None else self._base.paired(plan)
        self._hear_inside(newest.t_ns, len(turn.samples))
        conclusion = core.conclude(newest, slices, plan)
        for statement in conclusion.witnesses:
            self._witnesses.send(statement)
        for touch in conclusion.contacts:
            self._contacts.send(touch)
        for timing in conclusion.drives:
            self._timings.send(timing)
        statistics.ring(conclusion.ring)
        statistics.add(begin_ns, newest.t_ns, end_ns, newest.missed_answers, len(turn.samples) - 1)
        self._drive(place, end_ns, turn.order)
        block = self._log.add(newest, turn.stamps, core.q_command, core.wrench_object, core.following)
        if block is not None:
            self._cycles.send(block)
        self._tell_of_sensor(turn, end_ns)
        told = self._consumed.add(turn.samples, core.q_command, turn.order, plan)
        if told is not None:
            self._inputs.send(told)
        news = slice_times(slices, published_ns, turn.cycle.plan, end_ns)
        if news is not None:
            self._times.send(news)
        if end_ns >= self._next_state_ns:
            self._next_state_ns = end_ns + STATE_PERIOD_NS
            self._states.send(core.state(newest.t_ns, self._counters(end_ns)))
        if self._grasp is not None:
            self._grasp.turn(self._consumed.taken, turn.order, newest.t_ns)

    def _hear_inside(self, t_ns: int, samples: int) -> None:
        """Hear how an object with bodies inside answers pushes, before the turn's samples are booked."""
        state = None if self._insides is None else self._insides.newest()
        if state is None or self._insides_taken is None:
            return
        self.core.hear_inside(state)
        self._insides_taken.send(InsideTaken(t_ns, os.getpid(), self._consumed.taken + samples, state.t_ns))

    def _tell_of_sensor(self, turn: Answered, end_ns: int) -> None:
        """Tell what a force sensor has sent, and how its stream is; before the turn's samples are booked."""
        if self._sensor is None:
            return
        told = self._sensed.add(self._consumed.taken, turn.records)
        if told is not None:
            self._felt.send(told)
        if end_ns >= self._next_sensor_ns:
            self._next_sensor_ns = end_ns + SENSOR_PERIOD_NS
            state = self.core.sensor_state(turn.samples[-1].t_ns)
            if state is not None:
                self._sensor_states.send(state)

    def close(self) -> None:
        """Tell what has not been told yet, and release the port."""
        block, told, felt = self._log.rest(), self._consumed.rest(), self._sensed.rest()
        if felt is not None:
            self._felt.send(felt)
        if block is not None:
            self._cycles.send(block)
        if told is not None:
            self._inputs.send(told)
        if self._base is not None:
            self._base.close()
        if self._grasp is not None:
            self._grasp.close()
        self.client.close()
        if self._sensor is not None:
            self._sensor.close()
        self._clock.ended("driver")


def body(context: ProcessContext) -> None:
    """Answer the robot until the process is to end and the arm stands."""
    shell = Shell(context)
    leaving, now_ns = Leaving(context.configuration.limits), context.clock.now_ns
    context.tells = lambda: shell.trouble
    context.ready()
    shell.client.discard()
    while not leaving.over(now_ns()):
        try:
            turn = shell.answer(leaving.began)
            if turn is not None or shell.silent:
                leaving.turned(shell.moving, turn is not None)
            if turn is not None:
                shell.tell(turn)
            context.beat()
        except Exception as error:  # no failure ends the process before the arm stands
            leaving.begin(now_ns(), error)
        if context.stopping or shell.client.failure is not None:
            leaving.begin(now_ns(), shell.client.failure)
    shell.close()
    if leaving.failure is not None:
        raise leaving.failure


def warm_core(c: Configuration) -> DriverCore:
    """Return the driver's core, with everything compiled or loaded that it needs."""
    model = load_arm_model(c.robot.model)
    core = DriverCore(c, model, carried_by(c, model))
    core.warm()
    return core


if __name__ == "__main__":
    sys.exit(run_process("driver", body))
