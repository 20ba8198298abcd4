"""How a held body's velocity follows the ideal body's after a push: the time shift, and the overshoot."""

import numpy as np
from scipy.optimize import minimize_scalar

from hil.analysis.figures.windows import TWIST_SCALE
from hil.common.arrays import Array

SHIFTS = np.arange(-0.02, 0.8001, 0.005)  # [s] tried first; the best is then refined


def time_shift(t: Array, arm: Array, ideal: Array, quiet: int) -> float:
    """Return by how much the arm's velocity lags the ideal body's [s].

    The shift that minimises the sum of squares between the arm's velocity and the shifted ideal one,
    both less their means before the push.

    Args:
        t: instants [s], shape (n,).
        arm: twists of the arm, got in the same way as the ideal body's, shape (n, 6).
        ideal: twists of the ideal body, shape (n, 6).
        quiet: rows at the beginning that lie before the push, at least one.
    """
    arm = (arm - arm[:quiet].mean(axis=0)) * TWIST_SCALE
    ideal = (ideal - ideal[:quiet].mean(axis=0)) * TWIST_SCALE

    def misfit(shift: float) -> float:
        moved = np.column_stack([np.interp(t - shift, t, ideal[:, axis]) for axis in range(6)])
        return float(np.sum((arm - moved) ** 2))

    best = SHIFTS[np.argmin([misfit(shift) for shift in SHIFTS])]
    refined = minimize_scalar(
        misfit, bounds=(best - 0.005, best + 0.005), method="bounded", options={"xatol": 1e-6}
    )
    return float(refined.x)


def overshoot(arm: Array, new: Array, change: Array) -> float:
    """Return how far the arm's velocity went beyond the new one along the true change, over the change.

    Args:
        arm: twists of the arm, shape (n, 6).
        new: twists of the ideal body from the end of the push on; before it, the one at its end, (n, 6).
        change: of the ideal body's twist during the push, shape (6,).
    """
    scaled = change * TWIST_SCALE
    size = float(np.linalg.norm(scaled))
    beyond = ((arm - new) * TWIST_SCALE) @ (scaled / size)
    return max(0.0, float(beyond.max())) / size
