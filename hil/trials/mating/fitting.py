"""Friction, clearance and stiffness of a part adjusted to a measured insertion, with intervals.

As in `hil.trials.validation.fitting` logarithms are fitted and the intervals hold all at once; the force
sensor's noise is not told, so it is what the fit leaves. The force jumps where a hook's corner passes its
edge: samples beside a jump of the fitted curve are left out, or whether a jump lies before or behind a
sample would outweigh all others.
"""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from scipy.optimize import least_squares
from scipy.stats import t as student

from hil.common.arrays import Array, BoolArray
from hil.common.errors import ExperimentError
from hil.trials.mating.adjustable import Adjustable, adjustables
from hil.trials.mating.loading import Experiment
from hil.trials.mating.schema import ORingExperiment, SnapExperiment
from hil.trials.validation.fitting import ALIKE, CONFIDENCE, VAGUE, Estimate, inflation
from sim.mating.o_ring import ORing
from sim.mating.snap import SnapFastener

JUMP = 0.1  # of the largest force, from one sample to the next: there the curve jumps
BESIDE = 2  # samples to either side of a jump that are left out
FAR, FEW, MAD = 8.0, 0.03, 1.4826  # of outliers: spreads off; most, share of the samples; of a normal law
STEP = 1e-4  # of the differences, share of a parameter
BOUND = 1.5  # of a logarithm, either way
TURNS = 40


@dataclass(frozen=True, eq=False)
class InsertionFit:
    """What a fit came to.

    Attributes:
        estimates: friction, clearance and stiffness; intervals hold all at once with 95 %.
        depth: of the samples [m], shape (n,).
        measured: force there [N], shape (n,).
        fitted: the fitted curve [N], shape (n,).
        used: samples that are not beside a jump and no outliers, shape (n,).
        noise: root of the mean square of what is left [N].
        converged: the last step was negligible.
    """

    estimates: tuple[Estimate, ...]
    depth: Array
    measured: Array
    fitted: Array
    used: BoolArray
    noise: float
    converged: bool

    def to_dict(self) -> dict[str, Any]:
        """Return all but the curves as keys of a JSON file."""
        rows = [{**asdict(estimate), "value": estimate.fitted} for estimate in self.estimates]
        return {
            "parameters": rows,
            "confidence": CONFIDENCE,
            "noise_n": self.noise,
            "samples": len(self.depth),
            "left_out": int((~self.used).sum()),
            "converged": self.converged,
        }


def fit_insertion(experiment: Experiment, depth: Array, force: Array) -> InsertionFit:
    """Adjust an experiment's part to a measured insertion.

    Args:
        experiment: where to begin, and all that is not fitted.
        depth: of the samples, rising [m], shape (n,).
        force: against the insertion [N], shape (n,).

    Raises:
        ExperimentError: the experiment's stiffness is a printed matrix, or the part touches at no depth.
    """
    adjustable = adjustables(experiment)
    if not force_along(experiment, depth).any():
        raise ExperimentError(
            f"depth_mm from {1e3 * depth.min():g} to {1e3 * depth.max():g}: at none of these depths does the "
            "part touch as configured; depths count from where its experiment counts them"
        )
    used = np.ones(len(depth), np.bool_)

    def curve(x: Array) -> Array:
        return force_along(_changed(experiment, adjustable, x), depth)

    def residuals(x: Array) -> Array:
        return np.asarray((curve(x) - force)[used], np.float64)

    x = np.zeros(len(adjustable))
    for _ in range(2):  # first with the jumps, to find where they are
        found = least_squares(
            residuals, x, bounds=(-BOUND, BOUND), diff_step=STEP, x_scale=0.1, max_nfev=TURNS, loss="soft_l1",
            f_scale=max(1e-9, 0.02 * float(np.abs(force).max())),
        )  # fmt: skip
        x = found.x
        used = _apart_from_jumps(curve(x))
    used &= _no_outliers((curve(x) - force), used)
    found = least_squares(residuals, x, diff_step=STEP, x_scale=0.1, max_nfev=TURNS)
    return _judged(experiment, adjustable, found, depth, force, curve(found.x), used)


