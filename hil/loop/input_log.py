"""What cores consumed, in the order in which they did: a recording of it lets the same cores run again.

Each core's shell books its inputs here after the core has had them, and sends a block now and then. Messages
are named by their instants, which are unique on a topic of which the newest counts; slices by impulse, slice,
revision and instant.
"""

from collections.abc import Sequence

import numpy as np

from drivers.fri.session import NONE_HEARD, FriSample
from hil.common.arrays import Array
from hil.loop.echo_bits import EchoBits
from hil.loop.judging.judge import Evidence
from hil.messaging.digest import digest
from hil.messaging.messages import (
    INPUT_ANSWERED,
    INPUT_COMMANDING,
    INPUT_GAP,
    INPUT_MIRRORED,
    INPUT_NEW_SESSION,
    INPUT_POWER,
    DriverInputs,
    ImpulseSlice,
    Mode,
    Plan,
    PlannerTurn,
    Prediction,
    RobotState,
    SimTurns,
    SupervisorTurn,
    Witness,
)

BLOCK_TIME = 0.1  # [s] of inputs in a block
MOST_ROWS = 200


class DriverInputLog:
    """Rows of the driver's present block."""

    def __init__(self, sample_time: float, process: int) -> None:
        """Prepare blocks of about a tenth of a second at cycles of `sample_time` [s]."""
        self._process = process
        self._full = max(1, round(BLOCK_TIME / sample_time))
        # half a block ahead of the cycle log, so that no cycle sends both
        self._row, self._start, self._due = 0, 0, max(1, self._full // 2)
        self._rows = np.zeros((self._full + MOST_ROWS, 6), np.int64)
        self._arrivals = np.zeros(self._full + MOST_ROWS, np.int64)
        self._values = np.zeros((self._full + MOST_ROWS, 20), np.float32)
        self._echoes = np.zeros((self._full + MOST_ROWS, 7), np.int64)
        self._bits = EchoBits()
        self._controller = np.zeros((self._full + MOST_ROWS, 5), np.int64)

    @property
    def taken(self) -> int:
        """Samples that the core has taken so far."""
        return self._start + self._row

    def add(
        self, samples: Sequence[FriSample], q_command: Array, mode: Mode | None, plan: Plan | None
    ) -> DriverInputs | None:
        """Take what one cycle consumed; return the block that it completes.

        Args:
            samples: that were observed, the last of them answered.
            q_command: the answer [rad], shape (7,).
            mode: the order that held; None before the first.
            plan: that the cycle concluded with, or None.
        """
        # a heap that no block holds leaves its oldest out; `start` then shows the hole
        kept = samples[-MOST_ROWS:]
        self._start += len(samples) - len(kept)
        for sample in kept:
            row = self._row
            self._arrivals[row] = sample.arrival_ns
            self._rows[row] = (sample.t_ns, sample.count, sample.quality, _flags(sample), 0, 0)
            values = self._values[row]
            values[:7], values[7:13], values[13:] = sample.q_measured, sample.wrench, sample.torque_external
            self._echoes[row] = self._bits.difference(sample, _mirrored(sample))
            behind = 0 if sample.heard == NONE_HEARD else sample.count - sample.heard
            self._controller[row] = sample.drives, sample.control, sample.error, sample.warning, behind
            self._row = row + 1
        self._bits.sent(samples[-1].count, q_command)
        last = self._rows[self._row - 1]
        last[3] |= INPUT_ANSWERED
        last[4], last[5] = 0 if mode is None else mode.t_ns, 0 if plan is None else plan.t_ns
        return self.rest() if self._row >= self._due else None

    def rest(self) -> DriverInputs | None:
        """Return what has not been told yet, if anything."""
        if not self._row:
            return None
        rows = self._rows[: self._row]
        start = self._start
        self._start += self._row
        self._row, self._due = 0, self._full
        n = len(rows)
        return DriverInputs(
            int(rows[-1, 0]), self._process, start, self._arrivals[:n], rows,
            self._values[:n], self._echoes[:n], self._controller[:n],
        )  # fmt: skip


def _mirrored(sample: FriSample) -> bool:
    return not sample.commanding or sample.new_session


def _flags(sample: FriSample) -> int:
    return (
        INPUT_COMMANDING * sample.commanding
        + INPUT_NEW_SESSION * sample.new_session
        + INPUT_POWER * sample.power_on
        + INPUT_MIRRORED * _mirrored(sample)
        + INPUT_GAP * sample.gap
    )


class SimTurnLog:
    """Rows of the simulation's present block."""

    def __init__(self, process: int) -> None:
        self._process, self._start = process, 0
        self._rows: list[tuple[int, ...]] = []
        self._slices: list[tuple[int, ...]] = []

    def add(
        self,
        t_ns: int,
        mode: Mode | None,
        robot: RobotState | None,
        slices: Sequence[ImpulseSlice],
        plan: int,
        prediction: Prediction | None,
    ) -> SimTurns | None:
        """Take what one turn consumed and predicted; return the block that it completes.

        Args:
            t_ns: now.
            mode: the order that held.
            robot: the robot's state that held.
            slices: that had come.
            plan: instant of the plan that was given to the core, 0 for none.
            prediction: that was made, or None.
        """
        order, state = 0 if mode is None else mode.t_ns, 0 if robot is None else robot.t_ns
        number = -1 if prediction is None else prediction.number
        self._rows.append((t_ns, order, state, plan, len(slices), number))
        self._slices += [name_of(item) for item in slices]
        over = t_ns - self._rows[0][0] >= 1e9 * BLOCK_TIME or len(self._rows) >= MOST_ROWS
        return self.rest() if over else None

    def rest(self) -> SimTurns | None:
        """Return what has not been told yet, if anything."""
        if not self._rows:
            return None
        rows = np.array(self._rows, np.int64)
        slices = np.array(self._slices, np.int64).reshape(-1, 4)
        block = SimTurns(int(rows[-1, 0]), self._process, self._start, rows, slices)
        self._start += len(rows)
        self._rows, self._slices = [], []
        return block


class PlannerTurnLog:
    """Counts the planner's turns."""

    def __init__(self, process: int) -> None:
        self._process, self._turn = process, 0

    def add(self, prediction: Prediction, robot: RobotState) -> PlannerTurn:
        """Return what one plan was made of."""
        turn, self._turn = self._turn, self._turn + 1
        return PlannerTurn(
            prediction.t_ns, self._process, turn, prediction.number, robot.t_ns, digest(prediction)
        )


class SupervisorTurnLog:
    """Counts the supervisor's turns."""

    def __init__(self, process: int) -> None:
        self._process, self._turn = process, 0

    def add(
        self,
        t_ns: int,
        seen: Evidence,
        slices: Sequence[ImpulseSlice],
        witnesses: Sequence[Witness],
        orders: str,
    ) -> SupervisorTurn:
        """Return what one turn was made of; `orders` as `Judge.taken` has them."""
        turn, self._turn = self._turn, self._turn + 1
        heard = [(item.impulse_id, item.slice_index, item.t_ns) for item in witnesses]
        return SupervisorTurn(
            t_ns,
            self._process,
            turn,
            seen.missing,
            seen.stuck,
            seen.fault,
            seen.moving,
            0 if seen.plan is None else seen.plan.t_ns,
            0 if seen.sim is None else seen.sim.t_ns,
            np.array([name_of(item) for item in slices], np.int64).reshape(-1, 4),
            np.array(heard, np.int64).reshape(-1, 3),
            orders,
        )


def name_of(item: ImpulseSlice) -> tuple[int, int, int, int]:
    """Return what names a slice's message in a recording: impulse, slice, revision, instant."""
    return item.impulse_id, item.slice_index, item.revision, item.t_ns
