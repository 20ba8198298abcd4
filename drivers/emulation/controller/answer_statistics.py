"""The emulated controller's judgement of the link, from the answers to its last packets.

The real controller's thresholds are not public: all numbers here are ASSUMPTIONS.
"""

import numpy as np

from drivers.fri.layout import Quality

WINDOW = 100  # packets
# share of packets answered in time from which on the link deserves the name
BOUNDS = ((0.95, Quality.PERFECT), (0.85, Quality.OK), (0.6, Quality.BAD))


class AnswerStatistics:
    """Answers in time, late or not at all, over the last packets sent.

    Attributes:
        missed: packets without an answer in time, since the start.
        missed_in_row: the same since the last answer of any age.
        sent: packets sent.
        quality: the link's quality.
    """

    def __init__(self) -> None:
        """Begin without a packet."""
        self._answered = np.zeros(WINDOW, dtype=bool)
        self._latency = np.zeros(WINDOW)
        self._in_time = 0
        self.sent = self.missed = self.missed_in_row = 0
        self.quality = Quality.UNACCEPTABLE

    def add(self, answered_in_time: bool, latency: float, any_answer: bool) -> None:
        """Take what became of a packet.

        Args:
            answered_in_time: its own answer came before the next packet was due.
            latency: of that answer [s].
            any_answer: an answer to it or to an earlier packet came.
        """
        i = self.sent % WINDOW
        if answered_in_time != self._answered[i]:
            self._in_time += 1 if answered_in_time else -1
            self.quality = self._judged()
        self._answered[i], self._latency[i] = answered_in_time, latency
        self.sent += 1
        self.missed += not answered_in_time
        self.missed_in_row = 0 if any_answer else self.missed_in_row + 1

    def forget_misses(self) -> None:
        """Count misses in a row anew."""
        self.missed_in_row = 0

    @property
    def answer_rate(self) -> float:
        """Share of the last packets answered in time; packets not yet sent count as not answered."""
        return self._in_time / WINDOW

    def _judged(self) -> Quality:
        for bound, quality in BOUNDS:
            if self.answer_rate >= bound:
                return quality
        return Quality.UNACCEPTABLE

    @property
    def latency(self) -> float:
        """Mean latency of the answers in time [s]."""
        return float(self._latency[self._answered].mean()) if self._in_time else 0.0

    @property
    def jitter(self) -> float:
        """Standard deviation of that latency [s]."""
        return float(self._latency[self._answered].std()) if self._in_time else 0.0
