"""How large the errors of impulses may be in a run's noise (docs/theory.md, 18).

The best estimator's error over its root mean square is a chi distribution with six degrees of freedom over
the root of six. What is measured may be `MARGIN` times as large, and then as unlucky as one run in a hundred.
"""

import numpy as np
from scipy.optimize import brentq
from scipy.stats import beta, binom, chi2, norm

from hil.analysis.report.push_evidence import AXES, JudgedPushes
from hil.common.arrays import Array

MARGIN = 1.25  # of the error over the bound
UNLUCKY = 0.01  # share of runs of an estimator at MARGIN times the bound that fail a rule
HIGH = 0.95  # quantile
HIGH_RATIO = float(np.sqrt(chi2.ppf(HIGH, AXES) / AXES))  # of the best error over its root mean square
CENTRAL = float(np.sqrt(chi2.ppf(0.5, AXES) / AXES))
SPREAD = 0.84  # a median of n is below CENTRAL + SPREAD / sqrt n in 99 of 100 runs


def ratios(pushes: JudgedPushes) -> Array:
    """Return each error over what noise and bias allow together, shape (k,)."""
    allowed = np.hypot(pushes.bound, pushes.bias * pushes.size)
    found: Array = pushes.error / allowed
    return found


def most_median_ratio(count: int) -> float:
    """Return the largest median of so many ratios that passes."""
    return MARGIN * (CENTRAL + SPREAD / float(np.sqrt(count)))


def beyond(pushes: JudgedPushes) -> float:
    """Return how many ratios are above what 95 of 100 should stay below."""
    return float(np.count_nonzero(ratios(pushes) > MARGIN * HIGH_RATIO))


def most_beyond(count: int) -> float:
    """Return how many of so many ratios may be."""
    return float(binom.ppf(1.0 - UNLUCKY, count, 1.0 - HIGH))


def most_ratio(count: int) -> float:
    """Return how large the largest of so many ratios may be."""
    return MARGIN * float(np.sqrt(chi2.ppf(1.0 - UNLUCKY / count, AXES) / AXES))


def scale_error(pushes: JudgedPushes) -> float:
    """Return by which share all impulses together are too large or too small, without sign.

    Weighted least squares along the true impulses; a common factor shows in it long before it shows in
    the sizes of the errors.
    """
    weights = _weights(pushes)
    return abs(float(np.sum(weights * pushes.along / pushes.size) / np.sum(weights)))


def most_scale_error(pushes: JudgedPushes) -> float:
    """Return how large that share may be."""
    deviation = 1.0 / np.sqrt(np.sum(_weights(pushes)))
    return float(pushes.bias.max()) + MARGIN * float(norm.ppf(1.0 - 0.5 * UNLUCKY) * deviation)


def _weights(pushes: JudgedPushes) -> Array:
    """Return the inverse variance of each push's scale, shape (k,); a floor stands in for no noise."""
    per_axis = np.maximum(pushes.bound, 1e-6 * pushes.size) / np.sqrt(AXES)
    weights: Array = (pushes.size / per_axis) ** 2
    return weights


def best_quantile(scales: Array, quantile: float) -> float:
    """Return a quantile of the best errors of pushes that differ in their root mean square.

    Args:
        scales: root mean square of each one's error, shape (k,).
        quantile: from 0 to 1.
    """
    seen = scales[scales > 0.0]
    if not len(seen):
        return 0.0
    unseen = len(scales) - len(seen)

    def share(x: float) -> float:
        return float(unseen + np.sum(chi2.cdf(AXES * (x / seen) ** 2, AXES))) / len(scales) - quantile

    return 0.0 if share(0.0) >= 0.0 else float(brentq(share, 0.0, 10.0 * seen.max()))


def most_quantile(scales: Array, quantile: float) -> float:
    """Return the largest quantile of measured errors of such pushes that passes, bias apart.

    The k-th of n measured errors, in order, has a Beta distributed rank.
    """
    count = len(scales)
    rank = (count - 1) * quantile + 1.0  # as numpy's quantile counts
    level = float(beta.ppf(1.0 - UNLUCKY, rank, count + 1.0 - rank))
    return MARGIN * best_quantile(scales, level)
