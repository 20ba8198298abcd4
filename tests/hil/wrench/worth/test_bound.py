"""The least error of an impulse: against generalized least squares, random draws and closed forms."""

import numpy as np
import pytest
from scipy.linalg import cholesky, solve_triangular

from bench.theory_figures import closed_bound
from hil.wrench.worth.bound import AROUND, Swing, impulse_deviation
from hil.wrench.worth.noise_model import NoiseModel

SWING = Swing(period=0.125, decay=0.15)
STEP = 0.002
MOVING = NoiseModel(0.06**2, np.array([0.345**2, 0.062**2]), np.array([0.02, 0.3]))
STILL = NoiseModel(0.06**2, np.zeros(0), np.zeros(0))


def regression(duration: float, step: float = STEP) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Every sample as a sum of unknowns: the force at each sample of the push, offset, slope, swing.

    Returns the regressors (n, unknowns), the integral of the force as a sum of the unknowns, the instants.
    """
    around, inside = round(AROUND / step), round(duration / step)
    t = step * (np.arange(2 * around + inside) + 0.5)
    u = t - step * (around + inside)
    swing = np.where(u > 0.0, np.exp(-u / SWING.decay) * np.sin(2.0 * np.pi * u / SWING.period), 0.0)
    force = np.zeros((len(t), inside))
    force[around : around + inside] = np.eye(inside)
    regressors = np.column_stack([force, np.ones(len(t)), t - t.mean(), swing])
    return regressors, np.concatenate([np.full(inside, step), np.zeros(3)]), t


def covariance(noise: NoiseModel, t: np.ndarray) -> np.ndarray:
    """By the definition: white on the diagonal, decaying with the distance."""
    apart = np.abs(t[:, None] - t)
    coloured = sum(v * np.exp(-apart / time) for v, time in zip(noise.variances, noise.times, strict=True))
    return noise.white * np.eye(len(t)) + coloured


@pytest.mark.parametrize("noise", [MOVING, STILL], ids=["moving", "still"])
@pytest.mark.parametrize("duration", [0.03, 0.1, 0.2])
def test_it_is_that_of_generalized_least_squares(noise: NoiseModel, duration: float) -> None:
    """Whitened samples and a plain least squares for all that is unknown, as Gauss and Markov have it."""
    regressors, impulse, t = regression(duration)
    root = cholesky(covariance(noise, t), lower=True)
    whitened = solve_triangular(root, regressors, lower=True)
    variance = impulse @ np.linalg.solve(whitened.T @ whitened, impulse)
    assert impulse_deviation(noise, duration, STEP, SWING) == pytest.approx(np.sqrt(variance), rel=1e-8)


def test_random_pushes_are_missed_by_as_much() -> None:
    """2000 half-sine pushes with offset, slope and swing of random size in drawn noise, estimated so."""
    rng, duration = np.random.default_rng(5), 0.1
    regressors, impulse, t = regression(duration)
    root = cholesky(covariance(MOVING, t), lower=True)
    whitened = solve_triangular(root, regressors, lower=True)
    inside = len(impulse) - 3
    shape = np.sin(np.pi * (np.arange(inside) + 0.5) / inside)
    # least squares are linear in what is seen: one solution of them for all pushes
    weights = (
        impulse @ np.linalg.lstsq(whitened, solve_triangular(root, np.eye(len(t)), lower=True), rcond=None)[0]
    )
    errors = []
    for _ in range(2000):
        unknown = np.concatenate([rng.normal(0.0, 30.0) * shape, rng.normal(0.0, [2.0, 3.0, 1.0])])
        seen = regressors @ unknown + root @ rng.standard_normal(len(t))
        errors.append(weights @ seen - impulse @ unknown)
    bound = impulse_deviation(MOVING, duration, STEP, SWING)
    assert np.std(errors) == pytest.approx(bound, rel=0.05)  # 3 standard deviations of that of 2000
    assert abs(np.mean(errors)) < 4.0 * bound / np.sqrt(len(errors))


def test_the_closed_form_is_good_to_a_tenth() -> None:
    """Equation (76), in the noise of a moving arm and of one at rest."""
    for duration in (0.03, 0.05, 0.075, 0.1, 0.15, 0.2):
        exact = impulse_deviation(MOVING, duration, STEP, SWING)
        assert closed_bound(MOVING, duration, STEP) == pytest.approx(exact, rel=0.10), duration


def test_a_long_push_in_white_noise_is_as_uncertain_as_its_offset() -> None:
    """Without swing: the variance of the sum, and of the mean outside times the length, in closed form."""
    duration, around, never = 2.0, AROUND, Swing(period=1e-9, decay=1e-12)
    exact = impulse_deviation(STILL, duration, STEP, never)
    white = STILL.white * STEP
    assert exact == pytest.approx(np.sqrt(white * duration * (1.0 + duration / (2.0 * around))), rel=1e-6)


def test_noise_counts_by_its_root_and_none_leaves_no_error() -> None:
    four = impulse_deviation(MOVING.times_variance(4.0), 0.1, STEP, SWING)
    assert four == pytest.approx(2.0 * impulse_deviation(MOVING, 0.1, STEP, SWING), rel=1e-9)
    assert impulse_deviation(MOVING.times_variance(0.0), 0.1, STEP, SWING) == 0.0