def force_along(experiment: Experiment, depth: Array) -> Array:
    """Return the force against the insertion at some depths, in their order [N], shape (n,)."""
    T, twist, out = np.eye(4), np.zeros(6), np.empty(len(depth))
    if isinstance(experiment, ORingExperiment):
        ring = ORing(experiment.o_ring)
        T[0, 3], twist[2] = experiment.eccentricity, -experiment.motion.speed
        for k, at in enumerate(depth):
            T[2, 3] = -at
            out[k] = ring.wrench(T, twist).load[2]
        return out
    assert isinstance(experiment, SnapExperiment)  # pegs and robots are refused before
    snap = SnapFastener(experiment.snap)
    state = snap.begin()
    T[1, 3], T[2, 3], twist[0] = experiment.offset_y, experiment.offset_z, experiment.motion.speed
    for k, at in enumerate(depth):
        T[0, 3] = at - snap.front
        wrench, state = snap.step(state, T, twist)
        out[k] = -wrench.load[0]
    return out


def _changed(experiment: Experiment, adjustable: tuple[Adjustable, ...], x: Array) -> Any:
    changed: Any = experiment
    for each, logarithm in zip(adjustable, x, strict=True):
        changed = each.times(changed, float(np.exp(logarithm)))
    return changed


def _apart_from_jumps(curve: Array) -> BoolArray:
    """Return which samples are not beside a jump of a curve, shape (n,)."""
    jumps = np.flatnonzero(np.abs(np.diff(curve)) > JUMP * np.abs(curve).max())
    used = np.ones(len(curve), np.bool_)
    for k in jumps:
        used[max(0, k + 1 - BESIDE) : k + 1 + BESIDE] = False
    return used if used.sum() > 0.5 * len(curve) else np.ones(len(curve), np.bool_)


def _no_outliers(left: Array, used: BoolArray) -> BoolArray:
    """Return which of the used samples lie by the fitted curve as the others do, shape (n,).

    A few that are `FAR` times as far off as most are a sensor's faults. Where there are many the curve is
    not the part's, and all of them count.
    """
    middle = float(np.median(left[used]))
    spread = MAD * float(np.median(np.abs(left[used] - middle)))
    near = np.abs(left - middle) <= FAR * spread
    return near if (used & ~near).sum() <= FEW * used.sum() else np.ones(len(left), np.bool_)


def _judged(
    experiment: Experiment, adjustable: tuple[Adjustable, ...], found: Any, depth: Array, force: Array,
    fitted: Array, used: BoolArray,
) -> InsertionFit:  # fmt: skip
    """Return values with intervals, and which of them the measurement identifies."""
    count, n = len(found.x), int(used.sum())
    noise = float(np.sqrt(found.fun @ found.fun / (n - count)))
    _, singular, directions = np.linalg.svd(found.jac, full_matrices=False)
    information = np.maximum(singular, 1e-12 * max(1.0, singular[0])) ** 2
    covariance = noise**2 * inflation(found.fun[None]) * (directions.T / information) @ directions
    error = np.sqrt(np.diag(covariance))
    likeness = np.abs(covariance) / np.outer(error, error) - np.eye(count)
    quantile = float(student.ppf(1.0 - 0.5 * (1.0 - CONFIDENCE) / count, n - count))
    estimates = []
    for i, each in enumerate(adjustable):
        known = bool(quantile * error[i] <= VAGUE)
        half = quantile * error[i] if known else 0.0
        low, value, high = (
            each.value(each.times(experiment, float(np.exp(found.x[i] + way)))) for way in (-half, 0.0, half)
        )
        ends = (min(low, high), max(low, high))
        estimates.append(
            Estimate(
                each.name,
                each.unit,
                each.value(experiment),
                value,
                ends[0] if known else None,
                ends[1] if known else None,
                (ends[1] - ends[0]) / (2.0 * quantile) if known else None,
                known,
                tuple(adjustable[j].name for j in np.flatnonzero(likeness[i] > ALIKE)),
            )
        )
    return InsertionFit(tuple(estimates), depth, force, fitted, used, noise, found.status > 0)
