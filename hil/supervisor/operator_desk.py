"""Operators' requests to the running daemon, answered one at a time."""

import json
import logging
import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import zmq
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from hil.bus import Bus
from hil.errors import BadMessage, OperatorError, ZeroGError
from hil.message_codec import decode, encode
from hil.messages import Push, Reply, Request
from hil.state_machine import Machine, State
from hil.supervisor.disturbing import disturbance_from

log = logging.getLogger("zerog.desk")
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
            except Exception as error:  # no request of anybody's ends the run
                log.exception("a request failed")
                accepted, text = False, f"the request failed: {type(error).__name__}: {error}"
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
        if not self._emulated:
            raise OperatorError("push is refused with a real robot: push the mock-up by hand")
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


class _AskedPush(BaseModel):
    """What an operator says of a push."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)
    force_n: tuple[float, float, float]
    duration_ms: float = Field(ge=5.0, le=1e3 * MAX_PUSH_S)
    at_mm: tuple[float, float, float] = (0.0, 0.0, 0.0)


def _push_from(arguments: str) -> Push:
    """Return the push that an operator asks for, or refuse it."""
    try:
        asked = _AskedPush.model_validate_json(arguments)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "arguments"
        raise OperatorError(f"push: {where}: {first['msg']}") from error
    force = math.hypot(*asked.force_n)
    if force > MAX_PUSH_N:
        raise OperatorError(f"push: force {force:.4g} N must be at most {MAX_PUSH_N:.0f} N")
    return Push(
        time.monotonic_ns(), np.array(asked.force_n), asked.duration_ms * 1e-3, np.array(asked.at_mm) * 1e-3
    )
