"""Lagrange optimisation: success, iterations, time a command, base criterion.

Run: python -m bench.inverse_lagrange [--json FILE]

Targets: 200 poses of the light-weight arm, each searched from joints 0.3 rad away, with the criterion of
position. A command's time is that of one Python call to `solve` or `step`, the best of three. The reference
path is configs/inverse/figure_eight.csv; its criteria are speed alone, base force and moment, or the moment
alone, with a hundredth of that weight on speed, others with the speed that they bring themselves. SLSQP
(scipy) solves the same targets from the same joints; the difference of the objectives is taken where both
end in the same minimum.
"""

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize

from bench.inverse_cases import START, STEP, Target, arm, reference_path, targets_near
from bench.report import Row, print_rows, write_rows
from hil.common.arrays import Array
from planner.inverse.inverse_step import InverseStep
from planner.inverse.lagrange import LagrangeInverse
from planner.inverse.misalignment import misalignment_into, slope_into
from planner.inverse.passive_chain import LENGTH
from sim.assembly.manipulator import Manipulator
from sim.chain.dynamics import inverse_dynamics
from sim.chain.kinematics import jacobian, tip_pose
from sim.chain.serial_chain import SerialChain

MOMENT = np.diag([0.0, 0.0, 0.0, 1.0, 1.0, 1.0])
PATH_CRITERIA: dict[str, tuple[tuple[str, ...], tuple[Any, ...]]] = {
    "position": (("position",), (1.0,)),
    "speed": (("speed",), (1.0,)),
    "acceleration": (("acceleration",), (1.0,)),
    "power": (("power",), (1.0,)),
    "base": (("base", "speed"), (1.0, 1e-2)),
    "base moment": (("base", "speed"), (MOMENT, 1e-2)),
}


def timed(call: Callable[[], InverseStep]) -> tuple[InverseStep, float]:
    """Return what a call gives, and the least of three durations [ms]."""
    least = np.inf
    for _ in range(3):
        begin = time.perf_counter_ns()
        found = call()
        least = min(least, 1e-6 * (time.perf_counter_ns() - begin))
    return found, least


def solved(inverse: LagrangeInverse, targets: list[Target]) -> tuple[list[InverseStep], Array]:
    """Return the steps for targets, and their times [ms]."""
    found = [timed(lambda target=target: inverse.solve(target.T, target.q_start)) for target in targets]
    return [step for step, _ in found], np.array([duration for _, duration in found])


def followed(
    inverse: LagrangeInverse, path: Array, q_start: Array = START
) -> tuple[list[InverseStep], Array]:
    """Return the steps along a path, and their times [ms]."""
    inverse.reset(q_start)
    steps, times = [], []
    for T in path[1:]:
        begin = time.perf_counter_ns()
        steps.append(inverse.step(T, STEP))
        times.append(1e-6 * (time.perf_counter_ns() - begin))
    return steps, np.array(times)


def motion_of(steps: list[InverseStep], q_start: Array) -> tuple[Array, Array, Array]:
    """Return joints, speeds and accelerations (n, joints) of commands STEP apart."""
    q = np.array([step.q for step in steps])
    dq = np.diff(np.vstack([q_start, q]), axis=0) / STEP
    return q, dq, np.diff(np.vstack([np.zeros_like(q_start), dq]), axis=0) / STEP


def rms(values: Array) -> float:
    """Return the root of the mean square of the rows' lengths."""
    return float(np.sqrt((values**2).sum(axis=1).mean()))


def path_figures(chain: SerialChain, steps: list[InverseStep]) -> dict[str, float]:
    """Return joint speed, acceleration, power and base wrench along the reference path, rms."""
    q, dq, ddq = motion_of(steps, START)
    nothing = np.zeros(3)
    found = [inverse_dynamics(chain, *state, nothing, np.zeros(6)) for state in zip(q, dq, ddq, strict=True)]
    base = np.array([wrench for _, wrench in found])
    power = np.array([tau for tau, _ in found]) * dq
    return {
        "speed_rad_s": rms(dq), "acceleration_rad_s2": rms(ddq), "power_w": rms(power),
        "base_force_n": rms(base[:, :3]), "base_moment_n_m": rms(base[:, 3:]),
        "worst_error_m": max(step.position_error for step in steps),
    }  # fmt: skip


