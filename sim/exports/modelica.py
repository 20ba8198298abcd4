"""Modelica text: one package with the classes of components, and the arm as instances that are connected.

source: Krenn et al., "the robot model code consists of objects (parameterized instances) of classes taken
from the database and information about connections". `classes.mo` has the classes, with the equations of
sim/chain and sim/drives. The package's models: `Arm`, whose inputs are references of the joints (`q_ref`,
`dq_ref`) and a wrench at the tip, and whose outputs are its states; `ArmByTip`, whose input is the tip's
pose; `Swing`, an arm whose joints swing, to try it.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from hil.common.arrays import Array
from sim.assembly.chain import pose_of
from sim.assembly.component_schema import Shape
from sim.assembly.manipulator import Manipulator
from sim.chain.dynamics import bias, mass_matrix
from sim.drives.drive import CASCADE, IMPEDANCE, DriveParameters, packed
from sim.drives.resting import rest
from sim.drives.spring import lines
from sim.drives.state import STATE
from sim.exports.swing import home_of
from sim.exports.text import identifier, number
from sim.exports.tip_follower import JOINT_DAMPING, LENGTH, RATE

CLASSES = Path(__file__).with_name("classes.mo")
# Of bristles, on the joint's side. Under a rising load they creep, by PRESLIDING times the load's rate by the
# friction: that must stay far below SLOW, or sticking friction falls before it is reached. SLOW must be small
# too: an axis that comes to stand slowly is held by sliding friction until it does.
PRESLIDING = 3e-9  # rad, m
SLOW = 1e-4  # rad/s, m/s: at which friction has fallen from sticking to sliding


def modelica_text(
    manipulator: Manipulator, drives: Sequence[DriveParameters], q_start: Array | None = None
) -> str:
    """Return a manipulator as a Modelica package; its simulation begins at rest and in balance.

    Args:
        manipulator: see there.
        drives: of its joints, base first.
        q_start: where it begins [rad, m], shape (n,); the middle of each joint's range.
    """
    start = home_of(manipulator) if q_start is None else q_start
    records, states = packed(drives), np.zeros(len(drives), STATE)
    weights = bias(manipulator.chain, start, np.zeros(len(start)), manipulator.gravity)
    rest(records, states, start, weights)
    name = identifier(manipulator.name)
    parts = [
        f'package {name} "{manipulator.name}: classes of components, and the arm made of them"',
        CLASSES.read_text(encoding="utf-8"),
        _reference_model(manipulator),
        _arm_model(manipulator, records, states),
        _tip_model(manipulator, start),
        _swing_model(start, manipulator),
        f"end {name};",
    ]
    return "\n".join(parts) + "\n"


def _list(values: Any) -> str:
    """Return an array of any depth as Modelica writes it."""
    return number(values) if np.ndim(values) == 0 else "{" + ", ".join(_list(v) for v in values) + "}"


def _instance(kind: str, name: str, annotation: str = "", **values: Any) -> str:
    given = ", ".join(
        f"{key} = {value if isinstance(value, str) else _list(value)}" for key, value in values.items()
    )
    return f"    {kind} {name}({given}){annotation};"


def _placed(column: int, row: int) -> str:
    x, y = -180 + 40 * column, -40 * row
    return (
        f" annotation(Placement(transformation(extent = {{{{{x - 15}, {y - 15}}}, {{{x + 15}, {y + 15}}}}})))"
    )


def _shown(manipulator: Manipulator, i: int) -> str:
    """Return a link's place in the diagram and its solids, for animation."""
    solids = [
        _solid(shape, placed.T_unit_body @ pose_of(shape.position, shape.rotvec))
        for placed in manipulator.units[i]
        for shape in placed.body.shapes
    ]
    place = _placed(2 * i, 0).removeprefix(" annotation(").removesuffix(")")
    return f" annotation({place}, __ZeroG(animation(shapes = {{{', '.join(solids)}}})))"


def _solid(shape: Shape, T: Array) -> str:
    return (
        f'Shape(solid = "{shape.solid}", size = {_list(shape.size)}, r = {_list(T[:3, 3])}, '
        f"R = {_list(T[:3, :3])}, color = {_list(shape.colour)})"
    )


def _links(manipulator: Manipulator, mass: bool = True, shown: bool = False) -> list[str]:
    chain = manipulator.chain
    return [
        _instance("Link", f"link_{i}", _shown(manipulator, i) if shown else "", m=chain.masses[i],
                  c=chain.centres[i], I=chain.inertias[i], d=T[:3, 3], Q=T[:3, :3])
        for i, T in enumerate([*chain.placements, chain.T_last_tip])
    ]  # fmt: skip


