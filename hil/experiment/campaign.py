"""All trials of a plan: side by side in lock-step, or live one by one; this process writes the results."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from hil.experiment.expansion import Experiment
from hil.experiment.fast_trial import FastJob
from hil.experiment.live_trial import run_live
from hil.experiment.local_workers import run_local
from hil.experiment.output import Output

Done = Callable[[dict[str, Any]], None]  # given the row of a trial that is done


def run_fast_campaign(
    experiment: Experiment, output: Output, processes: int, scheduler: str | None, done: Done
) -> None:
    """Run what is left of a plan in lock-step.

    Args:
        experiment: the plan.
        output: its folder.
        processes: on this machine.
        scheduler: of a cluster that runs the trials instead.
        done: given each row, in the order in which they come.

    Raises:
        ExperimentError: something cannot be written, a process was killed, or there is no such cluster.
    """
    jobs = [FastJob(task, experiment.base, output.trials.resolve()) for task in output.left]
    try:
        for name in _names(jobs, min(processes, max(1, len(jobs))), scheduler):
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


def _names(jobs: list[FastJob], processes: int, scheduler: str | None) -> Iterator[str]:
    if scheduler is None:
        return run_local(jobs, processes)
    from hil.experiment.cluster import run_on_cluster

    return run_on_cluster(jobs, scheduler)