def by_slsqp(chain: SerialChain, target: Target, q_ref: Array) -> Array | None:
    """Return the joints that SLSQP finds from the same start; None where it fails."""

    def h(q: Array) -> Array:
        out = np.empty(6)
        misalignment_into(out, target.T, tip_pose(chain, q), LENGTH, False)
        return out

    def slope(q: Array) -> Array:
        out = np.empty((6, len(q)))
        slope_into(out, target.T, tip_pose(chain, q), jacobian(chain, q), LENGTH, False)
        return out

    found = minimize(
        lambda q: float((q - q_ref) @ (q - q_ref)), target.q_start, jac=lambda q: 2.0 * (q - q_ref),
        constraints={"type": "eq", "fun": h, "jac": slope}, method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 200},
    )  # fmt: skip
    return found.x if found.success and np.abs(h(found.x)).max() < 1e-7 else None


def difference_to_slsqp(manipulator: Manipulator, targets: list[Target]) -> tuple[float, int]:
    """Return the greatest relative difference of the objectives, and of how many targets."""
    worst, compared, q_ref = 0.0, 0, np.zeros(len(manipulator.axes))
    inverse = LagrangeInverse(manipulator.chain, q_ref=q_ref)
    for target in targets:
        other = by_slsqp(manipulator.chain, target, q_ref)
        if other is None:
            continue
        q = inverse.solve(target.T, target.q_start).q
        if np.abs(q - other).max() > 0.05:  # another minimum
            continue
        compared += 1
        worst = max(worst, abs(q @ q - other @ other) / max(1.0, other @ other))
    return worst, compared


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there as well")
    options = parser.parse_args()
    manipulator = arm()
    chain, limits = manipulator.chain, (manipulator.lower, manipulator.upper)
    targets, path = targets_near(manipulator), reference_path()
    rows, details = [], {}
    for name, bounds in (("", (None, None)), (", limits", limits)):
        inverse = LagrangeInverse(chain, *bounds)
        solved(inverse, targets[:40])  # compiled, warm
        steps, times = solved(inverse, targets)
        iterations = [step.iterations for step in steps]
        good = sum(step.reachable and step.converged for step in steps)
        rows += [
            Row(f"targets solved of 200{name}", good, 195, "", least=True),
            Row(f"iterations, median{name}", float(np.median(iterations)), 8, ""),
            Row(f"iterations, 95 %{name}", float(np.percentile(iterations, 95)), None, ""),
            Row(f"command, median{name}", float(np.median(times)), 1.5 if name else 0.5, "ms"),
            Row(f"command, 95 %{name}", float(np.percentile(times, 95)), None, "ms"),
        ]
    worst, compared = difference_to_slsqp(manipulator, targets)
    rows += [
        Row("objective beside SLSQP's", worst, 1e-6, "relative"),
        Row("targets compared with SLSQP", compared, 100, "", least=True),
    ]
    for name, (criteria, weights) in PATH_CRITERIA.items():
        for with_limits in (False, True):
            bounds = limits if with_limits else (None, None)
            inverse = LagrangeInverse(chain, *bounds, criteria, weights, q_ref=START)
            followed(inverse, path[:20])
            steps, times = followed(inverse, path)
            more = ", limits" if with_limits else ""
            goal = 0.5 if name == "position" and not with_limits else 1.5
            rows.append(Row(f"path, {name}{more}: command, median", float(np.median(times)), goal, "ms"))
            if not with_limits:
                details[name] = path_figures(chain, steps)
                solved_all = sum(step.reachable for step in steps)
                rows.append(Row(f"path, {name}: commands solved", solved_all, len(path) - 1, "", least=True))
    before = details["speed"]["base_moment_n_m"]
    for name, goal in (("base", 8.0), ("base moment", 15.0)):
        less = 100.0 * (1.0 - details[name]["base_moment_n_m"] / before)
        rows.append(Row(f"path, {name}: moment lower than with speed", less, goal, "%", least=True))
    print_rows(rows)
    print(f"\n{'path, rms':14}" + "".join(f"{key:>22}" for key in details["speed"]))
    for name, figures in details.items():
        print(f"{name:14}" + "".join(f"{value:22.3g}" for value in figures.values()))
    if options.json:
        write_rows(options.json, rows, details)


if __name__ == "__main__":
    main()
