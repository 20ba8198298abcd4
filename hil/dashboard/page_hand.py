"""An operator's hand on one of the page's buttons: its heartbeats, judged before they go on to the daemon.

A page has a clock of its own, and what it sends can wait on the way. A heartbeat that comes later than the
page's quickest by more than the hand's time tells of then and goes no further.
"""

import json
import time
from collections.abc import Callable
from typing import Any

from hil.loop.approach.fresh_beats import FreshBeats
from hil.loop.judging.state_machine import ERRANDS

Obey = Callable[[str, dict[str, Any], int], dict[str, Any]]
NS_PER_MS = 1_000_000


class PageHand:
    """One page's commands on their way to the daemon."""

    def __init__(
        self, obey: Obey, run_ns: Callable[[], int], clock: Callable[[], int] = time.monotonic_ns
    ) -> None:
        """Begin without a session.

        Args:
            obey: carries a verb with arguments, asked for at an instant, to the daemon; may block.
            run_ns: the clock of the run [ns], by which the daemon judges.
            clock: ours [ns], which goes on as the page's does.
        """
        self._obey, self._run_ns, self._clock = obey, run_ns, clock
        self._beats = FreshBeats(0, own_clock=False)

    def obey(self, verb: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Carry on what the page asks for and return the daemon's answer in words."""
        if verb == "beat":
            return self._beat(arguments)
        answer = self._obey(verb, arguments, self._run_ns())
        if verb in ERRANDS and answer["accepted"]:
            self._beats = FreshBeats(int(json.loads(answer["text"])["session"]), own_clock=False)
        return answer

    def _beat(self, arguments: dict[str, Any]) -> dict[str, Any]:
        asked_ns, now_ns = self._run_ns(), self._clock()
        try:
            session, number = int(arguments["session"]), int(arguments["number"])
            sent_ns = round(NS_PER_MS * float(arguments["sent_ms"]))
            released = bool(arguments.get("released", False))
        except (KeyError, TypeError, ValueError, OverflowError):
            return {"accepted": False, "text": "this is no heartbeat"}
        if refusal := self._beats.refusal(session, number, sent_ns, now_ns):
            return {"accepted": False, "text": f"a heartbeat does not count: {refusal}"}
        told = {"session": session, "number": number, "released": released}
        return self._obey("beat", told, asked_ns)
