"""The rows of the certificate that judge impulses by what the run's own noise allows."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from hil.analysis.report import impulse_rules as rules
from hil.analysis.report.force_path_bias import force_path_bias
from hil.analysis.report.metric import with_noise
from hil.analysis.report.push_evidence import JudgedPushes
from hil.configuration import Configuration

PERCENT = 100.0
RULES = "hil/analysis/report/impulse_rules.py: "
ERROR_HOW = (
    "Norm of the difference between detected and true impulse over the true one, pushes matched by onset "
    "(under motion noise: pushes from 1 N s on)"
)
RATIO_HOW = (
    "Each impulse's error over what noise and missed inertia allow the best estimator, in the noise near by "
    "the push"
)


@dataclass(frozen=True)
class ImpulseMetric:
    """One row.

    Attributes:
        name: for `--tolerance`.
        title: for people.
        unit: of value and limit.
        small: which pushes count: those whose relative error does (False), the others (True), or all (None).
        value: of pushes, at least one.
        limit: of the same pushes: what they may come to in their noise.
        best: what the best estimator comes to, in the middle of many runs; None where nobody asks.
        goal: without regard to noise; None where there is none.
        otherwise: why there may be nothing to measure.
        how: one sentence.
        function: that computes it.
    """

    name: str
    title: str
    unit: str
    small: bool | None
    value: Callable[[JudgedPushes], float]
    limit: Callable[[JudgedPushes], float]
    best: Callable[[JudgedPushes], float] | None
    goal: Callable[[Configuration], float] | None
    otherwise: str
    how: str
    function: str

    def of(self, pushes: JudgedPushes) -> JudgedPushes:
        """Return the pushes that count."""
        if self.small is None:
            return pushes
        return pushes.only(pushes.counted != self.small)


def _share(quantile: float) -> Callable[[JudgedPushes], float]:
    """Return a quantile of the relative errors [%]."""
    return lambda p: PERCENT * float(np.quantile(p.error / p.size, quantile))


def most_share(quantile: float) -> Callable[[JudgedPushes], float]:
    """Return what a quantile of the relative errors may come to in the noise [%]."""
    return lambda p: PERCENT * (rules.most_quantile(p.bound / p.size, quantile) + float(p.bias.max()))


def _best_share(quantile: float) -> Callable[[JudgedPushes], float]:
    return lambda p: PERCENT * rules.best_quantile(p.bound / p.size, quantile)


def _largest_limit(p: JudgedPushes) -> float:
    return rules.most_quantile(p.bound, 1.0) + float((p.bias * p.size).max())


def _largest_best(p: JudgedPushes) -> float:
    return rules.best_quantile(p.bound, 0.5 ** (1.0 / len(p.bound)))


LARGE, SMALL = "there was no push that counts", "no pushes below 1 N s under motion noise"
ALL = "there was no push"

IMPULSE_METRICS: dict[str, ImpulseMetric] = {
    metric.name: metric
    for metric in (
        ImpulseMetric("impulse_error_median", "Impulse error, median", "%", False, _share(0.5),
                      most_share(0.5), _best_share(0.5), with_noise(1.0, 2.0), LARGE,
                      f"{ERROR_HOW}; the median.", RULES + "most_quantile"),
        ImpulseMetric("impulse_error_p95", "Impulse error, 95th percentile", "%", False, _share(rules.HIGH),
                      most_share(rules.HIGH), _best_share(rules.HIGH), with_noise(2.5, 5.0), LARGE,
                      "The same; 95 of 100 pushes are better.", RULES + "most_quantile"),
        ImpulseMetric("small_impulse_error", "Error of small impulses, largest", "N s", True,
                      lambda p: float(p.error.max()), _largest_limit, _largest_best, None, SMALL,
                      "Norm of the difference, of pushes below 1 N s under the noise of the arm's motion.",
                      RULES + "most_quantile"),
        ImpulseMetric("impulse_scale", "Scale of the impulses, off by", "%", None,
                      lambda p: PERCENT * rules.scale_error(p), lambda p: PERCENT * rules.most_scale_error(p),
                      None, lambda c: PERCENT * force_path_bias(c), ALL,
                      "Factor common to all impulses, along the true ones, weighed by their noise.",
                      RULES + "scale_error"),
        ImpulseMetric("impulse_ratio_median", "Impulse error over the sensor's bound, median", "", None,
                      lambda p: float(np.median(rules.ratios(p))),
                      lambda p: rules.most_median_ratio(len(p.error)), lambda p: rules.CENTRAL, None, ALL,
                      f"{RATIO_HOW}; the median.", RULES + "ratios"),
        ImpulseMetric("impulse_ratio_high", "Impulses far above the sensor's bound", "", None, rules.beyond,
                      lambda p: rules.most_beyond(len(p.error)), None, None, ALL,
                      "The same; how many exceed 1.25 times what 95 of 100 of the best stay below.",
                      RULES + "beyond"),
        ImpulseMetric("impulse_ratio_largest", "Impulse error over the sensor's bound, largest", "", None,
                      lambda p: float(rules.ratios(p).max()), lambda p: rules.most_ratio(len(p.error)), None,
                      None, ALL, "The same; the largest.", RULES + "most_ratio"),
    )
}  # fmt: skip
