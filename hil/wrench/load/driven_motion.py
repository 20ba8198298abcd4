"""How the arm moves by its drives' model on what was commanded: acceleration without delay or differences.

A command reaches the path a dead time after its cycle, and the drives follow with a lag of second order
(`hil.force.setup.lag_of_velocity`). Velocities: of the object's centre in base axes, and the object's
turning in its own. Compiled, without allocation.
"""

import math

import numpy as np
from numba import njit

from hil.common.arrays import Array, IntArray
from hil.force.setup import DriveModel, lag_of_velocity

CELLS = 512  # cycles of commands that are remembered: a second, at 2 ms
AXES = 6
COMMANDED, MEAN, SPEED, ACCELERATION = range(4)  # rows of a state: of the newest command; since the sample
# before; now; now


class DrivenMotion:
    """The model's state.

    Attributes:
        state: rows as above, shape (4, 6).
        commands: rates that were commanded, one a cycle, shape (CELLS, 6),
        newest: and where the newest stands, shape (1,).
        transitions: of the lag over the dead time's fraction of a cycle and over the rest, shape (2, 3, 4).
        dead: whole cycles of the dead time, shape (1,).
        step: of a cycle [s].
    """

    def __init__(self, step: float, drive: DriveModel) -> None:
        self.step = step
        self.state, self.commands = np.zeros((4, AXES)), np.zeros((CELLS, AXES))
        self.newest = np.zeros(1, np.int64)
        self.transitions, self.dead = np.zeros((2, 3, 4)), np.zeros(1, np.int64)
        self.retime(drive)

    def retime(self, drive: DriveModel) -> None:
        """Take another model of the drives."""
        whole = min(CELLS - 2, math.floor(drive.dead_time / self.step + 1e-9))
        rest = min(self.step, max(0.0, drive.dead_time - whole * self.step))
        self.dead[0] = whole
        self.transitions[:] = lag_of_velocity(drive, rest), lag_of_velocity(drive, self.step - rest)

    def stand(self) -> None:
        """Forget the commands: the arm stands as far as is known."""
        self.state[:], self.commands[:] = 0.0, 0.0


@njit(cache=True)
def drive_on(
    state: Array, commands: Array, newest: IntArray, transitions: Array, dead: int, step: float, cycles: int
) -> None:
    """Carry the model over the cycles before a sample; the newest rate that was commanded holds in them."""
    size, now = commands.shape[0], newest[0]
    for i in range(AXES):
        state[MEAN, i] = 0.0
    for _ in range(cycles):
        now = (now + 1) % size
        for i in range(AXES):
            commands[now, i] = state[COMMANDED, i]
            before = state[SPEED, i]
            for part in range(2):
                m = transitions[part]
                u = commands[(now - dead - 1 + part) % size, i]
                v, a = state[SPEED, i], state[ACCELERATION, i]
                state[MEAN, i] += m[0, 1] * v + m[0, 2] * a + m[0, 3] * u
                state[SPEED, i] = m[1, 1] * v + m[1, 2] * a + m[1, 3] * u
                state[ACCELERATION, i] = m[2, 1] * v + m[2, 2] * a + m[2, 3] * u
            if transitions[1, 2, 3] == 0.0:  # drives without a lag: what they do in a cycle
                state[ACCELERATION, i] = (state[SPEED, i] - before) / step
    newest[0] = now
    for i in range(AXES):
        state[MEAN, i] /= cycles * step
