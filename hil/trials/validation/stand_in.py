"""The stand-in for a real arm: the emulated controller and arm with other parameters. It is no real arm.

It shows how far parameters that are known to some per cent take the simulation from the arm. What the model
itself leaves out (elastic gears, backlash, hysteresis, a table that gives way) it cannot show.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from hil.common.arrays import Array, frozen_array
from hil.configuration.schema import SensorErrors
from hil.trials.validation.arm_log import ArmLog
from hil.trials.validation.arm_run import ArmRun
from hil.trials.validation.comparison import Comparison, compare
from hil.trials.validation.parameters import Parameters
from hil.trials.validation.schema import Noise
from hil.trials.validation.setup import Setup

NO_ERRORS = SensorErrors()
PLAINLY = "stand-in: the emulated controller and arm with other parameters, no real arm"


@dataclass(frozen=True, eq=False)
class Draw:
    """One stand-in beside the simulation.

    Attributes:
        seed: of its parameters.
        parameters: drawn.
        run: of the stand-in.
        comparison: of the simulation with it.
    """

    seed: int
    parameters: Parameters
    run: ArmRun
    comparison: Comparison


def stand_ins(
    setup: Setup, simulated: ArmRun, seeds: range, jobs: int, run: Callable[[Parameters], ArmRun]
) -> Iterator[Draw]:
    """Yield a stand-in for each seed, in order, as they are done.

    Args:
        setup: of the experiment.
        simulated: the run with the parameters as configured.
        seeds: of the draws.
        jobs: threads; the simulation runs compiled, side by side.
        run: makes a run from parameters.
    """
    spread = setup.experiment.stand_in.spread

    def one(seed: int) -> Draw:
        parameters = setup.parameters.drawn(seed, spread)
        measured = run(parameters)
        return Draw(
            seed, parameters, measured, compare(simulated, log_of(measured, f"{PLAINLY}, seed {seed}"))
        )

    with ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(one, seeds)


def log_of(run: ArmRun, source: str) -> ArmLog:
    """Return a run as if it had been measured, without noise."""
    return ArmLog(source, run.t, run.q, run.torque, command=run.command, wrench=run.wrench)


def made_up_log(run: ArmRun, noise: Noise, seed: int, errors: SensorErrors = NO_ERRORS) -> ArmLog:
    """Return a run as sensors with noise would have measured it: a log whose truth is known.

    Args:
        run: the truth.
        noise: of a row, of the joints' sensors and the tool's.
        seed: of the noise.
        errors: of the tool's sensor: its bias and drift.
    """
    rng = np.random.default_rng([seed, 1])
    q = run.q + rng.normal(0.0, noise.position, run.q.shape)
    torque = run.torque + rng.normal(0.0, noise.torque, run.torque.shape)
    source = (
        f"a made-up log, no real arm: the emulated one with parameters drawn with seed {seed}, and noise of "
        f"{noise.position:g} rad and {noise.torque:g} N m"
    )
    return ArmLog(
        source, run.t, frozen_array(q), frozen_array(torque), wrench=_made_up_wrench(run, noise, errors, rng)
    )


def _made_up_wrench(
    run: ArmRun, noise: Noise, errors: SensorErrors, rng: np.random.Generator
) -> Array | None:
    """Return what a tool's sensor with bias, drift and noise reads; None where the run has none."""
    if run.wrench is None:
        return None
    spread = np.repeat([noise.tool_force, noise.tool_torque], 3)
    bias = np.concatenate((errors.bias_force, errors.bias_torque))
    drift = np.outer(run.t, np.repeat([errors.drift, 0.0], 3))
    return frozen_array(run.wrench + bias + drift + spread * rng.standard_normal(run.wrench.shape))
