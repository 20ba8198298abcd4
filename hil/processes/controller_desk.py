"""Requests to an emulated controller that runs alone: pushes, disturbances, a weight at the arm."""

import json
import time

import numpy as np
import zmq
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from drivers.emulation.controller.controller import EmulatedController
from drivers.emulation.operator.hung_weight import HungWeight
from hil.common.errors import BadMessage, OperatorError, ZeroGError
from hil.configuration.frames import Frames
from hil.messaging.bus import Bus
from hil.messaging.codec import decode, encode
from hil.messaging.messages import Disturbance, Push, Reply, Request
from hil.processes.supervisor.asked import push_from
from hil.processes.supervisor.disturbing import disturbance_from

MAX_WEIGHT_KG = 10.0


class _Weight(BaseModel):
    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    weight_kg: float = Field(ge=0.0, le=MAX_WEIGHT_KG)
    lever_mm: tuple[float, float, float] = (0.0, 0.0, 0.0)


class ControllerDesk:
    """The socket on which they knock. Everything is done within the controller's own cycle.

    Attributes:
        pushes: asked for and not begun yet.
        disturbances: the same.
    """

    def __init__(self, bus: Bus, frames: Frames) -> None:
        self._socket, self._frames = bus.request_server(), frames
        self.pushes: list[Push] = []
        self.disturbances: list[Disturbance] = []

    def serve(self, controller: EmulatedController) -> None:
        """Answer what has come; waits for nothing."""
        while self._socket.poll(0):
            try:
                request, _ = decode(self._socket.recv(zmq.NOBLOCK))
                if not isinstance(request, Request):
                    raise BadMessage(f"bus: {type(request).__name__} is no request")
                accepted, text = True, self._obey(controller, request)
            except ZeroGError as error:
                accepted, text = False, str(error)
            answer = json.dumps(state_of(controller))
            self._socket.send(encode(Reply(time.monotonic_ns(), accepted, text, answer)))

    def take_pushes(self) -> list[Push]:
        """Return the pushes asked for since the last call."""
        taken, self.pushes = self.pushes, []
        return taken

    def take_disturbances(self) -> list[Disturbance]:
        """Return the disturbances asked for since the last call."""
        taken, self.disturbances = self.disturbances, []
        return taken

    def _obey(self, controller: EmulatedController, request: Request) -> str:
        if request.verb == "push":
            self.pushes.append(push_from(request.arguments, time.monotonic_ns()))
            return "pushed"
        if request.verb == "disturb":
            disturbance = disturbance_from(request.arguments, time.monotonic_ns())
            self.disturbances.append(disturbance)
            return f"disturbed for {disturbance.duration:g} s" if disturbance.duration else "cleared"
        if request.verb == "weight":
            return self._hang(controller, request.arguments)
        raise OperatorError(
            f"{request.verb!r} is no command to an emulated controller; known: push, disturb, weight"
        )

    def _hang(self, controller: EmulatedController, arguments: str) -> str:
        try:
            asked = _Weight.model_validate_json(arguments)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"]) or "arguments"
            raise OperatorError(f"weight: {where}: {first['msg']}") from error
        if not asked.weight_kg:
            controller.operator.weight = None
            return "nothing hangs at the arm"
        lever = 1e-3 * np.array(asked.lever_mm)
        controller.operator.weight = HungWeight(self._frames, asked.weight_kg, lever)
        return f"{asked.weight_kg:g} kg hang {list(asked.lever_mm)} mm from the tcp"


def state_of(controller: EmulatedController) -> dict[str, object]:
    """Return how the controller is, as plain values."""
    return {
        "session": controller.state.name.lower(),
        "quality": controller.quality.name.lower(),
        "fall_back_reason": controller.fall_back_reason,
        "commands": controller.monitor.commands,
        "violations": controller.monitor.violations,
        "violation": controller.monitor.first,
    }
