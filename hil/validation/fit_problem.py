"""What a fit minimises: differences of a simulated run and a log, over the sensors' noise, and derivatives.

A simulation is a little rough: friction is solved in rounds, and a change of nothing changes where they end.
Differences are therefore taken over steps as long as each parameter allows, and the roughness is measured,
so that the intervals can reckon with it.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from hil.arrays import Array, frozen_array
from hil.validation.arm_log import ArmLog
from hil.validation.arm_run import ArmRun
from hil.validation.comparison import simulated_at
from hil.validation.parameters import NAMES, Parameters
from hil.validation.schema import Noise

PRIOR = 1.0  # standard deviation of the logarithms before the log is looked at
FIRST_STEP = 1e-2  # of a logarithm, for differences; the next are as long as the residuals' norm changes by
CHANGE = 40.0  # so much,
SHORTEST, LONGEST = 2e-3, 0.2  # within these
NOTHING = 1e-9  # a step that changes nothing but the rounding


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
        """Begin at `start`; the arguments are those of `hil.validation.fitting.fit`."""
        self.start, self.indices, self.runs = start, indices, 0
        self.steps: Array = np.full(len(indices), FIRST_STEP)  # of the last derivatives
        self._next = self.steps
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
        """Return the derivatives of the residuals (m, n), by steps that follow from those before."""
        base = self._last[1] if self._last and np.array_equal(self._last[0], x) else self._simulated(x)
        self.steps = self._next
        beside = self._pool.map(self._simulated, x + np.diag(self.steps))
        derivatives = np.array([r - base for r in beside]).T / self.steps
        sizes = np.linalg.norm(derivatives[: -len(x)], axis=0)
        self._next = np.clip(CHANGE / np.maximum(sizes, 1e-9), SHORTEST, LONGEST)
        return np.asarray(derivatives)

    def roughness(self, x: Array) -> float:
        """Return by how much the residuals' norm is at random in a run: what steps of nothing change."""
        count = min(3, len(x))
        rows = np.array(list(self._pool.map(self._simulated, x + NOTHING * np.eye(len(x))[:count])))
        spread = rows - rows.mean(axis=0)
        return float(np.linalg.norm(spread)) / max(1, count - 1) ** 0.5

    def close(self) -> None:
        """End the threads."""
        self._pool.shutdown(cancel_futures=True)

    def _simulated(self, x: Array) -> Array:
        q, torque = simulated_at(self._run(self.at(x)), self._log)
        self.runs += 1
        self._progress(self.runs)
        measured = (q - self._log.q) / self._noise.position, (torque - self._log.torque) / self._noise.torque
        return frozen_array(np.concatenate([*(part.T.ravel() for part in measured), x / PRIOR]))
