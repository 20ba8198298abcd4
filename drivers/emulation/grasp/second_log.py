"""What an emulated second controller consumed, answer by answer in blocks: enough to run it again."""

import numpy as np

from drivers.fri.layout import COMMAND_SIZE
from hil.common.arrays import IntArray
from hil.messaging.grasp_messages import SecondInputs

BLOCK_TIME = 0.1  # [s] of cycles in a block
WORDS = COMMAND_SIZE // 8  # of eight bytes, in a datagram


class SecondLog:
    """Rows of the present block."""

    def __init__(self, sample_time: float, process: int) -> None:
        """Prepare blocks of about a tenth of a second at cycles of `sample_time` [s]."""
        self._process, self._start = process, 0
        self._full = max(1, round(BLOCK_TIME / sample_time))
        self._cycle = 0  # the present one
        self._rows: list[int] = []
        self._latencies: list[float] = []
        self._answers: list[bytes] = []

    def answer(self, data: bytes, latency: float) -> None:
        """Take a datagram that the controller has taken, `latency` [s] after the cycle's packet."""
        self._rows.append(self._cycle)
        self._latencies.append(latency)
        self._answers.append(data)

    def cycle(self) -> None:
        """Go on to the next cycle."""
        self._cycle += 1

    def block(self, t_ns: int, rest: bool = False) -> SecondInputs | None:
        """Return the block if it is complete, told at `t_ns`; with `rest` what there is of it."""
        cycles = self._cycle - self._start
        if not cycles or (cycles < self._full and not rest):
            return None
        made = SecondInputs(
            t_ns,
            self._process,
            self._start,
            cycles,
            np.array(self._rows, np.int64),
            np.array(self._latencies, np.float32),
            np.frombuffer(b"".join(self._answers), "<i8").reshape(-1, WORDS),
        )
        self._start = self._cycle
        self._rows, self._latencies, self._answers = [], [], []
        return made


def datagrams_of(answers: IntArray) -> list[bytes]:
    """Return the datagrams of a block, `SecondInputs.answers` (n, 47)."""
    return [row.tobytes() for row in np.ascontiguousarray(answers, "<i8")]
