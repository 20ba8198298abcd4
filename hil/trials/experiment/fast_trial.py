"""A trial in lock-step on virtual time, recorded; a function of plain values for other processes."""

import time
from dataclasses import dataclass
from pathlib import Path

from hil.analysis.diverging import must_diverge
from hil.analysis.figures import figures
from hil.common.errors import ZeroGError
from hil.configuration import Configuration
from hil.configuration.admittance import NO_PUSHES
from hil.configuration.force import CONTINUOUS
from hil.configuration.tables.inside import NO_IDEAL
from hil.loop.lockstep import LockStep
from hil.loop.trace.fields import Trace
from hil.recording.lockstep_file import lockstep_recorder
from hil.trials.experiment.contact_cells import judged_contacts
from hil.trials.experiment.expansion import Base, Task
from hil.trials.experiment.measures import Measured, measured
from hil.trials.experiment.outcome import FAILED, REFUSED, Outcome, outcome_of
from hil.trials.experiment.trial_folder import FAST, RECORDING, trial_folder, write_account


@dataclass(frozen=True)
class FastJob:
    """What a process needs to run a trial.

    Attributes:
        task: the trial.
        base: the configuration that it begins with.
        trials: folder in which the trial's own is made.
    """

    task: Task
    base: Base
    trials: Path


def run_fast(job: FastJob) -> str:
    """Run a trial, leave its folder, and return the folder's name.

    What goes wrong within the trial is told in its folder; only a folder that cannot be written raises.

    Raises:
        ExperimentError: the folder cannot be made.
    """
    task, base = job.task, job.base
    if (job.trials / task.folder).is_dir():  # by a worker that has died since, or is given up
        return task.folder
    with trial_folder(job.trials, task.folder) as folder:
        begin = time.perf_counter()
        c = base.with_settings(task.settings)
        if refusal := must_diverge(c, base.path):
            outcome = Outcome(REFUSED, refusal.removeprefix(f"{base.path}: "))
            write_account(folder, task, base, FAST, outcome, {}, Measured())
            return task.folder
        try:
            trace = _recorded(job, folder / RECORDING)
        except OSError:  # nothing can be written: no matter of this trial
            raise
        except Exception as error:  # a night's work is not lost by one trial, whatever went wrong in it
            kind = "" if isinstance(error, ZeroGError) else f"{type(error).__name__}: "
            write_account(folder, task, base, FAST, Outcome(FAILED, f"{kind}{error}"), {}, Measured())
        else:
            said = figures(trace, time.perf_counter() - begin)
            found = measured(trace, said, _missing(c), judged_contacts(folder / RECORDING, c))
            write_account(folder, task, base, FAST, outcome_of(trace), said, found)
    return task.folder


def _recorded(job: FastJob, path: Path) -> Trace:
    base, task = job.base, job.task
    c = base.with_settings(task.settings)
    recorder = lockstep_recorder(path, c, base.text, task.settings, duration_s=repr(task.duration))
    trace = LockStep(c, listener=recorder.take).run(task.duration)
    recorder.end({})
    return trace


def _missing(c: Configuration) -> dict[str, str]:
    """Return what a trace in lock-step does not tell."""
    if c.object.inside is not None:
        return {"ideal": NO_IDEAL}
    if c.force.mode != "pushes":
        return {"force": CONTINUOUS}
    return {} if c.admittance is None else {"impulses": NO_PUSHES}
