"""Parameters of arm, control, contact and tool adjusted to a log by least squares, with intervals.

All parameters are above zero, so their logarithms are fitted: the steps are shares of the value, and an
interval never reaches zero. The residuals are the differences at the log's samples, each divided by its
sensor's noise. A weak prior (a factor e either way) keeps what the log does not tell where it was; whatever
the log does tell is a hundred times sharper.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from scipy.optimize import least_squares
from scipy.stats import t as student

from hil.arrays import Array
from hil.validation.arm_log import ArmLog
from hil.validation.arm_run import ArmRun
from hil.validation.comparison import simulated_at
from hil.validation.parameters import NAMES, Parameters, indices_of, unit_of
from hil.validation.schema import Noise

CONFIDENCE = 0.95
PRIOR = 1.0  # standard deviation of the logarithms before the log is looked at
VAGUE = 0.5  # half-width of an interval's logarithm from which on a parameter is not identified
ALIKE = 0.9  # correlation of two parameters' errors from which on the log tells them apart badly
FIRST_STEP = 1e-2  # of a logarithm, for differences; later as long as the residuals' norm changes by
CHANGE = 10.0  # so much, twenty times what a step of nothing changes (friction is solved in rounds),
SHORTEST, LONGEST = 2e-3, 0.2  # within these
SETTLED = 1.0  # a turn that gains less, in half the sum of squares, is the last: so rough is a simulation
SHRUNK = 2e-3  # share of the logarithms to which a step may shrink that gains nothing
TURNS = 20


@dataclass(frozen=True)
class Estimate:
    """One parameter.

    Attributes:
        name: one of `NAMES`.
        unit: SI.
        start: as configured.
        value: fitted; the start's where it is not identified.
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
        parameters: fitted, what the log does not tell as configured.
        misfit: root of the mean square of the residuals, 1 where nothing but noise is left.
        inflation: by which the variance is larger because neighbouring residuals are alike; 1 for noise.
        runs: that were simulated.
        converged: the last step was negligible.
    """

    estimates: tuple[Estimate, ...]
    parameters: Parameters
    misfit: float
    inflation: float
    runs: int
    converged: bool

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
    problem = _Problem(start, log, noise, run, jobs, indices_of(names), progress)
    try:
        found = least_squares(
            problem.residuals,
            np.zeros(len(names)),
            problem.jacobian,
            xtol=SHRUNK,
            gtol=None,
            ftol=SETTLED / log.q.size,
            max_nfev=TURNS,
        )
        # once more, with steps that have been fitted to each parameter: the intervals rest on it
        jacobian = problem.jacobian(found.x)
    finally:
        problem.close()
    return _judged(problem, found.x, jacobian, found.fun, found.status > 0)


class _Problem:
    """Residuals and their derivatives by logarithms of the parameters."""

    def __init__(
        self,
        start: Parameters,
        log: ArmLog,
        noise: Noise,
        run: Callable[[Parameters], ArmRun],
        jobs: int,
        indices: list[int],
        progress: Callable[[int], None],
    ) -> None:
        self.start, self.indices, self.runs = start, indices, 0
        self._log, self._noise, self._run, self._progress = log, noise, run, progress
        self._pool = ThreadPoolExecutor(jobs)
        self._last: tuple[Array, Array] | None = None
        self._steps = np.full(len(indices), FIRST_STEP)

    def at(self, x: Array) -> Parameters:
        factors = np.ones(len(NAMES))
        factors[self.indices] = np.exp(x)
        return self.start.scaled(factors)

    def residuals(self, x: Array) -> Array:
        r = self._simulated(x)
        self._last = x.copy(), r
        return r

    def jacobian(self, x: Array) -> Array:
        base = self._last[1] if self._last and np.array_equal(self._last[0], x) else self._simulated(x)
        beside = self._pool.map(self._simulated, x + np.diag(self._steps))
        derivatives = np.array([r - base for r in beside]).T / self._steps
        sizes = np.linalg.norm(derivatives[: -len(x)], axis=0)
        self._steps = np.clip(CHANGE / np.maximum(sizes, 1e-9), SHORTEST, LONGEST)
        return np.asarray(derivatives)

    def close(self) -> None:
        self._pool.shutdown(cancel_futures=True)

    def _simulated(self, x: Array) -> Array:
        q, torque = simulated_at(self._run(self.at(x)), self._log)
        self.runs += 1
        self._progress(self.runs)
        measured = (q - self._log.q) / self._noise.position, (torque - self._log.torque) / self._noise.torque
        return np.concatenate([*(part.T.ravel() for part in measured), x / PRIOR])


def _judged(problem: _Problem, x: Array, jacobian: Array, residuals: Array, converged: bool) -> Fit:
    """Return values with intervals, and which of them the log identifies."""
    count = len(x)
    measured = residuals[:-count]
    inflation = _inflation(measured.reshape(14, -1))
    misfit = float(np.sqrt(measured @ measured / (len(measured) - count)))
    # the singular values of the derivatives are what the log tells of each direction; the prior keeps the
    # others finite
    _, singular, directions = np.linalg.svd(jacobian, full_matrices=False)
    covariance = (directions.T / singular**2) @ directions * max(1.0, misfit**2 * inflation)
    error = np.sqrt(np.diag(covariance))
    likeness = np.abs(covariance) / np.outer(error, error) - np.eye(count)
    # as many intervals as parameters are to hold at once (Bonferroni)
    quantile = float(student.ppf(1.0 - 0.5 * (1.0 - CONFIDENCE) / count, len(measured) - count))
    known = quantile * error <= VAGUE
    names = [NAMES[index] for index in problem.indices]
    values = problem.at(np.where(known, x, 0.0))
    estimates = []
    for i, name in enumerate(names):
        value = values[name]
        estimates.append(
            Estimate(
                name,
                unit_of(name),
                problem.start[name],
                value,
                value * float(np.exp(-quantile * error[i])) if known[i] else None,
                value * float(np.exp(quantile * error[i])) if known[i] else None,
                value * float(error[i]) if known[i] else None,
                bool(known[i]),
                tuple(names[j] for j in np.flatnonzero(likeness[i] > ALIKE)),
            )
        )
    return Fit(tuple(estimates), values, misfit, inflation, problem.runs, converged)


def _inflation(channels: Array) -> float:
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
