"""What a docking has come to, watched from outside: whoever steps the scene asks now and then."""

from collections import deque

import numpy as np

from hil.common.arrays import Array
from sim.docking.judge import SMOOTH, verdict
from sim.docking.sampling import INSERTION, TIME, history_of
from sim.docking.scenario import DockingScenario

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

    def look(self) -> str:
        """Sample the step that was done last; return the verdict: under way, docked, jammed or lost.

        Samples that are no newer than the last one are left out: object time may stand still.
        """
        row = self._scenario.sample()
        if self._rows and row[TIME] <= self._rows[-1][TIME]:
            return self._word
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
        return self._word
