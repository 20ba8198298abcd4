"""A plan's trials in lock-step, side by side; this process alone writes the results."""

from collections.abc import Callable, Iterator
from typing import Any

from hil.experiment.expansion import Experiment
from hil.experiment.fast_trial import FastJob
from hil.experiment.local_workers import run_local
from hil.experiment.output import Output

Told = Callable[[dict[str, Any]], None]  # the row of a trial that is done


def run_campaign(
    experiment: Experiment, output: Output, processes: int, scheduler: str | None, told: Told
) -> None:
    """Run what is left of a plan.

    Args:
        experiment: the plan.
        output: its folder.
        processes: on this machine.
        scheduler: of a cluster that runs the trials instead.
        told: called with each row, in the order in which they come.

    Raises:
        ExperimentError: something cannot be written, a process was killed, or there is no such cluster.
    """
    jobs = [FastJob(task, experiment.base, output.trials.resolve()) for task in output.left]
    try:
        for name in _names(jobs, min(processes, max(1, len(jobs))), scheduler):
            told(output.take(name))
    finally:
        output.clean()


def _names(jobs: list[FastJob], processes: int, scheduler: str | None) -> Iterator[str]:
    if scheduler is None:
        return run_local(jobs, processes)
    from hil.experiment.cluster import run_on_cluster

    return run_on_cluster(jobs, scheduler)
