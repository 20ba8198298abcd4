"""The daemon's loop: children and topics watched, the state machine kept, operators answered.

It is never in the data path: driver, simulation and planner talk to each other directly. If it dies,
the children die with it (parent-death signal), the driver's answers stop and the robot brakes; if it
hangs, its order grows stale and the driver brakes.
"""

import signal
import time
from pathlib import Path
from typing import Any

import zmq

from hil.bus import Bus, runtime_directory
from hil.configuration import Configuration
from hil.energy_monitor import EnergyMonitor
from hil.errors import LinkError, ZeroGError
from hil.experimenter import Experimenter
from hil.message_codec import Message
from hil.messages import ImpulseSlice, Witness
from hil.process import EXIT_USER_ERROR
from hil.processes import processes_of
from hil.state_machine import MODE_TIMEOUT_NS, Machine, State
from hil.supervisor.children import Child, Children
from hil.supervisor.display import Display
from hil.supervisor.instance_lock import InstanceLock
from hil.supervisor.liveness import Liveness
from hil.supervisor.notify import notify
from hil.supervisor.operator_desk import OperatorDesk
from hil.supervisor.tally import Tally

EXIT_FAULT = 1  # the run ended in FAULT
TICK_MS = 20
BRAKE_TIMEOUT_NS = 800_000_000  # for the arm to come to rest before the processes are ended
MAX_RESTARTS = 3  # of one process; then the fault stands


