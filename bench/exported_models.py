"""One arm, many descriptions: how far exported models are from the chain and the simulation they come from.

Of each arm in configs/assemblies: pinocchio on the URDF, MuJoCo on the MJCF (pose of the tip, mass matrix,
bias, at random states; the last two by their greatest value), the Modelica text by rumoca over half a second,
the stand-alone simulator over one. With a reference file (CSV: t_s, r1 to r6 [rad], every 10 ms) RobotR3's
Modelica text too, along its published path.

    python -m bench.exported_models [REFERENCE.csv] [--arms NAME,...] [--seconds S] [--json OUT.json]

The JSON file has `worst_rad`, of RobotR3's Modelica text, if a reference was given.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import mujoco
import numpy as np

from bench.export_cases import robot_r3_modelica, swing_run
from bench.report import Row, print_rows, write_rows
from sim.assembly.assembly_file import load_assembly
from sim.assembly.chain import Chain
from sim.assembly.database import SHIPPED, load_database
from sim.assembly.manipulator import Manipulator, manipulator_of
from sim.chain.dynamics import bias, mass_matrix
from sim.chain.kinematics import tip_pose
from sim.drives.arm_simulation import ArmSimulation
from sim.drives.of_assembly import drives_of
from sim.exports.exporting import export
from sim.exports.mjcf import mjcf_text
from sim.exports.urdf import urdf_text

ASSEMBLIES = SHIPPED.parent / "assemblies"
STATES = 50
POSE, FORCES, MODELICA, PROGRAM = 1e-12, 1e-10, 1e-4, 1e-6


def pinocchio_rows(name: str, chain: Chain, made: Manipulator) -> list[Row]:
    """Return pose, mass matrix and bias of the URDF beside our chain's."""
    import pinocchio as pin

    model = pin.buildModelFromXML(urdf_text(made, chain))
    model.gravity.linear, model.armature = made.gravity, np.array(made.chain.armatures)
    data, frame, worst = model.createData(), model.getFrameId("flange"), np.zeros(3)
    for q, dq in _states(made):
        pin.framesForwardKinematics(model, data, q)
        M = pin.crba(model, data, q)
        found = (
            data.oMf[frame].homogeneous,
            np.triu(M) + np.triu(M, 1).T,
            pin.nonLinearEffects(model, data, q, dq),
        )
        worst = np.maximum(worst, _differences(made, q, dq, found))
    return _rows(f"{name}: URDF, pinocchio", worst)


def mujoco_rows(name: str, chain: Chain, made: Manipulator) -> list[Row]:
    """Return pose, mass matrix and bias of the MJCF beside our chain's."""
    model = mujoco.MjModel.from_xml_string(mjcf_text(made, chain))
    data, worst, n = mujoco.MjData(model), np.zeros(3), len(made.axes)
    for q, dq in _states(made):
        data.qpos, data.qvel = q, dq
        mujoco.mj_forward(model, data)
        T, M = np.eye(4), np.empty((n, n))
        T[:3, 3], T[:3, :3] = data.site("flange").xpos, data.site("flange").xmat.reshape(3, 3)
        mujoco.mj_fullM(model, data, M)
        worst = np.maximum(worst, _differences(made, q, dq, (T, M, data.qfrc_bias)))
    return _rows(f"{name}: MJCF, MuJoCo", worst)


def program_row(name: str, chain: Chain, made: Manipulator) -> Row:
    """Return the stand-alone simulator's worst joint beside our simulation's, over a second's swing."""
    simulation, n = ArmSimulation(made, chain.database), len(made.axes)
    speed, w, t = 0.2 * made.speeds, 2.0 * np.pi, (np.arange(1000) + 0.5) * simulation.dt
    q = simulation.q + np.outer(1.0 - np.cos(w * t), speed) / w
    dq = np.outer(np.sin(w * t), speed)
    lines = (" ".join(map(repr, row)) for row in np.hstack([q, dq]).tolist())
    told = "".join(f"joints {line}\nstep\n" for line in lines)
    with tempfile.TemporaryDirectory() as folder:
        files = export(made, chain, Path(folder), ["standalone"])
        program = next(path for path in files if path.name == "simulator")
        done = subprocess.run([program], input=told, env={}, text=True, capture_output=True, check=True)
    rows = np.array([[float(word) for word in line.split()] for line in done.stdout.splitlines()])
    worst = float(np.abs(rows[:, 1 : 1 + n] - simulation.run(q, dq).q).max())
    return Row(f"{name}: stand-alone simulator, worst joint", worst, PROGRAM, "rad, m")


def _states(made: Manipulator) -> list[tuple[np.ndarray, np.ndarray]]:
    rng, n = np.random.default_rng(0), len(made.axes)
    return [(rng.uniform(made.lower, made.upper), rng.uniform(-2.0, 2.0, n)) for _ in range(STATES)]


def _differences(
    made: Manipulator, q: np.ndarray, dq: np.ndarray, found: tuple[np.ndarray, ...]
) -> list[float]:
    ours = tip_pose(made.chain, q), mass_matrix(made.chain, q), bias(made.chain, q, dq, made.gravity)
    sizes = 1.0, max(1.0, float(np.abs(ours[1]).max())), max(1.0, float(np.abs(ours[2]).max()))
    return [float(np.abs(a - b).max()) / size for a, b, size in zip(found, ours, sizes, strict=True)]


def _rows(name: str, worst: np.ndarray) -> list[Row]:
    kinds = (("pose of the tip", POSE, "m"), ("mass matrix", FORCES, ""), ("bias", FORCES, ""))
    return [
        Row(f"{name}, {kind}", float(v), goal, unit)
        for v, (kind, goal, unit) in zip(worst, kinds, strict=True)
    ]


def main() -> int:
    """Measure, print; 1 if a goal is missed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("reference", type=Path, nargs="?")
    names = sorted(path.stem for path in ASSEMBLIES.glob("*.toml"))
    parser.add_argument("--arms", default=",".join(names), metavar="NAME,...")
    parser.add_argument("--seconds", type=float, default=0.5, metavar="S", help="of the Modelica text")
    parser.add_argument("--json", type=Path, metavar="OUT.json")
    options = parser.parse_args()
    rows, database, details = [], load_database(), {}
    for name in options.arms.split(","):
        chain = load_assembly(ASSEMBLIES / f"{name}.toml", database)
        made = manipulator_of(chain)
        rows += pinocchio_rows(name, chain, made) + mujoco_rows(name, chain, made)
        worst, run = swing_run(made, drives_of(made, chain.database), options.seconds)
        rows.append(Row(f"{name}: Modelica, rumoca, worst joint", float(worst.max()), MODELICA, "rad, m"))
        rows.append(Row(f"{name}: rumoca took", run.compiled + run.simulated, None, "s"))
        rows.append(program_row(name, chain, made))
    if options.reference is not None:
        table = np.genfromtxt(options.reference, delimiter=",", names=True)
        reference = np.stack([table[f"r{joint}"] for joint in range(1, 7)], axis=1)
        errors = np.abs(robot_r3_modelica(len(reference)).q - reference)
        rows.append(
            Row("RobotR3's path: Modelica, rumoca, worst joint", float(errors.max()), MODELICA, "rad")
        )
        details["worst_rad"] = float(errors.max())
    print_rows(rows)
    if options.json is not None:
        write_rows(options.json, rows, details)
    return 0 if all(row.reached is not False for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
