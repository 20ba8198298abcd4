"""By how much the wrench is later than the joints of its packet, from the inertia of a load in motion.

What a load in motion shows is known up to its ten parameters, and goes with the joints; so does an offset
that depends on the pose. For each skew the motion is shifted by it, parameters and offsets are fitted, and
what is left says how well that skew suits:

    w(t) = Y(t - tau) phi + (b + b' t + B p(t - tau)) + noise

Noise that is coloured is whitened by an autoregression. The interval is that of the profile: all skews that
suit hardly worse than the best one. A load that shows next to nothing leaves it wide, and that is said.
"""

from dataclasses import dataclass

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.special import stdtrit

from hil.common.arrays import Array
from hil.common.autoregression import ORDER, autoregression, whitened

SMOOTHING = 0.01  # [s] to both sides, of the kernel that wrench and motion pass alike
APART = 0.01  # [s] between two rows of the fit
ROUNDS = 3  # of whitening
EARLIEST, LATEST = -0.006, 0.026  # [s] between which a skew is looked for
FIRST = 0.002  # [s] between the skews that are tried first
FINEST = 1e-5  # [s] to which best and bounds are found
CONFIDENCE = 0.95
BAND = 3.6  # [Hz] of the motion: so many values an axis it has there
NEEDED = 5e-4  # [s] half interval, within which a skew counts as shown


@dataclass(frozen=True)
class FoundSkew:
    """What was found.

    Attributes:
        skew: by which the wrench is later than the joints [s].
        interval: half of its 95 % interval [s].
        bounded: whether both ends of the interval lie within what was looked at.
    """

    skew: float
    interval: float
    bounded: bool

    @property
    def shown(self) -> bool:
        """Whether it is known well enough for contacts."""
        return self.bounded and self.interval <= NEEDED


def found_skew(
    regressor: Array, pose: Array, wrench: Array, step: float, prior: Array, mean: Array
) -> FoundSkew:
    """Return the skew that suits a motion best.

    Args:
        regressor: what each load parameter's unit is worth in the wrench, shape (n, 6, k), evenly apart.
        pose: what an offset may depend on, shape (n, m): places and tilts.
        wrench: measured, shape (n, 6).
        step: between two rows [s].
        prior: deviation of each parameter from `mean`, shape (k,).
        mean: parameters that are expected, shape (k,).
    """
    profile = _Profile(regressor, pose, wrench, step, prior, mean)
    tried = np.arange(EARLIEST, LATEST + 0.5 * FIRST, FIRST)
    for _ in range(ROUNDS):
        left = np.array([profile.left(tau) for tau in tried])
        best = float(tried[int(np.argmin(left))])
        profile.whiten(best)
    left = np.array([profile.left(tau) for tau in tried])
    best = _least(profile, tried, left)
    least = profile.left(best)
    most = least * (1.0 + profile.tolerance)
    low, low_in = _crossing(profile, best, -FIRST, EARLIEST, most)
    high, high_in = _crossing(profile, best, FIRST, LATEST, most)
    return FoundSkew(best, float(max(best - low, high - best)), low_in and high_in)


