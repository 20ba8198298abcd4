"""A recording's inputs of a second arm, as the driver got them; its reports are compared."""

from collections.abc import Iterator
from typing import NamedTuple

from hil.configuration import Configuration
from hil.loop.driver.core import DriverCore
from hil.loop.driver.grasp_force import GraspForce
from hil.loop.partner.grasp_driver import GraspDriver
from hil.loop.partner.grasp_log import FLOATS, REPORTED, rows_of
from hil.messaging.grasp_messages import GraspInputs, GraspReport, PartnerWords
from hil.recording.replaying.blocks import in_a_row
from hil.recording.replaying.comparison import Expected, Verdict
from hil.recording.replaying.source import Source
from hil.recording.replaying.turns import Turns


class HeardRow(NamedTuple):
    """What a core heard: whose, after how many samples, row of `GraspInputs`, and words, if it was words."""

    process: int
    taken: int
    row: list[int]
    words: PartnerWords | None


class HeardGrasp:
    """Runs the driver's share of a grasp again."""

    def __init__(self, source: Source, c: Configuration, verdict: Verdict) -> None:
        """Read on from the recording's begin."""
        self._c = c
        self._reports = Expected(verdict, "grasp_report", GraspReport, source.raw("/grasp_report"))
        self._turns = Turns(self._told(source, verdict))

    def begin(self, core: DriverCore) -> None:
        """Follow a new core from now on."""
        assert isinstance(core.touching, GraspForce)
        self._core, self._driver = core, GraspDriver(self._c, core.touching, 0)

    def until(self, process: int, taken: int) -> bool:
        """Give all that came up to so many samples; return whether a judgement behind the last was among it.

        Args:
            process: whose core.
            taken: samples.
        """
        return sum(self._happen(turn) == taken for turn in self._turns.until(process, taken)) > 0

    def rest(self, begin_ns: int, end_ns: int) -> None:
        """Count reports that were made then in a stretch and are not made now; stretches come in order."""
        self._reports.rest(begin_ns, end_ns)

    def _happen(self, turn: HeardRow) -> int:
        """Let a row happen and return after how many samples a judgement did; -1: it was none."""
        taken, _, now_ns, t_ns, flags = turn.row
        if turn.words is not None:
            self._driver.hear(taken, turn.words, now_ns)
            return -1
        self._driver.step(taken, now_ns, t_ns, self._core.lead, bool(flags & FLOATS))
        if flags & REPORTED:
            self._reports.hear(self._driver.watch.report())
        self._driver.log.block(now_ns)  # it is told to nobody
        return taken

    @staticmethod
    def _told(source: Source, verdict: Verdict) -> Iterator[HeardRow]:
        for _, block in in_a_row(source.all_of("/grasp_inputs", GraspInputs), verdict):
            for row, words in rows_of(block):
                yield HeardRow(block.process, row[0], row, words)
