"""`zerog approach`: the arm comes to its start pose while an operator holds the space bar.

A heartbeat goes to the daemon for every character that tells of a held key, stamped when it was read. If the
daemon answers late, what was typed meanwhile goes unheard.
"""

import argparse
import json
import math
import time
from pathlib import Path
from typing import Any

from hil.commands.grammar import add_command, add_runtime_directory, positive_float
from hil.commands.held_key import HeldKey
from hil.commands.key_terminal import KeyTerminal
from hil.common.errors import OperatorError
from hil.common.run_clock import RunClock
from hil.loop.approach.caps import DEFAULT_SPEED_DEG_S, JOINT_SPEED
from hil.messaging.bus import Bus
from hil.messaging.messages import Reply, Request
from hil.messaging.runtime_directory import runtime_directory
from hil.processes.shared_clock import clock_beside

EXIT_REFUSED = 2
LOOK_S = 0.05  # between two looks where nothing is typed
SLOW_S = 0.1  # an answer that takes longer: what was typed meanwhile goes unheard
ANSWER_S = 2.0
HOLD = " "
LEAVE = "q\x1b\x04"
MOST_DEG_S = round(math.degrees(JOINT_SPEED), 9)


def add_approach(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    text = "Bring the arm to its start pose while you hold the space bar; from READY only."
    sub = add_command(commands, "approach", approach_start, text, "zerog approach --speed-deg-s 3")
    sub.add_argument(
        "--speed-deg-s",
        type=approach_speed,
        default=DEFAULT_SPEED_DEG_S,
        metavar="V",
        help=f"of the fastest joint, at most {MOST_DEG_S:g} (default {DEFAULT_SPEED_DEG_S:g})",
    )
    add_runtime_directory(sub)


def approach_speed(text: str) -> float:
    """Return the speed that `text` is [deg/s]; argparse turns the error into a clear line."""
    speed = positive_float(text)
    if speed > MOST_DEG_S:
        raise argparse.ArgumentTypeError(f"{text} deg/s is too fast beside a person: at most {MOST_DEG_S:g}")
    return speed


class Holding:
    """One operator at one terminal."""

    def __init__(self, bus: Bus, directory: Path, speed_deg_s: float) -> None:
        self._bus, self._directory, self._speed = bus, directory, speed_deg_s
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
        self._clock = clock_beside(self._status(), self._directory)  # by it the daemon judges heartbeats
        reply = self._asked("approach", {"speed_deg_s": self._speed})
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
        status = self._status()
        return str(status["state"]), str(status["reason"])

    def _status(self) -> dict[str, Any]:
        return dict(json.loads(self._asked("status", {}).status))

    def _asked(self, verb: str, arguments: dict[str, object]) -> Reply:
        return self._bus.ask(Request(self._clock.now_ns(), verb, json.dumps(arguments)), ANSWER_S)


def approach_start(options: argparse.Namespace) -> int:
    """Let an operator hold on until the arm is there or he leaves; status 2 when it is refused."""
    terminal = KeyTerminal("approach")  # without one nobody is asked anything
    directory = runtime_directory(options.runtime_directory)
    bus = Bus(directory)
    try:
        holding = Holding(bus, directory, options.speed_deg_s)
        print(f"{holding.ask()}\nHold the space bar: the arm moves as long as you do. q leaves.")
        with terminal:
            return _held(terminal, holding)
    finally:
        bus.close()


def _held(terminal: KeyTerminal, holding: Holding) -> int:
    """Hear the keys until the way is over."""
    before = ""
    while True:
        keys = terminal.keys(LOOK_S)
        if any(key in LEAVE for key in keys):
            return 0
        if said := holding.look(terminal, keys):
            print(said)
        state, reason = holding.now()
        if state != before:
            print(f"{state}{f': {reason}' if reason else ''}")
        if before == "APPROACHING" and state == "READY" and not reason:
            print("the arm is at its start pose")
            return 0
        if state not in ("READY", "APPROACHING"):
            raise OperatorError(f"approach is over: {state}: {reason}")
        before = state
