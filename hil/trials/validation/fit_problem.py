"""What a fit minimises: differences of a run and a log, over the sensors' noise; and its derivatives."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from hil.common.arrays import Array, frozen_array
from hil.trials.validation.arm_log import ArmLog
from hil.trials.validation.arm_run import ArmRun
from hil.trials.validation.comparison import simulated_at, wrench_at
from hil.trials.validation.parameters import NAMES, Parameters
from hil.trials.validation.schema import Noise
from hil.trials.validation.tool.line import without_line

PRIOR = 1.0  # standard deviation of the logarithms before the log is looked at
NUDGE, NUDGES = 1e-6, 3  # of the logarithms, and how many: what is smooth changes by a hundredth of the noise
JUMP = 0.1  # of the noise, from which on a reading is taken to jump
BESIDE = 0.05  # [s] about a jump in which the model is not trusted either: the next run jumps elsewhere
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
        self._tool_noise = np.repeat([noise.tool_force, noise.tool_torque], 3)
        self.trusted = np.zeros(len(log.t), bool)  # rows in which the tool's sensor counts
        self._pool = ThreadPoolExecutor(jobs)
        self._last: tuple[Array, Array] | None = None

    @property
    def samples(self) -> int:
        """Rows of the log: what each channel of the residuals has."""
        return len(self._log.t)

    @property
    def free(self) -> int:
        """How many of the residuals are free once a line is out of each channel of the tool's sensor."""
        return self._log.q.size + self._log.torque.size + 6 * max(int(self.trusted.sum()) - 2, 0)

    def trust(self, x: Array) -> None:
        """Let the tool's sensor count from now on, where the log has it and the model is smooth about `x`.

        Where peg and joints stick at once the model's force jumps by tenths of a newton whatever little
        changes: there it predicts nothing, and its derivatives would be nothing but jumps.
        """
        base = None if self._log.wrench is None else self._read(x)
        if base is None or self._log.wrench is None:
            return
        signs = np.random.default_rng(len(x)).choice([-1.0, 1.0], (NUDGES, len(x)))
        others = [read for read in self._pool.map(self._read, x + NUDGE * signs) if read is not None]
        jumps = np.max([np.abs(other - base) / self._tool_noise for other in others], axis=(0, 2)) > JUMP
        times = self._log.t[jumps]
        near = np.searchsorted(times, self._log.t + BESIDE) > np.searchsorted(times, self._log.t - BESIDE)
        self.trusted = ~near & np.all(np.isfinite(self._log.wrench), axis=1)
        self._last = None

    def _read(self, x: Array) -> Array | None:
        """Return what the tool's sensor reads in a run, at the log's samples, shape (n, 6); None without."""
        run = self._run(self.at(x))
        self._count()
        return wrench_at(run, self._log)

    def _count(self) -> None:
        self.runs += 1
        self._progress(self.runs)

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
        run = self._run(self.at(x))
        q, torque = simulated_at(run, self._log)
        self._count()
        parts = [(q - self._log.q) / self._noise.position, (torque - self._log.torque) / self._noise.torque]
        wrench = wrench_at(run, self._log)
        if (
            wrench is not None and self._log.wrench is not None
        ):  # the line of each channel that fits best is its bias and drift
            apart = np.where(self.trusted[:, None], wrench - self._log.wrench, np.nan)
            parts.append(without_line(self._log.t, apart) / self._tool_noise)
        return frozen_array(np.concatenate([*(part.T.ravel() for part in parts), x / PRIOR]))
