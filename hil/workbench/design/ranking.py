"""Good candidates in order: what each costs by the task's weights, and which no other is better than."""

import math
from collections.abc import Callable, Sequence

import numpy as np

from hil.common.arrays import Array, BoolArray
from hil.workbench.design.judgement import Judgement
from hil.workbench.design.task_file import Weights

# by the weights' names: what is the less the better
CRITERIA: dict[str, Callable[[dict[str, float]], float]] = {
    "mass": lambda f: f["mass_kg"],
    "torque": lambda f: 1.0 - f["torque_margin"],
    "manipulability": lambda f: 1.0 / max(f["manipulability"], LEAST),
    "power": lambda f: f["power_w"],
    "base_force": lambda f: f["base_force_n"],
    "base_moment": lambda f: f["base_moment_n_m"],
    "joints": lambda f: f["joints"],
}
LEAST = 1e-9  # manipulability of a singular posture


def effort(figures: dict[str, float], weights: Weights) -> float:
    """Return what compares ways of one arm: the sum of the criteria's logarithms, each by its weight."""
    return sum(
        getattr(weights, name) * math.log(max(criterion(figures), LEAST))
        for name, criterion in CRITERIA.items()
    )


def ranked(judgements: Sequence[Judgement], weights: Weights) -> tuple[list[Judgement], Array, BoolArray]:
    """Return the good candidates, best first; their costs; and which are on the Pareto front.

    A cost is the sum of the criteria, each by its weight and by the median of all good candidates; where that
    is 0, by the mean. The front is that of the criteria that have a weight.
    """
    good = sorted((j for j in judgements if j.good), key=lambda j: j.number)
    names = [name for name in CRITERIA if getattr(weights, name) > 0.0]
    values = np.array([[CRITERIA[name](j.figures) for name in names] for j in good]).reshape(-1, len(names))
    if not good:
        return [], np.empty(0), np.empty(0, np.bool_)
    middle = np.median(values, axis=0)
    scale = np.where(middle > 0.0, middle, values.mean(axis=0))
    share = np.divide(values, scale, out=np.zeros_like(values), where=scale > 0.0)
    costs = share @ np.array([getattr(weights, name) for name in names])
    order = np.argsort(costs, kind="stable")
    return [good[k] for k in order], costs[order], front(values)[order]


def front(values: Array) -> BoolArray:
    """Return which rows no other row is better than: nowhere more, somewhere less. Shape (n, k) to (n,)."""
    order = np.lexsort(values.T[::-1])
    found = np.zeros(len(values), np.bool_)
    best = np.empty((0, values.shape[1]))
    for k in order:  # a row that is better than another stands before it in this order
        row = values[k]
        if not np.any(np.all(best <= row, axis=1) & np.any(best < row, axis=1)):
            found[k] = True
            best = np.vstack([best, row])
    return found
