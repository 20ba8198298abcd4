"""What a docking has come to, watched from outside: whoever steps the scene asks now and then."""

from collections import deque

import numpy as np

from hil.common.arrays import Array
from sim.docking.judge import SMOOTH, verdict
from sim.docking.sampling import (
    CLOSED,
    INSERTION,
    LATCH_FORCE,
    PARTS_FORCE,
    SEALED,
    TIME,
    WORK,
    history_of,
)
from sim.docking.scenario import DockingScenario
from sim.docking.standing import Standing

JUDGED = 10  # samples from one verdict to the next
KEPT = 2.0  # times as long as the verdict looks back


class DockingWatch:
    """Samples a scenario that something else steps; its verdict stays until the next placing."""

    def __init__(self, scenario: DockingScenario) -> None:
        self._scenario = scenario
        self._rows: deque[Array] = deque()
        self._farthest = 0.0
        self._count = 0
        self._word = ""

    def place(self, T_world_module: Array, twist_world_module: Array) -> None:
        """Begin anew with the module at a pose (4, 4), with a twist (6,)."""
        self._scenario.place(T_world_module, twist_world_module)
        self._rows.clear()
        self._count, self._word = 0, "under way"

    def look(self) -> Standing:
        """Sample the step that was done last and return how the docking stands there.

        The verdict leaves out samples that are no newer than the last one: object time may stand still.
        """
        row = self._scenario.sample()
        if not self._rows or row[TIME] > self._rows[-1][TIME]:
            self._judge(row)
        seals, latches = self._scenario.fasteners
        fastened = np.array([int(row[SEALED]), seals, int(row[CLOSED]), latches], np.int64)
        seen = row[[TIME, INSERTION, PARTS_FORCE, WORK]]
        return Standing(self._word, fastened, float(row[LATCH_FORCE]), seen)

    def _judge(self, row: Array) -> None:
        """Take a new sample; now and then the verdict follows."""
        rules = self._scenario.docking.outcome
        if not self._rows:
            self._farthest = float(row[INSERTION]) - rules.reach
        self._rows.append(row)
        while row[TIME] - self._rows[0][TIME] > KEPT * (rules.hold + SMOOTH):
            self._rows.popleft()
        self._count += 1
        if self._count % JUDGED == 0 and self._word == "under way":
            seen = history_of(np.array(self._rows))
            self._word = verdict(
                seen, rules, self._scenario.full_push, self._farthest, self._scenario.fasteners
            ).word
