"""How long a plan takes: the whole planner, and inverse kinematics on the grid with the program.

Run: python -m bench.planner_speed [--rounds 300] [--json FILE]

A plan is one call of the product's PathPlanner on a prediction of the default object between its
stops (0.12 m/s, 0.3 rad/s) or of random tumbles, each going on from the one before: knots, program,
exact inverse kinematics at every pose, speeds, accelerations, message. Grid: 50 poses 20 ms apart, 36
arm angles, 8 branches; the program by itself solves only the nodes that it looks at.
"""

import argparse
import time
from collections.abc import Callable, Iterator

import numpy as np

from bench.planner_cases import Tumble, machine, model_and_configuration, tumbles, write_json
from hil.common.arrays import Array
from hil.configuration.schema import Configuration
from planner.branches.bounds import Bounds, bounds_within
from planner.branches.dynamic_program import INFINITE, Start, branch_program, workspace
from planner.branches.path_planner import PathPlanner
from planner.kinematics.arm_model import ArmModel
from planner.kinematics.inverse import arm_angle_and_branch, solve_grid
from sim.world.world import World

PERIOD_NS = 40_000_000


def timed(calls: Iterator[Callable[[], object]]) -> Array:
    """Return the durations of the calls [ms]."""
    durations = []
    for call in calls:
        begin = time.perf_counter_ns()
        call()
        durations.append(1e-6 * (time.perf_counter_ns() - begin))
    return np.array(durations)


def with_horizon(configuration: Configuration, horizon: float) -> Configuration:
    """Return the configuration with another horizon of the planner [s]."""
    settings = configuration.planner.model_copy(update={"horizon": horizon})
    return configuration.model_copy(update={"planner": settings})


def floating(planner: PathPlanner, configuration: Configuration, q: Array, rounds: int) -> Iterator:
    """Yield plans of the default object between its stops."""
    world = World(configuration)
    spin = np.array([0.02, 0.09, -0.08, 0.2, -0.15, 0.16])
    world.restart(0, 1, configuration.stops.centre, np.array([0.5**0.5, 0.0, 0.5**0.5, 0.0]), spin)
    for k in range(rounds):
        world.advance(k * PERIOD_NS)
        prediction = world.predict(k * PERIOD_NS)
        yield lambda prediction=prediction: planner.step(prediction, q)


def tumbling(planner: PathPlanner, cases: list[Tumble], rounds: int) -> Iterator:
    """Yield plans of random tumbles, 25 of each."""
    for n in range(rounds):
        case, k = cases[n // 25 % len(cases)], 2 * (n % 25)
        prediction = case.prediction(k)
        yield lambda case=case, prediction=prediction: planner.step(prediction, case.q_start)


def grids(model: ArmModel, bounds: Bounds, cases: list[Tumble], rounds: int) -> dict[str, Iterator]:
    """Return calls of the full grid with the program, and of the program alone."""
    knots, arm_angles, step = 50, 36, 0.02
    work = workspace(knots, arm_angles)
    q = np.empty((knots, arm_angles, 8, 7))
    valid = np.empty((knots, arm_angles, 8), dtype=np.bool_)
    angles, branches = np.empty(knots), np.empty(knots, dtype=np.int64)
    lower, upper = bounds.lower, bounds.upper

    def program(case: Tumble) -> None:
        angle, branch = arm_angle_and_branch(model.lengths, model.signs, case.q_start)
        start, T = Start(case.q_start, angle, branch), case.T[1 : knots + 1]
        branch_program(angles, branches, work, bounds, T, T, start, step, 1, INFINITE)

    def grid(case: Tumble) -> None:
        around = np.arange(arm_angles) * (2.0 * np.pi / arm_angles)
        T = case.T[1 : knots + 1]
        solve_grid(q, valid, model.lengths, model.signs, lower, upper, T, around, case.q_start)

    def both(case: Tumble) -> None:
        grid(case)
        program(case)

    sequence = [cases[n % len(cases)] for n in range(rounds)]
    return {
        "grid IK, all 50 x 36 x 8": (lambda case=case: grid(case) for case in sequence),
        "grid IK + program": (lambda case=case: both(case) for case in sequence),
        "program with its own IK": (lambda case=case: program(case) for case in sequence),
    }


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=300)
    parser.add_argument("--json", metavar="FILE", help="write the figures there as well")
    arguments = parser.parse_args()
    model, configuration = model_and_configuration()
    speed = configuration.planner.speed_fraction * np.asarray(configuration.limits.velocity)
    bounds = bounds_within(model, speed, configuration.planner.limit_margin)
    cases = list(tumbles(model, configuration, bounds, 12))
    q = np.deg2rad([0.0, -60.0, 0.0, 90.0, 0.0, 60.0, 0.0])
    rows: dict[str, Array] = {}
    for horizon in (1.0, 2.0):
        planner = PathPlanner(model, with_horizon(configuration, horizon))
        planner.warm()
        name = f"plan of {horizon:.0f} s"
        rows[f"{name}, between stops"] = timed(floating(planner, configuration, q, arguments.rounds))
        rows[f"{name}, tumbling"] = timed(tumbling(planner, cases, arguments.rounds))
    for name, calls in grids(model, bounds, cases, arguments.rounds).items():
        rows[name] = timed(calls)[1:]
    figures: dict[str, object] = {"machine": machine(), "rounds": arguments.rounds}
    print(f"{'ms':28} {'median':>8} {'p99':>8} {'max':>8}")
    for name, durations in rows.items():
        median, p99, largest = (float(x) for x in np.percentile(durations, [50, 99, 100]))
        print(f"{name:28} {median:8.3f} {p99:8.3f} {largest:8.3f}")
        figures[name] = {"median_ms": median, "p99_ms": p99, "max_ms": largest}
    print(machine())
    write_json(arguments.json, figures)


if __name__ == "__main__":
    main()
