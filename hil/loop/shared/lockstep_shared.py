"""Two arms in lock-step, with one object time, one observer, and one stop line.

Whatever holds one arm holds the other, by the next cycle, and ends the run: what is shared cannot go on
alone.
"""

from collections.abc import Callable

import numpy as np

from drivers.emulation.port.noses import Noses
from hil.common.arrays import Array
from hil.common.errors import ConfigurationError, LinkError
from hil.common.poses import quat_of
from hil.configuration.shared import ARMS
from hil.configuration.shared_pair import Pair, begun_off
from hil.loop.judging.judge import Judge
from hil.loop.judging.state_machine import State
from hil.loop.lockstep import LONGEST_START
from hil.loop.shared.flown_pair import FlownPair
from hil.loop.shared.shared_arm import SharedArm
from hil.loop.shared.shared_observer import SharedObserver, setting_off


class LockStepShared:
    """Both arms' loops, turn by turn.

    Attributes:
        arms: both loops.
        observer: of both.
        ended: why the run ended before its time; empty if it did not.
    """

    def __init__(self, pair: Pair) -> None:
        """Set up before anything floats.

        Raises:
            RobotModelError: a robot model cannot be used.
            ConfigurationError: an arm cannot be set up, or begins off the middle of its set.
        """
        self._pair, self.observer, self.ended = pair, SharedObserver(pair), ""
        self.arms = tuple(
            SharedArm(c, index, self.observer, self._operator) for index, c in enumerate(pair.arms)
        )
        poses = self.arms[0].T_world_object, self.arms[1].T_world_object
        if off := begun_off(pair, poses):
            raise ConfigurationError(off)
        shared = (pair.shared.first, pair.shared.second)
        self.noses = Noses(
            pair.shared.touch, np.array([a.nose for a in shared]),
            np.array([a.nose_radius for a in shared]), poses,
        )  # fmt: skip
        for arm, end in zip(self.arms, self.noses.ends, strict=True):
            arm.meets(end)
        first, second = (setting_off(c, T) for c, T in zip(pair.arms, poses, strict=True))
        self.observer.begin(first, second)

    def run(self, duration: float, progress: Callable[[float], None] | None = None) -> FlownPair:
        """Float for a time [s], or until both are held, and return what was flown.

        Raises:
            LinkError: an emulated controller does not reach command mode.
        """
        rows: list[Array] = []
        while not self.ended and self.arms[0].floated_s < duration:
            held = [(arm.T_world_object, arm.twist_world_object) for arm in self.arms]
            self.turn()
            if self.arms[0].floated_s:
                rows.append(self._row(held))
            elif self.arms[0].cycles > LONGEST_START:
                raise LinkError("the emulated controllers did not reach command mode")
            if progress is not None and self.arms[0].cycles % 500 == 0:
                progress(self.arms[0].floated_s)
        flown = np.array(rows)
        began = self.arms[0].emulated_s - flown[-1, 0]
        return FlownPair(self._pair, flown, tuple(self.noses.ends[0].touches.records), began, self.ended)

    def turn(self) -> None:
        """Do a cycle of both arms."""
        for arm in self.arms:
            arm.turn()
        states = [arm.judge.machine.state for arm in self.arms]
        if self.ended or not self.arms[0].floated_s:
            return
        self.ended = self.observer.stop
        for name, arm, state in zip(ARMS, self.arms, states, strict=True):
            if state is not State.FLOATING:
                self.ended = (
                    self.ended or f"the {name} arm: {arm.fault or f'{state}: {arm.judge.machine.reason}'}"
                )
        if self.ended:
            for arm in self.arms:
                if arm.judge.machine.state is State.FLOATING:
                    arm.judge.order("hold", self.ended)

    def _operator(self, _: int, judge: Judge) -> None:
        """Let both float in the same cycle, once both are ready."""
        first, second = (arm.judge for arm in self.arms)
        other, wanted = (second, State.READY) if judge is first else (first, State.FLOATING)
        if judge.machine.state is State.READY and other.machine.state is wanted and not self.ended:
            judge.order("float")

    def _row(self, held: list[tuple[Array, Array]]) -> Array:
        """Return a row of the run, see `FlownPair`; `held` are poses and twists of the mock-ups in it."""
        row = [self.arms[0].floated_s]
        for arm, (T, twist) in zip(self.arms, held, strict=True):
            assert arm.state is not None
            s = arm.state
            row += [*T[:3, 3], *quat_of(T), *twist]
            row += [*s.p_world_object, *s.quat_world_object, *s.twist_world_object, s.object_time]
        return np.array([*row, *self.noses.ends[0].wrench_world, self.noses.depth])
