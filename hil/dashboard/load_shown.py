"""The calibration of the load as the page shows it: how far the motion is, and what it showed.

The finding takes a second, and libraries that nothing else here needs: a thread loads them when it is asked.
"""

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from hil.common.errors import ZeroGError
from hil.configuration import Configuration
from hil.loop.calibration.newest_motion import BLOCKS_COME, NewestMotion
from hil.loop.calibration.poses import WHOLE
from hil.loop.judging.state_machine import State
from hil.messaging.codec import Message
from hil.messaging.messages import CycleBlock, Mode


class LoadShown:
    """Follows the daemon's state and the driver's cycles.

    Attributes:
        told: `progress`, from 0 to 1, while the motion goes on, else None; `found`, in words, and the `table`
            for the configuration, both empty before it is over.
    """

    def __init__(self, configuration: Configuration) -> None:
        self._c = configuration
        self._motion = NewestMotion()
        self._thread = ThreadPoolExecutor(1, "load")
        self._finding: Future[tuple[str, str]] | None = None
        self._state, self._since_ns = "", 0
        self._over_ns: int | None = None  # when the motion came to its end, until it is looked at
        self.told: dict[str, Any] = {"progress": None, "found": "", "table": ""}

    def turn(self, now_ns: int, mode: Mode | None, heard: Sequence[Message]) -> None:
        """Take what was heard since the last turn; `now_ns` on the clock of the run."""
        if mode is None:
            return
        goes_on = mode.state == State.CALIBRATING
        self._motion.take(goes_on, [msg for msg in heard if isinstance(msg, CycleBlock)])
        if goes_on and self._state != State.CALIBRATING:
            self._since_ns, self._over_ns, self._finding = now_ns, None, None
            self.told = {"progress": 0.0, "found": "", "table": ""}
        elif goes_on:
            self.told["progress"] = min(1.0, 1e-9 * (now_ns - self._since_ns) / WHOLE)
        elif self._state == State.CALIBRATING:
            self.told["progress"] = None
            self._over_ns = now_ns if mode.state == State.READY and not mode.reason else None
        if self._over_ns is not None and now_ns - self._over_ns >= 1e9 * BLOCKS_COME:
            self._over_ns = None
            self._finding = self._thread.submit(_found, list(self._motion.blocks), self._c)
        if self._finding is not None and self._finding.done():
            self.told["found"], self.told["table"] = self._finding.result()
            self._finding = None
        self._state = mode.state

    def close(self) -> None:
        """End the thread."""
        self._thread.shutdown(wait=True, cancel_futures=True)


def _found(blocks: list[CycleBlock], c: Configuration) -> tuple[str, str]:
    """Return the finding in words, and its table; the words of a refusal, and none."""
    from hil.loop.calibration.shown_motion import load_shown
    from hil.wrench.load.found_words import found_lines

    try:
        words, _, table = "\n".join(found_lines(*load_shown(blocks, c), c)).partition("\n\n")
        return words, table
    except ZeroGError as error:
        return str(error), ""
