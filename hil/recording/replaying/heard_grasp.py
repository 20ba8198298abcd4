"""A recording's inputs of a second arm, as the driver got them; its reports are compared."""

from collections.abc import Iterator

from hil.configuration import Configuration
from hil.loop.driver.core import DriverCore
from hil.loop.driver.grasp_force import GraspForce
from hil.loop.partner.grasp_driver import GraspDriver
from hil.loop.partner.grasp_log import FLOATS, REPORTED, rows_of
from hil.messaging.grasp_messages import GraspInputs, GraspReport, PartnerWords
from hil.recording.replaying.blocks import in_a_row
from hil.recording.replaying.comparison import Expected, Verdict
from hil.recording.replaying.source import Source

Row = tuple[int, list[int], PartnerWords | None]  # whose core, row of `GraspInputs`, words


class HeardGrasp:
    """Runs the driver's share of a grasp again."""

    def __init__(self, source: Source, c: Configuration, verdict: Verdict) -> None:
        """Read on from the recording's begin."""
        self._c = c
        self._reports = Expected(verdict, "grasp_report", GraspReport, source.raw("/grasp_report"))
        self._rows = self._told(source, verdict)
        self._next = next(self._rows, None)

    def begin(self, core: DriverCore) -> None:
        """Follow a new core from now on."""
        assert isinstance(core.touching, GraspForce)
        self._core, self._driver, self._process = core, GraspDriver(self._c, core.touching, 0), -1

    def until(self, process: int, taken: int) -> bool:
        """Give all that came up to so many samples; return whether a judgement behind the last was among it.

        Args:
            process: whose core; what is left of another one before it is passed over.
            taken: samples.
        """
        if process != self._process:
            self._process = process
            while self._next is not None and self._next[0] != process:
                self._next = next(self._rows, None)
        judged = False
        while self._next is not None and self._next[0] == process and self._next[1][0] <= taken:
            judged |= self._happen(*self._next[1:]) == taken
            self._next = next(self._rows, None)
        return judged

    def rest(self, begin_ns: int, end_ns: int) -> None:
        """Count reports that were made then in a stretch and are not made now; stretches come in order."""
        self._reports.rest(begin_ns, end_ns)

    def _happen(self, row: list[int], words: PartnerWords | None) -> int:
        """Let a row happen and return after how many samples a judgement did; -1: it was none."""
        taken, _, now_ns, t_ns, flags = row
        if words is not None:
            self._driver.hear(taken, words, now_ns)
            return -1
        self._driver.step(taken, now_ns, t_ns, self._core.lead, bool(flags & FLOATS))
        if flags & REPORTED:
            self._reports.hear(self._driver.watch.report())
        self._driver.log.block(now_ns)  # it is told to nobody
        return taken

    @staticmethod
    def _told(source: Source, verdict: Verdict) -> Iterator[Row]:
        for _, block in in_a_row(source.all_of("/grasp_inputs", GraspInputs), verdict):
            for row, words in rows_of(block):
                yield block.process, row, words
