"""Rotation vectors that change with time: angular velocity and acceleration of what they turn. Pure.

theory: `R = exp([theta])` turns with `w = J theta'` in its own axes, and accelerates with
`alpha = J theta'' + J' theta'`, where

    J = 1 - a [theta] + b [theta]^2,   a = (1 - cos t) / t^2,   b = (t - sin t) / t^3,   t = |theta|.
"""

import numpy as np

from hil.common.arrays import Array

SMALL = 0.1  # [rad] below which the series have more digits than the quotients


def turning(theta: Array, rate: Array, second: Array) -> tuple[Array, Array]:
    """Return angular velocity [rad/s] and acceleration [rad/s2] in the turned axes, each of shape (n, 3).

    Args:
        theta: rotation vectors [rad], shape (n, 3).
        rate: their rates, shape (n, 3).
        second: the rates of these, shape (n, 3).
    """
    a, b, a_by, b_by = _shares(np.linalg.norm(theta, axis=1)[:, None])
    along = np.sum(theta * rate, axis=1)[:, None]  # t t'
    by_rate, by_second = np.cross(theta, rate), np.cross(theta, second)
    twice = np.cross(theta, by_rate)
    w = rate - a * by_rate + b * twice
    changed = -a_by * along * by_rate + b_by * along * twice + b * np.cross(rate, by_rate)
    return w, second - a * by_second + b * np.cross(theta, by_second) + changed


def _shares(t: Array) -> tuple[Array, Array, Array, Array]:
    """Return a, b and what multiplies `t t'` in their rates, each of shape (n, 1)."""
    small = t < SMALL
    s, x = np.where(small, t * t, 0.0), np.where(small, 1.0, t)
    sine, less = np.sin(x), 1.0 - np.cos(x)
    return (
        np.where(small, 1 / 2 - s / 24 + s**2 / 720 - s**3 / 40320, less / x**2),
        np.where(small, 1 / 6 - s / 120 + s**2 / 5040 - s**3 / 362880, (x - sine) / x**3),
        np.where(small, -1 / 12 + s / 180 - s**2 / 6720, (x * sine - 2.0 * less) / x**4),
        np.where(small, -1 / 60 + s / 1260 - s**2 / 60480, (x * less - 3.0 * (x - sine)) / x**5),
    )
