"""Gains of the admittance law that `configs/plans/peers.toml` compares with, by a stated search.

python -m bench.peer_gains [--seeds 101 102 103] [--seconds 60]

The wrench that the driver measures is recorded in lock-step under pushes of the plan's kind, with seeds that
the plan does not use. The law is then run on these wrenches alone, many times: after each push, and in as
many stretches that nobody pushes in, its body starts as the ideal body is and is compared with it. The cost
is the root mean square of the distance after 1 s, angles times 0.2 m. Differential evolution (scipy) seeks
damping of velocity and spin, filter time and dead bands; mass and inertia are the object's.
"""

import argparse
import math
import pathlib
from dataclasses import dataclass

import numpy as np
from numba import njit
from scipy.optimize import differential_evolution

from bench.report import Row, print_rows, write_rows
from hil.analysis.figures.windows import BEFORE, free_pushes
from hil.common.arrays import Array, IntArray
from hil.common.geometry import matrix_from_quat, quat_conjugate, quat_multiply, rotvec_from_quat
from hil.configuration.loading import load_configuration
from hil.loop.lockstep import LockStep
from hil.loop.trace.fields import Trace

BASE = pathlib.Path("configs/cube.toml")
PUSHES = (
    "operator.random.count = 1000",
    "operator.random.first_s = 2.0",
    "operator.random.gap_s = 3.0",
    "operator.random.gap_spread_s = 0.5",
    "operator.random.impulse_max_n_s = 4.0",
    "operator.random.duration_min_ms = 30.0",
)
LATER = 1.0  # [s] after a push the bodies are compared
OFFSET_ROWS = 50  # at rest, of which the sensor's offset is taken
LENGTH = 0.2  # [m] for angles
# name, unit, bounds of the search; the first three by their logarithms
GAINS = (
    ("damping", "N s/m", 0.1, 100.0),
    ("spin damping", "N m s/rad", 0.005, 5.0),
    ("filter", "ms", 1.0, 100.0),
    ("dead band, force", "N", 0.0, 5.0),
    ("dead band, torque", "N m", 0.0, 1.0),
)
LOGARITHMIC = 3


@dataclass(frozen=True, eq=False)
class Recorded:
    """A run to try gains on: wrench without offset, attitudes, the ideal body, and windows of rows (k, 2)."""

    t: Array
    wrench: Array
    quat: Array
    ideal_p: Array
    ideal_quat: Array
    ideal_twist: Array
    body: Array
    windows: IntArray


def recorded(seed: int, seconds: float) -> Recorded:
    """Return a run of ours in lock-step."""
    c = load_configuration(BASE, [*PUSHES, f"run.seed = {seed}"])
    trace = LockStep(c).run(seconds)
    wrench = trace.wrench_measured - trace.wrench_measured[:OFFSET_ROWS].mean(axis=0)
    return Recorded(
        trace.t, wrench, trace.quat_world_object_arm, trace.p_world_object_ideal,
        trace.quat_world_object_ideal, trace.twist_world_object_ideal,
        np.array([c.object.mass, *c.object.inertia]), _windows(trace),
    )  # fmt: skip


def _windows(trace: Trace) -> IntArray:
    """Return first and last row of each window: free pushes, and the second before each of them."""
    found = []
    for push in free_pushes(trace, LATER):
        begin, end = trace.push_t_start[push] - BEFORE, trace.push_t_end[push] + LATER
        found.append((begin + 0.002, end))
        if not trace.contact_ideal[slice(*np.searchsorted(trace.t, [begin - LATER - 0.1, begin]))].any():
            found.append((begin - LATER - 0.1, begin - 0.1))
    return np.searchsorted(trace.t, np.array(found))


