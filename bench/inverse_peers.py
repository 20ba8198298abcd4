"""Inverse kinematics beside its peers: success, time, residual, smoothness, on the same arm and paths.

Run: python -m bench.inverse_peers [--targets 200] [--json FILE]

Targets: those of `bench.inverse_lagrange`, joints limited for all but ssik. Path: the shipped reference
path, 10 ms a pose, and the stretched one, whose middle is out of reach. Peers: pink and mink (differential,
daqp inside, called until the error is below 1e-6 or 100 times; once a command on paths, as they are meant),
scipy's SLSQP on our constraint with exact slopes, ssik (closed form with all branches over its arm angles,
nearest to the last joints taken), placo (wants other versions of pinocchio and numpy than this environment
has and cannot stand beside them). A peer that does not import is left out with its reason. Each is called
from Python, as its documentation shows. Smoothness is the rms of joint accelerations along the path.
"""

import argparse
import importlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
from scipy.optimize import minimize
from scipy.spatial.transform import Rotation

from bench.inverse_cases import (
    START,
    STEP,
    STRETCH_START,
    Target,
    arm,
    reference_path,
    stretched_path,
    targets_near,
)
from bench.inverse_lagrange import rms
from bench.planner_kinematics import module_from
from bench.report import Row, write_rows
from hil.common.arrays import Array
from planner.inverse.lagrange import LagrangeInverse
from planner.inverse.misalignment import errors, misalignment_into, slope_into
from planner.inverse.passive_chain import LENGTH, PassiveChain
from sim.assembly.manipulator import Manipulator
from sim.chain.kinematics import jacobian, tip_pose

Solve = Callable[[Array, Array, bool], Array]  # target, joints to begin with, whether on a path: joints
ENOUGH, MOST = 1e-6, 100


def urdf_of(manipulator: Manipulator) -> str:
    """Return the arm's kinematics as URDF text; bodies count for nothing here."""
    chain, lines = manipulator.chain, ['<robot name="arm">', _link("body_0")]
    n = len(chain.linear)
    for i in range(n):
        kind = "prismatic" if chain.linear[i] else "revolute"
        links = f'<parent link="body_{i}"/><child link="body_{i + 1}"/>'
        axis = " ".join(f"{value:.17g}" for value in chain.axes[i])
        lines += [
            _link(f"body_{i + 1}"),
            f'<joint name="joint_{i + 1}" type="{kind}">{links}',
            f'{_origin(chain.placements[i])}<axis xyz="{axis}"/><limit lower="{manipulator.lower[i]:.17g}" '
            f'upper="{manipulator.upper[i]:.17g}" effort="100" velocity="10"/></joint>',
        ]
    lines += [
        _link("tip"),
        f'<joint name="flange" type="fixed"><parent link="body_{n}"/><child link="tip"/>',
        f"{_origin(chain.T_last_tip)}</joint></robot>",
    ]
    return "".join(lines)


def mujoco_text(manipulator: Manipulator) -> str:
    """Return the same for MuJoCo, which keeps the tip a body."""
    option = '<mujoco><compiler fusestatic="false"/></mujoco>'
    return urdf_of(manipulator).replace("<link", f"{option}<link", 1)


def _link(name: str) -> str:
    inertia = 'ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"'
    return f'<link name="{name}"><inertial><mass value="1"/><inertia {inertia}/></inertial></link>'


def _origin(T: Array) -> str:
    xyz = " ".join(f"{value:.17g}" for value in T[:3, 3])
    rpy = " ".join(f"{value:.17g}" for value in Rotation.from_matrix(T[:3, :3]).as_euler("xyz"))
    return f'<origin xyz="{xyz}" rpy="{rpy}"/>'


def lagrange(manipulator: Manipulator) -> Solve:
    """Return ours: speed on paths, with the commands before known."""
    limits = (manipulator.lower, manipulator.upper)
    cold = LagrangeInverse(manipulator.chain, *limits)
    path = LagrangeInverse(manipulator.chain, *limits, ("speed",), (1.0,))

    def solve(T: Array, q: Array, on_path: bool) -> Array:
        if on_path:
            return path.step(T, STEP).q
        path.reset(q)
        return cold.solve(T, q).q

    return solve