def _chained(joints: Sequence[str]) -> list[str]:
    """Return the connections of base, links, joints and tip."""
    lines = ["    connect(base.frame_b, link_0.frame_a);"]
    for i, joint in enumerate(joints):
        lines.append(f"    connect(link_{i}.frame_b, {joint}.frame_a);")
        lines.append(f"    connect({joint}.frame_b, link_{i + 1}.frame_a);")
    return [*lines, f"    connect(link_{len(joints)}.frame_b, tip.frame_a);"]


def _reference_model(manipulator: Manipulator) -> str:
    """Return the model of the chain held at references: weights, the tip's pose, the joints' axes."""
    n = len(manipulator.axes)
    names = [f"joint_{i + 1}" for i in range(n)]
    lines = ['  model Reference "The chain held at the joints\' references"', f"    input Real q[{n}];"]
    lines += [f"    output Real weight[{n}];", f"    output Real e[{n}, 3];", f"    output Real r[{n}, 3];"]
    lines += ["    output Real tip_r[3];", "    output Real tip_R[3, 3];"]
    lines += [_instance("Base", "base", g=manipulator.gravity), *_links(manipulator)]
    for i, axis in enumerate(manipulator.axes):
        kind = "HeldPrismatic" if axis.linear else "HeldRevolute"
        lines.append(_instance(kind, names[i], n=manipulator.chain.axes[i]))
    lines += ["    Tip tip;", "  equation", *_chained(names)]
    lines += ["    tip.force = {0, 0, 0};", "    tip.torque = {0, 0, 0};"]
    for i, name in enumerate(names, 1):
        lines += [f"    {name}.q = q[{i}];", f"    weight[{i}] = {name}.torque;"]
        lines += [f"    e[{i}, :] = {name}.e;", f"    r[{i}, :] = {name}.r;"]
    lines += ["    tip_r = tip.frame_a.r;", "    tip_R = tip.frame_a.R;", "  end Reference;", ""]
    return "\n".join(lines)


def _arm_model(manipulator: Manipulator, drives: Any, states: Any) -> str:
    n, chain = len(manipulator.axes), manipulator.chain
    names = [identifier(axis.name) for axis in manipulator.axes]
    known = bool(drives["gravity_model"].any())
    lines = [f'  model Arm "{manipulator.name}: the inputs are the joints\' references"']
    lines += [f"    input Real q_ref[{n}];", f"    input Real dq_ref[{n}];"]
    lines += ["    input Real tip_force[3];", "    input Real tip_torque[3];"]
    for output in ("q", "dq", "torque", "current", "winding", "housing"):
        lines.append(f"    output Real {output}[{n}];")
    lines += ["    output Real tip_r[3];", "    output Real tip_R[3, 3];"]
    lines += ["    output Real base_force[3];", "    output Real base_torque[3];"]
    lines.append(_instance("Base", "base", _placed(-1, 0), g=manipulator.gravity))
    lines += _links(manipulator, shown=True)
    if known:
        lines.append("    Reference held;")
    inertias = np.diag(mass_matrix(chain._replace(armatures=np.zeros(n)), states["q"].copy()))
    for i, axis in enumerate(manipulator.axes):
        d = drives[i]
        rigid = 0.0 if d["elastic"] else d["rotor_inertia"] * d["ratio"] ** 2
        kind = "Prismatic" if axis.linear else "Revolute"
        values = {"n": chain.axes[i], "J": rigid, "q_start": states[i]["q"]}
        if d["stop_stiffness"] > 0.0:
            values |= {"lower": d["lower"], "upper": d["upper"]}
            values |= {"stiffness": d["stop_stiffness"], "damping": d["stop_damping"]}
        lines.append(_instance(kind, names[i], _placed(2 * i + 1, 0), **values))
        lines += _drive(names[i], d, states[i], i, float(inertias[i]))
    lines += ["    Tip tip;", "  equation", *_chained(names)]
    for i, name in enumerate(names):
        lines += _connected(name, drives[i], i + 1)
    if known:
        lines.append("    held.q = q_ref;")
    lines += ["    tip.force = tip_force;", "    tip.torque = tip_torque;"]
    lines += ["    tip_r = tip.frame_a.r;", "    tip_R = tip.frame_a.R;"]
    lines += ["    base_force = link_0.frame_a.f;", "    base_torque = link_0.frame_a.t;", "  end Arm;", ""]
    return "\n".join(lines)


def _friction(coulomb: float, back: float, stick: float, viscous: float, inertia: float, turns: float) -> str:
    """Return the bristles' parameters; `turns` is the ratio of the shaft, 1 of the joint."""
    size = max(coulomb, back, stick)
    values = {"viscous": viscous, "presliding": PRESLIDING * turns, "speed": SLOW * turns, "inertia": inertia}
    return "(" + ", ".join(f"{k} = {_list(v)}" for k, v in {**values, "size": max(size, 1e-6)}.items()) + ")"


