"""What a log tells of the parameters that were fitted to it: standard errors, and how they hang together."""

import numpy as np

from hil.arrays import Array
from hil.validation.fit_problem import PRIOR


def covariance_of(jacobian: Array, steps: Array, roughness: float, variance: float) -> Array:
    """Return the covariance of the fitted logarithms, shape (n, n).

    A derivative by differences over a step h is wrong by (e_1 - e_0) / h, with e the roughness of the run
    beside and of the common one. That would pass for information; its mean is taken off J^T J, and what it
    does to the solution is added to the covariance.

    Args:
        jacobian: derivatives of the measured residuals, without the prior's, shape (m, n).
        steps: over which they were taken, shape (n,).
        roughness: norm of a run's residuals that is at random.
        variance: of a residual, 1 where nothing but the sensors' noise is left.
    """
    per_step = 1.0 / steps
    false = roughness**2 * (np.diag(per_step**2) + np.outer(per_step, per_step))
    values, directions = np.linalg.eigh(jacobian.T @ jacobian - false)
    # of a direction that is nothing but roughness the log tells nothing
    information = (directions * np.maximum(values, 0.0)) @ directions.T
    inverse = np.linalg.inv(information / variance + np.eye(len(steps)) / PRIOR**2)
    return np.asarray(inverse + inverse @ (false / variance) @ inverse)


def inflation_of(channels: Array) -> float:
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