class Daemon:
    """One run from start to end."""

    def __init__(
        self,
        configuration: Configuration,
        path: Path,
        extra: list[str],
        duration_s: float | None,
        site: str = "",
    ) -> None:
        directory = runtime_directory(configuration.run.runtime_directory)
        self._c = configuration
        self._duration_s = duration_s
        self._display = Display()
        self._lock = InstanceLock(directory)
        self._bus = Bus(directory)
        table = processes_of(configuration.robot.kind, site)
        everywhere = table if not site else [*table, *processes_of(configuration.robot.kind)]
        self._seen = Liveness(list(dict.fromkeys(process.name for process in everywhere)), bool(site))
        self._machine = Machine()
        self._tally = Tally()
        self._modes = self._bus.publisher("mode")
        self._readers = [self._bus.subscriber(topic, Message) for topic in self._seen.topics()]
        self._impulses = self._bus.subscriber("impulse", ImpulseSlice)
        self._witnesses = self._bus.subscriber("witness", Witness)
        self._energy = EnergyMonitor(configuration)
        self._desk = OperatorDesk(self._bus, configuration.robot.kind == "emulated")
        self._experiments = Experimenter(configuration)
        self._was_ready = False
        self._ending = False
        self._turned_ns = time.monotonic_ns()
        self._moving_since_ns = self._first_float_ns = 0
        self._children = Children(table, path, directory, extra)

    def run(self) -> int:
        """Run until the duration is over or a signal comes; return the exit status."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._end)
        self._display.event(f"zerog: {self._c.robot.kind} robot, {len(self._children.children)} processes")
        try:
            while not self._ending:
                self._turn()
            faulted = self._machine.state is State.FAULT
            self._come_to_rest()
        except ZeroGError as error:
            self._display.event(str(error))
            return EXIT_USER_ERROR
        finally:
            memory = self._children.proportional_memory()
            notify("STOPPING=1")
            self._children.end()
            self._bus.close()
            self._lock.release()
        self._display.summary(self._status() | {"memory_mib": memory / 2**20})
        return EXIT_FAULT if faulted else 0

    def _end(self, *_: object) -> None:
        self._ending = True

    def _turn(self) -> None:
        """One turn of 20 ms, sooner when a child ends or an operator asks."""
        poller = zmq.Poller()
        poller.register(self._desk.socket, zmq.POLLIN)
        for child in self._children.children.values():
            poller.register(child.pidfd, zmq.POLLIN)
        poller.poll(TICK_MS)
        now_ns = time.monotonic_ns()
        gap_ns, self._turned_ns = now_ns - self._turned_ns, now_ns
        if self._machine.moving:
            self._tally.floated_ns += gap_ns
            if gap_ns > MODE_TIMEOUT_NS:  # the driver has braked meanwhile: nothing goes on by itself
                self._go(self._machine.fault(f"the daemon stalled for {gap_ns * 1e-9:.1f} s"))
        for child in self._children.ended():
            self._child_ended(child)
        for reader in self._readers:
            for msg in reader.drain():
                self._seen.hear(now_ns, msg)
        for item in self._impulses.drain():
            self._tally.impulse(item)
            self._experiments.hear(item)
            self._energy.push(item)
        for statement in self._witnesses.drain():
            self._energy.witness(statement)
        self._judge(now_ns)
        self._go(self._desk.serve(self._machine, self._status))
        self._modes.send(self._machine.mode(now_ns))
        notify("WATCHDOG=1")
        self._show(now_ns)
        if self._duration_s is not None and self._moving_since_ns:
            self._ending |= now_ns - self._first_float_ns >= self._duration_s * 1e9

    def _judge(self, now_ns: int) -> None:
        """Let the state machine hear of everything that was seen."""
        machine = self._machine.health(self._seen.missing(now_ns))
        robot, plan = self._seen.robot, self._seen.plan
        if robot is not None and robot.fault and machine.moving:
            machine = machine.fault(robot.fault)
        if machine.moving and self._c.run.follow:
            stuck = self._seen.stuck(now_ns, self._moving_since_ns)
            machine = machine.fault(stuck) if stuck else machine
        if plan is not None and plan.epoch == machine.epoch:
            machine = machine.policy(plan.policy, plan.reason)
        machine = self._energy.step(now_ns, machine, self._seen.sim)
        moving = robot is not None and (robot.following or bool(robot.dq_command.any()))
        machine = self._experiments.step(now_ns, machine, moving)
        if machine.state is State.READY and not self._was_ready:
            self._was_ready = True
            notify("READY=1")
            self._display.event("READY")
            if self._c.run.float_at_start:
                machine = machine.float()
        elif machine.state is State.READY and self._experiments.waiting:
            machine = machine.float()
        self._go(machine)

    def _go(self, machine: Machine) -> None:
        before, self._machine = self._machine, machine
        self._tally.transition(before, machine)
        if machine.epoch != before.epoch:
            self._moving_since_ns = time.monotonic_ns()
            self._first_float_ns = self._first_float_ns or self._moving_since_ns
        if machine.state is not before.state and self._was_ready:
            self._display.event(
                f"{before.state} -> {machine.state}" + (f": {machine.reason}" if machine.reason else "")
            )

    def _child_ended(self, child: Child) -> None:
        """A child died: the arm brakes (its answers or plans stop, and the order says FAULT at once)."""
        reason = self._children.reason(child)
        if not self._was_ready:
            raise LinkError(reason)
        self._seen.forget(child.process.name)
        self._go(self._machine.fault(reason))
        if child.restarts < MAX_RESTARTS:
            self._children.restart(child)
        else:
            raise LinkError(f"{reason}; it was started {MAX_RESTARTS + 1} times and is given up")

    def _come_to_rest(self) -> None:
        """Order the stop and wait until the arm stands."""
        self._go(self._machine.stop("the run is over"))
        deadline_ns = time.monotonic_ns() + BRAKE_TIMEOUT_NS
        while time.monotonic_ns() < deadline_ns:
            self._modes.send(self._machine.mode(time.monotonic_ns()))
            time.sleep(TICK_MS * 1e-3)
            for reader in self._readers:
                for msg in reader.drain():
                    self._seen.hear(time.monotonic_ns(), msg)
            robot = self._seen.robot
            if robot is None or (not robot.following and not robot.dq_command.any()):
                return

    def _show(self, now_ns: int) -> None:
        if self._was_ready:
            self._display.status(now_ns * 1e-9, self._status())
        else:
            self._display.progress(self._machine.reason)

    def _status(self) -> dict[str, Any]:
        return self._tally.status(self._machine, self._seen) | {
            "energy_j": self._energy.energy,
            "energy_explained_j": self._energy.explained,
        }
