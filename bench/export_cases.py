"""Exported models beside the simulation that they come from: what bench and tests run."""

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from hil.common.arrays import Array
from sim.assembly.component_schema import Revolute
from sim.assembly.manipulator import Axis, Manipulator
from sim.drives import robot_r3
from sim.drives.drive import DriveParameters
from sim.drives.driven_arm import DrivenArm
from sim.exports.modelica import modelica_text
from sim.exports.swing import home_of
from sim.exports.text import identifier, number

TOLERANCE = 1e-10
FINE = 1e-4  # s, step of our simulation that a Modelica run is compared with
SWING_RATE = 2.0 * np.pi  # rad/s, of the package's model `Swing`
SWING_SHARE = 0.2  # of each joint's speed
WALL = 300.0  # s that rumoca is given


@dataclass(frozen=True)
class ModelicaRun:
    """What rumoca made of a model.

    Attributes:
        q: joint positions at the times asked for [rad, m], shape (k, n).
        compiled: time that it took to compile [s].
        simulated: and to simulate [s].
    """

    q: Array
    compiled: float
    simulated: float


def modelica_run(source: str, model: str, joints: list[str], every: float, rows: int) -> ModelicaRun:
    """Compile and simulate a model by rumoca; positions at 0, `every`, ... of the named variables."""
    import rumoca

    begun = time.perf_counter()
    compiled = rumoca.Session().loads(source, model=model)
    middle = time.perf_counter()
    settings = rumoca.SimConfig(solver="bdf", rtol=TOLERANCE, atol=TOLERANCE, dt=every, max_wall_seconds=WALL)
    result = compiled.simulate(every * (rows - 1), config=settings)
    ended = time.perf_counter()
    times = np.asarray(result.time)  # with the instants of events among them
    at = [int(np.abs(times - every * k).argmin()) for k in range(rows)]
    q = np.array([np.asarray(result[name])[at] for name in joints]).T
    return ModelicaRun(q, middle - begun, ended - middle)


def swing_run(
    manipulator: Manipulator, drives: tuple[DriveParameters, ...], seconds: float
) -> tuple[Array, ModelicaRun]:
    """Return the worst difference of each joint between the exported `Swing` and our simulation of it."""
    name, n, rows = identifier(manipulator.name), len(manipulator.axes), 21
    source = modelica_text(manipulator, drives)
    every = seconds / (rows - 1)
    run = modelica_run(source, f"{name}.Swing", [f"arm.q[{i + 1}]" for i in range(n)], every, rows)
    start = home_of(manipulator)
    arm = DrivenArm(manipulator.chain, drives, manipulator.gravity, FINE, q_start=start)
    steps = round(seconds / FINE)
    middles = (np.arange(steps) + 0.5) * FINE
    speed = SWING_SHARE * manipulator.speeds
    told = start + np.outer(1.0 - np.cos(SWING_RATE * middles), speed) / SWING_RATE
    q = np.vstack([start, arm.run(told, np.outer(np.sin(SWING_RATE * middles), speed)).q])
    return np.abs(q[:: steps // (rows - 1)] - run.q).max(axis=0), run


def robot_r3_manipulator() -> Manipulator:
    """Return RobotR3 with names, and limits that its path keeps."""
    axes = []
    for i, speed in enumerate(np.degrees(robot_r3.SPEEDS).tolist(), 1):
        limits = {"lower_deg": -200.0, "upper_deg": 200.0, "speed_deg_s": speed, "torque_n_m": 1000.0}
        axes.append(Axis(f"r{i}", Revolute.model_validate({"type": "revolute", **limits})))
    return Manipulator("robot_r3", robot_r3.chain(), tuple(axes), ((),) * 7, robot_r3.GRAVITY)


def robot_r3_source() -> str:
    """Return RobotR3 as exported, with a model `Path` that drives it along its published trapezoid."""
    text = modelica_text(robot_r3_manipulator(), robot_r3.drives(), robot_r3.START)
    way = np.abs(robot_r3.END - robot_r3.START)
    speed, rise = float((robot_r3.SPEEDS / way).min()), float((robot_r3.ACCELERATIONS / way).min())
    ramp, end = speed / rise, robot_r3.path_end()
    ramp_text, end_text, late = number(ramp), number(end), number(end - ramp)
    path = f"""\
  model Path
    Arm arm;
    parameter Real start[6] = {_list(robot_r3.START)};
    parameter Real way[6] = {_list(robot_r3.END - robot_r3.START)};
    Real t;
    Real s;
    Real ds;
  equation
    t = min(time, {end_text});
    s = if t < {ramp_text} then {number(0.5 * rise)} * t * t
      else if t > {late} then 1 - {number(0.5 * rise)} * ({end_text} - t) * ({end_text} - t)
      else {number(speed)} * (t - {number(0.5 * ramp)});
    ds = if t < {ramp_text} then {number(rise)} * t
      else if t > {late} then {number(rise)} * ({end_text} - t) else {number(speed)};
    arm.q_ref = start + s * way;
    arm.dq_ref = ds * way;
    arm.tip_force = {{0, 0, 0}};
    arm.tip_torque = {{0, 0, 0}};
  end Path;
end robot_r3;
"""
    return text.replace("end robot_r3;\n", path)


def robot_r3_modelica(rows: int) -> ModelicaRun:
    """Run the exported RobotR3 along its path; a row each 10 ms."""
    joints = [f"arm.q[{i}]" for i in range(1, 7)]
    return modelica_run(robot_r3_source(), "robot_r3.Path", joints, 0.01, rows)


def _list(values: Any) -> str:
    return "{" + ", ".join(number(value) for value in values) + "}"
