"""Operators' requests to the running daemon, answered one at a time."""

import json
import logging
from collections.abc import Callable
from typing import Any, Protocol

import zmq

from hil.common.errors import BadMessage, OperatorError, ZeroGError
from hil.common.run_clock import RunClock
from hil.configuration import Configuration
from hil.configuration.base_rules import object_caps
from hil.loop.judging.judge import Judge
from hil.loop.judging.real_arm import CHECKED
from hil.loop.judging.state_machine import Machine, State
from hil.messaging.bus import Bus
from hil.messaging.codec import Message, decode, encode
from hil.messaging.messages import Reply, Request
from hil.processes.supervisor.answers import answer_to, pushed, thresholds_in_force
from hil.processes.supervisor.asked import approach_from, beat_from, motion_from, push_from, thresholds_from
from hil.processes.supervisor.disturbing import disturbance_from
from hil.wrench.detector.thresholds import PushThresholds
from hil.wrench.noise_learning import noise_from_configuration

log = logging.getLogger("zerog.desk")
# what an operator's word does to the state, and with which argument
ARGUMENTS = {"float": "", "hold": "", "reset": "", "stop": "by the operator"}
LEAD_TO_MOTION = ("float", "reset", "reload")  # not to be obeyed behind the back of who has given up waiting
WAITED_NS = 1_500_000_000  # after which that may be: askers wait for 2 s, and the answer needs its time


class Sender(Protocol):
    """Where a message goes."""

    def send(self, msg: Message) -> None:
        """Send it."""


class OperatorDesk:
    """The socket on which all operators' commands knock."""

    def __init__(
        self,
        bus: Bus,
        configuration: Configuration,
        reload: Callable[[], None],
        wrench_checked: Callable[[Judge, str], str] | None = None,
        clock: RunClock | None = None,
    ) -> None:
        self.socket = bus.request_server()
        self._pushes: Sender = bus.publisher("push")
        self._disturbances: Sender = bus.publisher("disturbance")
        self._reload, self._wrench_checked = reload, wrench_checked
        self._clock = clock or RunClock()
        self.configured(configuration)

    def configured(self, configuration: Configuration) -> None:
        """Take what a configuration says of robot, stops and thresholds."""
        self._emulated = configuration.robot.kind == "emulated"
        self._caps = object_caps(configuration)
        self.thresholds = PushThresholds.of(configuration.detector)
        c = configuration
        self._noise = noise_from_configuration(c.detector, c.filter, c.fri.sample_time).derivative

    @property
    def derivative_threshold(self) -> float:
        """What the norm of the filtered wrench's derivative must pass now [N/s]."""
        return self.thresholds.derivative(self._noise)

    def serve(self, judge: Judge, status: Callable[[], dict[str, Any]]) -> None:
        """Answer what has come; orders go to the judge, which checks them against the state."""
        while self.socket.poll(0):
            try:
                request, _ = decode(self.socket.recv(zmq.NOBLOCK))
                if not isinstance(request, Request):
                    raise BadMessage(f"bus: {type(request).__name__} is no request")
                text = self._obey(judge, request)
                accepted = True
            except ZeroGError as error:
                accepted, text = False, str(error)
            except Exception as error:  # no request of anybody's ends the run
                log.exception("a request failed")
                accepted, text = False, f"the request failed: {type(error).__name__}: {error}"
            answer = status() | {"state": judge.machine.state.value, "reason": judge.machine.reason}
            reply = Reply(self._clock.now_ns(), accepted, text, json.dumps(answer, sort_keys=True))
            self.socket.send(encode(reply))

    def _obey(self, judge: Judge, request: Request) -> str:
        machine = judge.machine
        waited_ns = self._clock.now_ns() - request.t_ns
        if request.verb in LEAD_TO_MOTION and waited_ns > WAITED_NS:
            raise OperatorError(
                f"{request.verb} is refused: it was asked for {1e-9 * waited_ns:.1f} s ago, when nobody "
                "could answer; ask again"
            )
        if request.verb == "status":
            return ""
        if request.verb == "push":
            return self._push(machine, request.arguments)
        if request.verb == "test_push":
            return self._test_push(machine, request.arguments)
        if request.verb == "disturb":
            return self._disturb(request.arguments)
        if request.verb == "reload":
            self._reload()
            return "reloaded: all processes start with the new configuration"
        if request.verb == "thresholds":
            self.thresholds = thresholds_from(request.arguments, self.thresholds)
            return thresholds_in_force(self.thresholds)
        if request.verb == CHECKED and self._wrench_checked is not None:
            return self._wrench_checked(judge, request.arguments)
        if request.verb == "approach":
            judge.order("approach", repr(approach_from(request.arguments)))
            return judge.approaching.granted
        if request.verb == "calibrate":
            judge.order("calibrate")
            return judge.approaching.granted
        if request.verb == "beat":
            judge.order("beat", beat_from(request.arguments, request.t_ns))
            return ""
        if request.verb not in ARGUMENTS:
            others = (
                "approach",
                "calibrate",
                "beat",
                "push",
                "test_push",
                "thresholds",
                "disturb",
                "reload",
                "status",
            )
            known = ", ".join((*ARGUMENTS, *others))
            raise OperatorError(f"{request.verb!r} is no command; known: {known}")
        argument = ARGUMENTS[request.verb]
        if request.verb == "float":
            argument = json.dumps(motion_from(request.arguments, self._caps))
        return answer_to(request.verb, machine, judge.order(request.verb, argument))

    def _push(self, machine: Machine, arguments: str) -> str:
        if not self._emulated:
            raise OperatorError("push is refused with a real robot: push the mock-up by hand")
        if not machine.moving:
            raise OperatorError(
                f"push is refused in {machine.state}: the object does not float; float it first"
            )
        return self._sent(arguments)

    def _test_push(self, machine: Machine, arguments: str) -> str:
        """Push the resting emulated arm: the wrench shows it, nothing moves."""
        if not self._emulated:
            raise OperatorError("test_push is refused with a real robot: it pushes the emulation only")
        if machine.state is not State.READY:
            raise OperatorError(f"test_push is refused in {machine.state}: the arm must stand and be READY")
        return self._sent(arguments)

    def _sent(self, arguments: str) -> str:
        push = push_from(arguments, self._clock.now_ns())
        self._pushes.send(push)
        return pushed(push)

    def _disturb(self, arguments: str) -> str:
        if not self._emulated:
            raise OperatorError("disturb is refused with a real robot: it disturbs the emulation only")
        disturbance = disturbance_from(arguments, self._clock.now_ns())
        self._disturbances.send(disturbance)
        return f"disturbed for {disturbance.duration:g} s" if disturbance.duration else "cleared"
