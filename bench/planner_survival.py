"""How long the planner follows random tumbles, against an oracle that knows the whole path.

Run: python -m bench.planner_survival [--cases 60] [--first-seed 50] [--json FILE]

A case is a pose that tumbles at a constant rate (0.15 to 0.8 rad/s) while its place bounces about in a
box (0.05 to 0.25 m/s), 8 s long, from the posture with the best margin. The product's PathPlanner
is called step by step, 25 times a second, with 2 s of foresight. The oracle is its dynamic program over
the whole path at once with 120 arm angles. Greedy takes the nearest solution every 20 ms. All keep the
same limits. The ratio is of floating times, at most 1 for each case, then the mean.
"""

import argparse

import numpy as np

from bench.planner_cases import FIRST_SEED, Tumble, machine, model_and_configuration, tumbles, write_json
from hil.common.arrays import Array
from hil.configuration.schema import Configuration
from planner.branches.bounds import Bounds, bounds_within
from planner.branches.dynamic_program import INFINITE, Start, branch_program, workspace
from planner.branches.path_planner import PathPlanner
from planner.kinematics.arm_model import ArmModel
from planner.kinematics.inverse import arm_angle_and_branch, solve_grid

PERIOD = 0.04  # [s] from plan to plan
KNOT = 0.1  # [s] of the oracle
ORACLE_ANGLES = 120
GREEDY_OFFSETS = np.deg2rad(np.arange(-6.0, 6.01, 0.5))


def planner_time(tumble: Tumble, planner: PathPlanner) -> float:
    """Return how long the planner follows a case [s], each plan going on from the one before."""
    k, period = 0, round(PERIOD / tumble.step)
    while True:
        plan = planner.step(tumble.prediction(k), tumble.q_start)
        if plan.depth < PERIOD or k + 2 * period >= tumble.count:
            return min(k * tumble.step + plan.depth, tumble.duration)
        k += period


def oracle_time(tumble: Tumble, bounds: Bounds) -> float:
    """Return how long a path exists for a case [s], in whole knots."""
    stride = round(KNOT / tumble.step)
    index = np.arange(stride, tumble.count, stride)
    knots = len(index)
    angle, branch = arm_angle_and_branch(bounds.lengths, bounds.signs, tumble.q_start)
    T_halfway = np.ascontiguousarray(tumble.T[index - stride // 2])
    start = Start(tumble.q_start, angle, branch)
    T, work = np.ascontiguousarray(tumble.T[index]), workspace(knots, ORACLE_ANGLES)
    angles, branches = np.empty(knots), np.empty(knots, dtype=np.int64)
    reached, _ = branch_program(angles, branches, work, bounds, T, T_halfway, start, KNOT, 5, INFINITE)
    return min(reached * KNOT, tumble.duration)


def greedy_time(tumble: Tumble, bounds: Bounds) -> float:
    """Return how long the nearest solution of each pose follows a case [s]."""
    q = tumble.q_start
    grid = np.empty((1, len(GREEDY_OFFSETS), 8, 7))
    valid = np.empty(grid.shape[:3], dtype=np.bool_)
    for k in range(1, tumble.count):
        angle, _ = arm_angle_and_branch(bounds.lengths, bounds.signs, q)
        lengths, signs = bounds.lengths, bounds.signs
        T = tumble.T[k : k + 1]
        solve_grid(grid, valid, lengths, signs, bounds.lower, bounds.upper, T, angle + GREEDY_OFFSETS, q)
        load = np.max(np.abs(grid - q) / (bounds.velocity * tumble.step), axis=-1)
        load[~valid] = np.inf
        if load.min() > 1.0:
            return (k - 1) * tumble.step
        q = grid[np.unravel_index(np.argmin(load), load.shape)].copy()
    return tumble.duration


def survive(model: ArmModel, configuration: Configuration, cases: int, first_seed: int) -> dict[str, Array]:
    """Return floating times [s] of planner, oracle and greedy, each of shape (cases,)."""
    settings = configuration.planner
    speed = settings.speed_fraction * np.asarray(configuration.limits.velocity)
    bounds = bounds_within(model, speed, settings.limit_margin)
    planner = PathPlanner(model, configuration)
    planner.warm()
    times: dict[str, list[float]] = {"planner": [], "oracle": [], "greedy": []}
    for tumble in tumbles(model, configuration, bounds, cases, first_seed):
        times["planner"].append(planner_time(tumble, planner))
        times["oracle"].append(oracle_time(tumble, bounds))
        times["greedy"].append(greedy_time(tumble, bounds))
    return {name: np.array(values) for name, values in times.items()}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--cases", type=int, default=60)
    parser.add_argument("--first-seed", type=int, default=FIRST_SEED, help="of the random cases")
    parser.add_argument("--json", metavar="FILE", help="write the figures there as well")
    arguments = parser.parse_args()
    times = survive(*model_and_configuration(), arguments.cases, arguments.first_seed)
    oracle = times["oracle"]
    figures: dict[str, object] = {
        "machine": machine(),
        "cases": arguments.cases,
        "first_seed": arguments.first_seed,
    }
    print(f"{'':8} {'mean s':>7} {'whole 8 s':>9} {'of the oracle, capped':>22}")
    for name, values in times.items():
        ratio = np.ones(len(oracle))  # nothing is lost where the oracle finds no first step either
        np.divide(np.minimum(values, oracle), oracle, out=ratio, where=oracle > 0.0)
        print(f"{name:8} {values.mean():7.2f} {np.sum(values > 7.85):9d} {100 * ratio.mean():21.1f}%")
        figures[name] = {"mean_s": float(values.mean()), "ratio": float(ratio.mean())}
    print(machine())
    write_json(arguments.json, figures)


if __name__ == "__main__":
    main()
