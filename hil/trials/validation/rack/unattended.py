"""An unattended campaign: peg after peg is picked, weighed, tried and put back; every failure has its state.

A pure core: cell, trials and journal are given to it. What it does next follows from states alone:

    pick, weigh, run, place; then the next peg
    pick failed | tool missing | load wrong | diverged: put back what hangs, the next peg or, if wanted, stop
    tool lost | place failed | sensor lost: stop at once, for a tool lies or hangs where it should not, or
    nobody could tell whether one does
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from hil.common.arrays import Array
from hil.common.errors import SimulationError
from hil.trials.validation.rack.cell import Cell, ToolLoss, read_all
from hil.trials.validation.rack.journal import ENDED, FLANGE, PEG, TRIAL, Journal
from hil.trials.validation.rack.loading import RackPlan
from hil.trials.validation.rack.schema import RackPeg
from hil.trials.validation.rack.state import ALWAYS_STOP, Outcome, State
from hil.trials.validation.rack.trials import PegTrials, RackTrial, Run, from_dict
from hil.trials.validation.rack.weighing import MISSING, WELL, Load, verdict, weighed

Tell = Callable[[State, str], None]


class Failure(Exception):
    """A peg cannot be gone on with."""

    def __init__(self, outcome: Outcome, line: str) -> None:
        super().__init__(line)
        self.outcome, self.line = outcome, line


@dataclass
class PegResult:
    """What one peg came to.

    Attributes:
        peg: declared.
        outcome: how it ended; None: it was not reached.
        line: why, in words.
        load: weighed; None where it was not.
        trials: done.
    """

    peg: RackPeg
    outcome: Outcome | None = None
    line: str = "not reached"
    load: Load | None = None
    trials: list[RackTrial] = field(default_factory=list)


class Unattended:
    """Runs one campaign.

    Attributes:
        results: peg by peg, in the rack's order.
        state: the present one.
        line: why it is in it, in words.
    """

    def __init__(self, plan: RackPlan, cell: Cell, run: Run, journal: Journal, tell: Tell) -> None:
        """Begin, or go on with what the journal has; `tell` is told each state and why."""
        self._plan, self._cell, self._run, self._journal, self._tell = plan, cell, run, journal, tell
        self.results = [PegResult(peg) for peg in plan.rack.peg]
        self.state, self.line = State.RECOVERING, ""
        self._empty = np.zeros((0, 6))
        for result in self.results:
            self._remember(result)

    def go(self) -> State:
        """Do all that is left; return `State.DONE` or `State.STOPPED`."""
        try:
            self._recover()
            for result, setup in zip(self.results, self._plan.setups, strict=True):
                if result.outcome is None:
                    trials = PegTrials(result.peg.name, setup, self._run)
                    self._one(result, trials)
        except Failure as failure:
            return self._end(State.STOPPED, f"{failure.line}; the arm rests, nothing is picked any more")
        return self._end(State.DONE, f"all {len(self.results)} pegs of the rack are through")

    def _one(self, result: PegResult, trials: PegTrials) -> None:
        """Do one peg, and leave the flange empty, or stop."""
        try:
            self._take(result)
            self._try(result, trials)
            self._place(result.peg)
        except Failure as failure:
            self._note(result, failure)
            if failure.outcome in ALWAYS_STOP:
                raise
            try:
                self._put_away(result.peg)
            except Failure as worse:
                self._note(result, worse)
                raise
            if self._plan.rack.changer.on_failure == "stop":
                raise
            return
        result.outcome, result.line = Outcome.DONE, f"{len(result.trials)} trials"
        self._journal.add(PEG, peg=result.peg.name, outcome=result.outcome, line=result.line)

    def _take(self, result: PegResult) -> None:
        """Pick a peg and weigh it."""
        peg, changer = result.peg, self._plan.rack.changer
        self._say(State.WEIGHING_EMPTY, f"before peg {peg.name!r}")
        self._empty, _ = self._read()
        self._say(State.PICKING, f"peg {peg.name!r} from slot {peg.slot}")
        self._journal.add(FLANGE, peg=peg.name)  # before: who is cut off meanwhile finds it there
        if not any(self._cell.pick(peg) for _ in range(changer.tries)):
            self._journal.add(FLANGE, peg=None)
            raise Failure(
                Outcome.PICK_FAILED,
                f"peg {peg.name!r} of slot {peg.slot}: the changer does not lock, {changer.tries} tries",
            )
        self._say(State.WEIGHING, f"peg {peg.name!r}")
        result.load = self._weigh()
        said, line = verdict(result.load, peg, changer, self._plan.rack.peg)
        if said != WELL:
            raise Failure(Outcome.TOOL_MISSING if said == MISSING else Outcome.LOAD_WRONG, line)
        self._say(State.WEIGHING, line)

    def _try(self, result: PegResult, trials: PegTrials) -> None:
        """Do a peg's trials that are left."""
        peg = result.peg
        for number in range(len(result.trials), len(trials.shifts)):
            self._say(State.RUNNING, f"peg {peg.name!r}, trial {number + 1} of {len(trials.shifts)}")
            lost = self._cell.lost_during(number, trials.duration)
            if lost is not None:
                raise Failure(
                    Outcome.TOOL_LOST,
                    f"peg {peg.name!r}: the changer's signal fell {lost:.2f} s into trial {number + 1}: the "
                    "tool lies in the cell; the trial does not count",
                )
            try:
                done = trials.do(number)
            except SimulationError as error:
                raise Failure(Outcome.DIVERGED, f"peg {peg.name!r}, trial {number + 1}: {error}") from error
            self._still_there(peg, number)
            result.trials.append(done)
            self._journal.add(TRIAL, **done.to_dict())

    def _still_there(self, peg: RackPeg, number: int) -> None:
        """Weigh again: a changer's signal may be stuck, a weight is not."""
        said, line = verdict(self._weigh(), peg, self._plan.rack.changer, self._plan.rack.peg)
        if said != WELL:
            raise Failure(
                Outcome.TOOL_LOST,
                f"after trial {number + 1} {line}, though the changer says that it is locked: the trial does "
                "not count",
            )

    def _place(self, peg: RackPeg) -> None:
        self._say(State.PLACING, f"peg {peg.name!r} into slot {peg.slot}")
        self._put_away(peg)

    def _put_away(self, peg: RackPeg) -> None:
        """Empty the flange, if anything is locked there."""
        if self._cell.flange is None:
            return
        tries = self._plan.rack.changer.tries
        if not any(self._cell.place() for _ in range(tries)):
            raise Failure(
                Outcome.PLACE_FAILED,
                f"peg {peg.name!r}: the changer does not let it go into slot {peg.slot}, {tries} tries; it "
                "hangs at the flange",
            )
        self._journal.add(FLANGE, peg=None)

    def _recover(self) -> None:
        """Put back what hangs at the flange of a campaign that was cut off."""
        peg = self._cell.flange
        if peg is None:
            return
        self._say(State.RECOVERING, f"peg {peg.name!r} hangs at the flange: back into slot {peg.slot}")
        self._put_away(peg)

    def _read(self) -> tuple[Array, Array]:
        try:
            return read_all(self._cell, self._plan)
        except ToolLoss as error:
            raise Failure(Outcome.SENSOR_LOST, f"nothing can be weighed: {error}") from error

    def _weigh(self) -> Load:
        loaded, noise = self._read()
        return weighed(self._plan, self._empty, loaded, noise)

    def _note(self, result: PegResult, failure: Failure) -> None:
        result.outcome, result.line = failure.outcome, failure.line
        self._say(self.state, failure.line)
        self._journal.add(PEG, peg=result.peg.name, outcome=failure.outcome, line=failure.line)

    def _remember(self, result: PegResult) -> None:
        """Take over what the journal has of a peg; a campaign that was stopped tries it again."""
        name = result.peg.name
        result.trials = [from_dict(line) for line in self._journal.all_of(TRIAL) if line["peg"] == name]
        for line in self._journal.all_of(PEG):
            outcome = Outcome(line["outcome"])
            if line["peg"] == name and outcome not in ALWAYS_STOP:
                result.outcome, result.line = outcome, line["line"]

    def _end(self, state: State, line: str) -> State:
        self._say(state, line)
        self._journal.add(ENDED, state=state, line=line)
        return state

    def _say(self, state: State, line: str) -> None:
        self.state, self.line = state, line
        self._tell(state, line)