def _drive(name: str, d: Any, s: Any, i: int, inertia: float) -> list[str]:
    """Return the instances of a joint's drive."""
    turns, column = abs(float(d["ratio"])), 2 * i + 1
    k1, k2, k3, x1, x2 = lines(d)
    heat = {"R_wh": d["winding_resistance"], "R_ha": d["housing_resistance"], "C_w": d["winding_capacity"],
            "C_h": d["housing_capacity"], "T_limit": d["winding_limit"], "alpha": d["alpha"]}  # fmt: skip
    winding = {"k": d["torque_constant"], "R": d["resistance"], "L": d["inductance"],
               "kp": d["loop_proportional"], "ki": d["loop_integral"], "u_max": d["voltage_max"],
               "i_max": d["current_max"], "i_continuous": d["current_continuous"], "i_start": s["current"],
               "on": 1.0 if d["controller"] else 0.0, **heat}  # fmt: skip
    inner = ", ".join(f"{key} = {_list(value)}" for key, value in winding.items())
    moved = float(d["rotor_inertia"]) + (0.0 if d["elastic"] else inertia / turns**2)
    friction = (d["motor_coulomb"], d["motor_coulomb_back"], d["motor_stick"])
    motor = {"J": d["rotor_inertia"], "ratio": d["ratio"], "efficiency": d["efficiency"],
             "coulomb": friction[0], "coulomb_back": friction[1], "stick": friction[2]}  # fmt: skip
    nested = f", winding({inner}), friction{_friction(*friction, d['motor_viscous'], moved, turns)}"
    kind, gear = "RigidMotor", []
    if d["elastic"]:
        kind, motor["theta_start"] = "Motor", s["theta"]
        spring = {"ratio": d["ratio"], "k1": k1, "k2": k2, "k3": k3, "x1": x1, "x2": x2,
                  "damping": d["gear_damping"], "backlash": d["backlash"]}  # fmt: skip
        gear.append(_instance("ElasticGear", f"{name}_gear", _placed(column, 1), **spring))
    given = ", ".join(f"{key} = {_list(value)}" for key, value in motor.items()) + nested
    made = [f"    {kind} {name}_motor({given}){_placed(column, 2)};", *gear]
    bearing = (d["joint_coulomb"], d["joint_coulomb_back"], d["joint_stick"])
    if max(bearing) > 0.0 or d["joint_viscous"] > 0.0:
        reflected = inertia + (0.0 if d["elastic"] else d["rotor_inertia"] * turns**2)
        inside = _friction(*bearing, d["joint_viscous"], float(reflected), 1.0)
        values = dict(zip(("coulomb", "coulomb_back", "stick"), bearing, strict=True))
        made.append(
            _instance("JointFriction", f"{name}_bearing", **values).replace(");", f", friction{inside});")
        )
    return [*made, *_controller(name, d, s, column)]


def _controller(name: str, d: Any, s: Any, column: int) -> list[str]:
    k1, k2, k3, _, _ = lines(d)
    place, common = _placed(column, 3), {"ratio": d["ratio"], "k": d["torque_constant"]}
    if d["controller"] == CASCADE:
        gains = {"kp": d["position_gain"], "kv": d["velocity_gain"], "T": d["integral_time"],
                 "z_start": s["speed_integral"]}  # fmt: skip
        made = [_instance("Cascade", f"{name}_controller", place, **common, **gains)]
    elif d["controller"] == IMPEDANCE:
        gains = {
            "stiffness": d["impedance_stiffness"],
            "damping": d["impedance_damping"],
            "kt": d["torque_gain"],
        }
        made = [_instance("Impedance", f"{name}_controller", place, **common, **gains)]
    else:
        made = [f"    Off {name}_controller{place};"]
    if d["gravity_model"] and d["elastic"]:
        gear = {"k1": k1, "k2": k2, "k3": k3, "t1": d["t1"], "t2": d["t2"], "backlash": d["backlash"]}
        made.append(_instance("Sag", f"{name}_sag", **gear))
    return made


