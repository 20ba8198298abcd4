"""What a metric of the certificate is: how the values of runs become one, and what is tolerated."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from hil.analysis.figures.tracking import rms
from hil.analysis.report.evidence import Measure
from hil.common.arrays import Array
from hil.configuration import Configuration

Tolerance = Callable[[Configuration], float]


@dataclass(frozen=True)
class Metric:
    """One row of the certificate.

    Attributes:
        name: for `--tolerance`.
        title: for people.
        unit: of value and tolerance.
        tolerance: that holds for a configuration, unless another one is given.
        measure: the values of a run.
        reduce: what becomes of the values of all runs.
        needs: parts of a recording without which it is not measured.
        otherwise: why there may be nothing to measure.
        how: one sentence.
        function: that computes it.
    """

    name: str
    title: str
    unit: str
    tolerance: Tolerance
    measure: Measure
    reduce: Callable[[Array], float]
    needs: tuple[str, ...]
    otherwise: str
    how: str
    function: str


def median(values: Array) -> float:
    """Return the median."""
    return float(np.median(values))


def p95(values: Array) -> float:
    """Return the 95th percentile."""
    return float(np.quantile(values, 0.95))


def largest(values: Array) -> float:
    """Return the largest value."""
    return float(values.max())


def total(values: Array) -> float:
    """Return the sum."""
    return float(values.sum())


def root_mean_square(values: Array) -> float:
    """Return the root of the mean square."""
    return rms(values) or 0.0


def at_most(value: float) -> Tolerance:
    """Return the tolerance that holds for every run."""
    return lambda c: value


def with_noise(quiet: float, noisy: float) -> Tolerance:
    """Return a tolerance that is wider where the arm's motion disturbs the measured wrench."""
    return lambda c: noisy if c.emulator.wrench.motion_noise else quiet


def reaction_tolerance(c: Configuration) -> float:
    """Return how late the arm may be [ms]: 18 ms, and the interface delay that was set."""
    return 18.0 + 1e3 * c.emulator.delay


def energy_tolerance(c: Configuration) -> float:
    """Return how much energy may drift: hardly in free tumbling, 1 % among stops."""
    return 0.01 if _bounded(c) else 1e-8


def momentum_tolerance(c: Configuration) -> float:
    """Return how much angular momentum may drift; a stop that is touched between two rows is not seen."""
    return 1e-6 if _bounded(c) else 1e-8


def _bounded(c: Configuration) -> bool:
    return c.stops.enabled or c.scene is not None
