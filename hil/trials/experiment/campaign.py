"""All trials of a plan: side by side in lock-step, or live one by one; this process writes the results."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from hil.trials.experiment.expansion import Experiment
from hil.trials.experiment.fast_trial import FastJob
from hil.trials.experiment.live_trial import run_live
from hil.trials.experiment.output import Output

Crew = Callable[[list[FastJob]], Iterator[str]]  # runs trials, yields the names of folders that are done
Done = Callable[[dict[str, Any]], None]  # given the row of a trial that is done


def run_fast_campaign(experiment: Experiment, output: Output, crew: Crew, done: Done) -> None:
    """Run what is left of a plan in lock-step.

    Args:
        experiment: the plan.
        output: its folder.
        crew: runs the trials: processes of this machine, or a cluster.
        done: given each row, in the order in which they come.

    Raises:
        ExperimentError: something cannot be written, or the crew has failed.
    """
    jobs = [FastJob(task, experiment.base, output.trials.resolve()) for task in output.left]
    try:
        for name in crew(jobs):
            done(output.take(name))
    finally:
        output.clean()


def run_live_campaign(
    experiment: Experiment,
    output: Output,
    doing: Callable[[str], None],
    say: Callable[[str], None],
    done: Done,
) -> None:
    """Run what is left of a plan live.

    Args:
        experiment: the plan.
        output: its folder.
        doing: told what is going on.
        say: tells the person who is to push what to do.
        done: given each row.

    Raises:
        ExperimentError: something cannot be written.
    """
    for task in output.left:
        named = partial(_named, doing, task.folder)
        done(output.take(run_live(task, experiment.base, output.trials, named, say)))


def _named(doing: Callable[[str], None], name: str, text: str) -> None:
    doing(f"{name}: {text}")
