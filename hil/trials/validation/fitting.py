"""Parameters of arm, control, contact and tool adjusted to a log by least squares, with intervals.

All parameters are above zero, so their logarithms are fitted: the steps are shares of the value, and an
interval never reaches zero. The residuals are the differences at the log's samples, each divided by its
sensor's noise; of the tool's sensor, where the log has it, a line is taken out of each channel's, its bias
and drift. A weak prior (a factor e either way) keeps what the log does not tell where it was; whatever
the log does tell is a hundred times sharper.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from scipy.optimize import least_squares
from scipy.stats import t as student

from hil.common.arrays import Array
from hil.trials.validation.arm_log import ArmLog
from hil.trials.validation.arm_run import ArmRun
from hil.trials.validation.fit_problem import PRIOR, FitProblem
from hil.trials.validation.parameters import NAMES, Parameters, indices_of, unit_of
from hil.trials.validation.schema import Noise

CONFIDENCE = 0.95
VAGUE = 0.5  # half-width of an interval's logarithm from which on a parameter is not identified
ALIKE = 0.9  # correlation of two parameters' errors from which on the log tells them apart badly
SETTLED = 0.1  # a turn that gains less, in half the sum of squares, is the last,
SMALLEST = 1e-5  # or whose step is a smaller share of the logarithms
TURNS = 20


@dataclass(frozen=True)
class Estimate:
    """One parameter.

    Attributes:
        name: one of `NAMES`.
        unit: SI.
        start: as configured.
        value: fitted; where it is not identified, what the prior makes of it.
        low: of the interval; None where it is not identified.
        high: of the interval.
        standard_error: of the value.
        identified: the log says enough of it.
        alike: others that the log can hardly tell from it.
    """

    name: str
    unit: str
    start: float
    value: float
    low: float | None
    high: float | None
    standard_error: float | None
    identified: bool
    alike: tuple[str, ...]

    @property
    def fitted(self) -> float | None:
        """The value, None where the log does not identify it."""
        return self.value if self.identified else None

    def holds(self, truth: float) -> bool:
        """Return whether a value lies in the interval."""
        return self.low is not None and self.high is not None and self.low <= truth <= self.high


@dataclass(frozen=True, eq=False)
class Fit:
    """What the fit came to.

    Attributes:
        estimates: of the parameters that were fitted; their intervals hold all at once with 95 %.
        parameters: fitted; what the log does not tell lies where the prior holds it, at or near the start.
        misfit: root of the mean square of the residuals, 1 where nothing but noise is left.
        inflation: by which the variance is larger because neighbouring residuals are alike; 1 for noise.
        runs: that were simulated.
        converged: the last step was negligible.
        tool_rows: rows of the log in which the tool's sensor counted; 0 without one.
    """

    estimates: tuple[Estimate, ...]
    parameters: Parameters
    misfit: float
    inflation: float
    runs: int
    converged: bool
    tool_rows: int = 0

    def to_dict(self, truth: Parameters | None = None) -> dict[str, Any]:
        """Return all of it as keys of a JSON file; `truth` is that of a made-up log."""
        rows = []
        for estimate in self.estimates:
            known = {} if truth is None else {"truth": truth[estimate.name]}
            rows.append({**asdict(estimate), "value": estimate.fitted, **known})
        return {
            "parameters": rows,
            "confidence": CONFIDENCE,
            "misfit": self.misfit,
            "variance_inflation": self.inflation,
            "runs": self.runs,
            "converged": self.converged,
            "tool_rows": self.tool_rows,
        }


def fit(
    start: Parameters,
    log: ArmLog,
    noise: Noise,
    run: Callable[[Parameters], ArmRun],
    jobs: int = 1,
    names: Sequence[str] = NAMES,
    progress: Callable[[int], None] = lambda runs: None,
) -> Fit:
    """Adjust parameters to a log.

    Args:
        start: where to begin, and the values of those that are not fitted.
        log: measured.
        noise: of its sensors.
        run: simulates with parameters; called from several threads.
        jobs: how many threads.
        names: of the parameters to be fitted.
        progress: is told how many runs have been simulated.
    """
    problem = FitProblem(start, log, noise, run, jobs, indices_of(names), progress)
    try:
        found = _solved(problem, np.zeros(len(names)), log.q.size)
        problem.trust(found.x)
        if problem.trusted.any():  # with the joints alone it is near: at a touch the sensor's course bends
            found = _solved(problem, found.x, log.q.size)
    finally:
        problem.close()
    return _judged(problem, found)


def _solved(problem: FitProblem, x: Array, size: int) -> Any:
    """Return what SciPy finds from `x` on."""
    return least_squares(
        problem.residuals,
        x,
        problem.jacobian,
        xtol=SMALLEST,
        gtol=None,
        ftol=SETTLED / size,
        max_nfev=TURNS,
    )


def _judged(problem: FitProblem, found: Any) -> Fit:
    """Return values with intervals, and which of them the log identifies."""
    count = len(found.x)
    measured = found.fun[:-count]
    grown = inflation(measured.reshape(-1, problem.samples))
    free = problem.free - count
    misfit = float(np.sqrt(measured @ measured / free))
    # the log tells of each direction as much as its singular value; the prior keeps the others finite
    variance = max(1.0, misfit**2 * grown)
    _, singular, directions = np.linalg.svd(found.jac[:-count], full_matrices=False)
    information = singular**2 / variance + 1.0 / PRIOR**2
    covariance = (directions.T / information) @ directions
    error = np.sqrt(np.diag(covariance))
    likeness = np.abs(covariance) / np.outer(error, error) - np.eye(count)
    # as many intervals as parameters are to hold at once (Bonferroni)
    quantile = float(student.ppf(1.0 - 0.5 * (1.0 - CONFIDENCE) / count, free))
    known = quantile * error <= VAGUE
    names = [NAMES[index] for index in problem.indices]
    values = problem.at(found.x)
    estimates = []
    for i, name in enumerate(names):
        value, wide = values[name], float(np.exp(quantile * error[i]))
        estimates.append(
            Estimate(
                name,
                unit_of(name),
                problem.start[name],
                value,
                value / wide if known[i] else None,
                value * wide if known[i] else None,
                value * float(error[i]) if known[i] else None,
                bool(known[i]),
                tuple(names[j] for j in np.flatnonzero(likeness[i] > ALIKE)),
            )
        )
    rows = int(problem.trusted.sum())
    return Fit(tuple(estimates), values, misfit, grown, problem.runs, found.status > 0, rows)


def inflation(channels: Array) -> float:
    """Return by how much neighbouring residuals that are alike enlarge the variance, at least 1.

    For a first-order autoregressive course with correlation rho from sample to sample it is
    (1 + rho) / (1 - rho).

    Args:
        channels: residuals over time, shape (channels, n).
    """
    centred = channels - channels.mean(axis=1, keepdims=True)
    power = float(np.sum(centred**2))
    rho = float(np.sum(centred[:, 1:] * centred[:, :-1])) / power if power > 0.0 else 0.0
    rho = min(max(rho, 0.0), 0.999)
    return (1.0 + rho) / (1.0 - rho)
