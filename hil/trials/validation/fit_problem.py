"""What a fit minimises: differences of a run and a log, over the sensors' noise; and its derivatives."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from hil.common.arrays import Array, frozen_array
from hil.trials.validation.arm_log import ArmLog
from hil.trials.validation.arm_run import ArmRun
from hil.trials.validation.comparison import simulated_at
from hil.trials.validation.parameters import NAMES, Parameters
from hil.trials.validation.schema import Noise

PRIOR = 1.0  # standard deviation of the logarithms before the log is looked at
STEP = 1e-3  # of a logarithm, for differences: simulations are smooth far below it


class FitProblem:
    """Residuals and their derivatives by the logarithms of some parameters."""

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
        """Begin at `start`; the arguments are those of `hil.trials.validation.fitting.fit`."""
        self.start, self.indices, self.runs = start, indices, 0
        self._log, self._noise, self._run, self._progress = log, noise, run, progress
        self._pool = ThreadPoolExecutor(jobs)
        self._last: tuple[Array, Array] | None = None

    def at(self, x: Array) -> Parameters:
        """Return the parameters whose logarithms are `x` (n,) away from the start's."""
        factors = np.ones(len(NAMES))
        factors[self.indices] = np.exp(x)
        return self.start.scaled(factors)

    def residuals(self, x: Array) -> Array:
        """Return the differences over the noise, channel by channel, and last those from the prior."""
        r = self._simulated(x)
        self._last = x.copy(), r
        return r

    def jacobian(self, x: Array) -> Array:
        """Return the derivatives of the residuals, shape (m, n), by differences."""
        base = self._last[1] if self._last and np.array_equal(self._last[0], x) else self._simulated(x)
        beside = self._pool.map(self._simulated, x + STEP * np.eye(len(x)))
        return np.asarray(np.array([r - base for r in beside]).T / STEP)

    def close(self) -> None:
        """End the threads."""
        self._pool.shutdown(cancel_futures=True)

    def _simulated(self, x: Array) -> Array:
        q, torque = simulated_at(self._run(self.at(x)), self._log)
        self.runs += 1
        self._progress(self.runs)
        measured = (q - self._log.q) / self._noise.position, (torque - self._log.torque) / self._noise.torque
        return frozen_array(np.concatenate([*(part.T.ravel() for part in measured), x / PRIOR]))
