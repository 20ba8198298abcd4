"""The virtual operator: pushes the emulated mock-up and records the true force.

Pushes come from the script and at random (both from the configuration, times counted from the
operator's start), or from a recording instead of those, and from messages; beside them a weight may hang.
All wrenches are about the object's centre of mass in world axes.
"""

from collections import deque
from dataclasses import dataclass

import numpy as np

from drivers.emulation.operator.half_sine import HalfSinePush
from drivers.emulation.operator.hung_weight import HungWeight
from drivers.emulation.operator.random_pushes import RandomPushSource
from drivers.emulation.operator.replayed_wrench import ReplayedWrench
from hil.common.arrays import Array
from hil.configuration.schema import Configuration
from hil.messaging.messages import Push

NEVER = float("inf")
RECORDS_KEPT = 10_000  # pushes; a live emulation may go on for months


@dataclass(frozen=True, slots=True, eq=False)
class PushRecord:
    """What a push truly was.

    Attributes:
        t_start: its start [s], on the emulator's clock.
        t_end: its end [s].
        impulse_world: its integral about the moving centre of mass, world axes [N s, N m s], (6,).
        peak_world: its largest wrench as directed at its end [N, N m], shape (6,).
    """

    t_start: float
    t_end: float
    impulse_world: Array
    peak_world: Array


class VirtualOperator:
    """Applies pushes in steps of time.

    Attributes:
        records: pushes that are over, in the order of their ends; the last ones of very many.
        wrench_world: wrench at the end of the last step, shape (6,).
        weight: that hangs at the tool, or None.
        resting: no configured push begins, and their times stand; a push that has begun is finished.
    """

    def __init__(self, configuration: Configuration, seed: int, replay: ReplayedWrench | None = None) -> None:
        """Prepare the configured pushes, or a recording that acts instead of them; `start` lets them begin.

        Raises:
            ConfigurationError: random pushes that cannot be drawn.
        """
        operator = configuration.operator
        pushed, drawn = (operator.push, operator.random) if replay is None else ((), None)
        self._scripted = sorted(pushed, key=lambda push: push.time)
        self._random = RandomPushSource(configuration, drawn, seed) if drawn else None
        self._replay = replay
        self._replayed_until = 0.0  # [s] of the recording
        self._next_replayed = 0
        self._t_0 = NEVER
        self._next_scripted = self._next_random = 0
        self._active: list[HalfSinePush] = []
        self._due = NEVER
        self.resting = False
        self.records: deque[PushRecord] = deque(maxlen=RECORDS_KEPT)
        self.wrench_world: Array = np.zeros(6)
        self.weight: HungWeight | None = None

    @property
    def started(self) -> bool:
        """Whether the configured times run."""
        return self._t_0 < NEVER

    @property
    def under_way(self) -> float:
        """When the first push began that is not over [s]; infinity if there is none."""
        begun = [push.t_start for push in self._active]
        if self._replay is not None and self._next_replayed < len(self._replay.pushes):
            start = self._replay.pushes[self._next_replayed].start
            begun += [self._t_0 + start] if start < self._replayed_until else []
        return min(begun, default=NEVER)

    def start(self, t: float) -> None:
        """Let the configured times count from `t` [s]."""
        self._t_0 = t
        self._schedule()

    def push(self, push: Push, t: float) -> None:
        """Begin a push that was asked for, at time `t` [s]."""
        self._active.append(HalfSinePush(t, push.force_world, push.duration, push.point_object))

    def step(self, t_0: float, t_1: float, T_world_object: Array, twist: Array) -> list[PushRecord]:
        """Push from `t_0` to `t_1` [s] and return the pushes that have ended.

        Args:
            t_0: start of the step.
            t_1: its end.
            T_world_object: the object's pose at the end of the step, shape (4, 4).
            twist: its twist, world axes, shape (6,).
        """
        if self.resting and self.started:
            self.start(self._t_0 + t_1 - t_0)
        while self._due < t_1:
            self._active.append(self._begun(T_world_object, twist))
            self._schedule()
        if not self._active and self._replay is None and self.weight is None:
            self.wrench_world = np.zeros(6)
            return []
        R = np.ascontiguousarray(T_world_object[:3, :3])
        wrench = np.zeros(6) if self.weight is None else self.weight.wrench(R)
        if self._replay is not None and self.started and not self.resting:
            self._replayed_until = t_1 - self._t_0
            wrench += self._replay.at(self._replayed_until)
        for push in self._active:
            push.accumulate(t_0, t_1, R)
            wrench += push.wrench_at(t_1, R)
        self.wrench_world = wrench
        return self._ended(t_1, R)

    def _ended(self, t: float, R: Array) -> list[PushRecord]:
        over = [push for push in self._active if push.t_end <= t]
        records = [PushRecord(p.t_start, p.t_end, p.impulse, p.peak_wrench(R)) for p in over]
        if over:
            self._active = [push for push in self._active if push.t_end > t]
        if self._replay is not None:
            records += self._replayed_ended(self._replay)
        self.records += records
        return records

    def _replayed_ended(self, replay: ReplayedWrench) -> list[PushRecord]:
        """Return the pushes of the recording that have ended; they act at the centre, in world axes."""
        records = []
        for push in replay.pushes[self._next_replayed :]:
            if push.end > self._replayed_until:
                break
            start, end = self._t_0 + push.start, self._t_0 + push.end
            records.append(PushRecord(start, end, push.impulse, push.peak))
        self._next_replayed += len(records)
        return records

    def _schedule(self) -> None:
        """Find when the next configured push begins."""
        times = [NEVER]
        if self._next_scripted < len(self._scripted):
            times.append(self._scripted[self._next_scripted].time)
        if self._random is not None and self._next_random < len(self._random.times):
            times.append(float(self._random.times[self._next_random]))
        self._due = self._t_0 + min(times)

    def _begun(self, T_world_object: Array, twist: Array) -> HalfSinePush:
        """Return the configured push that is due, scripted ones first."""
        i = self._next_scripted
        if i < len(self._scripted) and self._t_0 + self._scripted[i].time <= self._due:
            self._next_scripted += 1
            script = self._scripted[i]
            return HalfSinePush(self._due, script.force, script.duration, script.point)
        assert self._random is not None
        self._next_random += 1
        return self._random.push(self._due, T_world_object, twist)