class _Profile:
    """What is left of the wrench, whitened, as a function of the skew."""

    def __init__(
        self, regressor: Array, pose: Array, wrench: Array, step: float, prior: Array, mean: Array
    ) -> None:
        half = max(1, round(SMOOTHING / step))
        kernel = np.hanning(2 * half + 3)[1:-1]
        kernel /= kernel.sum()
        inner = step * np.arange(half, len(wrench) - half)

        def smoothed(x: Array) -> Array:
            flat = x.reshape(len(x), -1)
            return np.stack([np.convolve(c, kernel, "valid") for c in flat.T], axis=1).reshape(
                -1, *x.shape[1:]
            )

        self._motion = CubicSpline(inner, smoothed(regressor))
        self._pose = CubicSpline(inner, smoothed(pose - pose.mean(axis=0)))
        every = max(1, round(APART / step))
        felt = smoothed(wrench)
        # rows whose motion is known whatever the skew
        inside = (inner >= inner[0] + LATEST) & (inner <= inner[-1] + EARLIEST)
        self._t, self._w = inner[inside][::every], felt[inside][::every]
        self._time = np.linspace(-1.0, 1.0, len(self._t))
        self._prior, self._mean = prior, mean
        self._filters = np.zeros((2, ORDER))
        self._scales = np.ones(2)
        self._scales = self._spread(self._residual(0.0))
        k, m = regressor.shape[2], pose.shape[1]
        # theory: in the motion's band 2 B T values of an axis are independent
        in_band = 6.0 * 2.0 * BAND * step * len(wrench)
        freedom = max(in_band - 6.0 * (2 + m) - k - 1.0, 2.0)
        half_width = float(stdtrit(freedom, 0.5 + 0.5 * CONFIDENCE))
        self.tolerance = half_width**2 / (6.0 * len(self._t)) * in_band / freedom

    def left(self, tau: float) -> float:
        """Return the weighted sum of squares that is left, and of the prior."""
        return self._solved(tau)[1]

    def whiten(self, tau: float) -> None:
        """Take the autoregression of what is left at this skew."""
        rest = self._residual(tau)
        self._filters = np.array([autoregression(rest[:, part]) for part in (slice(0, 3), slice(3, 6))])
        self._scales = self._spread(np.stack(
            [whitened(rest[:, i], self._filters[i // 3]) for i in range(6)], axis=1
        ))  # fmt: skip

    def _spread(self, rest: Array) -> Array:
        return np.array([np.sqrt(np.mean(rest[:, part] ** 2)) for part in (slice(0, 3), slice(3, 6))])

    def _offsets(self, tau: float) -> Array:
        return np.column_stack([np.ones(len(self._t)), self._time, self._pose(self._t - tau)])

    def _solved(self, tau: float) -> tuple[Array, float]:
        """Return the parameters and what is left, offsets projected out of each axis."""
        Y, N = self._motion(self._t - tau), self._offsets(tau)
        rows, seen = [np.diag(1.0 / self._prior)], [self._mean / self._prior]
        for i in range(6):
            taps, scale = self._filters[i // 3], self._scales[i // 3]
            Q, _ = np.linalg.qr(whitened(N, taps))
            A, b = whitened(Y[:, i], taps) / scale, whitened(self._w[:, i], taps) / scale
            rows.append(A - Q @ (Q.T @ A))
            seen.append(b - Q @ (Q.T @ b))
        A, b = np.concatenate(rows) * self._prior, np.concatenate(seen)
        found, *_ = np.linalg.lstsq(A, b, rcond=None)
        return found * self._prior, float(np.sum((b - A @ found) ** 2))

    def _residual(self, tau: float) -> Array:
        """Return what is left of the wrench before whitening, shape (n, 6)."""
        value, _ = self._solved(tau)
        rest = self._w - self._motion(self._t - tau) @ value
        Q, _ = np.linalg.qr(self._offsets(tau))
        left: Array = rest - Q @ (Q.T @ rest)
        return left


def _least(profile: _Profile, tried: Array, left: Array) -> float:
    """Return the skew at which least is left, refined by parabolas."""
    i = min(max(int(np.argmin(left)), 1), len(tried) - 2)
    best, width = float(tried[i]), FIRST
    values = list(left[i - 1 : i + 2])
    while width > FINEST:
        curved = values[0] - 2.0 * values[1] + values[2]
        way = 0.5 * width * (values[0] - values[2]) / curved if curved > 0.0 else 0.0
        best = min(max(best + min(max(way, -width), width), EARLIEST), LATEST)
        width *= 0.2
        values = [profile.left(best + side) for side in (-width, 0.0, width)]
    return best


def _crossing(profile: _Profile, best: float, side: float, end: float, most: float) -> tuple[float, bool]:
    """Return where what is left comes to `most` on one side of the best, and whether before the end."""
    inner, width = best, side
    while True:
        outer = inner + width
        if (outer - end) * side >= 0.0:
            outer = end
            if profile.left(outer) <= most:
                return outer, False
        if profile.left(outer) > most:
            break
        inner, width = outer, 2.0 * width
    while abs(outer - inner) > FINEST:
        middle = 0.5 * (inner + outer)
        inner, outer = (inner, middle) if profile.left(middle) > most else (middle, outer)
    return outer, True
