"""An operator at a terminal who moves the arm as long as he holds the space bar.

A heartbeat goes to the daemon for every character that tells of a held key, stamped when it was read. If the
daemon answers late, what was typed meanwhile goes unheard.
"""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hil.commands.held_key import HeldKey
from hil.commands.key_terminal import KeyTerminal
from hil.common.errors import OperatorError
from hil.common.run_clock import RunClock
from hil.messaging.bus import Bus
from hil.messaging.messages import Reply, Request
from hil.processes.shared_clock import clock_beside

LOOK_S = 0.05  # between two looks where nothing is typed
SLOW_S = 0.1  # an answer that takes longer: what was typed meanwhile goes unheard
ANSWER_S = 2.0
HOLD = " "
LEAVE = "q\x1b\x04"
STATES = {"approach": "APPROACHING", "calibrate": "CALIBRATING"}


class Holding:
    """One operator at one terminal."""

    def __init__(self, bus: Bus, directory: Path, errand: str, values: dict[str, Any]) -> None:
        """Hold on for an errand, approach or calibrate, that is asked for with these values."""
        self._bus, self._directory = bus, directory
        self._errand, self._values = errand, values
        self._clock = RunClock()
        self._key = HeldKey()
        self._session: int | None = None
        self._number = 0
        self.state = ""

    def ask(self) -> str:
        """Ask for a session and return its way in words.

        Raises:
            OperatorError: it is refused.
        """
        self._clock = clock_beside(self.status(), self._directory)  # by it the daemon judges heartbeats
        reply = self._asked(self._errand, self._values)
        if not reply.accepted:
            raise OperatorError(reply.text)
        granted = json.loads(reply.text)
        self._session, self._number = granted["session"], 0
        return str(granted["way"])

    def look(self, terminal: KeyTerminal, keys: str) -> str:
        """Do what the keys tell and return what is to be said of it; empty for nothing."""
        now_ns = time.monotonic_ns()
        if not self._key.look(1e-9 * now_ns, keys.count(HOLD)):
            return ""
        said = self._beat()
        if time.monotonic_ns() - now_ns > 1e9 * SLOW_S:
            self._key.forget()
            terminal.forget()
        return said

    def _beat(self) -> str:
        if self._session is None:  # the one before is over: where the way begins now is looked at anew
            self.ask()
        self._number += 1
        reply = self._asked("beat", {"session": self._session, "number": self._number})
        if reply.accepted:
            return ""
        self._session = None
        self._key.forget()
        return reply.text

    def now(self) -> tuple[str, str]:
        """Return the daemon's state and its reason."""
        status = self.status()
        return str(status["state"]), str(status["reason"])

    def status(self) -> dict[str, Any]:
        """Return the daemon's status."""
        return dict(json.loads(self._asked("status", {}).status))

    def _asked(self, verb: str, arguments: dict[str, object]) -> Reply:
        return self._bus.ask(Request(self._clock.now_ns(), verb, json.dumps(arguments)), ANSWER_S)

    def held(
        self, terminal: KeyTerminal, done: str, each: Callable[[str], None] = lambda state: None
    ) -> bool:
        """Hear the keys until the motion is over; return whether it is, and not the operator gone.

        Args:
            terminal: that is entered.
            done: what is said when the motion is over.
            each: is told the daemon's state in every round.

        Raises:
            OperatorError: the daemon came to a state in which nobody holds on.
        """
        moving, before = STATES[self._errand], ""
        while True:
            keys = terminal.keys(LOOK_S)
            if any(key in LEAVE for key in keys):
                return False
            if said := self.look(terminal, keys):
                print(said)
            state, reason = self.now()
            each(state)
            if state != before:
                print(f"{state}{f': {reason}' if reason else ''}")
            if before == moving and state == "READY" and not reason:
                print(done)
                return True
            if state not in ("READY", moving):
                raise OperatorError(f"{self._errand} is over: {state}: {reason}")
            before = state
