"""The supervisor of the compute host in a split run: starts and watches bridge, simulation and planner.

It has no say in what the arm does: the daemon on the robot's host keeps the states. What dies here is started
again, and the daemon there takes note of it, by the link or by heartbeats that fail to come.
"""

import json
import signal
import time
from pathlib import Path
from typing import Any

import zmq

from hil.common.errors import BadMessage, LinkError, ZeroGError
from hil.configuration.loading import Accepted
from hil.loop.judging.liveness import Liveness
from hil.messaging.bus import Bus
from hil.messaging.codec import Message, decode, encode
from hil.messaging.messages import Mode, Reply, Request
from hil.messaging.runtime_directory import runtime_directory
from hil.processes.bridge.sites import COMPUTE
from hil.processes.context import EXIT_USER_ERROR
from hil.processes.first_start.kernels import warmed_names
from hil.processes.first_start.stage import FirstStart
from hil.processes.supervisor.children import ACCEPTED, Child, Children
from hil.processes.supervisor.display import Display
from hil.processes.supervisor.instance_lock import InstanceLock
from hil.processes.supervisor.notify import notify
from hil.processes.supervisor.tally import link_status
from hil.processes.table import processes_of

TICK_MS = 100
RESTART_NS = 1_000_000_000  # between two starts of a process that keeps dying


class ComputeHost:
    """One `zerog run --only sim,planner` from start to end."""

    def __init__(self, accepted: Accepted, path: Path, extra: list[str]) -> None:
        configuration = accepted.configuration
        directory = runtime_directory(configuration.run.runtime_directory)
        self._display = Display()
        self._lock = InstanceLock(directory)
        self._bus = Bus(directory)
        table = processes_of(configuration.robot.kind, COMPUTE)
        self._seen = Liveness([process.name for process in table], split=True)
        topics = [*self._seen.topics(), "mode"]
        self._readers = [self._bus.subscriber(topic, Message) for topic in topics]
        self._requests = self._bus.request_server()
        self._mode: Mode | None = None
        self._was_ready = self._ending = False
        self._started_ns = {process.name: time.monotonic_ns() for process in table}
        self._children = Children([], path, accepted, directory, extra)
        words = [f"--content={directory / ACCEPTED}", *(word for word in extra if word.startswith("--set="))]
        self._table, self._first_start = table, FirstStart(configuration, path, warmed_names(table), words)

    def run(self) -> int:
        """Run until a signal comes; return the exit status."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._end)
        names = ", ".join(process.name for process in self._table)
        self._display.event(f"zerog: compute host, {names}; the daemon is on the robot's host")
        notify("READY=1")  # as a service: waiting for the other host is what it is there for
        try:
            while not self._ending:
                self._turn()
        except ZeroGError as error:
            self._display.event(str(error))
            return EXIT_USER_ERROR
        finally:
            notify("STOPPING=1")
            self._first_start.end()
            self._children.end()
            self._bus.close()
            self._lock.release()
        restarts = sum(child.restarts for child in self._children.children.values())
        self._display.event(f"ended: {restarts} processes were started again")
        return 0

    def _end(self, *_: object) -> None:
        self._ending = True

    def _turn(self) -> None:
        """One turn of 100 ms, sooner when somebody asks."""
        self._requests.poll(TICK_MS)
        now_ns = time.monotonic_ns()
        if not self._children.children:
            self._compile()
        self._children.relay()
        for child in self._children.ended():
            self._child_ended(now_ns, child)
        for reader in self._readers:
            for msg in reader.drain():
                if isinstance(msg, Mode):
                    self._mode = msg
                else:
                    self._seen.hear(now_ns, msg)
        missing = self._seen.missing_processes(now_ns)
        if not missing and not self._was_ready:
            self._was_ready = True
            self._display.event("READY")
        self._serve(now_ns)
        notify("WATCHDOG=1")
        if self._was_ready:
            self._display.status(now_ns * 1e-9, self.status(now_ns))
        elif self._children.children:
            self._display.progress(missing)

    def _compile(self) -> None:
        """Go on with the first start; when it is over, start the processes."""
        self._first_start.turn()
        if self._first_start.running:
            self._display.live(time.monotonic(), f"  … {self._first_start.text}")
        else:
            self._children.start(self._table)

    def _child_ended(self, now_ns: int, child: Child) -> None:
        name = child.process.name
        if now_ns - self._started_ns[name] < RESTART_NS:
            return  # it keeps dying: not oftener than once a second
        reason = self._children.reason(child)
        if not self._was_ready and child.popen.returncode == EXIT_USER_ERROR:
            raise LinkError(reason)  # a mistake that another start does not mend
        self._display.event(f"{reason}; it is started again")
        self._seen.forget(name)
        self._started_ns[name] = now_ns
        self._children.restart(child)

    def _serve(self, now_ns: int) -> None:
        """Answer `zerog status`; everything else is the daemon's business."""
        while self._requests.poll(0):
            try:
                request, _ = decode(self._requests.recv(zmq.NOBLOCK))
                if not isinstance(request, Request):
                    raise BadMessage(f"bus: {type(request).__name__} is no request")
                accepted = request.verb == "status"
                text = "" if accepted else f"{request.verb} is refused here: give it on the robot's host"
            except BadMessage as error:
                accepted, text = False, str(error)
            status = json.dumps(self.status(now_ns), sort_keys=True)
            self._requests.send(encode(Reply(now_ns, accepted, text, status)))

    def status(self, now_ns: int) -> dict[str, Any]:
        """Return the state of this host as plain values, units in the names."""
        link = self._seen.link
        mode = self._mode if link is not None and link.live else None
        return {
            "state": "WAITING" if mode is None else mode.state,
            "reason": self._seen.missing_processes(now_ns) or ("" if mode is None else mode.reason),
            "position_mm": None,
            "warning": "",
            "restarts": {name: child.restarts for name, child in self._children.children.items()},
            **link_status(link),
        }