def passive(manipulator: Manipulator) -> Solve:
    """Return our passive chain."""
    inverse = PassiveChain(manipulator.chain, manipulator.lower, manipulator.upper)
    return lambda T, q, on_path: inverse.solve(T, q).q


def slsqp(manipulator: Manipulator) -> Solve:
    """Return scipy's SLSQP: nearest to the last joints on paths, to zero else."""
    chain = manipulator.chain
    bounds = list(zip(manipulator.lower, manipulator.upper, strict=True))

    def solve(T: Array, q_start: Array, on_path: bool) -> Array:
        near = q_start.copy() if on_path else np.zeros(len(q_start))

        def h(q: Array) -> Array:
            out = np.empty(6)
            misalignment_into(out, T, tip_pose(chain, q), LENGTH, False)
            return out

        def slope(q: Array) -> Array:
            out = np.empty((6, len(q)))
            slope_into(out, T, tip_pose(chain, q), jacobian(chain, q), LENGTH, False)
            return out

        return minimize(
            lambda q: float((q - near) @ (q - near)), q_start, jac=lambda q: 2.0 * (q - near), bounds=bounds,
            constraints={"type": "eq", "fun": h, "jac": slope}, method="SLSQP",
            options={"ftol": 1e-10, "maxiter": 100},
        ).x  # fmt: skip

    return solve


def pink_peer(manipulator: Manipulator) -> Solve:
    """Return pink: one frame task and a little damping."""
    import pinocchio as pin
    from pink import Configuration, solve_ik
    from pink.tasks import FrameTask

    model = pin.buildModelFromXML(urdf_of(manipulator))
    data, task = model.createData(), FrameTask("tip", 1.0, LENGTH, lm_damping=1e-6)

    def solve(T: Array, q: Array, on_path: bool) -> Array:
        configuration = Configuration(model, data, np.array(q))
        task.set_target(pin.SE3(T))
        for _ in range(1 if on_path else MOST):
            v = solve_ik(configuration, [task], STEP, solver="daqp", damping=1e-9)
            configuration.integrate_inplace(v, STEP)
            if max(errors(T, tip_pose(manipulator.chain, configuration.q))) < ENOUGH:
                break
        return np.array(configuration.q)

    return solve


def mink_peer(manipulator: Manipulator) -> Solve:
    """Return mink: one frame task and the joints' limits."""
    import mink

    model = mujoco.MjModel.from_xml_string(mujoco_text(manipulator))
    limits = [mink.ConfigurationLimit(model)]
    task = mink.FrameTask("tip", "body", position_cost=1.0, orientation_cost=LENGTH, lm_damping=1e-6)

    def solve(T: Array, q: Array, on_path: bool) -> Array:
        configuration = mink.Configuration(model, q=np.array(q))
        task.set_target(mink.SE3.from_matrix(T))
        for _ in range(1 if on_path else MOST):
            v = mink.solve_ik(configuration, [task], STEP, solver="daqp", damping=1e-9, limits=limits)
            configuration.integrate_inplace(v, STEP)
            if max(errors(T, tip_pose(manipulator.chain, configuration.q))) < ENOUGH:
                break
        return np.array(configuration.q)

    return solve


def ssik_peer(manipulator: Manipulator) -> Solve:
    """Return ssik: all branches over its arm angles, the nearest to the last joints taken."""
    importlib.import_module("ssik")
    with tempfile.TemporaryDirectory() as folder:
        mjcf, module = Path(folder) / "arm.xml", Path(folder) / "arm_ik.py"
        spec = mujoco.MjSpec.from_string(mujoco_text(manipulator))
        spec.compile()
        mjcf.write_text(spec.to_xml(), encoding="utf-8")
        program = Path(sys.executable).parent / "ssik"
        command = [program, "build", mjcf, "--ee", "tip", "--out", module, "--no-validate"]
        subprocess.run([str(part) for part in command], check=True, capture_output=True)
        peer = module_from(module)

    def solve(T: Array, q: Array, on_path: bool) -> Array:
        found = peer.solve(T, q_seed=np.array(q))
        if not found:
            return np.array(q)
        return min((np.array(one.q) for one in found), key=lambda other: float(np.abs(other - q).max()))

    return solve