@njit(cache=True)
def distances(
    gains: Array, t: Array, wrench: Array, quat: Array, p: Array, q: Array, twist: Array, body: Array,
    windows: IntArray,
) -> Array:  # fmt: skip
    """Return how far the law's body is from the ideal one at each window's end [m], shape (k,)."""
    filtered = np.zeros((len(t), 6))
    for k in range(1, len(t)):
        share = 1.0 - math.exp(-(t[k] - t[k - 1]) / gains[2])
        filtered[k] = filtered[k - 1] + share * (wrench[k] - filtered[k - 1])
    found = np.empty(len(windows))
    for window in range(len(windows)):
        first, last = windows[window]
        at, attitude, v = p[first].copy(), q[first].copy(), twist[first, :3].copy()
        R = matrix_from_quat(attitude)
        L = R @ (body[1:] * (R.T @ twist[first, 3:]))
        for k in range(first + 1, last + 1):
            dt = t[k] - t[k - 1]
            R = matrix_from_quat(quat[k])
            force, torque = filtered[k, :3].copy(), filtered[k, 3:].copy()
            size, turn = np.linalg.norm(force), np.linalg.norm(torque)
            force *= max(0.0, 1.0 - gains[3] / size) if size > 0.0 else 0.0
            torque *= max(0.0, 1.0 - gains[4] / turn) if turn > 0.0 else 0.0
            v = (v + R @ force * (dt / body[0])) * math.exp(-gains[0] / body[0] * dt)
            at += v * dt
            M = matrix_from_quat(attitude)
            spin = M.T @ (L + R @ torque * dt) * np.exp(-gains[1] / body[1:] * dt) / body[1:]
            L = M @ (body[1:] * spin)
            half = 0.5 * dt * spin
            attitude = quat_multiply(attitude, np.array([1.0, half[0], half[1], half[2]]))
            attitude /= np.linalg.norm(attitude)
        angle = rotvec_from_quat(quat_multiply(attitude, quat_conjugate(q[last])))
        found[window] = math.sqrt(np.sum((at - p[last]) ** 2) + np.sum((LENGTH * angle) ** 2))
    return found


def cost(x: Array, runs: list[Recorded]) -> float:
    """Return the root mean square distance of all windows [mm]."""
    gains = gains_of(x)
    found = [
        distances(
            gains, r.t, r.wrench, r.quat, r.ideal_p, r.ideal_quat, r.ideal_twist, r.body, r.windows
        )
        for r in runs
    ]  # fmt: skip
    return 1e3 * math.sqrt(float(np.mean(np.concatenate(found) ** 2)))


def gains_of(x: Array) -> Array:
    """Return the gains in SI of what is searched over."""
    gains = np.concatenate([np.exp(x[:LOGARITHMIC]), x[LOGARITHMIC:]])
    gains[2] *= 1e-3
    return gains


def main() -> None:
    """Search, and print gains and costs."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, nargs="+", default=[101, 102, 103])
    parser.add_argument("--seconds", type=float, default=60.0, help="of each recorded run")
    parser.add_argument("--rounds", type=int, default=40, help="of the search, at most")
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    runs = [recorded(seed, options.seconds) for seed in options.seeds]
    bounds = [
        (math.log(low), math.log(high)) if k < LOGARITHMIC else (low, high)
        for k, (_, _, low, high) in enumerate(GAINS)
    ]
    found = differential_evolution(cost, bounds, args=(runs,), rng=1, popsize=12, maxiter=options.rounds)
    gains = gains_of(found.x) * [1.0, 1.0, 1e3, 1.0, 1.0]
    rows = [Row(name, float(gain), None, unit) for (name, unit, *_), gain in zip(GAINS, gains, strict=True)]
    rows += [
        Row("windows looked at", float(sum(len(run.windows) for run in runs)), None, ""),
        Row("distance after 1 s, rms", float(found.fun), None, "mm"),
        Row("gains tried", float(found.nfev), None, ""),
    ]
    print_rows(rows)
    if options.json:
        write_rows(options.json, rows)


if __name__ == "__main__":
    main()
