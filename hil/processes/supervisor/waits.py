"""What a run has waited for a busy machine, for the operator: a line now and then, and figures in the end."""

from collections import defaultdict
from typing import Any

from hil.messaging.messages import Wait

TOLD_S = 0.1  # of waits that nobody was told of: a line
PERIOD_NS = 5_000_000_000  # between two of them


class WaitTally:
    """Counts the waits of a run."""

    def __init__(self) -> None:
        self.count = 0
        self._by_process: dict[str, float] = defaultdict(float)  # [s]
        self._untold: dict[str, float] = defaultdict(float)
        self._told_ns = -PERIOD_NS

    def take(self, wait: Wait) -> None:
        """Count a wait."""
        self.count += 1
        self._by_process[wait.process] += wait.duration
        self._untold[wait.process] += wait.duration

    def news(self, now_ns: int) -> str:
        """Return a line for the operator if there is one to tell now; else empty."""
        waited = sum(self._untold.values())
        if waited < TOLD_S or now_ns - self._told_ns < PERIOD_NS:
            return ""
        text = f"the machine was busy: {waited:.1f} s waited, most of it for the {_first(self._untold)}"
        self._untold.clear()
        self._told_ns = now_ns
        return text

    def status(self, waited_ns: int) -> dict[str, Any]:
        """Return the figures as plain values; `waited_ns` is how long time has stood in all."""
        return {
            "waited_s": waited_ns * 1e-9,
            "waits": self.count,
            "waited_for": _first(self._by_process) if self._by_process else "",
        }


def waited_words(status: dict[str, Any]) -> str:
    """Return the waits of a run in words; empty if there were none to speak of."""
    if not status["waits"]:
        return ""
    return (
        f"the machine was busy: {status['waited_s']:.1f} s waited in {status['waits']} waits, "
        f"most of it for the {status['waited_for']}; see `zerog doctor`"
    )


def _first(seconds: dict[str, float]) -> str:
    return max(seconds, key=lambda process: seconds[process])