def _connected(name: str, d: Any, i: int) -> list[str]:
    """Return the connections of a joint's drive, its controller's inputs and its outputs."""
    bearing = max(d["joint_coulomb"], d["joint_coulomb_back"], d["joint_stick"], d["joint_viscous"]) > 0.0
    driven = f"{name}_bearing.drive" if bearing else f"{name}.shaft"
    made = [f"    connect({name}.shaft, {name}_bearing.joint);"] if bearing else []
    if d["elastic"]:
        made.append(f"    connect({driven}, {name}_gear.joint);")
        made.append(f"    connect({name}_motor.shaft, {name}_gear.motor);")
    else:
        made.append(f"    connect({driven}, {name}_motor.joint);")
    controller, passed = f"{name}_controller", f"{name}_motor.command.torque"
    made.append(f"    connect({controller}.command, {name}_motor.command);")
    made += [f"    {controller}.q_ref = q_ref[{i}];", f"    {controller}.dq_ref = dq_ref[{i}];"]
    weight = sag = "0"
    if d["gravity_model"]:
        weight = f"held.weight[{i}]"
        if d["elastic"]:
            sag = f"{name}_sag.twist"
            made.append(f"    {name}_sag.torque = held.weight[{i}];")
    made += [f"    {controller}.weight = {weight};", f"    {controller}.sag = {sag};"]
    shown = {"q": f"{name}.q", "dq": f"{name}.qd", "torque": passed, "current": f"{name}_motor.winding.i",
             "winding": f"{name}_motor.winding.T_w", "housing": f"{name}_motor.winding.T_h"}  # fmt: skip
    return made + [f"    {output}[{i}] = {source};" for output, source in shown.items()]


def _tip_model(manipulator: Manipulator, start: Array) -> str:
    """Return the model whose input is the tip's pose: position, and rotation vector, in base axes."""
    n = len(manipulator.axes)
    weights = [1.0 / LENGTH**2 if axis.linear else 1.0 for axis in manipulator.axes]
    K = [1.0 / LENGTH**2] * 3 + [1.0] * 3
    columns = []
    for i, axis in enumerate(manipulator.axes, 1):
        if axis.linear:
            columns += [f"    J[1:3, {i}] = held.e[{i}, :];", f"    J[4:6, {i}] = {{0, 0, 0}};"]
        else:
            columns.append(f"    J[1:3, {i}] = cross(held.e[{i}, :], held.tip_r - held.r[{i}, :]);")
            columns.append(f"    J[4:6, {i}] = held.e[{i}, :];")
    return f"""\
  model ArmByTip "{manipulator.name}: the input is the pose of the tip in the base"
    input Real tip_position[3](each unit = "m");
    input Real tip_rotation[3](each unit = "rad") "Rotation vector";
    input Real tip_force[3];
    input Real tip_torque[3];
    parameter Real rate(unit = "1/s") = {number(RATE)} "At which the error falls";
    Arm arm;
    Reference held;
    Real q_ref[{n}](start = {_list(start)}, each fixed = true);
    Real dq_ref[{n}];
  protected
    parameter Real D[{n}] = {_list(np.array(weights) * JOINT_DAMPING)};
    parameter Real K[6] = {_list(np.array(K))};
    Real J[6, {n}];
    Real angle;
    Real u[3] "Axis of the command";
    Real U[3, 3];
    Real C[3, 3] "Rotation of the command";
    Real E[3, 3] "What is left of it";
    Real v[3];
    Real s;
    Real error[6];
    Real pull[6];
  equation
    angle = sqrt(tip_rotation * tip_rotation + 1e-30);
    u = tip_rotation / angle;
    U = {{{{0, -u[3], u[2]}}, {{u[3], 0, -u[1]}}, {{-u[2], u[1], 0}}}};
    C = {{{{1, 0, 0}}, {{0, 1, 0}}, {{0, 0, 1}}}} + sin(angle) * U + (1 - cos(angle)) * (U * U);
    E = C * transpose(held.tip_R);
    v = {{E[3, 2] - E[2, 3], E[1, 3] - E[3, 1], E[2, 1] - E[1, 2]}} / 2;
    s = sqrt(v * v + 1e-30);
    error[1:3] = tip_position - held.tip_r;
    error[4:6] = v * atan2(s, (E[1, 1] + E[2, 2] + E[3, 3] - 1) / 2) / s;
{chr(10).join(columns)}
    pull = {{K[k] * (rate * error[k] - J[k, :] * dq_ref) for k in 1:6}};
    {{D[i] * dq_ref[i] for i in 1:{n}}} = transpose(J) * pull;
    der(q_ref) = dq_ref;
    held.q = q_ref;
    arm.q_ref = q_ref;
    arm.dq_ref = dq_ref;
    arm.tip_force = tip_force;
    arm.tip_torque = tip_torque;
  end ArmByTip;
"""


def _swing_model(start: Array, manipulator: Manipulator) -> str:
    n = len(start)
    amplitudes = [0.2 * axis.joint.speed for axis in manipulator.axes]
    return f"""\
  model Swing "An arm whose joints swing, to try it: 1 Hz, 0.2 of each joint's speed"
    Arm arm;
    parameter Real start[{n}] = {_list(start)};
    parameter Real speed[{n}] = {_list(np.array(amplitudes))};
    parameter Real w(unit = "rad/s") = 6.283185307179586;
  equation
    arm.q_ref = start + speed * (1 - cos(w * time)) / w;
    arm.dq_ref = speed * sin(w * time);
    arm.tip_force = {{0, 0, 0}};
    arm.tip_torque = {{0, 0, 0}};
  end Swing;
"""
