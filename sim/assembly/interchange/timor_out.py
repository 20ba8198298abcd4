"""Components as Timor's modules; the frames and their turning as in `timor_in`."""

import json
from typing import Any

import numpy as np

from hil.common.arrays import Array
from hil.common.errors import AssemblyError
from sim.assembly.chain import marker, pose_of
from sim.assembly.component_rules import inertia_matrix
from sim.assembly.component_schema import Body, ComponentFile, Connector, Joint, Motor, Revolute, Shape
from sim.assembly.database import Database
from sim.assembly.interchange.timor_in import FLIP, GENDERS, GROUND

LETTERS = {word: letter for letter, word in GENDERS.items()}
Z = np.array([0.0, 0.0, 1.0])


def timor_json(components: list[ComponentFile], database: Database) -> str:
    """Return kinematic components as a file of Timor's modules.

    Motors and gears come with the joints that name them: ratio, rotor inertia and friction.

    Raises:
        AssemblyError: a component has no place in a chain, or names a drive's part that there is not.
    """
    modules = [_module(component, database) for component in components]
    return json.dumps({"modules": modules}, indent=1) + "\n"


def _module(c: ComponentFile, database: Database) -> dict[str, Any]:
    if not c.bodies or c.output is None:
        raise AssemblyError(f"{c.name!r} is a {c.kind}: Timor's modules are parts of a chain")
    names = [f"{c.name}_body_{k}" for k in range(len(c.bodies))]
    bodies = [_body(name, body) for name, body in zip(names, c.bodies, strict=True)]
    if c.input is None:
        bodies[0]["connectors"].append(
            {"ID": f"{c.name}_ground", "pose": FLIP.tolist(), "gender": "f", "type": GROUND, "size": []}
        )
    else:
        bodies[0]["connectors"].append(_connector(f"{c.name}_proximal", c.input, marker(c.input) @ FLIP))
    bodies[-1]["connectors"].append(_connector(f"{c.name}_distal", c.output, marker(c.output)))
    joints = [_joint(f"{c.name}_joint_{k}", names, k, joint, database) for k, joint in enumerate(c.joints)]
    return {"header": {"ID": c.name, "name": c.name}, "bodies": bodies, "joints": joints}


def _connector(name: str, connector: Connector, pose: Array) -> dict[str, Any]:
    return {
        "ID": name,
        "pose": pose.tolist(),
        "gender": LETTERS[connector.gender],
        "type": connector.type,
        "size": [connector.size],
    }


def _body(name: str, body: Body) -> dict[str, Any]:
    solids = [solid for shape in body.shapes for solid in _solids(shape)]
    return {
        "ID": name,
        "mass": body.mass,
        "inertia": inertia_matrix(body.inertia).tolist(),
        "r_com": body.centre.tolist(),
        "connectors": [],
        "visual": solids,
        "collision": solids,
    }


def _solids(shape: Shape) -> list[dict[str, Any]]:
    """Return a solid; a capsule as cylinder and balls, a bend not at all: Timor's set has none."""
    first, second, third = shape.size.tolist()
    T = pose_of(shape.position, shape.rotvec)
    if shape.solid == "box":
        return [_solid("box", {"x": first, "y": second, "z": third}, T)]
    if shape.solid == "sphere":
        return [_solid("sphere", {"r": first}, T)]
    if shape.solid == "bend":
        return []
    balls = []
    if shape.solid == "capsule":
        ends = [T @ pose_of(side * 0.5 * second * Z, np.zeros(3)) for side in (-1.0, 1.0)]
        balls = [_solid("sphere", {"r": first}, end) for end in ends]
    return [_solid("cylinder", {"r": first, "z": second}, T), *balls]


def _solid(kind: str, parameters: dict[str, float], T: Array) -> dict[str, Any]:
    return {"type": kind, "parameters": parameters, "pose": T.tolist()}


def _joint(name: str, bodies: list[str], k: int, joint: Joint, database: Database) -> dict[str, Any]:
    """Return a joint; Timor's turns about its z, so that ours is turned into its axis and back."""
    to_axis = _turn_to(joint.axis)
    gear = None if joint.gear is None else database[joint.gear].gear
    motor = None if joint.motor is None else database[joint.motor].motor
    ratio = 1.0 if gear is None else gear.ratio
    turns = isinstance(joint, Revolute)
    return {
        "ID": name,
        "parent": bodies[k],
        "child": bodies[k + 1],
        "type": "revolute" if turns else "prismatic",
        "passive": False,
        "poseParent": (pose_of(joint.position, joint.rotvec) @ to_axis).tolist(),
        "poseChild": to_axis.T.tolist(),
        "limits": {
            "positionLower": joint.lower,
            "positionUpper": joint.upper,
            "peakTorque": joint.torque if isinstance(joint, Revolute) else joint.force,
            "velocity": joint.speed,
            "acceleration": float("inf"),
        },
        "gearRatio": ratio,
        "motorInertia": _rotor(joint, motor, ratio, 0.0 if gear is None else gear.inertia),
        "frictionCoulomb": 0.0 if gear is None else gear.coulomb,
        "frictionViscous": 0.0 if gear is None else gear.viscous,
    }


def _rotor(joint: Joint, motor: Motor | None, ratio: float, gear_inertia: float) -> float:
    """Return the inertia on the motor's side that gives the joint its armature."""
    return joint.armature / ratio**2 if motor is None else motor.rotor_inertia + gear_inertia


def _turn_to(axis: Array) -> Array:
    """Return the pose (4, 4), a rotation alone, whose z is an axis."""
    z = axis / np.linalg.norm(axis)
    beside = np.eye(3)[int(np.argmin(np.abs(z)))]
    x = np.cross(beside, z)
    x /= np.linalg.norm(x)
    T = np.eye(4)
    T[:3, :3] = np.column_stack([x, np.cross(z, x), z]) if abs(z[2]) < 1.0 else np.diag([1.0, z[2], z[2]])
    return T
