"""A step to the minimum of the local problem within the joints' limits, by daqp."""

import daqp
import numpy as np

from hil.common.arrays import Array
from planner.inverse.sqp import FARTHEST, RANK, Local, Problem, convex_curvature, range_step

EQUALITY = 5  # daqp's kinds of constraint
INEQUALITY = 0
PENALTY = 1e4  # of h against the largest curvature, where the limits leave no step that fulfils it


def limited_step(problem: Problem, local: Local, q: Array) -> tuple[Array, Array]:
    """Return a step (n,) and the multipliers (6,) of h behind it.

    Where no step within the limits fulfils h to first order, that which comes nearest to it is taken.
    """
    n, H = len(q), convex_curvature(local)
    kept = local.s > RANK * local.s.max()
    rows, nearest = local.V[kept], range_step(local)
    nearest *= min(1.0, 0.5 * FARTHEST / max(float(np.abs(nearest).max()), 1e-300))
    right = rows @ nearest
    low = np.concatenate([np.maximum(problem.lower - q, -FARTHEST), right])
    high = np.concatenate([np.minimum(problem.upper - q, FARTHEST), right])
    kinds = np.full(n + len(rows), INEQUALITY, np.int32)
    kinds[n:] = EQUALITY
    p, _, flag, info = daqp.solve(H, local.g.copy(), np.ascontiguousarray(rows), high, low, kinds)
    if flag > 0:
        pushed = local.g + local.W @ p + np.asarray(info["lam"])[:n]  # by objective, curvature and limits
        return p, -(rows @ pushed / local.s[kept]) @ local.U[kept]
    weight = PENALTY * float(np.abs(H).max())
    H = H + weight * local.A.T @ local.A
    g = local.g + weight * local.A.T @ local.h
    p, _, flag, _ = daqp.solve(H, g, np.zeros((0, n)), high[:n].copy(), low[:n].copy(), kinds[:n].copy())
    return (p if flag > 0 else np.zeros(n)), weight * (local.h + local.A @ p)
