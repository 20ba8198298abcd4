"""The noise of a run at rest: measured, and explained by its configuration and the arm's motion."""

from dataclasses import dataclass
from itertools import chain

import numpy as np

from hil.analysis.figures.explained_rest import ExplainedRest
from hil.analysis.figures.rest import near_pushes, rest_noise, rest_stretches, row_step, scaled_wrench
from hil.configuration import Configuration
from hil.loop.trace.fields import Trace
from hil.wrench.worth.bound import Swing, impulse_deviation
from hil.wrench.worth.noise_model import fitted
from hil.wrench.worth.semivariance import Semivariance, semivariance
from hil.wrench.worth.words import DURATIONS

LEAST_NEAR = 1.0  # [s] of rest near by pushes that tell of its noise


@dataclass(frozen=True, eq=False)
class RestNoise:
    """How much the wrench changes at rest: measured and explained, everywhere and near by the pushes."""

    measured: Semivariance
    explained: Semivariance
    near_measured: Semivariance
    near_explained: Semivariance

    def __add__(self, other: "RestNoise") -> "RestNoise":
        """Return what both runs show together."""
        return RestNoise(
            self.measured + other.measured,
            self.explained + other.explained,
            self.near_measured + other.near_measured,
            self.near_explained + other.near_explained,
        )

    def excess(self, swing: Swing) -> float:
        """Return how many times what is explained an impulse's best error is, at most."""
        found = [_excess(self.measured, self.explained, swing)]
        if self.near_measured.seconds >= LEAST_NEAR:
            found.append(_excess(self.near_measured, self.near_explained, swing))
        return max(found)


def noise_of(trace: Trace, c: Configuration) -> RestNoise:
    """Return the noise of an emulated arm's run with at least two rows."""
    explained, everywhere = ExplainedRest(trace, c), rest_stretches(trace)
    near = np.full(len(trace.t), -1)
    for rows in chain.from_iterable(near_pushes(trace)):
        near[rows] = everywhere[rows]
    return RestNoise(
        rest_noise(trace),
        explained.within(everywhere),
        semivariance(scaled_wrench(trace), near, row_step(trace)),
        explained.within(near),
    )


def _excess(measured: Semivariance, explained: Semivariance, swing: Swing) -> float:
    noises = [fitted(seen.apart, seen.mean) for seen in (measured, explained)]
    worth = [[impulse_deviation(n, d, measured.step, swing) for d in DURATIONS] for n in noises]
    found, expected = np.array(worth)
    return float(np.max(np.divide(found, expected, out=np.zeros(len(found)), where=expected > 0.0)))
