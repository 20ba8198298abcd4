"""Curves that run along themselves: circle, figure eight, sine sweep; begun and ended gently."""

import math
from collections.abc import Callable

import numpy as np

from hil.common.arrays import Array
from hil.workbench.driving.follower import TwistLimits
from hil.workbench.driving.tables.legs import SHARE, least_jerk

BEGIN_S = 1.0  # for which a curve gathers speed, and as long it loses it


class Curve:
    """A curve of the tip's origin about where it began, at constant attitude.

    Attributes:
        duration: of the whole [s].
    """

    def __init__(self, T_start: Array, shift: Callable[[float], Array], duration: float) -> None:
        """Take a curve by its shift [m] from the beginning, shape (3,), at a time."""
        self._T, self._shift, self.duration = T_start, shift, duration

    def pose(self, t: float) -> Array:
        """Return where the tip is at a time, shape (4, 4)."""
        T = self._T.copy()
        T[:3, 3] += self._shift(min(max(t, 0.0), self.duration))
        return T


def turning(speed: float, total: float) -> tuple[Callable[[float], float], float]:
    """Return an angle over time that begins and ends at rest, and how long it takes [s].

    Args:
        speed: in between [rad/s].
        total: angle [rad]; at least that of gathering and losing speed.
    """
    middle = max(0.0, total / speed - BEGIN_S)

    def gathered(t: float) -> float:  # integral of the least-jerk step
        s = min(1.0, max(0.0, t / BEGIN_S))
        return BEGIN_S * (2.5 * s**4 - 3.0 * s**5 + s**6) + max(0.0, t - BEGIN_S)

    end = middle + 2.0 * BEGIN_S

    def angle(t: float) -> float:
        return speed * (gathered(t) - gathered(t - BEGIN_S - middle))

    return angle, end


def speed_on(radius: float, limits: TwistLimits) -> float:
    """Return the angular speed on a circle within a share of the limits [rad/s]: speed, and v^2 / r.

    While speed is gathered both accelerations add up; with a half of the rate each their sum is within it.
    """
    return min(
        SHARE * limits.linear / radius,
        math.sqrt(0.5 * SHARE * limits.linear_rate / radius),
        0.5 * SHARE * limits.linear_rate * BEGIN_S / (15.0 / 8.0 * radius),
    )


def circle(T: Array, radius: float, turns: float, limits: TwistLimits) -> Curve:
    """Return a circle in the base's y-z plane, the beginning at its lowest point."""
    angle, end = turning(speed_on(radius, limits), 2.0 * math.pi * turns)
    return Curve(T, lambda t: radius * np.array([0.0, math.sin(angle(t)), 1.0 - math.cos(angle(t))]), end)


def figure_eight(T: Array, radius: float, turns: float, limits: TwistLimits) -> Curve:
    """Return Gerono's eight in the base's y-z plane, the beginning at its crossing.

    y = r sin a, z = r sin a cos a: its speed is at most sqrt(2) r a', its acceleration at constant a' at most
    2.1 r a'^2.
    """
    angle, end = turning(speed_on(radius, limits) / math.sqrt(2.5), 2.0 * math.pi * turns)
    return Curve(
        T,
        lambda t: radius * np.array([0.0, math.sin(angle(t)), math.sin(angle(t)) * math.cos(angle(t))]),
        end,
    )


def sine_sweep(T: Array, size: float, limits: TwistLimits, slow: float, fast: float, end: float) -> Curve:
    """Return a sine along the base's y, its frequency rising by the same factor each second.

    Args:
        T: where it begins, shape (4, 4).
        size: greatest amplitude [m]; where the limits allow less, it is less.
        limits: of the tip.
        slow: first frequency [Hz].
        fast: last frequency [Hz].
        end: when it is over [s].
    """
    rate = math.log(fast / slow) / end

    def shift(t: float) -> Array:
        omega = 2.0 * math.pi * slow * math.exp(rate * t)
        phase = (omega - 2.0 * math.pi * slow) / rate
        bounds = (size, 0.5 * SHARE * limits.linear / omega, 0.5 * SHARE * limits.linear_rate / omega**2)
        amplitude = sum(bound**-4.0 for bound in bounds) ** -0.25  # below the least, without a bend
        gentle = least_jerk(t / BEGIN_S) * least_jerk((end - t) / BEGIN_S)
        return np.array([0.0, gentle * amplitude * math.sin(phase), 0.0])

    return Curve(T, shift, end)
