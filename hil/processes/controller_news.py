"""What an emulated controller that stands alone tells: each thing once, its own doing told apart."""

import re
from collections import Counter

from drivers.fri.layout import SessionState

NUMBERS = re.compile(r"[-+]?\d[\d.e+-]*")
SPAN_S = 5.0  # over which skipped cycles are looked at
WORTH_TELLING = 0.01  # share of them


class Changes:
    """Turns the state of the controller into lines: why it left command mode is said once for each kind."""

    def __init__(self) -> None:
        """Nothing has been said yet."""
        self._state: SessionState | None = None
        self._violation = ""
        self._falls: Counter[str] = Counter()
        self._words: dict[str, str] = {}
        self._open = True  # the next entry into command mode is worth a line

    def news(self, state: SessionState, reason: str, violation: str) -> list[str]:
        """Return the lines that are new.

        Args:
            state: of the interface.
            reason: why command mode was left last; empty if it never was.
            violation: the first command beyond a limit, in words; empty without one.
        """
        lines = []
        if violation != self._violation:
            self._violation = violation
            lines.append(f"a command breaks a limit: {violation}")
        if state != self._state:
            left = self._state == SessionState.COMMAND
            self._state = state
            lines += self._fell(reason) if left else self._entered(state)
        return lines

    def falls(self) -> list[str]:
        """Return how often command mode was left for what."""
        return [
            f"left command mode {count} times: {self._words[kind]}" for kind, count in self._falls.items()
        ]

    def _entered(self, state: SessionState) -> list[str]:
        if state == SessionState.COMMAND:
            told, self._open = self._open, False
            return ["command mode"] if told else []
        return [f"{state.name.lower()} mode"]

    def _fell(self, reason: str) -> list[str]:
        kind = NUMBERS.sub("#", reason)
        self._falls[kind] += 1
        if self._falls[kind] > 1:
            return []
        self._words[kind], self._open = reason, True
        return [f"back to monitor mode: {reason}"]


class SkippedCycles:
    """Tells when this machine does not send all cycles: to the client they are lost packets."""

    def __init__(self, sample_time: float) -> None:
        """Look at cycles of `sample_time` [s]."""
        self._span = round(SPAN_S / sample_time)
        self._begin = self._sent = 0
        self._told = False

    def sent(self, cycle: int) -> str:
        """Take the number of a cycle that was sent; return a line when it is time for one, else nothing."""
        self._sent += 1
        passed = cycle + 1 - self._begin
        if passed < self._span:
            return ""
        skipped = passed - self._sent
        self._begin, self._sent = cycle + 1, 0
        many = skipped > WORTH_TELLING * passed
        told, self._told = self._told, many
        if not many or told:
            return ""
        return f"{skipped_words(skipped, passed)} within {SPAN_S:g} s; to the client these are lost packets"


def skipped_words(skipped: int, cycles: int) -> str:
    """Return in words how many cycles were not sent."""
    share = f" ({skipped / cycles:.1%})" if skipped else ""
    return f"{skipped}{share} of them skipped, which this machine was too late to send"
