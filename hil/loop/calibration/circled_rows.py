"""Which of the driver's cycles belong to the newest motion that circled."""

from collections.abc import Sequence

import numpy as np

from hil.common.errors import OperatorError
from hil.loop.calibration.shape import DURATION
from hil.messaging.messages import CycleBlock

AFTER = 0.1  # [s] behind the last command that moved: the arm comes to rest
CIRCLED = 0.7 * DURATION  # [s] of motion without a rest, that shows enough


def circled_rows(blocks: Sequence[CycleBlock], step: float) -> slice:
    """Return the rows of the last stretch of motion that is long enough, between two rests.

    The first of them is the last one at rest.

    Args:
        blocks: the driver's cycles, in order, with a motion in them.
        step: of a cycle [s].

    Raises:
        OperatorError: there are none, or nothing moved for so long.
    """
    if not blocks:
        raise OperatorError("calibrate: no cycles of the driver came: does `zerog run` still go on?")
    commands = np.concatenate([block.q_command for block in blocks])
    moved = np.flatnonzero(np.diff(commands, axis=0).any(axis=1))
    stretches = np.split(moved, np.flatnonzero(np.diff(moved) > AFTER / step) + 1)
    whole = [one for one in stretches if one.size and (one[-1] - one[0]) * step >= CIRCLED]
    if not whole:
        raise OperatorError(
            f"calibrate: nothing moved for {CIRCLED:.1f} s without a rest; hold on until the motion is over"
        )
    return slice(int(whole[-1][0]), int(whole[-1][-1]) + 2 + round(AFTER / step))
