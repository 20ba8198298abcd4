"""What the driver consumed of its base, row by row in blocks: a recording lets the same cores run again."""

import numpy as np

from hil.common.arrays import Array
from hil.messaging.base_messages import BaseInputs, BaseState
from hil.messaging.messages import Mode

STATE, COMMAND = 0, 1
BLOCK_NS = 100_000_000  # of inputs in a block
MOST_ROWS = 200


class BaseInputLog:
    """Rows of the present block."""

    def __init__(self, process: int) -> None:
        """Begin, for a process's core."""
        self._process, self._start = process, 0
        self._rows: list[tuple[int, int, int, int]] = []
        self._values: list[Array] = []

    def state(self, place: int, state: BaseState) -> None:
        """Take a state of the vehicle, as it was told; `place` as in `BaseInputs.rows`."""
        self._rows.append((place, STATE, state.t_ns, 0))
        self._values.append(np.array([*state.pose, *state.rate, float(state.valid)]))

    def command(self, place: int, t_ns: int, dt: float, order: Mode | None, velocity: Array) -> None:
        """Take a command (3,) of an instant, `dt` [s] behind the one before, and the order it obeyed."""
        self._rows.append((place, COMMAND, t_ns, 0 if order is None else order.t_ns))
        self._values.append(np.array([*velocity, dt, 0.0, 0.0, 0.0]))

    def block(self, t_ns: int) -> BaseInputs | None:
        """Return the block that is complete at `t_ns`, if one is."""
        if not self._rows:
            return None
        over = t_ns - self._rows[0][2] >= BLOCK_NS or len(self._rows) >= MOST_ROWS
        return self.rest(t_ns) if over else None

    def rest(self, t_ns: int) -> BaseInputs | None:
        """Return what has not been told yet, if anything."""
        if not self._rows:
            return None
        rows, values = np.array(self._rows, np.int64), np.array(self._values)
        told = BaseInputs(t_ns, self._process, self._start, rows, values)
        self._start += len(rows)
        self._rows, self._values = [], []
        return told
