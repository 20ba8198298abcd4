"""The running daemon from Python: the same desk as the commands `zerog float` and the like."""

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Any

from hil.common.errors import LinkError, OperatorError
from hil.loop.judging.state_machine import State
from hil.messaging.bus import Bus
from hil.messaging.messages import Request
from hil.messaging.runtime_directory import runtime_directory as folder_of_sockets

TIMEOUT_S = 2.0
POLL_S = 0.05
VECTORS = ("velocity_mm_s", "spin_deg_s", "force_n", "at_mm")
Number = float  # a method below is called as the command is: float


@dataclass(frozen=True)
class Status:
    """How the daemon is.

    Attributes:
        state: STOPPED, READY, APPROACHING, CALIBRATING, FLOATING, HOLDING or FAULT.
        reason: of the state, in words; empty if nothing is to be said.
        values: all that `zerog status --json` prints.
    """

    state: str
    reason: str
    values: Mapping[str, Any]


class Daemon:
    """Operates the daemon that `zerog run` started on this machine.

    Every method waits for its answer, `timeout_s` at most. A refusal raises OperatorError with the daemon's
    own words, silence LinkError; both are ZeroGError.
    """

    def __init__(self, runtime_directory: "str | Path" = "", timeout_s: Number = TIMEOUT_S) -> None:
        """Find the daemon.

        Args:
            runtime_directory: its folder of sockets, if not the usual one.
            timeout_s: for how long an answer is waited for.

        Raises:
            LinkError: no sockets can lie there.
        """
        if not 0.0 < timeout_s < Number("inf"):
            raise LinkError(f"timeout_s = {timeout_s!r} must be a number above 0")
        self._timeout_s = timeout_s
        self._bus: Bus | None = Bus(folder_of_sockets(str(runtime_directory)))

    def __enter__(self) -> "Daemon":
        """Return the daemon."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the connection; the daemon goes on as it is."""
        self.close()

    def close(self) -> None:
        """Close the connection; the daemon goes on as it is."""
        if self._bus is not None:
            self._bus.close()
            self._bus = None

    def status(self) -> Status:
        """Return how the daemon is."""
        return self._ask("status")[1]

    def float(
        self,
        *,
        velocity_mm_s: Sequence[Number] | None = None,
        spin_deg_s: Sequence[Number] | None = None,
    ) -> Status:
        """Let the object float: from READY anew, from HOLDING on.

        Args:
            velocity_mm_s: begin with this velocity, world axes, three numbers; from READY only.
            spin_deg_s: and with this angular velocity, world axes, three numbers.

        Raises:
            OperatorError: the daemon refuses.
            LinkError: no daemon answers.
        """
        return self._ask("float", velocity_mm_s=velocity_mm_s, spin_deg_s=spin_deg_s)[1]

    def hold(self) -> Status:
        """Bring object time to a stand; errors as in `float`."""
        return self._ask("hold")[1]

    def push(
        self,
        force_n: Sequence[Number],
        *,
        duration_ms: Number,
        at_mm: Sequence[Number] | None = None,
    ) -> Status:
        """Push the emulated mock-up with a half-sine force; errors as in `float`.

        Args:
            force_n: peak force, world axes, three numbers.
            duration_ms: how long it lasts.
            at_mm: point where it acts, object axes, three numbers; None: the centre of mass.
        """
        return self._ask("push", force_n=force_n, duration_ms=duration_ms, at_mm=at_mm)[1]

    def stop(self) -> Status:
        """Brake the arm and stand; errors as in `float`."""
        return self._ask("stop")[1]

    def reset(self) -> Status:
        """Leave FAULT or an operator's stop; never moves the arm; errors as in `float`."""
        return self._ask("reset")[1]

    def wait_for(self, *states: str, timeout_s: Number = 60.0) -> Status:
        """Return the status as soon as the daemon is in one of the states.

        Raises:
            OperatorError: it was in none of them for so long, or one is no state.
            LinkError: no daemon answers.
        """
        known = [state.value for state in State]
        if not states or not set(states) <= set(known):
            unknown = ", ".join(repr(state) for state in states if state not in known) or "nothing"
            raise OperatorError(f"wait_for: {unknown} is no state of the daemon: {', '.join(known)}")
        deadline = time.monotonic() + timeout_s
        while (status := self.status()).state not in states:
            if time.monotonic() > deadline:
                reason = f": {status.reason}" if status.reason else ""
                raise OperatorError(
                    f"the daemon is {status.state}{reason}, and was not {' or '.join(states)} within "
                    f"{timeout_s:g} s"
                )
            time.sleep(POLL_S)
        return status

    def _ask(self, verb: str, **values: Any) -> tuple[str, Status]:
        """Return the daemon's words and its status after a request."""
        if self._bus is None:
            raise LinkError("this connection to the daemon is closed: make another Daemon()")
        said = {name: _plain(name, value) for name, value in values.items() if value is not None}
        request = Request(time.monotonic_ns(), verb, json.dumps(said))
        reply = self._bus.ask(request, self._timeout_s)
        if not reply.accepted:
            raise OperatorError(reply.text)
        told = dict(json.loads(reply.status))
        return reply.text, Status(told["state"], told["reason"], MappingProxyType(told))


def _plain(name: str, value: Any) -> Any:
    """Return what JSON knows: a number, or a list of three."""
    vector = name in VECTORS
    try:
        if isinstance(value, str) or (vector and len(value) != 3):  # "300" is no force of 3, 0, 0
            raise ValueError
        return [Number(item) for item in value] if vector else Number(value)
    except (TypeError, ValueError):
        wanted = "three numbers, along x, y and z" if vector else "a number"
        raise OperatorError(f"{name} = {value!r} must be {wanted}") from None
