"""The waits of a patient emulation, as they are told: what stood shortly one after the other is one wait."""

from hil.messaging.messages import Wait

TOGETHER_NS = 100_000_000  # of emulated time without standing: then a wait is over,
LONGEST_NS = 500_000_000  # or so long after it began
TOLD_NS = 5_000_000  # shorter ones count in the total only


class WaitLog:
    """Puts together what stood."""

    def __init__(self) -> None:
        self._begin_ns = self._last_ns = 0
        self._stood: dict[str, int] = {}  # in the present wait, by whom it waited for [ns]
        self._total_ns = 0

    def stood(self, t_ns: int, stood_ns: int, process: str, total_ns: int) -> None:
        """Take note that time stood for `stood_ns` at `t_ns` for a process; `total_ns` so far in the run."""
        if stood_ns <= 0:
            return
        if not self._stood:
            self._begin_ns = t_ns
        self._last_ns, self._total_ns = t_ns, total_ns
        self._stood[process] = self._stood.get(process, 0) + stood_ns

    def taken(self, t_ns: int) -> list[Wait]:
        """Return the wait that is over at `t_ns`, if one is."""
        over = t_ns - self._last_ns > TOGETHER_NS or t_ns - self._begin_ns > LONGEST_NS
        if not self._stood or not over:
            return []
        stood, self._stood = self._stood, {}
        duration_ns = sum(stood.values())
        if duration_ns < TOLD_NS:
            return []
        longest = max(stood, key=lambda process: stood[process])
        return [Wait(self._begin_ns, longest, duration_ns * 1e-9, self._total_ns * 1e-9)]
