"""What a run has to say about its impulses, and the error that its noise allows each of them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hil.analysis.figures.impulses import SCALE, match_impulses
from hil.analysis.figures.rest import LEAST_REST, near_noise
from hil.analysis.figures.velocity import SETTLED
from hil.analysis.figures.windows import free_pushes
from hil.analysis.report.evidence import counted_relatively
from hil.analysis.report.force_path_bias import force_path_bias
from hil.analysis.report.rest_noise import RestNoise, noise_of
from hil.common.arrays import Array, BoolArray
from hil.configuration import Configuration
from hil.loop.trace.fields import Trace
from hil.wrench.worth.bound import Swing, impulse_deviation
from hil.wrench.worth.noise_model import fitted
from hil.wrench.worth.semivariance import Semivariance

AXES = 6
ENDS = 0.005  # [s] by which either end of a push can be known in noise: so much longer it is looked at
NEAR_LAGS = (0.0079, 0.065)  # [s] lags at which the noise near by is compared with the run's


@dataclass(frozen=True, eq=False)
class PushEvidence:
    """The pushes of a run that are judged and were found, and the run's noise.

    Attributes:
        error: norm of the difference between detected and true impulse, torques over 0.2 m [N s], (k,).
        along: that difference along the true impulse [N s], shape (k,).
        size: norm of the true impulse [N s], shape (k,).
        duration: of the push [s], shape (k,).
        counted: whether its relative error counts, shape (k,).
        free: whether the velocity behind it is judged as well, shape (k,).
        near: semivariance of the noise near by [N2], NaN where it is not known, shape (k, lags).
        noise: of the whole run; None where nothing of it can be told.
        reason: why there is nothing to be judged.
    """

    error: Array
    along: Array
    size: Array
    duration: Array
    counted: BoolArray
    free: BoolArray
    near: Array
    noise: RestNoise | None
    reason: str = ""


@dataclass(frozen=True, eq=False)
class JudgedPushes:
    """Pushes with the best that any estimator does: `error`, `along`, `size`, `counted`, `free` as above.

    Attributes:
        bound: root of the mean square of the norm of the best estimate's error [N s], shape (k,).
        bias: share of an impulse that the force path may cost, shape (k,).
    """

    error: Array
    along: Array
    size: Array
    counted: BoolArray
    free: BoolArray
    bound: Array
    bias: Array

    @classmethod
    def together(cls, parts: Sequence["JudgedPushes"]) -> "JudgedPushes":
        """Return the pushes of several runs, one behind the other; at least one run."""
        return cls(
            np.concatenate([p.error for p in parts]),
            np.concatenate([p.along for p in parts]),
            np.concatenate([p.size for p in parts]),
            np.concatenate([p.counted for p in parts]),
            np.concatenate([p.free for p in parts]),
            np.concatenate([p.bound for p in parts]),
            np.concatenate([p.bias for p in parts]),
        )

    def only(self, which: BoolArray) -> "JudgedPushes":
        """Return some of the pushes."""
        return JudgedPushes(
            self.error[which], self.along[which], self.size[which], self.counted[which], self.free[which],
            self.bound[which], self.bias[which],
        )  # fmt: skip


def nothing(reason: str) -> PushEvidence:
    """Return the evidence of a run that has nothing to be judged."""
    none, no = np.empty(0), np.empty(0, bool)
    return PushEvidence(none, none, none, none, no, no, np.empty((0, 0)), None, reason)


def push_evidence(trace: Trace, c: Configuration) -> PushEvidence:
    """Return what a run of an emulated arm with at least two rows says about its pushes."""
    matches = match_impulses(trace)
    found = np.isfinite(matches.error)
    true = trace.push_value[found] * SCALE
    difference = trace.impulse_value[matches.impulse[found]] * SCALE - true
    size = matches.size[found]
    free = np.isin(np.flatnonzero(found), free_pushes(trace, SETTLED))
    return PushEvidence(
        matches.error[found],
        np.sum(difference * true, axis=1) / size,
        size,
        (trace.push_t_end - trace.push_t_start)[found],
        counted_relatively(trace, c)[found],
        free,
        near_noise(trace)[found],
        noise_of(trace, c),
    )


def judged_pushes(
    runs: Sequence[tuple[Configuration, PushEvidence]],
) -> tuple[list[JudgedPushes | None], float | None]:
    """Return the pushes of each run with what its noise allows, and the largest excess of noise.

    Runs whose noise should be the same put their rest together; None for those that have too little of it.
    """
    found: list[JudgedPushes | None] = [None] * len(runs)
    excess = []
    for group in _of_equal_noise(runs):
        noise = _together([runs[i][1].noise for i in group])
        if noise is None or noise.measured.seconds < LEAST_REST:
            continue
        swing = Swing.of(runs[group[0]][0].detector)
        excess.append(noise.excess(swing))
        for i in group:
            found[i] = _with_bound(runs[i][1], noise.measured, swing, force_path_bias(runs[i][0]))
    return found, max(excess, default=None)


def _of_equal_noise(runs: Sequence[tuple[Configuration, PushEvidence]]) -> list[list[int]]:
    """Return the numbers of the runs that have something to say, in groups."""
    groups: list[tuple[object, list[int]]] = []
    for i, (c, evidence) in enumerate(runs):
        if evidence.noise is None:
            continue
        key = evidence.noise.measured.step, c.emulator.wrench, Swing.of(c.detector)
        same = next((members for other, members in groups if other == key), None)
        if same is None:
            groups.append((key, [i]))
        else:
            same.append(i)
    return [members for _, members in groups]


def _together(noises: list[RestNoise | None]) -> RestNoise | None:
    total: RestNoise | None = None
    for noise in noises:
        total = noise if total is None or noise is None else total + noise
    return total


def _with_bound(evidence: PushEvidence, rest: Semivariance, swing: Swing, bias: float) -> JudgedPushes:
    """Return a run's pushes with the best estimate's error in the noise that was near by."""
    lags = rest.apart
    model = fitted(lags, rest.mean)
    samples, which = np.unique(np.rint((evidence.duration + 2.0 * ENDS) / rest.step), return_inverse=True)
    deviations = np.array([impulse_deviation(model, n * rest.step, rest.step, swing) for n in samples])
    near = (lags >= NEAR_LAGS[0]) & (lags <= NEAR_LAGS[1])
    with np.errstate(invalid="ignore", divide="ignore"):
        local = np.mean(evidence.near[:, near] / rest.mean[near], axis=1)
    local = np.where(np.isfinite(local), local, 1.0)
    bound = np.sqrt(AXES * local) * deviations[which]
    e = evidence
    return JudgedPushes(e.error, e.along, e.size, e.counted, e.free, bound, np.full(len(e.error), bias))
