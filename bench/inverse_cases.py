"""Arm, paths and targets on which the inverse kinematics are compared; writes the reference path.

Run: python -m bench.inverse_cases    (writes configs/inverse/figure_eight.csv anew)

The arm is configs/assemblies/lwr4.toml (seven joints that turn, 0.868 m from shoulder to flange). The
reference path is a figure eight of 0.15 m and 0.2 rad in 3 s, 10 ms a pose, without gravity.
"""

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.spatial.transform import Rotation

from hil.common.arrays import Array
from sim.assembly.assembly_file import load_assembly
from sim.assembly.database import SHIPPED, load_database
from sim.assembly.manipulator import Manipulator, manipulator_of
from sim.chain.kinematics import tip_pose
from sim.chain.serial_chain import SerialChain

CONFIGS = Path(__file__).resolve().parents[1] / "configs"
ARM = CONFIGS / "assemblies" / "lwr4.toml"
REFERENCE = CONFIGS / "inverse" / "figure_eight.csv"
START = np.array([0.3, 0.8, -0.4, 1.5, 0.5, 1.0, 0.0])  # [rad] of the reference path
STRETCH_START = np.array([0.0, 0.6, 0.0, 1.3, 0.0, 0.9, 0.0])
STEP = 0.01  # [s]
POSES, SIZE, TURN, PERIOD, RAMP = 301, 0.15, 0.2, 2.0, 0.5
SHOULDER, REACH, FARTHEST = np.array([0.0, 0.0, 0.3105]), 0.868, 1.05  # [m]
AWAY = 0.3  # [rad] of all joints together


@dataclass(frozen=True, eq=False)
class Target:
    """A pose to be reached, and joints from which to search."""

    T: Array
    q_start: Array


def arm(name: str = "lwr4") -> Manipulator:
    """Return a shipped assembly as a mechanism."""
    return manipulator_of(load_assembly(ARM.with_name(f"{name}.toml"), load_database(SHIPPED)))


def figure_eight(chain: SerialChain) -> Array:
    """Return the poses of the reference path as its formula gives them, shape (n, 4, 4)."""
    T_0, out = tip_pose(chain, START), np.zeros((POSES, 4, 4))
    for k in range(POSES):
        t, w = k * STEP, 2.0 * math.pi / PERIOD
        s = min(1.0, t / RAMP)
        ramp = s**3 * (10.0 - 15.0 * s + 6.0 * s * s)
        turn = TURN * ramp * np.array([math.sin(w * t), math.sin(2.0 * w * t), 0.0])
        out[k] = T_0
        out[k, :3, :3] = Rotation.from_rotvec(turn).as_matrix() @ T_0[:3, :3]
        out[k, :3, 3] += SIZE * ramp * np.array([0.5 * math.sin(2.0 * w * t), math.sin(w * t), 0.0])
    return out


def reference_path() -> Array:
    """Return the poses of the shipped reference path, shape (n, 4, 4)."""
    rows = np.loadtxt(REFERENCE, delimiter=",", comments="#")
    out = np.tile(np.eye(4), (len(rows), 1, 1))
    out[:, :3, 3] = 1e-3 * rows[:, 1:4]
    out[:, :3, :3] = Rotation.from_quat(rows[:, 4:8], scalar_first=True).as_matrix()
    return out


def stretched_path(chain: SerialChain) -> Array:
    """Return poses (401, 4, 4) from within reach straight out to 1.05 m from the shoulder and back."""
    T_0 = tip_pose(chain, STRETCH_START)
    out = np.tile(T_0, (401, 1, 1))
    away = T_0[:3, 3] - SHOULDER
    near = float(np.linalg.norm(away))
    for k in range(401):
        share = 0.5 - 0.5 * math.cos(2.0 * math.pi * k / 400)
        out[k, :3, 3] = SHOULDER + away / near * (near + (FARTHEST - near) * share)
    return out


def targets_near(manipulator: Manipulator, count: int = 200, seed: int = 0) -> list[Target]:
    """Return reachable targets, each with joints 0.3 rad away from ones that meet it."""
    rng, found = np.random.default_rng(seed), []
    for _ in range(count):
        q = rng.uniform(manipulator.lower, manipulator.upper)
        aside = rng.normal(size=len(q))
        start = np.clip(q + AWAY * aside / np.linalg.norm(aside), manipulator.lower, manipulator.upper)
        found.append(Target(tip_pose(manipulator.chain, q), start))
    return found


def targets_beyond(count: int = 60, seed: int = 3) -> list[Array]:
    """Return poses (4, 4) whose origin is 0.95 to 1.5 m from the shoulder: out of reach."""
    rng, found = np.random.default_rng(seed), []
    for _ in range(count):
        along = rng.normal(size=3)
        T = np.eye(4)
        T[:3, :3] = Rotation.random(rng=rng).as_matrix()
        T[:3, 3] = SHOULDER + rng.uniform(0.95, 1.5) * along / np.linalg.norm(along)
        found.append(T)
    return found


def write_reference() -> None:
    """Write the reference path."""
    path = figure_eight(arm().chain)
    turns = Rotation.from_matrix(path[:, :3, :3]).as_quat(scalar_first=True)
    rows = np.column_stack([STEP * np.arange(POSES), 1e3 * path[:, :3, 3], turns])
    header = (
        "Reference path of inverse kinematics: figure eight, 0.15 m and 0.2 rad (bench/inverse_cases.py)\n"
        "arm: ../assemblies/lwr4.toml, no gravity, start 0.3, 0.8, -0.4, 1.5, 0.5, 1, 0 rad; tip in base\n"
        "t_s, x_mm, y_mm, z_mm, quaternion w, x, y, z"
    )
    np.savetxt(REFERENCE, rows, fmt=["%.2f", *["%.10f"] * 3, *["%.15f"] * 4], delimiter=", ", header=header)


if __name__ == "__main__":
    write_reference()
