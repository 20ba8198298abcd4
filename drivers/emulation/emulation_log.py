"""What the emulated controller's core consumed, cycle by cycle: enough to run it again."""

import numpy as np

from drivers.fri.codec import CommandDatagram
from hil.messaging.messages import EmulatorInputs

BLOCK_TIME = 0.1  # [s] of cycles in a block
SENT, WAITED, STOOD_STILL = 1, 2, 4  # flags of a cycle
PUSH, DISTURBANCE = 0, 1  # kinds of events


class EmulationLog:
    """Rows of the present block."""

    def __init__(self, sample_time: float, process: int) -> None:
        """Prepare blocks of about a tenth of a second at cycles of `sample_time` [s]."""
        self._process, self._start = process, 0
        self._rows = max(1, round(BLOCK_TIME / sample_time))
        self._flags: list[int] = []
        self._answers: list[tuple[int, int, int]] = []
        self._latencies: list[float] = []
        self._events: list[tuple[int, int, int]] = []

    def event(self, cycle: int, kind: int, t_ns: int) -> None:
        """Take a push or a disturbance, asked for by the message of instant `t_ns`, before a cycle begins."""
        self._events.append((cycle, kind, t_ns))

    def answer(self, cycle: int, command: CommandDatagram, latency: float) -> None:
        """Take an answer within a cycle, `latency` [s] after its beginning."""
        self._answers.append((cycle, command.reflected, command.sequence))
        self._latencies.append(latency)

    def cycle(self, sent: bool, waited: bool) -> None:
        """Take a cycle that is over; `sent`: its packet was, `waited`: the operator rested."""
        self._flags.append(SENT * sent + WAITED * waited)

    def stood_still(self) -> None:
        """After the last cycle the controller was told that it had stood still."""
        self._flags[-1] |= STOOD_STILL

    def block(self, t_ns: int, rest: bool = False) -> EmulatorInputs | None:
        """Return the block if it is complete, told at `t_ns`; with `rest` what there is of it."""
        count = len(self._flags)
        if not count or (count < self._rows and not rest):
            return None
        made = EmulatorInputs(
            t_ns,
            self._process,
            self._start,
            np.array(self._flags, np.int64),
            np.array(self._answers, np.int64).reshape(-1, 3),
            np.array(self._latencies, np.float32),
            np.array(self._events, np.int64).reshape(-1, 3),
        )
        self._start += count
        self._flags, self._answers, self._latencies, self._events = [], [], [], []
        return made
