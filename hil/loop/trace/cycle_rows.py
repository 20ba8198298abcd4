"""What a turn of the lock-step loop shows, as rows of a trace."""

from collections import deque

import numpy as np

from drivers.emulation.controller.controller import EmulatedController
from drivers.fri.session import FriSample
from hil.common.arrays import Array
from hil.common.geometry import quat_from_matrix
from hil.loop.driver.cycle import Cycle
from hil.loop.trace.recorder import TraceRecorder
from hil.messaging.inside_messages import InsideState
from hil.messaging.messages import ImpulseSlice, Plan, SimState

ATTITUDES_KEPT = 1000  # cycles; for the axes of a slice's centroid


class CycleRows:
    """Gives a trace's recorder a row a cycle, and what came in it."""

    def __init__(self, recorder: TraceRecorder, controller: EmulatedController, period_ns: int) -> None:
        self._recorder, self._controller, self._period_ns = recorder, controller, period_ns
        self._attitudes: deque[tuple[int, Array]] = deque(maxlen=ATTITUDES_KEPT)

    def take(
        self,
        t_ns: int,
        cycle: Cycle,
        wrench_object: Array,
        slices: list[ImpulseSlice],
        plan: Plan | None,
        state: SimState,
        sample: FriSample,
        machine_state: str,
    ) -> None:
        """Take a cycle.

        Args:
            t_ns: its instant.
            cycle: what the driver made of it.
            wrench_object: measured, about the object's centre, object axes [N, N m], shape (6,).
            slices: that were reported in it.
            plan: that came in it.
            state: the simulation's.
            sample: the robot's.
            machine_state: the name of the machine's state.
        """
        T_world_object = self._controller.truth().T_world_object
        self._attitudes.append((t_ns, T_world_object[:3, :3]))
        commanded = cycle.q_command is not None
        self._recorder.row(
            t_ns,
            self._controller.cycle_wrenches,
            wrench_object,
            cycle.q_command if cycle.q_command is not None else sample.q_commanded,
            sample.q_measured,
            state,
            T_world_object[:3, 3],
            quat_from_matrix(np.ascontiguousarray(T_world_object[:3, :3])),
            machine_state,
            state.time_rate,
            commanded,
        )
        if self._controller.port is not None:
            self._recorder.port(self._controller.port.told())
        for item in slices:
            self._recorder.slice(item, self._attitude_at(item.t_centroid_ns))
        if plan is not None:
            self._recorder.plan(plan)

    def inside(self, state: InsideState) -> None:
        """Take what all bodies of an object with some inside have together."""
        self._recorder.inside(state.t_ns, state.momentum_world, state.energy, state.work)

    def _attitude_at(self, t_ns: int) -> Array:
        """Return the arm's attitude (3, 3) at a past instant."""
        newest_ns, newest = self._attitudes[-1]
        back = round((newest_ns - t_ns) / self._period_ns)
        return newest if back <= 0 else self._attitudes[-1 - min(back, len(self._attitudes) - 1)][1]
