"""A recording's inputs of a base, as the driver got them among its samples; its commands are compared."""

from collections.abc import Iterator

from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.loop.carried.base_driver import BaseDriver
from hil.loop.carried.base_log import COMMAND
from hil.loop.carried.carried_arm import CarriedArm
from hil.messaging.base_messages import BaseInputs, BasePlan, BaseState
from hil.messaging.messages import Mode
from hil.recording.replaying.blocks import in_a_row
from hil.recording.replaying.comparison import Verdict
from hil.recording.replaying.source import Instants, Source

Row = tuple[int, list[int], Array]  # whose core, row and values of a `BaseInputs`


class HeardBase:
    """Runs the driver's share of a base again."""

    def __init__(self, source: Source, c: Configuration, verdict: Verdict, modes: Instants[Mode]) -> None:
        """Read on from the recording's begin."""
        self._c, self._verdict, self._modes = c, verdict, modes
        self._rows = self._told(source, verdict)
        self._next = next(self._rows, None)

    def begin(self, arm: CarriedArm) -> None:
        """Follow a new core from now on."""
        self._driver, self._process = BaseDriver(self._c, arm, 0), -1

    def follow(self, plan: BasePlan) -> None:
        """Let the driver take another plan of the base."""
        self._driver.take(plan)

    def until(self, process: int, place: int) -> bool:
        """Give all that came up to a place among the samples, as in `BaseInputs`; False: an order is missing.

        Args:
            process: whose core; what is left of another one before it is passed over.
            place: the last.
        """
        if process != self._process:
            self._process = process
            while self._next is not None and self._next[0] != process:
                self._next = next(self._rows, None)
        while self._next is not None and self._next[0] == process and self._next[1][0] <= place:
            if not self._happen(*self._next[1:]):
                return False
            self._next = next(self._rows, None)
        return True

    def _happen(self, row: list[int], values: Array) -> bool:
        place, kind, t_ns, order_ns = row
        if kind != COMMAND:
            self._driver.hear(place, BaseState(t_ns, values[:3], values[3:6], bool(values[6])))
            return True
        order = self._modes.at(order_ns) if order_ns else None
        if order_ns and order is None:
            return False
        now = self._driver.command(place, t_ns, float(values[3]), order)
        then = values[:3]
        text = "" if now.tobytes() == then.tobytes() else f"{then.tolist()} then, {now.tolist()} now"
        self._verdict.count("base_command", t_ns, text)
        self._driver.log.block(t_ns)  # it is told to nobody
        return True

    @staticmethod
    def _told(source: Source, verdict: Verdict) -> Iterator[Row]:
        for _, block in in_a_row(source.all_of("/base_inputs", BaseInputs), verdict):
            for row, values in zip(block.rows.tolist(), block.values, strict=True):
                yield block.process, row, values
