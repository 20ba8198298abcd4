"""The curves of the dashboard, made from what the processes publish. Pure: messages in, arrays out."""

from collections import deque

import numpy as np

from hil.analysis.latency.recording import LOST, SAMPLE
from hil.analysis.latency.stages import STAGES
from hil.common.arrays import Array, IntArray
from hil.configuration import Configuration
from hil.dashboard.base_track import BaseTrack
from hil.dashboard.pushes import DetectedPushes, TruePushes
from hil.dashboard.stage_times import KINDS, StageTimes
from hil.dashboard.window import Window
from hil.dashboard.wrench_curves import WrenchCurves
from hil.loop.solids import ArmPicture, angle_between
from hil.messaging.base_messages import BaseReport
from hil.messaging.codec import Message
from hil.messaging.messages import CycleBlock, ImpulseSlice, SimState, TruthBlock

GAP_S = 0.02  # between two comparisons of the arm with the simulation
STAGES_S = 0.5  # between two looks at the stages
PAST_CYCLES = 40  # blocks with which the simulation's states are compared
WAITING = 500  # states that may wait for the cycles of their time


class Signals:
    """Everything that is drawn over time."""

    def __init__(self, configuration: Configuration, arm: ArmPicture) -> None:
        c = configuration
        self._arm = arm
        self._base = None if c.base.kind == "none" else BaseTrack()
        self._filter = WrenchCurves(c)
        self._range = arm.joint_range + np.array([1.0, -1.0]) * c.limits.position_margin
        self._cycles: deque[tuple[IntArray, Array]] = deque(maxlen=PAST_CYCLES)
        self._states: deque[SimState] = deque(maxlen=WAITING)
        self._compared_s = self._staged_s = 0.0
        self._times = StageTimes(c)
        self.wrench, self.rate = Window(2), Window(2)
        self.joints, self.gap, self.stages = Window(7), Window(2), Window(len(STAGES))
        self.detected, self.true = DetectedPushes(c.filter.length), TruePushes()
        self.threshold = c.detector.floor  # [N/s] in force for the derivative's norm
        self.lost_packets = 0
        self.last_gap = np.zeros(2)  # [mm, deg]

    def take(self, msg: Message) -> None:
        """Take a message of the bus; what shows in no curve is left alone."""
        if isinstance(msg, KINDS):
            self._times.take(msg)
        if isinstance(msg, CycleBlock) and len(msg.stamps):
            self._cycle_block(msg)
        elif isinstance(msg, SimState):
            self._states.append(msg)
        elif isinstance(msg, ImpulseSlice) and self._states:
            state = self._states[-1]
            self.detected.take(msg, state.p_world_object, state.quat_world_object)
        elif isinstance(msg, TruthBlock):
            self.true.take(msg)
        elif isinstance(msg, BaseReport) and self._base is not None:
            self._base.take(msg)

    def turn(self, now: float) -> None:
        """Work off what is not done message by message; `now` is monotonic [s]."""
        self._compare()
        if now - self._staged_s >= STAGES_S:
            self._staged_s = now
            self.stages.add(np.array([now]), self._times.medians()[None])

    def _cycle_block(self, block: CycleBlock) -> None:
        t = block.stamps[:, SAMPLE].astype(np.float64) * 1e-9
        raw, filtered, rate = self._filter.take(block.wrench_object)
        self.wrench.add(t, np.column_stack((raw, filtered)))
        self.rate.add(t, np.column_stack((rate, np.full(len(t), self.threshold))))
        low, high = self._range.T
        share = 200.0 * (block.q_measured - low) / (high - low) - 100.0
        self.joints.add(t, share)
        self._cycles.append((block.stamps[:, SAMPLE], block.q_measured))
        self.lost_packets = int(block.counts[-1, LOST])

    def _compare(self) -> None:
        """Put the arm beside the simulation at the same instants."""
        if not self._cycles:
            return
        newest_ns = self._cycles[-1][0][-1]
        if self._base is not None:
            newest_ns = min(newest_ns, self._base.newest_ns)
        while len(self._states) > 1 and self._states[0].t_ns <= newest_ns:  # the newest stays, for pushes
            state = self._states.popleft()
            t = 1e-9 * state.t_ns
            if t - self._compared_s < GAP_S:
                continue
            q = self._joints_at(state.t_ns)
            base = None if self._base is None else self._base.at(state.t_ns)
            if q is not None and (self._base is None or base is not None):
                self._compared_s = t
                p, quat = self._arm.held_object(q, base)
                distance = float(np.linalg.norm(p - state.p_world_object))
                angle = angle_between(quat, state.quat_world_object)
                self.last_gap = np.array([1e3 * distance, np.degrees(angle)])
                self.gap.add(np.array([t]), self.last_gap[None])

    def _joints_at(self, t_ns: int) -> Array | None:
        """Return the measured joints [rad] at an instant, (7,); None where nothing was measured around it."""
        for stamps, q in reversed(self._cycles):
            if stamps[0] <= t_ns and len(stamps) > 1:
                at = min(max(int(np.searchsorted(stamps, t_ns)), 1), len(stamps) - 1)
                share = (t_ns - stamps[at - 1]) / (stamps[at] - stamps[at - 1])
                # from one block to the next the motion goes on straight
                return q[at - 1] + share * (q[at] - q[at - 1]) if share < 2.0 else None
        return None
