"""Drives beside closed forms, and an arm that has them: accuracy, energy, momentum, speed.

    python -m bench.drives [speed energy friction backlash heat momentum scene] [--quick] [--json OUT.json]

Each figure is printed with its step.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import mujoco
import numpy as np

from bench.drive_cases import (
    DATABASE,
    START,
    backlash_period,
    balance_error,
    driven,
    friction_oscillator,
    heating_error,
    light_weight_arm,
    stick_slip_period,
    swing_error,
    there_and_back,
)
from bench.report import Row, print_rows, write_rows
from sim.chain.dynamics import bias, mass_matrix
from sim.drives.arm_in_scene import ArmInScene
from sim.drives.mujoco_model import model_of

MS = 1e-3  # [s]
SATELLITE = {"base_mass": 300.0, "base_inertia": np.diag([60.0, 70.0, 50.0])}
EMPTY = "<mujoco><worldbody/></mujoco>"


def speed(quick: bool) -> list[Row]:
    """Return how many times faster than real time the seven-joint arm runs on one core."""
    seconds, rounds = (2.0, 2) if quick else (8.0, 7)
    rows = []
    for controller in ("cascade", "impedance"):
        arm, path = driven(MS, controller=controller), there_and_back(seconds, MS)
        arm.run(*(part[:2] for part in path))
        taken = []
        for _ in range(rounds):
            arm.reset()
            begun = time.process_time()
            arm.run(*path)
            taken.append(time.process_time() - begun)
        rows.append(Row(f"{controller}, many steps a call", seconds / min(taken), 20.0, "x real", True))
        arm.reset()
        begun = time.process_time()
        for q, dq in zip(*path, strict=True):
            arm.step(q, dq)
        factor = seconds / (time.process_time() - begun)
        rows.append(Row(f"{controller}, a step a call", factor, 20.0, "x real", True))
    return rows


def energy(quick: bool) -> list[Row]:
    """Return how well energy is kept, and accounted for."""
    seconds = 2.0 if quick else 10.0
    return [
        Row(f"swinging arm, {seconds:g} s at 1 ms", swing_error(seconds, MS), 1e-3, ""),
        Row(f"driven arm's account, {seconds:g} s at 1 ms", balance_error(seconds, MS), 1e-6, ""),
        Row("the same, impedance", balance_error(seconds, MS, controller="impedance"), 1e-6, ""),
        Row("the same, floating", balance_error(seconds, MS, **SATELLITE), 1e-6, ""),
    ]


def friction(quick: bool) -> list[Row]:
    """Return dry friction beside closed forms."""
    rows = []
    for dt in (MS,) if quick else (MS, 1e-4):
        found, closed = friction_oscillator(dt)
        rows.append(Row(f"oscillator sticks at, {1e3 * dt:g} ms: error", abs(found - closed), 1e-3, "m"))
        found, closed = stick_slip_period(dt)
        rows.append(Row(f"stick-slip period, {1e3 * dt:g} ms: error", abs(found / closed - 1.0), 5e-3, ""))
    return rows


def backlash(quick: bool) -> list[Row]:
    """Return a mass between flanks beside its closed form."""
    rows = []
    for dt in (MS,) if quick else (MS, 1e-4):
        found, closed, drift = backlash_period(dt)
        rows.append(Row(f"period, {1e3 * dt:g} ms: error", abs(found / closed - 1.0), 2e-2, ""))
        rows.append(Row(f"speed after 12 bounces, {1e3 * dt:g} ms: drift", drift, 1e-9, ""))
    return rows


def heat(quick: bool) -> list[Row]:
    """Return two warming nodes beside their closed form."""
    seconds = 300.0 if quick else 3000.0
    return [Row(f"two nodes, {seconds:g} s at 100 ms: worst error", heating_error(seconds, 0.1), 1e-6, "")]


def momentum(quick: bool) -> list[Row]:
    """Return how well an arm on a satellite keeps its momenta, and how far the satellite turns."""
    seconds = 2.0 if quick else 10.0
    arm = driven(MS, **SATELLITE, base_twist=np.array([0.1, -0.2, 0.3, 0.05, 0.2, -0.1]))
    begun = arm.momentum
    arm.run(*there_and_back(seconds, MS))
    change = np.abs(arm.momentum - begun)
    still = driven(MS, **SATELLITE)
    still.run(*there_and_back(seconds / 2.0, MS, seconds))
    turned = np.arccos((np.trace(still.T_world_base[:3, :3]) - 1.0) / 2.0)
    return [
        Row(f"momentum, {seconds:g} s at 1 ms: change", float(change[:3].max()), 1e-9, "N s"),
        Row("angular momentum: change", float(change[3:].max()), 1e-9, "N m s"),
        Row("a satellite at rest is turned by the arm's way by", float(turned), None, "rad"),
    ]


def scene(quick: bool) -> list[Row]:
    """Return our dynamics beside MuJoCo's, and an arm in its scene beside one without."""
    made, rng = light_weight_arm(), np.random.default_rng(1)
    model = model_of(made)
    data, M = mujoco.MjData(model), np.zeros((model.nv, model.nv))
    worst = 0.0
    for _ in range(20):
        data.qpos[:], data.qvel[:] = rng.uniform(-2, 2, model.nq), rng.uniform(-2, 2, model.nv)
        mujoco.mj_forward(model, data)
        mujoco.mj_fullM(model, data, M)
        q, dq = data.qpos.copy(), data.qvel.copy()
        worst = max(worst, float(np.abs(M - mass_matrix(made.chain, q)).max()))
        worst = max(worst, float(np.abs(data.qfrc_bias - bias(made.chain, q, dq, made.gravity)).max()))
    rows = [Row("mass matrix and bias beside MuJoCo's", worst, 1e-10, "")]
    with tempfile.TemporaryDirectory() as folder:
        empty = Path(folder) / "empty.xml"
        empty.write_text(EMPTY, encoding="utf-8")
        path = there_and_back(1.0 if quick else 4.0, MS)
        inside = ArmInScene(made, DATABASE, empty, MS, q_start=START)
        inside.step(path[0][0], path[1][0])
        inside.reset()
        begun = time.process_time()
        through = inside.run(*path).q
        rows.append(Row("arm in an empty scene", inside.t / (time.process_time() - begun), None, "x real"))
        alone = driven(MS).run(*path).q
        rows.append(Row("beside one without, worst", float(np.abs(through - alone).max()), 1e-4, "rad"))
    return rows


PARTS: dict[str, Callable[[bool], list[Row]]] = {
    "speed": speed, "energy": energy, "friction": friction, "backlash": backlash, "heat": heat,
    "momentum": momentum, "scene": scene,
}  # fmt: skip


def main() -> int:
    """Print all figures; 1 if a goal is missed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--quick", action="store_true", help="short runs")
    parser.add_argument("--json", type=Path, metavar="OUT.json")
    options = parser.parse_args()
    unknown = set(options.parts) - set(PARTS)
    if unknown:
        parser.error(f"unknown: {', '.join(sorted(unknown))}; known: {', '.join(PARTS)}")
    rows = [row for name in options.parts or PARTS for row in PARTS[name](options.quick)]
    print_rows(rows)
    if options.json:
        write_rows(options.json, rows)
    return 1 if any(row.reached is False for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
