"""How long each part of the chain has taken lately, by the rules of `zerog latency`."""

from collections import deque
from typing import Any

import numpy as np

from hil.analysis.latency.recording import LatencyRecording
from hil.analysis.latency.stages import STAGES, measured_stages
from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.messaging.codec import Message
from hil.messaging.messages import CycleBlock, PlannerTimes, SimTimes, SliceTimes

MEMORY_NS = 2_000_000_000  # of messages that are judged together: a push has gone round the ring by then
LEAST = 1e-3  # [ms] drawn on a logarithmic scale
KINDS = (CycleBlock, SliceTimes, SimTimes, PlannerTimes)


class StageTimes:
    """The median duration of every stage over the last two seconds."""

    def __init__(self, configuration: Configuration) -> None:
        self._configuration = configuration
        self._kept: dict[type[Message], deque[Any]] = {kind: deque() for kind in KINDS}
        self.last = np.full(len(STAGES), LEAST)  # [ms], in the order of `STAGES`

    def take(self, msg: Message) -> None:
        """Take a message of one of `KINDS`."""
        kept = self._kept[type(msg)]
        kept.append(msg)
        while msg.t_ns - kept[0].t_ns > MEMORY_NS:
            kept.popleft()

    def medians(self) -> Array:
        """Return the medians [ms]; a stage of which nothing was heard keeps its last one."""
        cycles, slices, sim, planner = (list(kept) for kept in self._kept.values())
        recording = LatencyRecording.from_messages(
            self._configuration, cycles, slices, sim, planner, truth=None
        )
        found = measured_stages(recording).stages
        for k, name in enumerate(STAGES):
            if len(found[name]):
                self.last[k] = max(LEAST, float(np.median(found[name])))
        return self.last.copy()
