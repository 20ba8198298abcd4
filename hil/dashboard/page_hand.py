"""An operator's hand on the page's button: its heartbeats, judged before they go on to the daemon.

A page has a clock of its own, and what it sends can wait on the way. A heartbeat that comes later than the
page's quickest by more than the hand's time tells of then and goes no further.
"""

import json
import time
from collections.abc import Callable
from typing import Any

from hil.loop.approach.fresh_beats import FreshBeats

Obey = Callable[[str, dict[str, Any], int], dict[str, Any]]
NS_PER_MS = 1_000_000


class PageHand:
    """One page's commands on their way to the daemon."""

    def __init__(self, obey: Obey, clock: Callable[[], int] = time.monotonic_ns) -> None:
        """Begin without a session.

        Args:
            obey: carries a verb with arguments, asked for at an instant, to the daemon; may block.
            clock: ours [ns].
        """
        self._obey, self._clock = obey, clock
        self._beats = FreshBeats(0, own_clock=False)

    def obey(self, verb: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Carry on what the page asks for and return the daemon's answer in words."""
        now_ns = self._clock()
        if verb == "beat":
            return self._beat(now_ns, arguments)
        answer = self._obey(verb, arguments, now_ns)
        if verb == "approach" and answer["accepted"]:
            self._beats = FreshBeats(int(json.loads(answer["text"])["session"]), own_clock=False)
        return answer

    def _beat(self, now_ns: int, arguments: dict[str, Any]) -> dict[str, Any]:
        try:
            session, number = int(arguments["session"]), int(arguments["number"])
            sent_ns = round(NS_PER_MS * float(arguments["sent_ms"]))
            released = bool(arguments.get("released", False))
        except (KeyError, TypeError, ValueError, OverflowError):
            return {"accepted": False, "text": "this is no heartbeat"}
        if refusal := self._beats.refusal(session, number, sent_ns, now_ns):
            return {"accepted": False, "text": f"a heartbeat does not count: {refusal}"}
        told = {"session": session, "number": number, "released": released}
        return self._obey("beat", told, now_ns)
