"""One mating experiment from its file to its result."""

from collections.abc import Sequence

from hil.trials.mating.loading import Experiment, load_mating
from hil.trials.mating.machine import o_ring_run, snap_run
from hil.trials.mating.result import MatingResult
from hil.trials.mating.schema import ORingExperiment


def run_experiment(experiment: Experiment) -> MatingResult:
    """Return what an experiment comes to."""
    return o_ring_run(experiment) if isinstance(experiment, ORingExperiment) else snap_run(experiment)


def run_named(job: tuple[str, Sequence[str]]) -> MatingResult:
    """Return what the experiment of a name or file comes to, with settings; for workers."""
    return run_experiment(load_mating(*job))
