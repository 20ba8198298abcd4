"""What a fit changes of O-rings and snap fasteners, each by a factor: friction, clearance, stiffness."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hil.common.errors import ExperimentError
from hil.trials.mating.loading import Experiment
from hil.trials.mating.schema import ORingExperiment, SnapExperiment
from sim.mating.o_ring_schema import GENT
from sim.mating.snap_schema import Plate


@dataclass(frozen=True)
class Adjustable:
    """One parameter.

    Attributes:
        name: its key in the experiment's file, without the unit.
        unit: of that key.
        value: returns it.
        times: returns an experiment that is changed by a factor above zero.
    """

    name: str
    unit: str
    value: Callable[[Any], float]
    times: Callable[[Any, float], Any]


def adjustables(experiment: Experiment) -> tuple[Adjustable, ...]:
    """Return friction, clearance and stiffness of an experiment's part.

    Clearance is that of an O-ring's hole, by the squeeze that it leaves; of a hook how far it stands over its
    edge, by how deep it reaches.

    Raises:
        ExperimentError: its stiffness is a printed matrix, or it is of other parts.
    """
    if isinstance(experiment, ORingExperiment):
        measured = experiment.o_ring.c1 is not None
        stiffness = (
            Adjustable("c1", "n_per_mm2", lambda e: 1e-6 * e.o_ring.c1, _stiffer_ring)
            if measured
            else Adjustable("shore_a", "1", lambda e: e.o_ring.shore_a, _stiffer_ring)
        )
        return (
            Adjustable("mu", "1", lambda e: e.o_ring.mu, lambda e, k: _ring(e, mu=k * e.o_ring.mu)),
            Adjustable("hole", "mm", lambda e: 1e3 * e.o_ring.hole, _squeezed),
            stiffness,
        )
    if not isinstance(experiment, SnapExperiment):
        raise ExperimentError(
            f"experiment = {experiment.experiment!r}: only O-rings and snap fasteners are fitted to a "
            "measured insertion"
        )
    support = experiment.snap.support
    if isinstance(support, Plate) and support.printed:
        raise ExperimentError(
            "snap.support.printed = true: a printed matrix has no modulus to fit; --set printed=false "
            "computes it"
        )
    return (
        Adjustable("mu", "1", lambda e: e.snap.mu, lambda e, k: _snap(e, mu=k * e.snap.mu)),
        Adjustable("offset_z", "mm", lambda e: 1e3 * e.offset_z, _deeper),
        Adjustable("modulus", "mpa", lambda e: 1e-6 * e.snap.support.modulus, _stiffer_support),
    )


def hardness_of(modulus: float) -> float:
    """Return the hardness in Shore A of a rubber with a modulus [Pa], by Gent's law."""
    a, b, c, d, e, f = GENT
    m = modulus * d / (1e6 * a)
    return (m * e - b) / (c + m * f)


def _ring(experiment: ORingExperiment, **changes: float | None) -> ORingExperiment:
    return experiment.model_copy(update={"o_ring": experiment.o_ring.model_copy(update=changes)})


def _squeezed(experiment: ORingExperiment, times: float) -> ORingExperiment:
    """Return it with a hole in which the ring is squeezed so many times as much."""
    ring = experiment.o_ring
    free = ring.groove + 2.0 * ring.section
    return _ring(experiment, hole=free - times * (free - ring.hole))


def _stiffer_ring(experiment: ORingExperiment, times: float) -> ORingExperiment:
    """Return it with a line load so many times as large; c2 goes with c1."""
    ring = experiment.o_ring
    if ring.c1 is not None and ring.c2 is not None:
        return _ring(experiment, c1=times * ring.c1, c2=times * ring.c2)
    return _ring(experiment, shore_a=hardness_of(times * ring.modulus))


def _snap(experiment: SnapExperiment, **changes: Any) -> SnapExperiment:
    return experiment.model_copy(update={"snap": experiment.snap.model_copy(update=changes)})


def _deeper(experiment: SnapExperiment, times: float) -> SnapExperiment:
    """Return it with a hook that reaches so many times as deep behind its edge."""
    height = experiment.snap.hook.height
    return experiment.model_copy(update={"offset_z": height - times * (height - experiment.offset_z)})


def _stiffer_support(experiment: SnapExperiment, times: float) -> SnapExperiment:
    support = experiment.snap.support
    return _snap(experiment, support=support.model_copy(update={"modulus": times * support.modulus}))
