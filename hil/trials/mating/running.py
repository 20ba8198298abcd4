"""One mating experiment from its file to its result."""

from collections.abc import Sequence
from dataclasses import replace

from hil.trials.mating.combined import combined_run
from hil.trials.mating.loading import Experiment, load_mating
from hil.trials.mating.machine import o_ring_run, snap_run
from hil.trials.mating.pegs import peg_run
from hil.trials.mating.progress import Told, unheard
from hil.trials.mating.result import MatingResult
from hil.trials.mating.robot_schema import CombinedExperiment
from hil.trials.mating.schema import ORingExperiment, SnapExperiment


def run_experiment(experiment: Experiment, told: Told = unheard) -> MatingResult:
    """Return what an experiment comes to; `told` hears how far it is.

    Raises:
        ZeroGError: a robot that cannot do it.
    """
    if isinstance(experiment, ORingExperiment):
        return o_ring_run(experiment, told)
    if isinstance(experiment, SnapExperiment):
        return snap_run(experiment, told)
    if isinstance(experiment, CombinedExperiment):
        return combined_run(experiment, told)
    return peg_run(experiment, told)


def run_named(job: tuple[str, Sequence[str]]) -> MatingResult:
    """Return what the experiment of a name or file comes to, with settings; for workers."""
    return replace(run_experiment(load_mating(*job)), drawn=None)
