"""The trials of one peg: the experiment's first moves with the plate shifted, as in any campaign."""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from hil.common.arrays import Array
from hil.trials.validation.arm_run import ArmRun
from hil.trials.validation.campaign import Trial, commands_of_trials, shifts, trial_of
from hil.trials.validation.setup import Setup
from hil.trials.validation.tool.comparison import at_rest, from_rest


class Run(Protocol):
    """Makes a run of a setup from commands [rad] (n, 7) and the plate's shift [m] (3,)."""

    def __call__(self, setup: Setup, commands: Array, shift: Array) -> ArmRun:
        """Return it."""


@dataclass(frozen=True)
class RackTrial:
    """One trial of one peg.

    Attributes:
        peg: its name.
        number: of the trial among the peg's, from 0.
        trial: as in any campaign.
        tool_force_n: largest force that the tool's sensor reads, counted from rest [N].
    """

    peg: str
    number: int
    trial: Trial
    tool_force_n: float

    def to_dict(self) -> dict[str, Any]:
        """Return it as keys of a file."""
        return {
            "peg": self.peg,
            "number": self.number,
            **self.trial.to_dict(),
            "tool_force_n": self.tool_force_n,
        }


def from_dict(line: dict[str, Any]) -> RackTrial:
    """Return the trial that a line of a journal tells of."""
    names = Trial.__dataclass_fields__
    trial = Trial(**{name: line[name] for name in names})
    return RackTrial(line["peg"], line["number"], trial, line["tool_force_n"])


class PegTrials:
    """Does the trials of one peg."""

    def __init__(self, name: str, setup: Setup, run: Run) -> None:
        self._name, self._setup, self._run = name, setup, run
        assert setup.experiment.campaign is not None  # looked at when the file was read
        self.shifts = shifts(setup.experiment.campaign)
        self.commands = commands_of_trials(setup)

    @property
    def duration(self) -> float:
        """Of a trial [s]."""
        return (len(self.commands) - 1) * self._setup.experiment.simulation.step

    def do(self, number: int) -> RackTrial:
        """Do one.

        Raises:
            SimulationError: it diverged.
        """
        shift = self.shifts[number]
        run = self._run(self._setup, self.commands, shift)
        assert run.wrench is not None  # a rack's experiment has a sensor
        force = from_rest(run.wrench, at_rest(run, run.t))[:, :3]
        trial = trial_of(self._setup.experiment, shift, run)
        return RackTrial(self._name, number, trial, float(np.linalg.norm(force, axis=1).max()))
