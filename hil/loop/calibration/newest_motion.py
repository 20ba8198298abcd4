"""The driver's cycles of the newest motion, kept until somebody asks what it showed."""

from collections import deque
from collections.abc import Sequence

from hil.loop.calibration.poses import WHOLE
from hil.messaging.messages import CycleBlock

BLOCKS_COME = 0.3  # [s] until the last cycles of a motion have been told
KEPT_NS = round(1e9 * (WHOLE + 3.0))  # of cycles: a whole motion is in them until it is asked for


class NewestMotion:
    """Keeps the driver's cycles of the newest motion; one that was broken off counts for nothing.

    Attributes:
        blocks: of them, in order.
    """

    def __init__(self) -> None:
        self.blocks: deque[CycleBlock] = deque()
        self._goes_on = False

    def take(self, goes_on: bool, blocks: Sequence[CycleBlock]) -> None:
        """Take what was heard, and whether the daemon lets a motion go on."""
        if goes_on and not self._goes_on:
            self.blocks.clear()
        self.blocks += blocks
        while self.blocks and self.blocks[-1].t_ns - self.blocks[0].t_ns > KEPT_NS:
            self.blocks.popleft()
        self._goes_on = goes_on
