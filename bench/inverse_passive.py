"""Passive chain: success, unreachable targets beside a multistart optimum, a path through the border.

Run: python -m bench.inverse_passive [--json FILE]

Targets: 200 poses of the light-weight arm, each searched from joints 0.3 rad away, and 60 poses out of
reach, judged by the least cost of 12 searches by scipy's least squares and 12 of its own from random joints.
The stretched path leads to 1.05 m from the shoulder and back, 0.18 m beyond reach. A command's time is that
of one Python call, the best of three for targets.
"""

import argparse
import time
from functools import partial
from pathlib import Path

import numpy as np
from scipy.optimize import least_squares

from bench.inverse_cases import (
    REACH,
    SHOULDER,
    START,
    STEP,
    STRETCH_START,
    arm,
    stretched_path,
    targets_beyond,
    targets_near,
)
from bench.inverse_lagrange import timed
from bench.report import Row, print_rows, write_rows
from hil.common.arrays import Array
from planner.inverse.misalignment import misalignment_into
from planner.inverse.passive_chain import LENGTH, PassiveChain
from sim.chain.kinematics import tip_pose
from sim.chain.serial_chain import SerialChain

STARTS = 12


def cost(chain: SerialChain, T_target: Array, q: Array, length: float) -> float:
    """Return half the square of the misalignment [m2]."""
    h = np.empty(6)
    misalignment_into(h, T_target, tip_pose(chain, q), length, False)
    return 0.5 * float(h @ h)


def best_cost(chain: SerialChain, T: Array, length: float, rng: np.random.Generator) -> float:
    """Return the least cost that scipy's least squares and a passive chain find from random joints."""
    n = len(chain.linear)

    def residual(q: Array) -> Array:
        h = np.empty(6)
        misalignment_into(h, T, tip_pose(chain, q), length, False)
        return h

    starts = [rng.uniform(-2.5, 2.5, n) for _ in range(STARTS)]
    inverse = PassiveChain(chain, length=length)
    found = [least_squares(residual, q, xtol=1e-12, ftol=1e-12, gtol=1e-12).x for q in starts]
    found += [inverse.solve(T, q).q for q in starts]
    return min(cost(chain, T, q, length) for q in found)


def beyond(chain: SerialChain, length: float) -> tuple[list[Row], Array]:
    """Return rows for targets out of reach, and the times [ms]."""
    rng, inverse = np.random.default_rng(7), PassiveChain(chain, length=length)
    excess, times, steps, gap = [], [], [], []
    inverse.solve(targets_beyond()[0], START)
    for T in targets_beyond():
        found, duration = timed(lambda T=T: inverse.solve(T, START))
        times.append(duration)
        steps.append(found.iterations)
        best = best_cost(chain, T, length, rng)
        excess.append(cost(chain, T, found.q, length) / best - 1.0)
        gap.append(found.position_error - (np.linalg.norm(T[:3, 3] - SHOULDER) - REACH))
    name = "out of reach" if length > 0.0 else "out of reach, position only"
    rows = [
        Row(
            f"{name}: within 0.1 % of the best, of 60",
            int(np.sum(np.array(excess) < 1e-3)),
            60,
            "",
            least=True,
        ),
        Row(f"{name}: worst excess", float(max(excess)), 1e-3, "relative"),
        Row(f"{name}: steps, median", float(np.median(steps)), None, ""),
        Row(f"{name}: command, median", float(np.median(times)), 1.0, "ms"),
        Row(f"{name}: command, 95 %", float(np.percentile(times, 95)), None, "ms"),
    ]
    if length == 0.0:
        rows.append(Row(f"{name}: distance beyond what geometry demands", float(max(gap)), 1e-6, "m"))
    return rows, np.array(times)


def stretched(chain: SerialChain) -> list[Row]:
    """Return rows for the path through the border of reach."""
    inverse, path = PassiveChain(chain), stretched_path(chain)
    inverse.reset(STRETCH_START)
    steps, times = [], []
    for T in path[1:]:
        begin = time.perf_counter_ns()
        steps.append(inverse.step(T, STEP))
        times.append(1e-6 * (time.perf_counter_ns() - begin))
    q = np.array([STRETCH_START, *[step.q for step in steps]])
    reachable = np.array([step.reachable for step in steps])
    rng, gap = np.random.default_rng(11), 0.0
    for k in np.flatnonzero(~reachable)[::8]:
        best = best_cost(chain, path[k + 1], LENGTH, rng)
        here = cost(chain, path[k + 1], q[k + 1], LENGTH)
        gap = max(gap, float(np.sqrt(2.0 * here) - np.sqrt(2.0 * best)))
    errors = np.array([step.position_error for step in steps])
    within, outside = np.median(np.array(times)[reachable]), np.median(np.array(times)[~reachable])
    return [
        Row("stretched path: commands within reach, of 400", int(reachable.sum()), None, ""),
        Row("stretched path: not a number", int(np.sum(~np.isfinite(q))), 0, ""),
        Row("stretched path: fastest joint", float(np.abs(np.diff(q, axis=0)).max() / STEP), 25.0, "rad/s"),
        Row("stretched path: error within reach", 1e3 * float(errors[reachable].max()), 0.01, "mm"),
        Row("stretched path: above the optimum beyond reach", 1e3 * gap, 0.37, "mm"),
        Row("stretched path: command within reach, median", float(within), 0.3, "ms"),
        Row("stretched path: command beyond, median", float(outside), 1.0, "ms"),
    ]  # fmt: skip


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there as well")
    options = parser.parse_args()
    manipulator = arm()
    chain, targets, rows = manipulator.chain, targets_near(manipulator), []
    for name, bounds in (("", (None, None)), (", limits", (manipulator.lower, manipulator.upper))):
        inverse = PassiveChain(chain, *bounds)
        inverse.solve(targets[0].T, targets[0].q_start)
        found = [timed(partial(inverse.solve, target.T, target.q_start)) for target in targets]
        times = np.array([duration for _, duration in found])
        steps = [step.iterations for step, _ in found]
        rows += [
            Row(
                f"targets reached of 200{name}", sum(step.reachable for step, _ in found), 195, "", least=True
            ),
            Row(f"steps, median{name}", float(np.median(steps)), 15, ""),
            Row(f"command, median{name}", float(np.median(times)), 0.3, "ms"),
            Row(f"command, 95 %{name}", float(np.percentile(times, 95)), None, "ms"),
        ]
    for length in (LENGTH, 0.0):
        rows += beyond(chain, length)[0]
    rows += stretched(chain)
    print_rows(rows)
    if options.json:
        write_rows(options.json, rows)


if __name__ == "__main__":
    main()
