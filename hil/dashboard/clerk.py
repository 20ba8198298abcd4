"""The dashboard's way to the operator's desk: one request at a time, on a thread of its own.

The daemon judges every request; nothing is decided here.
"""

import json
import time
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

from hil.common.errors import ZeroGError
from hil.messaging.bus import Bus
from hil.messaging.messages import Reply, Request

# what a page may ask for, and the hand on one of its buttons
VERBS = (
    "float",
    "approach",
    "calibrate",
    "hold",
    "reset",
    "stop",
    "push",
    "thresholds",
)
HEARTBEAT = "beat"
STATUS_S = 0.2  # between two questions for the status
TIMEOUT_S = 2.0


class Clerk:
    """Carries requests to the daemon."""

    def __init__(self, directory: Path) -> None:
        self._bus = Bus(directory)
        self._thread = ThreadPoolExecutor(1, "clerk")
        self._asked: Future[Reply] | None = None
        self._asked_s = 0.0
        self.status: dict[str, Any] = {}

    def obey(self, verb: str, arguments: dict[str, Any], asked_ns: int) -> dict[str, Any]:
        """Ask the daemon for what a page wanted at `asked_ns` and return its answer in words; may block."""
        if verb not in (*VERBS, HEARTBEAT):
            return {"accepted": False, "text": f"{verb[:40]!r} is no control of the dashboard"}
        try:
            reply = self._thread.submit(self._ask, verb, arguments, asked_ns).result()
        except ZeroGError as error:
            return {"accepted": False, "text": str(error)}
        return {"accepted": reply.accepted, "text": reply.text}

    def turn(self, now: float) -> None:
        """Ask for the status now and then, without waiting; `now` is monotonic [s]."""
        if self._asked is not None and self._asked.done():
            failed = self._asked.exception() is not None
            self.status = {} if failed else dict(json.loads(self._asked.result().status))
            self._asked = None
        if self._asked is None and now - self._asked_s >= STATUS_S:
            self._asked_s = now
            self._asked = self._thread.submit(self._ask, "status", {}, time.monotonic_ns())

    def close(self) -> None:
        """End the thread and close the sockets."""
        self._thread.shutdown(wait=True, cancel_futures=True)
        self._bus.close()

    def _ask(self, verb: str, arguments: dict[str, Any], asked_ns: int) -> Reply:
        return self._bus.ask(Request(asked_ns, verb, json.dumps(arguments)), TIMEOUT_S)
