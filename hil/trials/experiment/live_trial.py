"""A live trial: a daemon of its own that is recorded, pushed by the emulation or by a person."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hil.analysis.diverging import must_diverge
from hil.analysis.figures import figures
from hil.analysis.recorded.run import load_run
from hil.common.errors import ConfigurationError, LinkError, ZeroGError
from hil.configuration.loading import text_of
from hil.processes.own_run import OwnRun
from hil.trials.experiment.contact_cells import judged_contacts
from hil.trials.experiment.expansion import Base, Task
from hil.trials.experiment.measures import Measured, measured
from hil.trials.experiment.operator_pushes import wait_for_pushes
from hil.trials.experiment.outcome import FAILED, REFUSED, Outcome, outcome_of
from hil.trials.experiment.trial_folder import LIVE, RECORDING, trial_folder, write_account

POLL_S = 0.2
LONGER_S = 30.0  # than a trial should take, until it is given up,
SLOWEST = 4.0  # on a machine so busy that emulated time is slower by this
ENDED_IN_FAULT = 1  # exit status of `zerog run`

Told = Callable[[str], None]


def run_live(task: Task, base: Base, trials: Path, doing: Told, say: Told) -> str:
    """Run a trial, leave its folder, and return the folder's name.

    Args:
        task: the trial.
        base: the configuration that it begins with.
        trials: folder in which the trial's own is made.
        doing: told what is going on.
        say: tells the person who is to push.

    Raises:
        ExperimentError: the folder cannot be made.
    """
    with trial_folder(trials, task.folder) as folder:
        begin = time.perf_counter()
        said, found = dict[str, Any](), Measured()
        outcome: Outcome | None
        if refusal := must_diverge(base.with_settings(task.settings), base.path):
            outcome = Outcome(REFUSED, refusal.removeprefix(f"{base.path}: "))
            write_account(folder, task, base, LIVE, outcome, said, found)
            return task.folder
        try:
            outcome = _floated(task, base, folder / RECORDING, doing, say)
            doing("reading the recording")
            run = load_run(folder / RECORDING)
            said = figures(run.trace, time.perf_counter() - begin)
            contacts = judged_contacts(folder / RECORDING, run.configuration)
            found = measured(run.trace, said, run.missing, contacts)
            outcome = outcome or outcome_of(run.trace)
        except ZeroGError as error:
            outcome = Outcome(FAILED, str(error))
        write_account(folder, task, base, LIVE, outcome, said, found)
    return task.folder


def _floated(task: Task, base: Base, recording: Path, doing: Told, say: Told) -> Outcome | None:
    """Let the object float as long as the trial wants and return what was wrong, if anything was."""
    if text_of(base.path) != base.text:
        raise ConfigurationError(f"{base.path} has changed since the campaign began: resume it")
    longest = task.duration if task.operator is None else task.operator.longest
    arguments = ["--record", str(recording.resolve()), "--duration", f"{longest:g}"]
    with OwnRun(base.path, task.settings, task.folder, arguments) as run:
        if run.configuration.robot.kind != "emulated":
            say("when everybody stands clear and the state is READY: `zerog float`")
        run.start(lambda text: doing(f"waiting for the loop: {text}"))
        if task.operator is not None:
            outcome = wait_for_pushes(run, task.operator, doing, say)
            run.end()
            return outcome
        _wait_for_end(run, longest, doing)
        if run.status == ENDED_IN_FAULT:
            return None  # the recording tells of it
        if run.status != 0:
            run.check()
    return None


def _wait_for_end(run: OwnRun, duration: float, doing: Told) -> None:
    begin = time.monotonic()
    while run.status is None:
        floated = time.monotonic() - begin
        if floated > SLOWEST * duration + LONGER_S:
            raise LinkError(f"the loop did not end within {floated:.0f} s:\n{run.log}")
        doing(f"floats for {min(floated, duration):.0f} of {duration:g} s")
        time.sleep(POLL_S)
