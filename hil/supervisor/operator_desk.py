"""Operators' requests to the running daemon, answered one at a time."""

import json
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import zmq

from hil.bus import Bus
from hil.errors import BadMessage, OperatorError, ZeroGError
from hil.message_codec import decode, encode
from hil.messages import Push, Reply, Request
from hil.state_machine import Machine, State
from hil.supervisor.disturbing import disturbance_from

MAX_PUSH_N = 200.0
MAX_PUSH_S = 10.0


class OperatorDesk:
    """The socket on which all operators' commands knock."""

    def __init__(self, bus: Bus, emulated: bool, reload: Callable[[Machine], Machine]) -> None:
        self.socket = bus.request_server()
        self._pushes = bus.publisher("push")
        self._disturbances = bus.publisher("disturbance")
        self._emulated = emulated
        self._reload = reload

    def serve(self, machine: Machine, status: Callable[[], dict[str, Any]]) -> Machine:
        """Answer what has come and return the machine as it is afterwards."""
        while self.socket.poll(0):
            try:
                request, _ = decode(self.socket.recv(zmq.NOBLOCK))
                if not isinstance(request, Request):
                    raise BadMessage(f"bus: {type(request).__name__} is no request")
                machine, text = self._obey(machine, request)
                accepted = True
            except ZeroGError as error:
                accepted, text = False, str(error)
            answer = status() | {"state": machine.state.value, "reason": machine.reason}
            reply = Reply(time.monotonic_ns(), accepted, text, json.dumps(answer, sort_keys=True))
            self.socket.send(encode(reply))
        return machine

    def _obey(self, machine: Machine, request: Request) -> tuple[Machine, str]:
        if request.verb == "status":
            return machine, ""
        if request.verb == "push":
            self._push(machine, request.arguments)
            return machine, "pushed"
        if request.verb == "test_push":
            self._test_push(machine, request.arguments)
            return machine, "pushed"
        if request.verb == "disturb":
            return machine, self._disturb(request.arguments)
        if request.verb == "reload":
            return self._reload(machine), "reloaded: all processes start with the new configuration"
        verbs = {"float": machine.float, "hold": machine.hold, "reset": machine.reset, "stop": machine.stop}
        if request.verb not in verbs:
            known = ", ".join((*verbs, "push", "test_push", "disturb", "reload", "status"))
            raise OperatorError(f"{request.verb!r} is no command; known: {known}")
        after = verbs[request.verb]()
        return after, f"{machine.state} -> {after.state}"

    def _push(self, machine: Machine, arguments: str) -> None:
        if not machine.moving:
            raise OperatorError(
                f"push is refused in {machine.state}: the object does not float; float it first"
            )
        self._pushes.send(_push_from(arguments))

    def _test_push(self, machine: Machine, arguments: str) -> None:
        """Push the resting emulated arm: the wrench shows it, nothing moves."""
        if not self._emulated:
            raise OperatorError("test_push is refused with a real robot: it pushes the emulation only")
        if machine.state is not State.READY:
            raise OperatorError(f"test_push is refused in {machine.state}: the arm must stand and be READY")
        self._pushes.send(_push_from(arguments))

    def _disturb(self, arguments: str) -> str:
        if not self._emulated:
            raise OperatorError("disturb is refused with a real robot: it disturbs the emulation only")
        disturbance = disturbance_from(arguments)
        self._disturbances.send(disturbance)
        return f"disturbed for {disturbance.duration:g} s" if disturbance.duration else "cleared"


def _push_from(arguments: str) -> Push:
    """Return the push that an operator asks for, or refuse it."""
    values = json.loads(arguments)
    force, duration = np.array(values["force_n"], float), float(values["duration_ms"]) * 1e-3
    point = np.array(values["at_mm"], float) * 1e-3
    if not np.isfinite([*force, duration, *point]).all():
        raise OperatorError("push: force, duration and point must be finite numbers")
    if np.linalg.norm(force) > MAX_PUSH_N:
        raise OperatorError(f"push: force {np.linalg.norm(force):.0f} N must be at most {MAX_PUSH_N:.0f} N")
    if not 0.005 <= duration <= MAX_PUSH_S:
        raise OperatorError(f"push: duration {duration * 1e3:.0f} ms must lie within 5 and 10000 ms")
    return Push(time.monotonic_ns(), force, duration, point)
