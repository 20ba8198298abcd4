"""From the driver's cycles of one motion to what the load data misses. In plain arrays, without kernels."""

from collections.abc import Sequence

import numpy as np

from hil.common.errors import OperatorError
from hil.configuration import Configuration
from hil.configuration.whole_mockup import whole_mockup
from hil.loop.approach.held_cube import HeldCube
from hil.messaging.messages import CycleBlock
from hil.wrench.load.identification import FoundLoad, even, found_load

AFTER = 0.1  # [s] behind the last command that moved: the arm comes to rest


def load_shown(blocks: Sequence[CycleBlock], c: Configuration) -> FoundLoad:
    """Return what load data misses.

    Args:
        blocks: the driver's cycles, in order, with a motion in them.
        c: the run's; of its mock-up only what the operator knows: mass, edge, inertia.

    Raises:
        OperatorError: too little was measured, or nothing moved.
    """
    if not blocks:
        raise OperatorError("calibrate: no cycles of the driver came: does `zerog run` still go on?")
    t = np.concatenate([block.stamps[:, 0] for block in blocks])
    q = np.concatenate([block.q_measured for block in blocks])
    wrench = np.concatenate([block.wrench_object for block in blocks])
    moved = np.flatnonzero(np.diff(np.concatenate([block.q_command for block in blocks]), axis=0).any(axis=1))
    if not len(moved):
        raise OperatorError("calibrate: nothing moved; hold on until the motion is over")
    step = c.fri.sample_time
    begin = moved[np.flatnonzero(np.diff(moved, prepend=-len(t)) > AFTER / step)[-1]]  # of the last stretch
    part = slice(begin, moved[-1] + 2 + round(AFTER / step))
    t, q, wrench = t[part], q[part], wrench[part]
    known = np.isfinite(wrench).all(axis=1) & (np.diff(t, prepend=t[0] - 1) > 0)
    q, wrench = even(1e-9 * (t[known] - t[0]), q[known], wrench[known], step)
    R, p = HeldCube(c).object_poses(q)
    mockup = c.mockup
    return found_load(R, p, wrench, step, whole_mockup(mockup.mass, mockup.edge, mockup.inertia))