PEERS: dict[str, Callable[[Manipulator], Solve]] = {
    "lagrange (ours)": lagrange, "passive chain (ours)": passive, "pink": pink_peer, "mink": mink_peer,
    "ssik": ssik_peer, "SLSQP": slsqp,
}  # fmt: skip


def on_targets(manipulator: Manipulator, solve: Solve, targets: list[Target]) -> dict[str, float]:
    """Return success within 1e-6, median time and residual on targets."""
    times, residuals = [], []
    for target in targets:
        begin = time.perf_counter_ns()
        q = solve(target.T, target.q_start, False)
        times.append(1e-6 * (time.perf_counter_ns() - begin))
        residuals.append(max(errors(target.T, tip_pose(manipulator.chain, q))))
    solved = sum(residual < ENOUGH for residual in residuals)
    return {
        "solved_percent": 100.0 * solved / len(targets), "target_ms": float(np.median(times)),
        "residual": float(np.median(residuals)),
    }  # fmt: skip


def on_path(manipulator: Manipulator, solve: Solve, path: Array, q_start: Array) -> dict[str, Any]:
    """Return time, greatest residual, fastest joint and smoothness on a path, and the joints."""
    solve(path[0], q_start, False)
    q, times, residuals = [q_start], [], []
    for T in path[1:]:
        begin = time.perf_counter_ns()
        q.append(np.array(solve(T, q[-1], True)))
        times.append(1e-6 * (time.perf_counter_ns() - begin))
        residuals.append(max(errors(T, tip_pose(manipulator.chain, q[-1]))))
    dq = np.diff(np.array(q), axis=0) / STEP
    return {
        "ms": float(np.median(times)), "residual": max(residuals), "fastest_rad_s": float(np.abs(dq).max()),
        "acceleration_rad_s2": rms(np.diff(dq, axis=0) / STEP), "q": np.array(q),
    }  # fmt: skip


def compared(count: int) -> tuple[dict[str, dict[str, Any]], dict[str, str]]:
    """Return the figures of each peer, and why others are left out."""
    manipulator = arm()
    targets = targets_near(manipulator, count)
    paths = {"path": (reference_path(), START), "stretch": (stretched_path(manipulator.chain), STRETCH_START)}
    figures: dict[str, dict[str, Any]] = {}
    missing = {"placo": "wants other versions of pinocchio and numpy: it cannot stand beside ours"}
    for name, make in PEERS.items():
        try:
            solve = make(manipulator)
        except ImportError as error:
            missing[name] = str(error)
            continue
        solve(targets[0].T, targets[0].q_start, False)
        figures[name] = on_targets(manipulator, solve, targets)
        for title, (path, q_start) in paths.items():
            found = on_path(manipulator, solve, path, q_start)
            figures[name] |= {f"{title}_{key}": value for key, value in found.items()}
    return figures, missing


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--targets", type=int, default=200)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there as well")
    options = parser.parse_args()
    figures, missing = compared(options.targets)
    keys = [key for key in next(iter(figures.values())) if not key.endswith("_q")]
    width = max(len(key) for key in keys)
    print(" " * width + "".join(f"{name:>22}" for name in figures))
    for key in keys:
        print(f"{key:{width}}" + "".join(f"{found[key]:22.3g}" for found in figures.values()))
    for name, reason in missing.items():
        print(f"left out: {name}: {reason}")
    if options.json:
        rows = [
            Row(f"{name}: {key}", found[key], None, "") for name, found in figures.items() for key in keys
        ]
        write_rows(options.json, rows, {"left out": missing})


if __name__ == "__main__":
    main()
